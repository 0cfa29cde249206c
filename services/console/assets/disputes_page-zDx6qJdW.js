import{B as e,E as t,F as n,R as r,U as i,a,at as o,h as s,i as c,lt as l,q as u,ut as d,w as f}from"./index-DMBVgBgp.js";import{t as p}from"./page-UoleFFiy.js";import{t as m}from"./precedents-DZhjF2nG.js";import"./still-Bj5--tTI.js";import{n as h,r as g,t as _}from"./viewers-pxBSJn1v.js";var v=[[`uphold`,`The event stands`],[`revertTo`,`The line goes back to a version`],[`correction`,`The position is corrected by facts`]],y=class extends p{static properties={...p.properties,match:{attribute:!1},events:{attribute:!1},dispute:{attribute:!1},found:{state:!0},rules:{state:!0},cited:{state:!0},kind:{state:!0},back:{state:!0},facts:{state:!0},drawn:{state:!0}};constructor(){super(),this.found=void 0,this.rules=[],this.cited=[],this.kind=`uphold`,this.back=0,this.facts=``,this.drawn=``}firstUpdated(){this.attempt(()=>this.#e())}async#e(){let{service:e,match:t,dispute:n}=this,{matchId:r,version:i}=n,[a,o]=await Promise.all([e.audit.explainEvent({matchId:r,version:i,viewMask:{paths:[`svg`]}}),e.games.getGame({game:t.game})]);this.found=a,this.rules=o.game?.rules??[],this.facts=a.factsJson.join(`
`),this.cited=a.rules.slice(0,1).map(({rule:e})=>e),await this.#t(i>1?i-1:1)}async#t(e){this.back=e;let t={case:`version`,value:e},n=await this.attempt(()=>this.service.view(this.dispute.matchId,[`svg`],{pointInTime:t}));e===this.back&&n&&(this.drawn=n.svg)}render(){let{found:e}=this;return d`
      ${this.trouble?d`<p class="trouble" role="alert">${this.trouble}</p>`:l}
      ${e?this.#n(e):l}
      ${e?this.#r(e):l}
    `}#n({before:e,after:t,event:n,rules:r,taps:i}){let a=(e,t)=>e?.svg?d`<figure><emeth-still .svg=${e.svg} label=${t}></emeth-still>
            <figcaption>${t}</figcaption></figure>`:l,o=[...(n?.facts??[]).map(({sentence:e})=>e),...(n?.rulings??[]).map(({sentence:e})=>e)].filter(Boolean),s=[...new Set(r.flatMap(e=>e.precedentIds))];return d`<div class="stills">${a(e,`Before`)}${a(t,`After`)}</div>
      <ul class="lines">${o.map(e=>d`<li>${e}</li>`)}</ul>
      ${i.length?d`<p class="note">It was tapped: ${i.map(({target:e,code:t})=>e||t).join(`, `)}</p>`:l}
      ${s.length?d`<p class="note">Decided before, by the same rules: ${s.map(m)}</p>`:d`<p class="note">No verdict rests on these rules yet.</p>`}`}#r(e){return d`<form class="verdict" @submit=${this.#c}>
      <fieldset>
        <legend>Verdict</legend>
        ${v.map(([e,t])=>d`<label class="row"><input type="radio" name="kind" value=${e}
            ?checked=${e===this.kind} @change=${()=>this.kind=e} /> ${t}</label>`)}
      </fieldset>
      ${this.kind===`revertTo`?this.#i():l}
      ${this.kind===`correction`?this.#a():l}
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
          <span class="note">${c(e,this.match.game,this.match.matchId)}</span>
        </div>`})}
      <div class="field">
        <label for="rule">Another rule</label>
        <input id="rule" list="rules" autocomplete="off" placeholder="its id" @change=${t} />
        <datalist id="rules">
          ${this.rules.map(({id:e,meaning:t})=>d`<option value=${e}>${t}</option>`)}
        </datalist>
      </div>
    </fieldset>`}#s(){switch(this.kind){case`uphold`:return{case:`uphold`,value:!0};case`revertTo`:return{case:`revertTo`,value:this.back};case`correction`:return{case:`correction`,value:{$typeName:`emeth.v1.Correction`,factsJson:this.facts.split(`
`).filter(e=>e.trim())}}}}#c=async e=>{e.preventDefault();let t=this.querySelector(`#verdict-reason`)?.value??``,{matchId:r,number:a}=this.dispute,o={requestId:i(),matchId:r,disputeNumber:a,reason:t,rules:[...this.cited],decision:this.#s()},{audit:s}=this.service,c=(await this.attempt(()=>n(()=>s.resolveDispute(o))))?.dispute?.verdict;c&&this.dispatchEvent(new CustomEvent(`verdict-given`,{detail:c.version}))}};customElements.define(`emeth-verdict-form`,y);var b=500,x={[e.UNSPECIFIED]:``,[e.UPHELD]:`The event stands`,[e.REVERTED]:`The line went back`,[e.CORRECTED]:`The position was corrected`},S=class extends p{static properties={...p.properties,match:{state:!0},events:{state:!0},disputes:{state:!0},permissions:{state:!0},text:{state:!0},onlyOpen:{state:!0},judging:{state:!0}};#e;constructor(){super(),this.match=void 0,this.events=[],this.disputes=[],this.permissions=new Set,this.text=``,this.onlyOpen=!1,this.judging=void 0}willUpdate(e){if(!e.has(`query`)||!this.asked(`match`))return;let t=this.asked(`as`),n=this.asked(`version`)?[]:[`referee`];this.#e=g(this.service,this.asked(`match`),t,n),this.judging=void 0,this.attempt(()=>this.#t())}async#t(e=0){let t=this.#e;if(!t)return;let n=this.asked(`match`),i={matchId:n,atLeastVersion:e},{match:a,caller:o}=await t.service.matches.getMatch(i),c={matchId:n,atLeastVersion:a?.version??0},[l,u]=await Promise.all([C(t.service,c),t.service.audit.listDisputes({...c,state:this.onlyOpen?r.OPEN:r.UNSPECIFIED,text:this.text,pageSize:200})]);this.match=a,this.permissions=new Set(o?.permissions),this.events=l,this.disputes=u.disputes,s(`Disputes: ${a?.title||a?.caption}`)}render(){let{match:e}=this,n=this.asked(`match`);if(!n)return this.framed(`Disputes and verdicts`,_(`disputes`));let r=this.#e?.role??``;return this.framed(`Disputes and verdicts`,[h(`disputes`,n,r),e?d`<p>${e.title?`${e.title}: `:``}${e.caption}</p>`:l,this.permissions.has(u.CREATE_DISPUTE)?this.#n():l,e?this.#i():l],d`<a class="button" href=${t({match:n,as:r})}>To the match</a>`)}#n(){let e=this.asked(`version`);return d`<details class="raise" ?open=${e!==``}>
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
    </details>`}#r=async e=>{e.preventDefault();let t=e.target,r=e=>t.elements.namedItem(e).value,a={requestId:i(),matchId:this.asked(`match`),version:Number(r(`event`)),reason:r(`reason`)},{audit:o}=this.#e?.service??this.service,s=await this.attempt(()=>n(()=>o.createDispute(a)));s&&(t.reset(),await this.attempt(()=>this.#t(s.dispute?.number)))};#i(){return d`
      <div class="row filters">
        <label class="wide">Search the reasons
          <input type="search" maxlength="200" .value=${this.text} @change=${e=>{this.text=e.target.value,this.attempt(()=>this.#t())}} /></label>
        <label class="row"><input type="checkbox" ?checked=${this.onlyOpen} @change=${e=>{this.onlyOpen=e.target.checked,this.attempt(()=>this.#t())}} /> Only open ones</label>
      </div>
      <ol class="disputes">${this.disputes.map(e=>this.#a(e))}</ol>
      ${this.disputes.length?l:d`<p class="note">Nothing is in dispute.</p>`}
    `}#a(e){let{version:n,seat:r,reason:i,createTime:a,verdict:s}=e,c=this.asked(`match`),u=this.#e?.role??``,p=this.events.find(e=>e.version===n),m=s!==void 0&&this.asked(`verdict`)===String(s.version);return d`<li class=${s?``:`open`} aria-current=${m?`true`:l}>
      <p class="row">
        <b>${s?x[s.kind]:`Open`}</b>
        <span class="note">${f(this.match,r)}${a?`, ${o(a).toLocaleString()}`:``}</span>
      </p>
      <p><a href=${t({match:c,as:u,at:n})}>Event ${n}</a>: ${p?.sentence??``}</p>
      <blockquote>${i}</blockquote>
      ${s?this.#o(s):this.#s(e)}
    </li>`}#o({version:e,reason:n,rules:r,precedentId:i}){let o=this.asked(`match`);return d`<p><b>The referee:</b> ${n}</p>
      <p class="note">
        <a href=${t({match:o,at:e})}>Event ${e}</a>, cited as
        <code>${i}</code>
        ${r.length?d`; rests on ${a(r,this.match?.game??``,o)}`:l}
      </p>`}#s(e){return this.permissions.has(u.RESOLVE_DISPUTE)?this.judging===e.number?d`<emeth-verdict-form .service=${this.#e?.service} .match=${this.match}
      .events=${this.events} .dispute=${e} @verdict-given=${e=>{this.judging=void 0,this.attempt(()=>this.#t(e.detail))}}></emeth-verdict-form>`:d`<button class="main" @click=${()=>this.judging=e.number}>Answer it</button>`:d`<p class="note">It waits for the referee.</p>`}};async function C(e,t){let n=[],r=``;do{let i=await e.history.listEvents({...t,pageSize:b,pageToken:r});n.push(...i.events),r=i.nextPageToken}while(r);return n}customElements.define(`emeth-disputes-page`,S);function w(e,t){return d`<emeth-disputes-page .service=${e} .query=${t}></emeth-disputes-page>`}export{w as show};