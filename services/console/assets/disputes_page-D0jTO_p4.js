import{E as e,F as t,H as n,K as r,a as i,ct as a,h as o,i as s,it as c,lt as l,w as u,z as d}from"./index-B8-rHzQO.js";import{t as f}from"./page-DhiWkHXb.js";import{t as p}from"./precedents-B8pW0a9n.js";import"./still-mcrVTgNF.js";import{n as m,r as h,t as g}from"./viewers-CvPr3o61.js";var _=[[`uphold`,`Uphold the event`],[`revertTo`,`Revert the match to a version`],[`correction`,`Correct the position by facts`]],v=class extends f{static properties={...f.properties,match:{attribute:!1},events:{attribute:!1},dispute:{attribute:!1},found:{state:!0},rules:{state:!0},cited:{state:!0},kind:{state:!0},back:{state:!0},facts:{state:!0},drawn:{state:!0}};constructor(){super(),this.found=void 0,this.rules=[],this.cited=[],this.kind=`uphold`,this.back=0,this.facts=``,this.drawn=``}firstUpdated(){this.attempt(()=>this.#e())}async#e(){let{service:e,match:t,dispute:n}=this,{matchId:r,version:i}=n,[a,o]=await Promise.all([e.audit.explainEvent({matchId:r,version:i,viewMask:{paths:[`svg`]}}),e.games.getGame({game:t.game})]);this.found=a,this.rules=o.game?.rules??[],this.facts=a.factsJson.join(`
`),this.cited=a.rules.slice(0,1).map(({rule:e})=>e),await this.#t(i>1?i-1:1)}async#t(e){this.back=e;let t={case:`version`,value:e},n=await this.attempt(()=>this.service.view(this.dispute.matchId,[`svg`],{pointInTime:t}));e===this.back&&n&&(this.drawn=n.svg)}render(){let{found:e}=this;return l`
      ${this.trouble?l`<p class="trouble" role="alert">${this.trouble}</p>`:a}
      ${e?this.#n(e):a}
      ${e?this.#r(e):a}
    `}#n({before:e,after:t,event:n,rules:r,taps:i}){let o=(e,t)=>e?.svg?l`<figure><emeth-still .svg=${e.svg} label=${t}></emeth-still>
            <figcaption>${t}</figcaption></figure>`:a,s=[...(n?.facts??[]).map(({sentence:e})=>e),...(n?.rulings??[]).map(({sentence:e})=>e)].filter(Boolean),c=[...new Set(r.flatMap(e=>e.precedentIds))];return l`<div class="stills">${o(e,`Before`)}${o(t,`After`)}</div>
      <ul class="lines">${s.map(e=>l`<li>${e}</li>`)}</ul>
      ${i.length?l`<p class="note">Stylus taps: ${i.map(({target:e,code:t})=>e||t).join(`, `)}</p>`:a}
      ${c.length?l`<p class="note">Precedents for these rules: ${c.map(p)}</p>`:l`<p class="note">No earlier verdict is about these rules.</p>`}`}#r(e){return l`<form class="verdict" @submit=${this.#c}>
      <fieldset>
        <legend>Verdict</legend>
        ${_.map(([e,t])=>l`<label class="row"><input type="radio" name="kind" value=${e}
            ?checked=${e===this.kind} @change=${()=>this.kind=e} /> ${t}</label>`)}
      </fieldset>
      ${this.kind===`revertTo`?this.#i():a}
      ${this.kind===`correction`?this.#a():a}
      ${this.#o(e)}
      <div class="field">
        <label for="verdict-reason">Reason</label>
        <textarea id="verdict-reason" name="reason" rows="3" maxlength="1000" required></textarea>
      </div>
      <p><button class="main" ?disabled=${this.busy}>Resolve dispute</button></p>
    </form>`}#i(){return l`<div class="field">
        <label for="back">Revert to</label>
        <select id="back" @change=${e=>{this.#t(Number(e.target.value))}}>
          ${[...this.events].reverse().map(({version:e,sentence:t})=>l`<option value=${e} ?selected=${e===this.back}>
              ${e}: ${t}</option>`)}
        </select>
      </div>
      <figure class="stills"><emeth-still .svg=${this.drawn} label="Board at that version"></emeth-still></figure>`}#a(){return l`<div class="field">
      <label for="facts">Facts, one per line</label>
      <textarea id="facts" rows="5" spellcheck="false" .value=${this.facts} @input=${e=>{this.facts=e.target.value}}
        aria-describedby="facts-about"></textarea>
      <p class="note" id="facts-about">
        The facts apply to the present position. The form starts with the facts of the disputed event.
      </p>
    </div>`}#o(e){let t=e=>{let t=e.target;this.rules.some(({id:e})=>e===t.value)&&(this.cited=[...new Set([...this.cited,t.value])],t.value=``)},n=new Set([...e.rules.map(({rule:e})=>e),...this.cited]),r=e=>()=>{let t=this.cited.includes(e);this.cited=t?this.cited.filter(t=>t!==e):[...this.cited,e]};return l`<fieldset>
      <legend>Based on</legend>
      ${[...n].map(e=>{let t=this.rules.find(({id:t})=>t===e)?.meaning??``;return l`<div class="row ruled">
          <label class="row"><input type="checkbox" .checked=${this.cited.includes(e)}
            @change=${r(e)} /> ${t}</label>
          <span class="note">${s(e,this.match.game,this.match.matchId)}</span>
        </div>`})}
      <div class="field">
        <label for="rule">Add a rule</label>
        <input id="rule" list="rules" autocomplete="off" placeholder="rule ID" @change=${t} />
        <datalist id="rules">
          ${this.rules.map(({id:e,meaning:t})=>l`<option value=${e}>${t}</option>`)}
        </datalist>
      </div>
    </fieldset>`}#s(){switch(this.kind){case`uphold`:return{case:`uphold`,value:!0};case`revertTo`:return{case:`revertTo`,value:this.back};case`correction`:return{case:`correction`,value:{$typeName:`emeth.v1.Correction`,factsJson:this.facts.split(`
`).filter(e=>e.trim())}}}}#c=async e=>{e.preventDefault();let r=this.querySelector(`#verdict-reason`)?.value??``,{matchId:i,number:a}=this.dispute,o={requestId:n(),matchId:i,disputeNumber:a,reason:r,rules:[...this.cited],decision:this.#s()},{audit:s}=this.service,c=(await this.attempt(()=>t(()=>s.resolveDispute(o))))?.dispute?.verdict;c&&this.dispatchEvent(new CustomEvent(`verdict-given`,{detail:c.version}))}};customElements.define(`emeth-verdict-form`,v);var y=500,b={[d.UNSPECIFIED]:``,[d.UPHELD]:`Event upheld`,[d.REVERTED]:`Match reverted`,[d.CORRECTED]:`Position corrected`},x=class extends f{static properties={...f.properties,match:{state:!0},events:{state:!0},disputes:{state:!0},permissions:{state:!0},text:{state:!0},onlyOpen:{state:!0},judging:{state:!0}};#e;constructor(){super(),this.match=void 0,this.events=[],this.disputes=[],this.permissions=new Set,this.text=``,this.onlyOpen=!1,this.judging=void 0}willUpdate(e){if(!e.has(`query`)||!this.asked(`match`))return;let t=this.asked(`as`),n=this.asked(`version`)?[]:[`referee`];this.#e=h(this.service,this.asked(`match`),t,n),this.judging=void 0,this.attempt(()=>this.#t())}async#t(e=0){let t=this.#e;if(!t)return;let n=this.asked(`match`),r={matchId:n,atLeastVersion:e},{match:i,caller:a}=await t.service.matches.getMatch(r),s={matchId:n,atLeastVersion:i?.version??0},[c,l]=await Promise.all([S(t.service,s),t.service.audit.listDisputes({...s,filter:[...this.onlyOpen?[`state = OPEN`]:[],...this.text?[`text : ${JSON.stringify(this.text)}`]:[]].join(` AND `),pageSize:200})]);this.match=i,this.permissions=new Set(a?.permissions),this.events=c,this.disputes=l.disputes,o(`Disputes: ${i?.title||i?.caption}`)}render(){let{match:t}=this,n=this.asked(`match`);if(!n)return this.framed(`Disputes and verdicts`,g(`disputes`));let i=this.#e?.role??``;return this.framed(`Disputes and verdicts`,[m(`disputes`,n,i),t?l`<p>${t.title?`${t.title}: `:``}${t.caption}</p>`:a,this.permissions.has(r.CREATE_DISPUTE)?this.#n():a,t?this.#i():a],l`<a class="button" href=${e({match:n,as:i})}>Back to the match</a>`)}#n(){let e=this.asked(`version`);return l`<details class="raise" ?open=${e!==``}>
      <summary>Dispute an event</summary>
      <form @submit=${this.#r}>
        <div class="field">
          <label for="event">Event</label>
          <select id="event" name="event" required>
            ${[...this.events].reverse().map(({version:t,sentence:n})=>l`<option value=${t} ?selected=${String(t)===e}>
                ${t}: ${n}</option>`)}
          </select>
        </div>
        <div class="field">
          <label for="reason">Reason</label>
          <textarea id="reason" name="reason" rows="3" maxlength="1000" required></textarea>
        </div>
        <p class="row"><button class="main" ?disabled=${this.busy}>Open dispute</button>
          ${this.match?.pauseOnDispute?l`<span class="note">The match pauses until the referee gives a verdict.</span>`:a}</p>
      </form>
    </details>`}#r=async e=>{e.preventDefault();let r=e.target,i=e=>r.elements.namedItem(e).value,a={requestId:n(),matchId:this.asked(`match`),version:Number(i(`event`)),reason:i(`reason`)},{audit:o}=this.#e?.service??this.service,s=await this.attempt(()=>t(()=>o.createDispute(a)));s&&(r.reset(),await this.attempt(()=>this.#t(s.dispute?.number)))};#i(){return l`
      <div class="row filters">
        <label class="wide">Search reasons
          <input type="search" maxlength="200" .value=${this.text} @change=${e=>{this.text=e.target.value,this.attempt(()=>this.#t())}} /></label>
        <label class="row"><input type="checkbox" ?checked=${this.onlyOpen} @change=${e=>{this.onlyOpen=e.target.checked,this.attempt(()=>this.#t())}} /> Open disputes only</label>
      </div>
      <ol class="disputes">${this.disputes.map(e=>this.#a(e))}</ol>
      ${this.disputes.length?a:l`<p class="note">No disputes</p>`}
    `}#a(t){let{version:n,seat:r,reason:i,createTime:o,verdict:s}=t,d=this.asked(`match`),f=this.#e?.role??``,p=this.events.find(e=>e.version===n),m=s!==void 0&&this.asked(`verdict`)===String(s.version);return l`<li class=${s?``:`open`} aria-current=${m?`true`:a}>
      <p class="row">
        <b>${s?b[s.kind]:`Open`}</b>
        <span class="note">${u(this.match,r)}${o?`, ${c(o).toLocaleString()}`:``}</span>
      </p>
      <p><a href=${e({match:d,as:f,at:n})}>Event ${n}</a>: ${p?.sentence??``}</p>
      <blockquote>${i}</blockquote>
      ${s?this.#o(s):this.#s(t)}
    </li>`}#o({version:t,reason:n,rules:r,precedentId:o}){let s=this.asked(`match`);return l`<p><b>Referee's verdict:</b> ${n}</p>
      <p class="note">
        <a href=${e({match:s,at:t})}>Event ${t}</a>, cited as
        <code>${o}</code>
        ${r.length?l`; based on ${i(r,this.match?.game??``,s)}`:a}
      </p>`}#s(e){return this.permissions.has(r.RESOLVE_DISPUTE)?this.judging===e.number?l`<emeth-verdict-form .service=${this.#e?.service} .match=${this.match}
      .events=${this.events} .dispute=${e} @verdict-given=${e=>{this.judging=void 0,this.attempt(()=>this.#t(e.detail))}}></emeth-verdict-form>`:l`<button class="main" @click=${()=>this.judging=e.number}>Resolve dispute</button>`:l`<p class="note">Waiting for the referee's verdict.</p>`}};async function S(e,t){let n=[],r=``;do{let i=await e.history.listEvents({...t,pageSize:y,pageToken:r});n.push(...i.events),r=i.nextPageToken}while(r);return n}customElements.define(`emeth-disputes-page`,x);function C(e,t){return l`<emeth-disputes-page .service=${e} .query=${t}></emeth-disputes-page>`}export{C as show};