import{M as e,S as t,a as n,b as r,d as i,i as a,j as o,k as s,p as c,w as l,x as u,y as d}from"./index-CFjs9Dd6.js";import{t as f}from"./page-CQgnjSre.js";import{t as p}from"./precedents-CdKxChx3.js";import"./still-Dq64is2b.js";import{n as m,t as h}from"./viewers-BX9JLcut.js";var g=[[`uphold`,`The event stands`],[`revertTo`,`The line goes back to a version`],[`correct`,`The position is corrected by facts`]],_=class extends f{static properties={...f.properties,match:{attribute:!1},events:{attribute:!1},dispute:{attribute:!1},found:{state:!0},rules:{state:!0},cited:{state:!0},kind:{state:!0},back:{state:!0},facts:{state:!0},drawn:{state:!0}};constructor(){super(),this.found=void 0,this.rules=[],this.cited=[],this.kind=`uphold`,this.back=0n,this.facts=``,this.drawn=``}firstUpdated(){this.attempt(()=>this.#e())}async#e(){let{service:e,match:n,dispute:r}=this,{matchId:i,version:a}=r,[o,s]=await Promise.all([e.audit.explainEvent({matchId:i,version:a,format:t.SVG}),e.matches.getGame({game:n.game})]);this.found=o,this.rules=s.rules,this.facts=o.facts.join(`
`),this.cited=o.rules.slice(0,1).map(({rule:e})=>e),await this.#t(a>1n?a-1n:1n)}async#t(e){this.back=e;let n={matchId:this.dispute.matchId,version:e,format:t.SVG},r=await this.attempt(()=>this.service.views.getScene(n));e===this.back&&r?.drawing.case===`svg`&&(this.drawn=r.drawing.value)}render(){let{found:t}=this;return e`
      ${this.trouble?e`<p class="trouble" role="alert">${this.trouble}</p>`:o}
      ${t?this.#n(t):o}
      ${t?this.#r(t):o}
    `}#n({before:t,after:n,event:r,rules:i,taps:a}){let s=(t,n)=>t?.drawing.case===`svg`?e`<figure><emeth-still .svg=${t.drawing.value} label=${n}></emeth-still>
            <figcaption>${n}</figcaption></figure>`:o,c=[...(r?.facts??[]).map(({sentence:e})=>e),...(r?.rulings??[]).map(({sentence:e})=>e)].filter(Boolean),l=[...new Set(i.flatMap(e=>e.precedents))];return e`<div class="stills">${s(t,`Before`)}${s(n,`After`)}</div>
      <ul class="lines">${c.map(t=>e`<li>${t}</li>`)}</ul>
      ${a.length?e`<p class="note">It was tapped: ${a.map(({target:e,code:t})=>e||t).join(`, `)}</p>`:o}
      ${l.length?e`<p class="note">Decided before, by the same rules: ${l.map(p)}</p>`:e`<p class="note">No verdict rests on these rules yet.</p>`}`}#r(t){return e`<form class="verdict" @submit=${this.#c}>
      <fieldset>
        <legend>Verdict</legend>
        ${g.map(([t,n])=>e`<label class="row"><input type="radio" name="kind" value=${t}
            ?checked=${t===this.kind} @change=${()=>this.kind=t} /> ${n}</label>`)}
      </fieldset>
      ${this.kind===`revertTo`?this.#i():o}
      ${this.kind===`correct`?this.#a():o}
      ${this.#o(t)}
      <div class="field">
        <label for="verdict-reason">In words</label>
        <textarea id="verdict-reason" name="reason" rows="3" maxlength="1000" required></textarea>
      </div>
      <p><button class="main" ?disabled=${this.busy}>Give the verdict</button></p>
    </form>`}#i(){return e`<div class="field">
        <label for="back">Back to</label>
        <select id="back" @change=${e=>{this.#t(BigInt(e.target.value))}}>
          ${[...this.events].reverse().map(({version:t,sentence:n})=>e`<option value=${t} ?selected=${t===this.back}>
              ${t}: ${n}</option>`)}
        </select>
      </div>
      <figure class="stills"><emeth-still .svg=${this.drawn} label="The board then"></emeth-still></figure>`}#a(){return e`<div class="field">
      <label for="facts">Facts, one a line</label>
      <textarea id="facts" rows="5" spellcheck="false" .value=${this.facts} @input=${e=>{this.facts=e.target.value}}
        aria-describedby="facts-about"></textarea>
      <p class="note" id="facts-about">
        They apply to the present position. To begin with they are those of the event in question.
      </p>
    </div>`}#o(t){let n=e=>{let t=e.target;this.rules.some(({id:e})=>e===t.value)&&(this.cited=[...new Set([...this.cited,t.value])],t.value=``)},r=new Set([...t.rules.map(({rule:e})=>e),...this.cited]),i=e=>()=>{let t=this.cited.includes(e);this.cited=t?this.cited.filter(t=>t!==e):[...this.cited,e]};return e`<fieldset>
      <legend>It rests on</legend>
      ${[...r].map(t=>{let n=this.rules.find(({id:e})=>e===t)?.meaning??``;return e`<div class="row ruled">
          <label class="row"><input type="checkbox" .checked=${this.cited.includes(t)}
            @change=${i(t)} /> ${n}</label>
          <span class="note">${a(t,this.match.game,this.match.matchId)}</span>
        </div>`})}
      <div class="field">
        <label for="rule">Another rule</label>
        <input id="rule" list="rules" autocomplete="off" placeholder="its id" @change=${n} />
        <datalist id="rules">
          ${this.rules.map(({id:t,meaning:n})=>e`<option value=${t}>${n}</option>`)}
        </datalist>
      </div>
    </fieldset>`}#s(){switch(this.kind){case`uphold`:return{case:`uphold`,value:!0};case`revertTo`:return{case:`revertTo`,value:this.back};case`correct`:return{case:`correct`,value:{$typeName:`emeth.v1.Correction`,facts:this.facts.split(`
`).filter(e=>e.trim())}}}}#c=async e=>{e.preventDefault();let t=this.querySelector(`#verdict-reason`)?.value??``,{matchId:n,number:i}=this.dispute,a={requestId:r(),matchId:n,dispute:i,reason:t,rules:[...this.cited],outcome:this.#s()},{audit:o}=this.service,s=await this.attempt(()=>d(()=>o.giveVerdict(a)));s&&this.dispatchEvent(new CustomEvent(`verdict-given`,{detail:s.version}))}};customElements.define(`emeth-verdict-form`,_);var v=500,y={[u.UNSPECIFIED]:`Open`,[u.UPHELD]:`The event stands`,[u.REVERTED]:`The line went back`,[u.CORRECTED]:`The position was corrected`},b=class extends f{static properties={...f.properties,match:{state:!0},events:{state:!0},disputes:{state:!0},permissions:{state:!0},text:{state:!0},onlyOpen:{state:!0},judging:{state:!0}};#e;constructor(){super(),this.match=void 0,this.events=[],this.disputes=[],this.permissions=new Set,this.text=``,this.onlyOpen=!1,this.judging=void 0}willUpdate(e){if(!e.has(`query`))return;let t=this.asked(`as`),n=this.asked(`version`)?[]:[`referee`];this.#e=m(this.service,this.asked(`match`),t,n),this.judging=void 0,this.attempt(()=>this.#t())}async#t(e=0n){let t=this.#e;if(!t)return;let n=this.asked(`match`),r={matchId:n,atLeastVersion:e},[{match:i},{permissions:a}]=await Promise.all([t.service.matches.getMatch(r),t.service.matches.whoAmI({matchId:n})]),o={matchId:n,atLeastVersion:i?.version??0n},[s,c]=await Promise.all([x(t.service,o),t.service.audit.listDisputes({...o,open:this.onlyOpen,text:this.text,pageSize:200})]);this.match=i,this.permissions=new Set(a),this.events=s,this.disputes=c.disputes,document.title=`Disputes: ${i?.title||i?.caption}`}render(){let{match:t}=this,n=this.asked(`match`),r=this.#e?.role??``;return this.framed(`Disputes and verdicts`,[h(`disputes`,n,r),t?e`<p>${t.title?`${t.title}: `:``}${t.caption}</p>`:o,this.permissions.has(l.RAISE_DISPUTE)?this.#n():o,t?this.#i():o],e`<a class="button" href=${c({match:n,as:r})}>To the match</a>`)}#n(){let t=this.asked(`version`);return e`<details class="raise" ?open=${t!==``}>
      <summary>Question an event</summary>
      <form @submit=${this.#r}>
        <div class="field">
          <label for="event">Which</label>
          <select id="event" name="event" required>
            ${[...this.events].reverse().map(({version:n,sentence:r})=>e`<option value=${n} ?selected=${String(n)===t}>
                ${n}: ${r}</option>`)}
          </select>
        </div>
        <div class="field">
          <label for="reason">Why</label>
          <textarea id="reason" name="reason" rows="3" maxlength="1000" required></textarea>
        </div>
        <p class="row"><button class="main" ?disabled=${this.busy}>Raise the dispute</button>
          ${this.match?.pauseOnDispute?e`<span class="note">The match then waits for the verdict.</span>`:o}</p>
      </form>
    </details>`}#r=async e=>{e.preventDefault();let t=e.target,n=e=>t.elements.namedItem(e).value,i={requestId:r(),matchId:this.asked(`match`),version:BigInt(n(`event`)),reason:n(`reason`)},{audit:a}=this.#e?.service??this.service,o=await this.attempt(()=>d(()=>a.raiseDispute(i)));o&&(t.reset(),await this.attempt(()=>this.#t(o.dispute)))};#i(){return e`
      <div class="row filters">
        <label class="wide">Search the reasons
          <input type="search" maxlength="200" .value=${this.text} @change=${e=>{this.text=e.target.value,this.attempt(()=>this.#t())}} /></label>
        <label class="row"><input type="checkbox" ?checked=${this.onlyOpen} @change=${e=>{this.onlyOpen=e.target.checked,this.attempt(()=>this.#t())}} /> Only open ones</label>
      </div>
      <ol class="disputes">${this.disputes.map(e=>this.#a(e))}</ol>
      ${this.disputes.length?o:e`<p class="note">Nothing is in dispute.</p>`}
    `}#a(t){let{version:n,seat:r,reason:a,raisedAt:l,verdict:d}=t,f=this.asked(`match`),p=this.#e?.role??``,m=this.events.find(e=>e.version===n),h=d===u.UNSPECIFIED,g=this.asked(`verdict`)===String(t.verdictVersion);return e`<li class=${h?`open`:``} aria-current=${g?`true`:o}>
      <p class="row">
        <b>${y[d]}</b>
        <span class="note">${i(this.match,r)}${l?`, ${s(l).toLocaleString()}`:``}</span>
      </p>
      <p><a href=${c({match:f,as:p,at:n})}>Event ${n}</a>: ${m?.sentence??``}</p>
      <blockquote>${a}</blockquote>
      ${h?this.#s(t):this.#o(t)}
    </li>`}#o({verdictVersion:t,verdictReason:r,rules:i,precedentId:a}){let s=this.asked(`match`);return e`<p><b>The referee:</b> ${r}</p>
      <p class="note">
        <a href=${c({match:s,at:t})}>Event ${t}</a>, cited as
        <code>${a}</code>
        ${i.length?e`; rests on ${n(i,this.match?.game??``,s)}`:o}
      </p>`}#s(t){return this.permissions.has(l.GIVE_VERDICT)?this.judging===t.number?e`<emeth-verdict-form .service=${this.#e?.service} .match=${this.match}
      .events=${this.events} .dispute=${t} @verdict-given=${e=>{this.judging=void 0,this.attempt(()=>this.#t(e.detail))}}></emeth-verdict-form>`:e`<button class="main" @click=${()=>this.judging=t.number}>Answer it</button>`:e`<p class="note">It waits for the referee.</p>`}};async function x(e,t){let n=[],r=``;do{let i=await e.history.listHistory({...t,pageSize:v,pageToken:r});n.push(...i.events),r=i.nextPageToken}while(r);return n}customElements.define(`emeth-disputes-page`,b);function S(t,n){return e`<emeth-disputes-page .service=${t} .query=${n}></emeth-disputes-page>`}export{S as show};