import{E as e,F as t,P as n,S as r,a as i,b as a,d as o,i as s,j as c,p as l,x as u,y as d}from"./index-DQcfy152.js";import{t as f}from"./page-2btDxUut.js";import{t as p}from"./precedents-avaoh9UT.js";import"./still-BI2ioPMr.js";import{n as m,t as h}from"./viewers-9_nmTehW.js";var g=[[`uphold`,`The event stands`],[`revertTo`,`The line goes back to a version`],[`correct`,`The position is corrected by facts`]],_=class extends f{static properties={...f.properties,match:{attribute:!1},events:{attribute:!1},dispute:{attribute:!1},found:{state:!0},rules:{state:!0},cited:{state:!0},kind:{state:!0},back:{state:!0},facts:{state:!0},drawn:{state:!0}};constructor(){super(),this.found=void 0,this.rules=[],this.cited=[],this.kind=`uphold`,this.back=0n,this.facts=``,this.drawn=``}firstUpdated(){this.attempt(()=>this.#e())}async#e(){let{service:e,match:t,dispute:n}=this,{matchId:i,version:a}=n,[o,s]=await Promise.all([e.audit.explainEvent({matchId:i,version:a,format:r.SVG}),e.matches.getGame({game:t.game})]);this.found=o,this.rules=s.rules,this.facts=o.facts.join(`
`),this.cited=o.rules.slice(0,1).map(({rule:e})=>e),await this.#t(a>1n?a-1n:1n)}async#t(e){this.back=e;let t={matchId:this.dispute.matchId,version:e,format:r.SVG},n=await this.attempt(()=>this.service.views.getScene(t));e===this.back&&n?.drawing.case===`svg`&&(this.drawn=n.drawing.value)}render(){let{found:e}=this;return t`
      ${this.trouble?t`<p class="trouble" role="alert">${this.trouble}</p>`:n}
      ${e?this.#n(e):n}
      ${e?this.#r(e):n}
    `}#n({before:e,after:r,event:i,rules:a,taps:o}){let s=(e,r)=>e?.drawing.case===`svg`?t`<figure><emeth-still .svg=${e.drawing.value} label=${r}></emeth-still>
            <figcaption>${r}</figcaption></figure>`:n,c=[...(i?.facts??[]).map(({sentence:e})=>e),...(i?.rulings??[]).map(({sentence:e})=>e)].filter(Boolean),l=[...new Set(a.flatMap(e=>e.precedents))];return t`<div class="stills">${s(e,`Before`)}${s(r,`After`)}</div>
      <ul class="lines">${c.map(e=>t`<li>${e}</li>`)}</ul>
      ${o.length?t`<p class="note">It was tapped: ${o.map(({target:e,code:t})=>e||t).join(`, `)}</p>`:n}
      ${l.length?t`<p class="note">Decided before, by the same rules: ${l.map(p)}</p>`:t`<p class="note">No verdict rests on these rules yet.</p>`}`}#r(e){return t`<form class="verdict" @submit=${this.#c}>
      <fieldset>
        <legend>Verdict</legend>
        ${g.map(([e,n])=>t`<label class="row"><input type="radio" name="kind" value=${e}
            ?checked=${e===this.kind} @change=${()=>this.kind=e} /> ${n}</label>`)}
      </fieldset>
      ${this.kind===`revertTo`?this.#i():n}
      ${this.kind===`correct`?this.#a():n}
      ${this.#o(e)}
      <div class="field">
        <label for="verdict-reason">In words</label>
        <textarea id="verdict-reason" name="reason" rows="3" maxlength="1000" required></textarea>
      </div>
      <p><button class="main" ?disabled=${this.busy}>Give the verdict</button></p>
    </form>`}#i(){return t`<div class="field">
        <label for="back">Back to</label>
        <select id="back" @change=${e=>{this.#t(BigInt(e.target.value))}}>
          ${[...this.events].reverse().map(({version:e,sentence:n})=>t`<option value=${e} ?selected=${e===this.back}>
              ${e}: ${n}</option>`)}
        </select>
      </div>
      <figure class="stills"><emeth-still .svg=${this.drawn} label="The board then"></emeth-still></figure>`}#a(){return t`<div class="field">
      <label for="facts">Facts, one a line</label>
      <textarea id="facts" rows="5" spellcheck="false" .value=${this.facts} @input=${e=>{this.facts=e.target.value}}
        aria-describedby="facts-about"></textarea>
      <p class="note" id="facts-about">
        They apply to the present position. To begin with they are those of the event in question.
      </p>
    </div>`}#o(e){let n=e=>{let t=e.target;this.rules.some(({id:e})=>e===t.value)&&(this.cited=[...new Set([...this.cited,t.value])],t.value=``)},r=new Set([...e.rules.map(({rule:e})=>e),...this.cited]),i=e=>()=>{let t=this.cited.includes(e);this.cited=t?this.cited.filter(t=>t!==e):[...this.cited,e]};return t`<fieldset>
      <legend>It rests on</legend>
      ${[...r].map(e=>{let n=this.rules.find(({id:t})=>t===e)?.meaning??``;return t`<div class="row ruled">
          <label class="row"><input type="checkbox" .checked=${this.cited.includes(e)}
            @change=${i(e)} /> ${n}</label>
          <span class="note">${s(e,this.match.game,this.match.matchId)}</span>
        </div>`})}
      <div class="field">
        <label for="rule">Another rule</label>
        <input id="rule" list="rules" autocomplete="off" placeholder="its id" @change=${n} />
        <datalist id="rules">
          ${this.rules.map(({id:e,meaning:n})=>t`<option value=${e}>${n}</option>`)}
        </datalist>
      </div>
    </fieldset>`}#s(){switch(this.kind){case`uphold`:return{case:`uphold`,value:!0};case`revertTo`:return{case:`revertTo`,value:this.back};case`correct`:return{case:`correct`,value:{$typeName:`emeth.v1.Correction`,facts:this.facts.split(`
`).filter(e=>e.trim())}}}}#c=async e=>{e.preventDefault();let t=this.querySelector(`#verdict-reason`)?.value??``,{matchId:n,number:r}=this.dispute,i={requestId:a(),matchId:n,dispute:r,reason:t,rules:[...this.cited],outcome:this.#s()},{audit:o}=this.service,s=await this.attempt(()=>d(()=>o.giveVerdict(i)));s&&this.dispatchEvent(new CustomEvent(`verdict-given`,{detail:s.version}))}};customElements.define(`emeth-verdict-form`,_);var v=500,y={[u.UNSPECIFIED]:`Open`,[u.UPHELD]:`The event stands`,[u.REVERTED]:`The line went back`,[u.CORRECTED]:`The position was corrected`},b=class extends f{static properties={...f.properties,match:{state:!0},events:{state:!0},disputes:{state:!0},permissions:{state:!0},text:{state:!0},onlyOpen:{state:!0},judging:{state:!0}};#e;constructor(){super(),this.match=void 0,this.events=[],this.disputes=[],this.permissions=new Set,this.text=``,this.onlyOpen=!1,this.judging=void 0}willUpdate(e){if(!e.has(`query`))return;let t=this.asked(`as`),n=this.asked(`version`)?[]:[`referee`];this.#e=m(this.service,this.asked(`match`),t,n),this.judging=void 0,this.attempt(()=>this.#t())}async#t(e=0n){let t=this.#e;if(!t)return;let n=this.asked(`match`),r={matchId:n,atLeastVersion:e},[{match:i},{permissions:a}]=await Promise.all([t.service.matches.getMatch(r),t.service.matches.whoAmI({matchId:n})]),o={matchId:n,atLeastVersion:i?.version??0n},[s,c]=await Promise.all([x(t.service,o),t.service.audit.listDisputes({...o,open:this.onlyOpen,text:this.text,pageSize:200})]);this.match=i,this.permissions=new Set(a),this.events=s,this.disputes=c.disputes,document.title=`Disputes: ${i?.title||i?.caption}`}render(){let{match:r}=this,i=this.asked(`match`),a=this.#e?.role??``;return this.framed(`Disputes and verdicts`,[h(`disputes`,i,a),r?t`<p>${r.title?`${r.title}: `:``}${r.caption}</p>`:n,this.permissions.has(e.RAISE_DISPUTE)?this.#n():n,r?this.#i():n],t`<a class="button" href=${l({match:i,as:a})}>To the match</a>`)}#n(){let e=this.asked(`version`);return t`<details class="raise" ?open=${e!==``}>
      <summary>Question an event</summary>
      <form @submit=${this.#r}>
        <div class="field">
          <label for="event">Which</label>
          <select id="event" name="event" required>
            ${[...this.events].reverse().map(({version:n,sentence:r})=>t`<option value=${n} ?selected=${String(n)===e}>
                ${n}: ${r}</option>`)}
          </select>
        </div>
        <div class="field">
          <label for="reason">Why</label>
          <textarea id="reason" name="reason" rows="3" maxlength="1000" required></textarea>
        </div>
        <p class="row"><button class="main" ?disabled=${this.busy}>Raise the dispute</button>
          ${this.match?.pauseOnDispute?t`<span class="note">The match then waits for the verdict.</span>`:n}</p>
      </form>
    </details>`}#r=async e=>{e.preventDefault();let t=e.target,n=e=>t.elements.namedItem(e).value,r={requestId:a(),matchId:this.asked(`match`),version:BigInt(n(`event`)),reason:n(`reason`)},{audit:i}=this.#e?.service??this.service,o=await this.attempt(()=>d(()=>i.raiseDispute(r)));o&&(t.reset(),await this.attempt(()=>this.#t(o.dispute)))};#i(){return t`
      <div class="row filters">
        <label class="wide">Search the reasons
          <input type="search" maxlength="200" .value=${this.text} @change=${e=>{this.text=e.target.value,this.attempt(()=>this.#t())}} /></label>
        <label class="row"><input type="checkbox" ?checked=${this.onlyOpen} @change=${e=>{this.onlyOpen=e.target.checked,this.attempt(()=>this.#t())}} /> Only open ones</label>
      </div>
      <ol class="disputes">${this.disputes.map(e=>this.#a(e))}</ol>
      ${this.disputes.length?n:t`<p class="note">Nothing is in dispute.</p>`}
    `}#a(e){let{version:r,seat:i,reason:a,raisedAt:s,verdict:d}=e,f=this.asked(`match`),p=this.#e?.role??``,m=this.events.find(e=>e.version===r),h=d===u.UNSPECIFIED,g=this.asked(`verdict`)===String(e.verdictVersion);return t`<li class=${h?`open`:``} aria-current=${g?`true`:n}>
      <p class="row">
        <b>${y[d]}</b>
        <span class="note">${o(this.match,i)}${s?`, ${c(s).toLocaleString()}`:``}</span>
      </p>
      <p><a href=${l({match:f,as:p,at:r})}>Event ${r}</a>: ${m?.sentence??``}</p>
      <blockquote>${a}</blockquote>
      ${h?this.#s(e):this.#o(e)}
    </li>`}#o({verdictVersion:e,verdictReason:r,rules:a,precedentId:o}){let s=this.asked(`match`);return t`<p><b>The referee:</b> ${r}</p>
      <p class="note">
        <a href=${l({match:s,at:e})}>Event ${e}</a>, cited as
        <code>${o}</code>
        ${a.length?t`; rests on ${i(a,this.match?.game??``,s)}`:n}
      </p>`}#s(n){return this.permissions.has(e.GIVE_VERDICT)?this.judging===n.number?t`<emeth-verdict-form .service=${this.#e?.service} .match=${this.match}
      .events=${this.events} .dispute=${n} @verdict-given=${e=>{this.judging=void 0,this.attempt(()=>this.#t(e.detail))}}></emeth-verdict-form>`:t`<button class="main" @click=${()=>this.judging=n.number}>Answer it</button>`:t`<p class="note">It waits for the referee.</p>`}};async function x(e,t){let n=[],r=``;do{let i=await e.history.listHistory({...t,pageSize:v,pageToken:r});n.push(...i.events),r=i.nextPageToken}while(r);return n}customElements.define(`emeth-disputes-page`,b);function S(e,n){return t`<emeth-disputes-page .service=${e} .query=${n}></emeth-disputes-page>`}export{S as show};