import{$ as e,C as t,L as n,P as r,T as i,c as a,ct as o,it as s,lt as c,q as l,s as u,v as d,z as f}from"./index-C6A5yDTe.js";import{t as p}from"./page-ItPi5Hhj.js";import{t as m}from"./precedents-CxIF5BB_.js";import"./still-BPs166Lg.js";import{n as h,r as g,t as _}from"./viewers-EYQe2O6Z.js";var v=[[`uphold`,`The event stands`],[`revertTo`,`The line goes back to a version`],[`correction`,`The position is corrected by facts`]],y=class extends p{static properties={...p.properties,match:{attribute:!1},events:{attribute:!1},dispute:{attribute:!1},found:{state:!0},rules:{state:!0},cited:{state:!0},kind:{state:!0},back:{state:!0},facts:{state:!0},drawn:{state:!0}};constructor(){super(),this.found=void 0,this.rules=[],this.cited=[],this.kind=`uphold`,this.back=0,this.facts=``,this.drawn=``}firstUpdated(){this.attempt(()=>this.#e())}async#e(){let{service:e,match:t,dispute:n}=this,{matchId:r,version:i}=n,[a,o]=await Promise.all([e.audit.explainEvent({matchId:r,version:i,viewMask:{paths:[`svg`]}}),e.games.getGame({game:t.game})]);this.found=a,this.rules=o.game?.rules??[],this.facts=a.factsJson.join(`
`),this.cited=a.rules.slice(0,1).map(({rule:e})=>e),await this.#t(i>1?i-1:1)}async#t(e){this.back=e;let t={case:`version`,value:e},n=await this.attempt(()=>this.service.view(this.dispute.matchId,[`svg`],{pointInTime:t}));e===this.back&&n&&(this.drawn=n.svg)}render(){let{found:e}=this;return c`
      ${this.trouble?c`<p class="trouble" role="alert">${this.trouble}</p>`:o}
      ${e?this.#n(e):o}
      ${e?this.#r(e):o}
    `}#n({before:e,after:t,event:n,rules:r,taps:i}){let a=(e,t)=>e?.svg?c`<figure><emeth-still .svg=${e.svg} label=${t}></emeth-still>
            <figcaption>${t}</figcaption></figure>`:o,s=[...(n?.facts??[]).map(({sentence:e})=>e),...(n?.rulings??[]).map(({sentence:e})=>e)].filter(Boolean),l=[...new Set(r.flatMap(e=>e.precedentIds))];return c`<div class="stills">${a(e,`Before`)}${a(t,`After`)}</div>
      <ul class="lines">${s.map(e=>c`<li>${e}</li>`)}</ul>
      ${i.length?c`<p class="note">It was tapped: ${i.map(({target:e,code:t})=>e||t).join(`, `)}</p>`:o}
      ${l.length?c`<p class="note">Decided before, by the same rules: ${l.map(m)}</p>`:c`<p class="note">No verdict rests on these rules yet.</p>`}`}#r(e){return c`<form class="verdict" @submit=${this.#c}>
      <fieldset>
        <legend>Verdict</legend>
        ${v.map(([e,t])=>c`<label class="row"><input type="radio" name="kind" value=${e}
            ?checked=${e===this.kind} @change=${()=>this.kind=e} /> ${t}</label>`)}
      </fieldset>
      ${this.kind===`revertTo`?this.#i():o}
      ${this.kind===`correction`?this.#a():o}
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
          <span class="note">${u(e,this.match.game,this.match.matchId)}</span>
        </div>`})}
      <div class="field">
        <label for="rule">Another rule</label>
        <input id="rule" list="rules" autocomplete="off" placeholder="its id" @change=${t} />
        <datalist id="rules">
          ${this.rules.map(({id:e,meaning:t})=>c`<option value=${e}>${t}</option>`)}
        </datalist>
      </div>
    </fieldset>`}#s(){switch(this.kind){case`uphold`:return{case:`uphold`,value:!0};case`revertTo`:return{case:`revertTo`,value:this.back};case`correction`:return{case:`correction`,value:{$typeName:`emeth.v1.Correction`,factsJson:this.facts.split(`
`).filter(e=>e.trim())}}}}#c=async t=>{t.preventDefault();let n=this.querySelector(`#verdict-reason`)?.value??``,{matchId:i,number:a}=this.dispute,o={requestId:e(),matchId:i,disputeNumber:a,reason:n,rules:[...this.cited],decision:this.#s()},{audit:s}=this.service,c=(await this.attempt(()=>r(()=>s.resolveDispute(o))))?.dispute?.verdict;c&&this.dispatchEvent(new CustomEvent(`verdict-given`,{detail:c.version}))}};customElements.define(`emeth-verdict-form`,y);var b=500,x={[f.UNSPECIFIED]:``,[f.UPHELD]:`The event stands`,[f.REVERTED]:`The line went back`,[f.CORRECTED]:`The position was corrected`},S=class extends p{static properties={...p.properties,match:{state:!0},events:{state:!0},disputes:{state:!0},permissions:{state:!0},text:{state:!0},onlyOpen:{state:!0},judging:{state:!0}};#e;constructor(){super(),this.match=void 0,this.events=[],this.disputes=[],this.permissions=new Set,this.text=``,this.onlyOpen=!1,this.judging=void 0}willUpdate(e){if(!e.has(`query`)||!this.asked(`match`))return;let t=this.asked(`as`),n=this.asked(`version`)?[]:[`referee`];this.#e=g(this.service,this.asked(`match`),t,n),this.judging=void 0,this.attempt(()=>this.#t())}async#t(e=0){let t=this.#e;if(!t)return;let r=this.asked(`match`),i={matchId:r,atLeastVersion:e},[{match:a},{permissions:o}]=await Promise.all([t.service.matches.getMatch(i),t.service.matches.whoAmI({matchId:r})]),s={matchId:r,atLeastVersion:a?.version??0},[c,l]=await Promise.all([C(t.service,s),t.service.audit.listDisputes({...s,state:this.onlyOpen?n.OPEN:n.UNSPECIFIED,text:this.text,pageSize:200})]);this.match=a,this.permissions=new Set(o),this.events=c,this.disputes=l.disputes,d(`Disputes: ${a?.title||a?.caption}`)}render(){let{match:e}=this,t=this.asked(`match`);if(!t)return this.framed(`Disputes and verdicts`,_(`disputes`));let n=this.#e?.role??``;return this.framed(`Disputes and verdicts`,[h(`disputes`,t,n),e?c`<p>${e.title?`${e.title}: `:``}${e.caption}</p>`:o,this.permissions.has(l.RAISE_DISPUTE)?this.#n():o,e?this.#i():o],c`<a class="button" href=${i({match:t,as:n})}>To the match</a>`)}#n(){let e=this.asked(`version`);return c`<details class="raise" ?open=${e!==``}>
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
          ${this.match?.pauseOnDispute?c`<span class="note">The match then waits for the verdict.</span>`:o}</p>
      </form>
    </details>`}#r=async t=>{t.preventDefault();let n=t.target,i=e=>n.elements.namedItem(e).value,a={requestId:e(),matchId:this.asked(`match`),version:Number(i(`event`)),reason:i(`reason`)},{audit:o}=this.#e?.service??this.service,s=await this.attempt(()=>r(()=>o.createDispute(a)));s&&(n.reset(),await this.attempt(()=>this.#t(s.dispute?.number)))};#i(){return c`
      <div class="row filters">
        <label class="wide">Search the reasons
          <input type="search" maxlength="200" .value=${this.text} @change=${e=>{this.text=e.target.value,this.attempt(()=>this.#t())}} /></label>
        <label class="row"><input type="checkbox" ?checked=${this.onlyOpen} @change=${e=>{this.onlyOpen=e.target.checked,this.attempt(()=>this.#t())}} /> Only open ones</label>
      </div>
      <ol class="disputes">${this.disputes.map(e=>this.#a(e))}</ol>
      ${this.disputes.length?o:c`<p class="note">Nothing is in dispute.</p>`}
    `}#a(e){let{version:n,seat:r,reason:a,createTime:l,verdict:u}=e,d=this.asked(`match`),f=this.#e?.role??``,p=this.events.find(e=>e.version===n),m=u!==void 0&&this.asked(`verdict`)===String(u.version);return c`<li class=${u?``:`open`} aria-current=${m?`true`:o}>
      <p class="row">
        <b>${u?x[u.kind]:`Open`}</b>
        <span class="note">${t(this.match,r)}${l?`, ${s(l).toLocaleString()}`:``}</span>
      </p>
      <p><a href=${i({match:d,as:f,at:n})}>Event ${n}</a>: ${p?.sentence??``}</p>
      <blockquote>${a}</blockquote>
      ${u?this.#o(u):this.#s(e)}
    </li>`}#o({version:e,reason:t,rules:n,precedentId:r}){let s=this.asked(`match`);return c`<p><b>The referee:</b> ${t}</p>
      <p class="note">
        <a href=${i({match:s,at:e})}>Event ${e}</a>, cited as
        <code>${r}</code>
        ${n.length?c`; rests on ${a(n,this.match?.game??``,s)}`:o}
      </p>`}#s(e){return this.permissions.has(l.GIVE_VERDICT)?this.judging===e.number?c`<emeth-verdict-form .service=${this.#e?.service} .match=${this.match}
      .events=${this.events} .dispute=${e} @verdict-given=${e=>{this.judging=void 0,this.attempt(()=>this.#t(e.detail))}}></emeth-verdict-form>`:c`<button class="main" @click=${()=>this.judging=e.number}>Answer it</button>`:c`<p class="note">It waits for the referee.</p>`}};async function C(e,t){let n=[],r=``;do{let i=await e.history.listEvents({...t,pageSize:b,pageToken:r});n.push(...i.events),r=i.nextPageToken}while(r);return n}customElements.define(`emeth-disputes-page`,S);function w(e,t){return c`<emeth-disputes-page .service=${e} .query=${t}></emeth-disputes-page>`}export{w as show};