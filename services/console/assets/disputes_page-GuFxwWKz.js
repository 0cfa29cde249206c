import{C as e,L as t,P as n,R as r,S as i,a,f as o,i as s,k as c,m as l,w as u,x as d}from"./index-HUDWQX_8.js";import{t as f}from"./page-BOC9bVKW.js";import{t as p}from"./precedents-KLq0QFcd.js";import"./still-AUh7G_n7.js";import{n as m,t as h}from"./viewers-DAwN4D3U.js";var g=[[`uphold`,`The event stands`],[`revertTo`,`The line goes back to a version`],[`correct`,`The position is corrected by facts`]],_=class extends f{static properties={...f.properties,match:{attribute:!1},events:{attribute:!1},dispute:{attribute:!1},found:{state:!0},rules:{state:!0},cited:{state:!0},kind:{state:!0},back:{state:!0},facts:{state:!0},drawn:{state:!0}};constructor(){super(),this.found=void 0,this.rules=[],this.cited=[],this.kind=`uphold`,this.back=0n,this.facts=``,this.drawn=``}firstUpdated(){this.attempt(()=>this.#e())}async#e(){let{service:e,match:t,dispute:n}=this,{matchId:r,version:i}=n,[a,o]=await Promise.all([e.audit.explainEvent({matchId:r,version:i,format:u.SVG}),e.matches.getGame({game:t.game})]);this.found=a,this.rules=o.rules,this.facts=a.facts.join(`
`),this.cited=a.rules.slice(0,1).map(({rule:e})=>e),await this.#t(i>1n?i-1n:1n)}async#t(e){this.back=e;let t={matchId:this.dispute.matchId,version:e,format:u.SVG},n=await this.attempt(()=>this.service.views.getScene(t));e===this.back&&n?.drawing.case===`svg`&&(this.drawn=n.drawing.value)}render(){let{found:e}=this;return r`
      ${this.trouble?r`<p class="trouble" role="alert">${this.trouble}</p>`:t}
      ${e?this.#n(e):t}
      ${e?this.#r(e):t}
    `}#n({before:e,after:n,event:i,rules:a,taps:o}){let s=(e,n)=>e?.drawing.case===`svg`?r`<figure><emeth-still .svg=${e.drawing.value} label=${n}></emeth-still>
            <figcaption>${n}</figcaption></figure>`:t,c=[...(i?.facts??[]).map(({sentence:e})=>e),...(i?.rulings??[]).map(({sentence:e})=>e)].filter(Boolean),l=[...new Set(a.flatMap(e=>e.precedents))];return r`<div class="stills">${s(e,`Before`)}${s(n,`After`)}</div>
      <ul class="lines">${c.map(e=>r`<li>${e}</li>`)}</ul>
      ${o.length?r`<p class="note">It was tapped: ${o.map(({target:e,code:t})=>e||t).join(`, `)}</p>`:t}
      ${l.length?r`<p class="note">Decided before, by the same rules: ${l.map(p)}</p>`:r`<p class="note">No verdict rests on these rules yet.</p>`}`}#r(e){return r`<form class="verdict" @submit=${this.#c}>
      <fieldset>
        <legend>Verdict</legend>
        ${g.map(([e,t])=>r`<label class="row"><input type="radio" name="kind" value=${e}
            ?checked=${e===this.kind} @change=${()=>this.kind=e} /> ${t}</label>`)}
      </fieldset>
      ${this.kind===`revertTo`?this.#i():t}
      ${this.kind===`correct`?this.#a():t}
      ${this.#o(e)}
      <div class="field">
        <label for="verdict-reason">In words</label>
        <textarea id="verdict-reason" name="reason" rows="3" maxlength="1000" required></textarea>
      </div>
      <p><button class="main" ?disabled=${this.busy}>Give the verdict</button></p>
    </form>`}#i(){return r`<div class="field">
        <label for="back">Back to</label>
        <select id="back" @change=${e=>{this.#t(BigInt(e.target.value))}}>
          ${[...this.events].reverse().map(({version:e,sentence:t})=>r`<option value=${e} ?selected=${e===this.back}>
              ${e}: ${t}</option>`)}
        </select>
      </div>
      <figure class="stills"><emeth-still .svg=${this.drawn} label="The board then"></emeth-still></figure>`}#a(){return r`<div class="field">
      <label for="facts">Facts, one a line</label>
      <textarea id="facts" rows="5" spellcheck="false" .value=${this.facts} @input=${e=>{this.facts=e.target.value}}
        aria-describedby="facts-about"></textarea>
      <p class="note" id="facts-about">
        They apply to the present position. To begin with they are those of the event in question.
      </p>
    </div>`}#o(e){let t=e=>{let t=e.target;this.rules.some(({id:e})=>e===t.value)&&(this.cited=[...new Set([...this.cited,t.value])],t.value=``)},n=new Set([...e.rules.map(({rule:e})=>e),...this.cited]),i=e=>()=>{let t=this.cited.includes(e);this.cited=t?this.cited.filter(t=>t!==e):[...this.cited,e]};return r`<fieldset>
      <legend>It rests on</legend>
      ${[...n].map(e=>{let t=this.rules.find(({id:t})=>t===e)?.meaning??``;return r`<div class="row ruled">
          <label class="row"><input type="checkbox" .checked=${this.cited.includes(e)}
            @change=${i(e)} /> ${t}</label>
          <span class="note">${s(e,this.match.game,this.match.matchId)}</span>
        </div>`})}
      <div class="field">
        <label for="rule">Another rule</label>
        <input id="rule" list="rules" autocomplete="off" placeholder="its id" @change=${t} />
        <datalist id="rules">
          ${this.rules.map(({id:e,meaning:t})=>r`<option value=${e}>${t}</option>`)}
        </datalist>
      </div>
    </fieldset>`}#s(){switch(this.kind){case`uphold`:return{case:`uphold`,value:!0};case`revertTo`:return{case:`revertTo`,value:this.back};case`correct`:return{case:`correct`,value:{$typeName:`emeth.v1.Correction`,facts:this.facts.split(`
`).filter(e=>e.trim())}}}}#c=async e=>{e.preventDefault();let t=this.querySelector(`#verdict-reason`)?.value??``,{matchId:n,number:r}=this.dispute,a={requestId:i(),matchId:n,dispute:r,reason:t,rules:[...this.cited],outcome:this.#s()},{audit:o}=this.service,s=await this.attempt(()=>d(()=>o.giveVerdict(a)));s&&this.dispatchEvent(new CustomEvent(`verdict-given`,{detail:s.version}))}};customElements.define(`emeth-verdict-form`,_);var v=500,y={[e.UNSPECIFIED]:`Open`,[e.UPHELD]:`The event stands`,[e.REVERTED]:`The line went back`,[e.CORRECTED]:`The position was corrected`},b=class extends f{static properties={...f.properties,match:{state:!0},events:{state:!0},disputes:{state:!0},permissions:{state:!0},text:{state:!0},onlyOpen:{state:!0},judging:{state:!0}};#e;constructor(){super(),this.match=void 0,this.events=[],this.disputes=[],this.permissions=new Set,this.text=``,this.onlyOpen=!1,this.judging=void 0}willUpdate(e){if(!e.has(`query`))return;let t=this.asked(`as`),n=this.asked(`version`)?[]:[`referee`];this.#e=m(this.service,this.asked(`match`),t,n),this.judging=void 0,this.attempt(()=>this.#t())}async#t(e=0n){let t=this.#e;if(!t)return;let n=this.asked(`match`),r={matchId:n,atLeastVersion:e},[{match:i},{permissions:a}]=await Promise.all([t.service.matches.getMatch(r),t.service.matches.whoAmI({matchId:n})]),o={matchId:n,atLeastVersion:i?.version??0n},[s,c]=await Promise.all([x(t.service,o),t.service.audit.listDisputes({...o,open:this.onlyOpen,text:this.text,pageSize:200})]);this.match=i,this.permissions=new Set(a),this.events=s,this.disputes=c.disputes,document.title=`Disputes: ${i?.title||i?.caption}`}render(){let{match:e}=this,n=this.asked(`match`),i=this.#e?.role??``;return this.framed(`Disputes and verdicts`,[h(`disputes`,n,i),e?r`<p>${e.title?`${e.title}: `:``}${e.caption}</p>`:t,this.permissions.has(c.RAISE_DISPUTE)?this.#n():t,e?this.#i():t],r`<a class="button" href=${l({match:n,as:i})}>To the match</a>`)}#n(){let e=this.asked(`version`);return r`<details class="raise" ?open=${e!==``}>
      <summary>Question an event</summary>
      <form @submit=${this.#r}>
        <div class="field">
          <label for="event">Which</label>
          <select id="event" name="event" required>
            ${[...this.events].reverse().map(({version:t,sentence:n})=>r`<option value=${t} ?selected=${String(t)===e}>
                ${t}: ${n}</option>`)}
          </select>
        </div>
        <div class="field">
          <label for="reason">Why</label>
          <textarea id="reason" name="reason" rows="3" maxlength="1000" required></textarea>
        </div>
        <p class="row"><button class="main" ?disabled=${this.busy}>Raise the dispute</button>
          ${this.match?.pauseOnDispute?r`<span class="note">The match then waits for the verdict.</span>`:t}</p>
      </form>
    </details>`}#r=async e=>{e.preventDefault();let t=e.target,n=e=>t.elements.namedItem(e).value,r={requestId:i(),matchId:this.asked(`match`),version:BigInt(n(`event`)),reason:n(`reason`)},{audit:a}=this.#e?.service??this.service,o=await this.attempt(()=>d(()=>a.raiseDispute(r)));o&&(t.reset(),await this.attempt(()=>this.#t(o.dispute)))};#i(){return r`
      <div class="row filters">
        <label class="wide">Search the reasons
          <input type="search" maxlength="200" .value=${this.text} @change=${e=>{this.text=e.target.value,this.attempt(()=>this.#t())}} /></label>
        <label class="row"><input type="checkbox" ?checked=${this.onlyOpen} @change=${e=>{this.onlyOpen=e.target.checked,this.attempt(()=>this.#t())}} /> Only open ones</label>
      </div>
      <ol class="disputes">${this.disputes.map(e=>this.#a(e))}</ol>
      ${this.disputes.length?t:r`<p class="note">Nothing is in dispute.</p>`}
    `}#a(i){let{version:a,seat:s,reason:c,raisedAt:u,verdict:d}=i,f=this.asked(`match`),p=this.#e?.role??``,m=this.events.find(e=>e.version===a),h=d===e.UNSPECIFIED,g=this.asked(`verdict`)===String(i.verdictVersion);return r`<li class=${h?`open`:``} aria-current=${g?`true`:t}>
      <p class="row">
        <b>${y[d]}</b>
        <span class="note">${o(this.match,s)}${u?`, ${n(u).toLocaleString()}`:``}</span>
      </p>
      <p><a href=${l({match:f,as:p,at:a})}>Event ${a}</a>: ${m?.sentence??``}</p>
      <blockquote>${c}</blockquote>
      ${h?this.#s(i):this.#o(i)}
    </li>`}#o({verdictVersion:e,verdictReason:n,rules:i,precedentId:o}){let s=this.asked(`match`);return r`<p><b>The referee:</b> ${n}</p>
      <p class="note">
        <a href=${l({match:s,at:e})}>Event ${e}</a>, cited as
        <code>${o}</code>
        ${i.length?r`; rests on ${a(i,this.match?.game??``,s)}`:t}
      </p>`}#s(e){return this.permissions.has(c.GIVE_VERDICT)?this.judging===e.number?r`<emeth-verdict-form .service=${this.#e?.service} .match=${this.match}
      .events=${this.events} .dispute=${e} @verdict-given=${e=>{this.judging=void 0,this.attempt(()=>this.#t(e.detail))}}></emeth-verdict-form>`:r`<button class="main" @click=${()=>this.judging=e.number}>Answer it</button>`:r`<p class="note">It waits for the referee.</p>`}};async function x(e,t){let n=[],r=``;do{let i=await e.history.listHistory({...t,pageSize:v,pageToken:r});n.push(...i.events),r=i.nextPageToken}while(r);return n}customElements.define(`emeth-disputes-page`,b);function S(e,t){return r`<emeth-disputes-page .service=${e} .query=${t}></emeth-disputes-page>`}export{S as show};