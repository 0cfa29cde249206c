import{C as e,F as t,H as n,I as r,L as i,P as a,T as o,Z as s,c,et as l,s as u,tt as d,v as f}from"./index-DKZ9GWuE.js";import{t as p}from"./page-DWsNkmbM.js";import{t as m}from"./precedents-CXT4Loqv.js";import"./still-CSTOPHvH.js";import{n as h,r as g,t as _}from"./viewers-CYUveDtp.js";var v=[[`uphold`,`The event stands`],[`revertTo`,`The line goes back to a version`],[`correct`,`The position is corrected by facts`]],y=class extends p{static properties={...p.properties,match:{attribute:!1},events:{attribute:!1},dispute:{attribute:!1},found:{state:!0},rules:{state:!0},cited:{state:!0},kind:{state:!0},back:{state:!0},facts:{state:!0},drawn:{state:!0}};constructor(){super(),this.found=void 0,this.rules=[],this.cited=[],this.kind=`uphold`,this.back=0,this.facts=``,this.drawn=``}firstUpdated(){this.attempt(()=>this.#e())}async#e(){let{service:e,match:t,dispute:n}=this,{matchId:r,version:a}=n,[o,s]=await Promise.all([e.audit.explainEvent({matchId:r,version:a,format:i.SVG}),e.matches.getGame({game:t.game})]);this.found=o,this.rules=s.rules,this.facts=o.facts.join(`
`),this.cited=o.rules.slice(0,1).map(({rule:e})=>e),await this.#t(a>1?a-1:1)}async#t(e){this.back=e;let t={matchId:this.dispute.matchId,version:e,format:i.SVG},n=await this.attempt(()=>this.service.views.getScene(t));e===this.back&&n?.drawing.case===`svg`&&(this.drawn=n.drawing.value)}render(){let{found:e}=this;return d`
      ${this.trouble?d`<p class="trouble" role="alert">${this.trouble}</p>`:l}
      ${e?this.#n(e):l}
      ${e?this.#r(e):l}
    `}#n({before:e,after:t,event:n,rules:r,taps:i}){let a=(e,t)=>e?.drawing.case===`svg`?d`<figure><emeth-still .svg=${e.drawing.value} label=${t}></emeth-still>
            <figcaption>${t}</figcaption></figure>`:l,o=[...(n?.facts??[]).map(({sentence:e})=>e),...(n?.rulings??[]).map(({sentence:e})=>e)].filter(Boolean),s=[...new Set(r.flatMap(e=>e.precedents))];return d`<div class="stills">${a(e,`Before`)}${a(t,`After`)}</div>
      <ul class="lines">${o.map(e=>d`<li>${e}</li>`)}</ul>
      ${i.length?d`<p class="note">It was tapped: ${i.map(({target:e,code:t})=>e||t).join(`, `)}</p>`:l}
      ${s.length?d`<p class="note">Decided before, by the same rules: ${s.map(m)}</p>`:d`<p class="note">No verdict rests on these rules yet.</p>`}`}#r(e){return d`<form class="verdict" @submit=${this.#c}>
      <fieldset>
        <legend>Verdict</legend>
        ${v.map(([e,t])=>d`<label class="row"><input type="radio" name="kind" value=${e}
            ?checked=${e===this.kind} @change=${()=>this.kind=e} /> ${t}</label>`)}
      </fieldset>
      ${this.kind===`revertTo`?this.#i():l}
      ${this.kind===`correct`?this.#a():l}
      ${this.#o(e)}
      <div class="field">
        <label for="verdict-reason">In words</label>
        <textarea id="verdict-reason" name="reason" rows="3" maxlength="1000" required></textarea>
      </div>
      <p><button class="main" ?disabled=${this.busy}>Give the verdict</button></p>
    </form>`}#i(){return d`<div class="field">
        <label for="back">Back to</label>
        <select id="back" @change=${e=>{this.#t(Number(e.target.value))}}>
          ${[...this.events].reverse().map(({version:e,sentence:t})=>d`<option value=${e} ?selected=${e===this.back}>
              ${e}: ${t}</option>`)}
        </select>
      </div>
      <figure class="stills"><emeth-still .svg=${this.drawn} label="The board then"></emeth-still></figure>`}#a(){return d`<div class="field">
      <label for="facts">Facts, one a line</label>
      <textarea id="facts" rows="5" spellcheck="false" .value=${this.facts} @input=${e=>{this.facts=e.target.value}}
        aria-describedby="facts-about"></textarea>
      <p class="note" id="facts-about">
        They apply to the present position. To begin with they are those of the event in question.
      </p>
    </div>`}#o(e){let t=e=>{let t=e.target;this.rules.some(({id:e})=>e===t.value)&&(this.cited=[...new Set([...this.cited,t.value])],t.value=``)},n=new Set([...e.rules.map(({rule:e})=>e),...this.cited]),r=e=>()=>{let t=this.cited.includes(e);this.cited=t?this.cited.filter(t=>t!==e):[...this.cited,e]};return d`<fieldset>
      <legend>It rests on</legend>
      ${[...n].map(e=>{let t=this.rules.find(({id:t})=>t===e)?.meaning??``;return d`<div class="row ruled">
          <label class="row"><input type="checkbox" .checked=${this.cited.includes(e)}
            @change=${r(e)} /> ${t}</label>
          <span class="note">${u(e,this.match.game,this.match.matchId)}</span>
        </div>`})}
      <div class="field">
        <label for="rule">Another rule</label>
        <input id="rule" list="rules" autocomplete="off" placeholder="its id" @change=${t} />
        <datalist id="rules">
          ${this.rules.map(({id:e,meaning:t})=>d`<option value=${e}>${t}</option>`)}
        </datalist>
      </div>
    </fieldset>`}#s(){switch(this.kind){case`uphold`:return{case:`uphold`,value:!0};case`revertTo`:return{case:`revertTo`,value:this.back};case`correct`:return{case:`correct`,value:{$typeName:`emeth.v1.Correction`,facts:this.facts.split(`
`).filter(e=>e.trim())}}}}#c=async e=>{e.preventDefault();let n=this.querySelector(`#verdict-reason`)?.value??``,{matchId:r,number:i}=this.dispute,o={requestId:t(),matchId:r,dispute:i,reason:n,rules:[...this.cited],outcome:this.#s()},{audit:s}=this.service,c=await this.attempt(()=>a(()=>s.giveVerdict(o)));c&&this.dispatchEvent(new CustomEvent(`verdict-given`,{detail:c.version}))}};customElements.define(`emeth-verdict-form`,y);var b=500,x={[r.UNSPECIFIED]:`Open`,[r.UPHELD]:`The event stands`,[r.REVERTED]:`The line went back`,[r.CORRECTED]:`The position was corrected`},S=class extends p{static properties={...p.properties,match:{state:!0},events:{state:!0},disputes:{state:!0},permissions:{state:!0},text:{state:!0},onlyOpen:{state:!0},judging:{state:!0}};#e;constructor(){super(),this.match=void 0,this.events=[],this.disputes=[],this.permissions=new Set,this.text=``,this.onlyOpen=!1,this.judging=void 0}willUpdate(e){if(!e.has(`query`)||!this.asked(`match`))return;let t=this.asked(`as`),n=this.asked(`version`)?[]:[`referee`];this.#e=g(this.service,this.asked(`match`),t,n),this.judging=void 0,this.attempt(()=>this.#t())}async#t(e=0){let t=this.#e;if(!t)return;let n=this.asked(`match`),r={matchId:n,atLeastVersion:e},{match:i,caller:a}=await t.service.matches.getMatch(r),o={matchId:n,atLeastVersion:i?.version??0},[s,c]=await Promise.all([C(t.service,o),t.service.audit.listDisputes({...o,open:this.onlyOpen,text:this.text,pageSize:200})]);this.match=i,this.permissions=new Set(a?.permissions),this.events=s,this.disputes=c.disputes,f(`Disputes: ${i?.title||i?.caption}`)}render(){let{match:e}=this,t=this.asked(`match`);if(!t)return this.framed(`Disputes and verdicts`,_(`disputes`));let r=this.#e?.role??``;return this.framed(`Disputes and verdicts`,[h(`disputes`,t,r),e?d`<p>${e.title?`${e.title}: `:``}${e.caption}</p>`:l,this.permissions.has(n.CREATE_DISPUTE)?this.#n():l,e?this.#i():l],d`<a class="button" href=${o({match:t,as:r})}>To the match</a>`)}#n(){let e=this.asked(`version`);return d`<details class="raise" ?open=${e!==``}>
      <summary>Question an event</summary>
      <form @submit=${this.#r}>
        <div class="field">
          <label for="event">Which</label>
          <select id="event" name="event" required>
            ${[...this.events].reverse().map(({version:t,sentence:n})=>d`<option value=${t} ?selected=${String(t)===e}>
                ${t}: ${n}</option>`)}
          </select>
        </div>
        <div class="field">
          <label for="reason">Why</label>
          <textarea id="reason" name="reason" rows="3" maxlength="1000" required></textarea>
        </div>
        <p class="row"><button class="main" ?disabled=${this.busy}>Raise the dispute</button>
          ${this.match?.pauseOnDispute?d`<span class="note">The match then waits for the verdict.</span>`:l}</p>
      </form>
    </details>`}#r=async e=>{e.preventDefault();let n=e.target,r=e=>n.elements.namedItem(e).value,i={requestId:t(),matchId:this.asked(`match`),version:Number(r(`event`)),reason:r(`reason`)},{audit:o}=this.#e?.service??this.service,s=await this.attempt(()=>a(()=>o.raiseDispute(i)));s&&(n.reset(),await this.attempt(()=>this.#t(s.dispute)))};#i(){return d`
      <div class="row filters">
        <label class="wide">Search the reasons
          <input type="search" maxlength="200" .value=${this.text} @change=${e=>{this.text=e.target.value,this.attempt(()=>this.#t())}} /></label>
        <label class="row"><input type="checkbox" ?checked=${this.onlyOpen} @change=${e=>{this.onlyOpen=e.target.checked,this.attempt(()=>this.#t())}} /> Only open ones</label>
      </div>
      <ol class="disputes">${this.disputes.map(e=>this.#a(e))}</ol>
      ${this.disputes.length?l:d`<p class="note">Nothing is in dispute.</p>`}
    `}#a(t){let{version:n,seat:i,reason:a,raisedAt:c,verdict:u}=t,f=this.asked(`match`),p=this.#e?.role??``,m=this.events.find(e=>e.version===n),h=u===r.UNSPECIFIED,g=this.asked(`verdict`)===String(t.verdictVersion);return d`<li class=${h?`open`:``} aria-current=${g?`true`:l}>
      <p class="row">
        <b>${x[u]}</b>
        <span class="note">${e(this.match,i)}${c?`, ${s(c).toLocaleString()}`:``}</span>
      </p>
      <p><a href=${o({match:f,as:p,at:n})}>Event ${n}</a>: ${m?.sentence??``}</p>
      <blockquote>${a}</blockquote>
      ${h?this.#s(t):this.#o(t)}
    </li>`}#o({verdictVersion:e,verdictReason:t,rules:n,precedentId:r}){let i=this.asked(`match`);return d`<p><b>The referee:</b> ${t}</p>
      <p class="note">
        <a href=${o({match:i,at:e})}>Event ${e}</a>, cited as
        <code>${r}</code>
        ${n.length?d`; rests on ${c(n,this.match?.game??``,i)}`:l}
      </p>`}#s(e){return this.permissions.has(n.RESOLVE_DISPUTE)?this.judging===e.number?d`<emeth-verdict-form .service=${this.#e?.service} .match=${this.match}
      .events=${this.events} .dispute=${e} @verdict-given=${e=>{this.judging=void 0,this.attempt(()=>this.#t(e.detail))}}></emeth-verdict-form>`:d`<button class="main" @click=${()=>this.judging=e.number}>Answer it</button>`:d`<p class="note">It waits for the referee.</p>`}};async function C(e,t){let n=[],r=``;do{let i=await e.history.listHistory({...t,pageSize:b,pageToken:r});n.push(...i.events),r=i.nextPageToken}while(r);return n}customElements.define(`emeth-disputes-page`,S);function w(e,t){return d`<emeth-disputes-page .service=${e} .query=${t}></emeth-disputes-page>`}export{w as show};