import{A as e,C as t,F as n,R as r,S as i,T as a,a as o,h as s,o as c,p as l,w as u,z as d}from"./index-BY_yMFqV.js";import{t as f}from"./page-BTA6lbAf.js";import{t as p}from"./precedents-Br3ovsPT.js";import"./still-b8aFDrdi.js";import{n as m,t as h}from"./viewers-H0-62GYY.js";var g=[[`uphold`,`The event stands`],[`revertTo`,`The line goes back to a version`],[`correct`,`The position is corrected by facts`]],_=class extends f{static properties={...f.properties,match:{attribute:!1},events:{attribute:!1},dispute:{attribute:!1},found:{state:!0},rules:{state:!0},cited:{state:!0},kind:{state:!0},back:{state:!0},facts:{state:!0},drawn:{state:!0}};constructor(){super(),this.found=void 0,this.rules=[],this.cited=[],this.kind=`uphold`,this.back=0n,this.facts=``,this.drawn=``}firstUpdated(){this.attempt(()=>this.#e())}async#e(){let{service:e,match:t,dispute:n}=this,{matchId:r,version:i}=n,[o,s]=await Promise.all([e.audit.explainEvent({matchId:r,version:i,format:a.SVG}),e.matches.getGame({game:t.game})]);this.found=o,this.rules=s.rules,this.facts=o.facts.join(`
`),this.cited=o.rules.slice(0,1).map(({rule:e})=>e),await this.#t(i>1n?i-1n:1n)}async#t(e){this.back=e;let t={matchId:this.dispute.matchId,version:e,format:a.SVG},n=await this.attempt(()=>this.service.views.getScene(t));e===this.back&&n?.drawing.case===`svg`&&(this.drawn=n.drawing.value)}render(){let{found:e}=this;return d`
      ${this.trouble?d`<p class="trouble" role="alert">${this.trouble}</p>`:r}
      ${e?this.#n(e):r}
      ${e?this.#r(e):r}
    `}#n({before:e,after:t,event:n,rules:i,taps:a}){let o=(e,t)=>e?.drawing.case===`svg`?d`<figure><emeth-still .svg=${e.drawing.value} label=${t}></emeth-still>
            <figcaption>${t}</figcaption></figure>`:r,s=[...(n?.facts??[]).map(({sentence:e})=>e),...(n?.rulings??[]).map(({sentence:e})=>e)].filter(Boolean),c=[...new Set(i.flatMap(e=>e.precedents))];return d`<div class="stills">${o(e,`Before`)}${o(t,`After`)}</div>
      <ul class="lines">${s.map(e=>d`<li>${e}</li>`)}</ul>
      ${a.length?d`<p class="note">It was tapped: ${a.map(({target:e,code:t})=>e||t).join(`, `)}</p>`:r}
      ${c.length?d`<p class="note">Decided before, by the same rules: ${c.map(p)}</p>`:d`<p class="note">No verdict rests on these rules yet.</p>`}`}#r(e){return d`<form class="verdict" @submit=${this.#c}>
      <fieldset>
        <legend>Verdict</legend>
        ${g.map(([e,t])=>d`<label class="row"><input type="radio" name="kind" value=${e}
            ?checked=${e===this.kind} @change=${()=>this.kind=e} /> ${t}</label>`)}
      </fieldset>
      ${this.kind===`revertTo`?this.#i():r}
      ${this.kind===`correct`?this.#a():r}
      ${this.#o(e)}
      <div class="field">
        <label for="verdict-reason">In words</label>
        <textarea id="verdict-reason" name="reason" rows="3" maxlength="1000" required></textarea>
      </div>
      <p><button class="main" ?disabled=${this.busy}>Give the verdict</button></p>
    </form>`}#i(){return d`<div class="field">
        <label for="back">Back to</label>
        <select id="back" @change=${e=>{this.#t(BigInt(e.target.value))}}>
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
          <span class="note">${o(e,this.match.game,this.match.matchId)}</span>
        </div>`})}
      <div class="field">
        <label for="rule">Another rule</label>
        <input id="rule" list="rules" autocomplete="off" placeholder="its id" @change=${t} />
        <datalist id="rules">
          ${this.rules.map(({id:e,meaning:t})=>d`<option value=${e}>${t}</option>`)}
        </datalist>
      </div>
    </fieldset>`}#s(){switch(this.kind){case`uphold`:return{case:`uphold`,value:!0};case`revertTo`:return{case:`revertTo`,value:this.back};case`correct`:return{case:`correct`,value:{$typeName:`emeth.v1.Correction`,facts:this.facts.split(`
`).filter(e=>e.trim())}}}}#c=async e=>{e.preventDefault();let n=this.querySelector(`#verdict-reason`)?.value??``,{matchId:r,number:a}=this.dispute,o={requestId:t(),matchId:r,dispute:a,reason:n,rules:[...this.cited],outcome:this.#s()},{audit:s}=this.service,c=await this.attempt(()=>i(()=>s.giveVerdict(o)));c&&this.dispatchEvent(new CustomEvent(`verdict-given`,{detail:c.version}))}};customElements.define(`emeth-verdict-form`,_);var v=500,y={[u.UNSPECIFIED]:`Open`,[u.UPHELD]:`The event stands`,[u.REVERTED]:`The line went back`,[u.CORRECTED]:`The position was corrected`},b=class extends f{static properties={...f.properties,match:{state:!0},events:{state:!0},disputes:{state:!0},permissions:{state:!0},text:{state:!0},onlyOpen:{state:!0},judging:{state:!0}};#e;constructor(){super(),this.match=void 0,this.events=[],this.disputes=[],this.permissions=new Set,this.text=``,this.onlyOpen=!1,this.judging=void 0}willUpdate(e){if(!e.has(`query`))return;let t=this.asked(`as`),n=this.asked(`version`)?[]:[`referee`];this.#e=m(this.service,this.asked(`match`),t,n),this.judging=void 0,this.attempt(()=>this.#t())}async#t(e=0n){let t=this.#e;if(!t)return;let n=this.asked(`match`),r={matchId:n,atLeastVersion:e},[{match:i},{permissions:a}]=await Promise.all([t.service.matches.getMatch(r),t.service.matches.whoAmI({matchId:n})]),o={matchId:n,atLeastVersion:i?.version??0n},[s,c]=await Promise.all([x(t.service,o),t.service.audit.listDisputes({...o,open:this.onlyOpen,text:this.text,pageSize:200})]);this.match=i,this.permissions=new Set(a),this.events=s,this.disputes=c.disputes,document.title=`Disputes: ${i?.title||i?.caption}`}render(){let{match:t}=this,n=this.asked(`match`),i=this.#e?.role??``;return this.framed(`Disputes and verdicts`,[h(`disputes`,n,i),t?d`<p>${t.title?`${t.title}: `:``}${t.caption}</p>`:r,this.permissions.has(e.RAISE_DISPUTE)?this.#n():r,t?this.#i():r],d`<a class="button" href=${s({match:n,as:i})}>To the match</a>`)}#n(){let e=this.asked(`version`);return d`<details class="raise" ?open=${e!==``}>
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
          ${this.match?.pauseOnDispute?d`<span class="note">The match then waits for the verdict.</span>`:r}</p>
      </form>
    </details>`}#r=async e=>{e.preventDefault();let n=e.target,r=e=>n.elements.namedItem(e).value,a={requestId:t(),matchId:this.asked(`match`),version:BigInt(r(`event`)),reason:r(`reason`)},{audit:o}=this.#e?.service??this.service,s=await this.attempt(()=>i(()=>o.raiseDispute(a)));s&&(n.reset(),await this.attempt(()=>this.#t(s.dispute)))};#i(){return d`
      <div class="row filters">
        <label class="wide">Search the reasons
          <input type="search" maxlength="200" .value=${this.text} @change=${e=>{this.text=e.target.value,this.attempt(()=>this.#t())}} /></label>
        <label class="row"><input type="checkbox" ?checked=${this.onlyOpen} @change=${e=>{this.onlyOpen=e.target.checked,this.attempt(()=>this.#t())}} /> Only open ones</label>
      </div>
      <ol class="disputes">${this.disputes.map(e=>this.#a(e))}</ol>
      ${this.disputes.length?r:d`<p class="note">Nothing is in dispute.</p>`}
    `}#a(e){let{version:t,seat:i,reason:a,raisedAt:o,verdict:c}=e,f=this.asked(`match`),p=this.#e?.role??``,m=this.events.find(e=>e.version===t),h=c===u.UNSPECIFIED,g=this.asked(`verdict`)===String(e.verdictVersion);return d`<li class=${h?`open`:``} aria-current=${g?`true`:r}>
      <p class="row">
        <b>${y[c]}</b>
        <span class="note">${l(this.match,i)}${o?`, ${n(o).toLocaleString()}`:``}</span>
      </p>
      <p><a href=${s({match:f,as:p,at:t})}>Event ${t}</a>: ${m?.sentence??``}</p>
      <blockquote>${a}</blockquote>
      ${h?this.#s(e):this.#o(e)}
    </li>`}#o({verdictVersion:e,verdictReason:t,rules:n,precedentId:i}){let a=this.asked(`match`);return d`<p><b>The referee:</b> ${t}</p>
      <p class="note">
        <a href=${s({match:a,at:e})}>Event ${e}</a>, cited as
        <code>${i}</code>
        ${n.length?d`; rests on ${c(n,this.match?.game??``,a)}`:r}
      </p>`}#s(t){return this.permissions.has(e.GIVE_VERDICT)?this.judging===t.number?d`<emeth-verdict-form .service=${this.#e?.service} .match=${this.match}
      .events=${this.events} .dispute=${t} @verdict-given=${e=>{this.judging=void 0,this.attempt(()=>this.#t(e.detail))}}></emeth-verdict-form>`:d`<button class="main" @click=${()=>this.judging=t.number}>Answer it</button>`:d`<p class="note">It waits for the referee.</p>`}};async function x(e,t){let n=[],r=``;do{let i=await e.history.listHistory({...t,pageSize:v,pageToken:r});n.push(...i.events),r=i.nextPageToken}while(r);return n}customElements.define(`emeth-disputes-page`,b);function S(e,t){return d`<emeth-disputes-page .service=${e} .query=${t}></emeth-disputes-page>`}export{S as show};