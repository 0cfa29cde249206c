import{B as e,C as t,F as n,L as r,P as i,T as a,c as o,et as s,it as c,q as l,rt as u,s as d,v as f,z as p}from"./index-DtcH58d_.js";import{t as m}from"./page-DW8AtBKC.js";import{t as h}from"./precedents-C73Di7vU.js";import"./still-D8fsyPUf.js";import{n as g,r as _,t as v}from"./viewers-qdgTeCQz.js";var y=[[`uphold`,`The event stands`],[`revertTo`,`The line goes back to a version`],[`correction`,`The position is corrected by facts`]],b=class extends m{static properties={...m.properties,match:{attribute:!1},events:{attribute:!1},dispute:{attribute:!1},found:{state:!0},rules:{state:!0},cited:{state:!0},kind:{state:!0},back:{state:!0},facts:{state:!0},drawn:{state:!0}};constructor(){super(),this.found=void 0,this.rules=[],this.cited=[],this.kind=`uphold`,this.back=0,this.facts=``,this.drawn=``}firstUpdated(){this.attempt(()=>this.#e())}async#e(){let{service:t,match:n,dispute:r}=this,{matchId:i,version:a}=r,[o,s]=await Promise.all([t.audit.explainEvent({matchId:i,version:a,format:e.SVG}),t.matches.getGame({game:n.game})]);this.found=o,this.rules=s.rules,this.facts=o.factsJson.join(`
`),this.cited=o.rules.slice(0,1).map(({rule:e})=>e),await this.#t(a>1?a-1:1)}async#t(t){this.back=t;let n={matchId:this.dispute.matchId,version:t,format:e.SVG},r=await this.attempt(()=>this.service.views.getScene(n));t===this.back&&r?.drawing.case===`svg`&&(this.drawn=r.drawing.value)}render(){let{found:e}=this;return c`
      ${this.trouble?c`<p class="trouble" role="alert">${this.trouble}</p>`:u}
      ${e?this.#n(e):u}
      ${e?this.#r(e):u}
    `}#n({before:e,after:t,event:n,rules:r,taps:i}){let a=(e,t)=>e?.drawing.case===`svg`?c`<figure><emeth-still .svg=${e.drawing.value} label=${t}></emeth-still>
            <figcaption>${t}</figcaption></figure>`:u,o=[...(n?.facts??[]).map(({sentence:e})=>e),...(n?.rulings??[]).map(({sentence:e})=>e)].filter(Boolean),s=[...new Set(r.flatMap(e=>e.precedentIds))];return c`<div class="stills">${a(e,`Before`)}${a(t,`After`)}</div>
      <ul class="lines">${o.map(e=>c`<li>${e}</li>`)}</ul>
      ${i.length?c`<p class="note">It was tapped: ${i.map(({target:e,code:t})=>e||t).join(`, `)}</p>`:u}
      ${s.length?c`<p class="note">Decided before, by the same rules: ${s.map(h)}</p>`:c`<p class="note">No verdict rests on these rules yet.</p>`}`}#r(e){return c`<form class="verdict" @submit=${this.#c}>
      <fieldset>
        <legend>Verdict</legend>
        ${y.map(([e,t])=>c`<label class="row"><input type="radio" name="kind" value=${e}
            ?checked=${e===this.kind} @change=${()=>this.kind=e} /> ${t}</label>`)}
      </fieldset>
      ${this.kind===`revertTo`?this.#i():u}
      ${this.kind===`correction`?this.#a():u}
      ${this.#o(e)}
      <div class="field">
        <label for="verdict-reason">In words</label>
        <textarea id="verdict-reason" name="reason" rows="3" maxlength="1000" required></textarea>
      </div>
      <p><button class="main" ?disabled=${this.busy}>Give the verdict</button></p>
    </form>`}#i(){return c`<div class="field">
        <label for="back">Back to</label>
        <select id="back" @change=${e=>{this.#t(Number(e.target.value))}}>
          ${[...this.events].reverse().map(({version:e,sentence:t})=>c`<option value=${e} ?selected=${e===this.back}>
              ${e}: ${t}</option>`)}
        </select>
      </div>
      <figure class="stills"><emeth-still .svg=${this.drawn} label="The board then"></emeth-still></figure>`}#a(){return c`<div class="field">
      <label for="facts">Facts, one a line</label>
      <textarea id="facts" rows="5" spellcheck="false" .value=${this.facts} @input=${e=>{this.facts=e.target.value}}
        aria-describedby="facts-about"></textarea>
      <p class="note" id="facts-about">
        They apply to the present position. To begin with they are those of the event in question.
      </p>
    </div>`}#o(e){let t=e=>{let t=e.target;this.rules.some(({id:e})=>e===t.value)&&(this.cited=[...new Set([...this.cited,t.value])],t.value=``)},n=new Set([...e.rules.map(({rule:e})=>e),...this.cited]),r=e=>()=>{let t=this.cited.includes(e);this.cited=t?this.cited.filter(t=>t!==e):[...this.cited,e]};return c`<fieldset>
      <legend>It rests on</legend>
      ${[...n].map(e=>{let t=this.rules.find(({id:t})=>t===e)?.meaning??``;return c`<div class="row ruled">
          <label class="row"><input type="checkbox" .checked=${this.cited.includes(e)}
            @change=${r(e)} /> ${t}</label>
          <span class="note">${d(e,this.match.game,this.match.matchId)}</span>
        </div>`})}
      <div class="field">
        <label for="rule">Another rule</label>
        <input id="rule" list="rules" autocomplete="off" placeholder="its id" @change=${t} />
        <datalist id="rules">
          ${this.rules.map(({id:e,meaning:t})=>c`<option value=${e}>${t}</option>`)}
        </datalist>
      </div>
    </fieldset>`}#s(){switch(this.kind){case`uphold`:return{case:`uphold`,value:!0};case`revertTo`:return{case:`revertTo`,value:this.back};case`correction`:return{case:`correction`,value:{$typeName:`emeth.v1.Correction`,factsJson:this.facts.split(`
`).filter(e=>e.trim())}}}}#c=async e=>{e.preventDefault();let t=this.querySelector(`#verdict-reason`)?.value??``,{matchId:r,number:a}=this.dispute,o={requestId:n(),matchId:r,disputeNumber:a,reason:t,rules:[...this.cited],decision:this.#s()},{audit:s}=this.service,c=(await this.attempt(()=>i(()=>s.resolveDispute(o))))?.dispute?.verdict;c&&this.dispatchEvent(new CustomEvent(`verdict-given`,{detail:c.version}))}};customElements.define(`emeth-verdict-form`,b);var x=500,S={[p.UNSPECIFIED]:``,[p.UPHELD]:`The event stands`,[p.REVERTED]:`The line went back`,[p.CORRECTED]:`The position was corrected`},C=class extends m{static properties={...m.properties,match:{state:!0},events:{state:!0},disputes:{state:!0},permissions:{state:!0},text:{state:!0},onlyOpen:{state:!0},judging:{state:!0}};#e;constructor(){super(),this.match=void 0,this.events=[],this.disputes=[],this.permissions=new Set,this.text=``,this.onlyOpen=!1,this.judging=void 0}willUpdate(e){if(!e.has(`query`)||!this.asked(`match`))return;let t=this.asked(`as`),n=this.asked(`version`)?[]:[`referee`];this.#e=_(this.service,this.asked(`match`),t,n),this.judging=void 0,this.attempt(()=>this.#t())}async#t(e=0){let t=this.#e;if(!t)return;let n=this.asked(`match`),i={matchId:n,atLeastVersion:e},[{match:a},{permissions:o}]=await Promise.all([t.service.matches.getMatch(i),t.service.matches.whoAmI({matchId:n})]),s={matchId:n,atLeastVersion:a?.version??0},[c,l]=await Promise.all([w(t.service,s),t.service.audit.listDisputes({...s,state:this.onlyOpen?r.OPEN:r.UNSPECIFIED,text:this.text,pageSize:200})]);this.match=a,this.permissions=new Set(o),this.events=c,this.disputes=l.disputes,f(`Disputes: ${a?.title||a?.caption}`)}render(){let{match:e}=this,t=this.asked(`match`);if(!t)return this.framed(`Disputes and verdicts`,v(`disputes`));let n=this.#e?.role??``;return this.framed(`Disputes and verdicts`,[g(`disputes`,t,n),e?c`<p>${e.title?`${e.title}: `:``}${e.caption}</p>`:u,this.permissions.has(l.RAISE_DISPUTE)?this.#n():u,e?this.#i():u],c`<a class="button" href=${a({match:t,as:n})}>To the match</a>`)}#n(){let e=this.asked(`version`);return c`<details class="raise" ?open=${e!==``}>
      <summary>Question an event</summary>
      <form @submit=${this.#r}>
        <div class="field">
          <label for="event">Which</label>
          <select id="event" name="event" required>
            ${[...this.events].reverse().map(({version:t,sentence:n})=>c`<option value=${t} ?selected=${String(t)===e}>
                ${t}: ${n}</option>`)}
          </select>
        </div>
        <div class="field">
          <label for="reason">Why</label>
          <textarea id="reason" name="reason" rows="3" maxlength="1000" required></textarea>
        </div>
        <p class="row"><button class="main" ?disabled=${this.busy}>Raise the dispute</button>
          ${this.match?.pauseOnDispute?c`<span class="note">The match then waits for the verdict.</span>`:u}</p>
      </form>
    </details>`}#r=async e=>{e.preventDefault();let t=e.target,r=e=>t.elements.namedItem(e).value,a={requestId:n(),matchId:this.asked(`match`),version:Number(r(`event`)),reason:r(`reason`)},{audit:o}=this.#e?.service??this.service,s=await this.attempt(()=>i(()=>o.createDispute(a)));s&&(t.reset(),await this.attempt(()=>this.#t(s.dispute?.number)))};#i(){return c`
      <div class="row filters">
        <label class="wide">Search the reasons
          <input type="search" maxlength="200" .value=${this.text} @change=${e=>{this.text=e.target.value,this.attempt(()=>this.#t())}} /></label>
        <label class="row"><input type="checkbox" ?checked=${this.onlyOpen} @change=${e=>{this.onlyOpen=e.target.checked,this.attempt(()=>this.#t())}} /> Only open ones</label>
      </div>
      <ol class="disputes">${this.disputes.map(e=>this.#a(e))}</ol>
      ${this.disputes.length?u:c`<p class="note">Nothing is in dispute.</p>`}
    `}#a(e){let{version:n,seat:r,reason:i,createTime:o,verdict:l}=e,d=this.asked(`match`),f=this.#e?.role??``,p=this.events.find(e=>e.version===n),m=l!==void 0&&this.asked(`verdict`)===String(l.version);return c`<li class=${l?``:`open`} aria-current=${m?`true`:u}>
      <p class="row">
        <b>${l?S[l.kind]:`Open`}</b>
        <span class="note">${t(this.match,r)}${o?`, ${s(o).toLocaleString()}`:``}</span>
      </p>
      <p><a href=${a({match:d,as:f,at:n})}>Event ${n}</a>: ${p?.sentence??``}</p>
      <blockquote>${i}</blockquote>
      ${l?this.#o(l):this.#s(e)}
    </li>`}#o({version:e,reason:t,rules:n,precedentId:r}){let i=this.asked(`match`);return c`<p><b>The referee:</b> ${t}</p>
      <p class="note">
        <a href=${a({match:i,at:e})}>Event ${e}</a>, cited as
        <code>${r}</code>
        ${n.length?c`; rests on ${o(n,this.match?.game??``,i)}`:u}
      </p>`}#s(e){return this.permissions.has(l.GIVE_VERDICT)?this.judging===e.number?c`<emeth-verdict-form .service=${this.#e?.service} .match=${this.match}
      .events=${this.events} .dispute=${e} @verdict-given=${e=>{this.judging=void 0,this.attempt(()=>this.#t(e.detail))}}></emeth-verdict-form>`:c`<button class="main" @click=${()=>this.judging=e.number}>Answer it</button>`:c`<p class="note">It waits for the referee.</p>`}};async function w(e,t){let n=[],r=``;do{let i=await e.history.listEvents({...t,pageSize:x,pageToken:r});n.push(...i.events),r=i.nextPageToken}while(r);return n}customElements.define(`emeth-disputes-page`,C);function T(e,t){return c`<emeth-disputes-page .service=${e} .query=${t}></emeth-disputes-page>`}export{T as show};