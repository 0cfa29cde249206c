import{$ as e,E as t,T as n,ct as r,h as i,lt as a,m as o}from"./index-B8-rHzQO.js";import{n as s}from"./content-CtaQ_qEU.js";import{o as c}from"./options-Ce_cx6hq.js";import{i as l,n as u,t as d}from"./page-DhiWkHXb.js";import{t as f}from"./precedents-B8pW0a9n.js";import{r as p}from"./viewers-CvPr3o61.js";var m=100,h=class extends d{static properties={...d.properties,games:{state:!0},found:{state:!0},text:{state:!0},rule:{state:!0},offered:{state:!0},matchId:{state:!0},citations:{state:!0}};#e=``;constructor(){super(),this.games=[],this.found=void 0,this.text=``,this.rule=``,this.offered=[],this.matchId=``,this.citations=new Map}connectedCallback(){super.connectedCallback(),o().addEventListener(`change`,this.#t)}disconnectedCallback(){super.disconnectedCallback(),o().removeEventListener(`change`,this.#t)}#t=()=>this.requestUpdate();willUpdate(e){e.has(`query`)&&(this.text=this.asked(`text`),this.rule=this.asked(`rule`),this.#n(this.asked(`game`),this.asked(`match`)))}async#n(t,n){let{service:r}=this;this.games.length||(this.games=(await this.attempt(()=>r.games.listGames({})))?.games??[]);let a=t||this.games[0]?.slug||``;if(a!==this.#e&&a){this.#e=a,this.found=void 0,this.citations=new Map;let t=await this.attempt(()=>Promise.all([r.games.getGame({game:a}),r.matches.listMatches({filter:`game = "${a}"`,pageSize:m})]));if(!t||a!==this.#e)return;let[o,s]=t;this.found=o,this.offered=s.matches.filter(({matchId:t,visibility:r})=>t===n||r===e.PUBLIC),i(`${o.game?.name}: rules`)}n===this.matchId&&this.citations.size||await this.#r(n),this.querySelector(`.rules [aria-current]`)?.scrollIntoView({block:`center`})}async#r(e){if(this.matchId=e,this.citations=new Map,!e)return;let{service:t}=p(this.service,e,``,[`referee`]),n=await this.attempt(()=>t.audit.listCitations({matchId:e}));this.citations=new Map((n?.citations??[]).map(e=>[e.rule?.rule??``,e]))}render(){let{found:e}=this;return this.framed(`Rules`,[l(`Games`,this.games.map(({slug:e,name:n})=>({name:n,href:t({page:`rules`},{game:e}),current:e===this.#e}))),e?this.#i(e):r])}#i(e){let n=(e.game?.rules??[]).filter(e=>s(g(e),this.text));return a`
      <p>
        ${e.game?.summary}
        ${e.game?.hasContent?a`<a href=${t({page:`cards`},{game:this.#e})}>Cards and pieces</a>`:r}
      </p>
      <div class="row filters">
        <label class="wide">Search
          <input type="search" .value=${this.text} @input=${e=>{this.text=e.target.value,this.#c()}}
            placeholder="words, a heading or a rule ID" /></label>
        ${this.#a()}
      </div>
      <p class="note" role="status">
        ${u(n.length,`rule`)}${this.citations.size?`; the match rests on ${this.citations.size} of them`:``}
      </p>
      ${[..._(n)].map(([e,t])=>a`<section class="rules" aria-label=${c(e)}>
          <h2>${c(e)}</h2>
          <ul>${t.map(e=>this.#o(e))}</ul>
        </section>`)}
      <details class="rules">
        <summary>Notation of positions and actions</summary>
        <pre tabindex="0">${e.game?.notation??``}</pre>
      </details>
    `}#a(){let e=e=>{this.#r(e.target.value),this.#c()},t=o().matches.map(({match:e})=>e).filter(({game:e})=>e===this.#e),n=new Set(t.map(({matchId:e})=>e)),i=[...t,...this.offered.filter(({matchId:e})=>!n.has(e))];return i.length?a`<label>Cited in <select @change=${e}>
      <option value="">no match</option>
      ${i.map(({matchId:e,title:t,caption:n})=>a`<option value=${e}
          ?selected=${e===this.matchId}>${t||n} (${e.slice(0,8)})</option>`)}
    </select></label>`:r}#o(e){let n=this.citations.get(e.id),i=e.id===this.rule,o={game:this.#e,rule:e.id,match:this.matchId};return a`<li aria-current=${i?`true`:r}>
      <p>${v(e.meaning)}</p>
      <p class="note">
        <a href=${t({page:`rules`},o)}><code>${e.id}</code></a>
        ${e.source}${e.rulings.length?` (${e.rulings.join(`, `)})`:``}
      </p>
      ${n?this.#s(n):r}
    </li>`}#s({versions:e,rule:n}){return a`<p class="note cited">
      ${e.length?`Applied in `:r}
      ${e.map(e=>a`<a href=${t({match:this.matchId,at:e})}>event ${e}</a> `)}
      ${n?.precedentIds.length?`Verdicts: `:r}
      ${(n?.precedentIds??[]).map(e=>f(e))}
    </p>`}#c(){let{text:e,rule:t,matchId:r}=this;n({page:`rules`},{game:this.#e,rule:t,match:r,text:e})}};function g({id:e,meaning:t,source:n,rulings:r}){return[e,t,n,...r].join(` `)}function _(e){let t=new Map;for(let n of e){let e=n.id.split(`.`)[1]??n.id;t.set(e,[...t.get(e)??[],n])}return t}function v(e){return e.replace(/^./,e=>e.toUpperCase())+(/[.!?]$/.test(e)?``:`.`)}customElements.define(`emeth-rules-page`,h);function y(e,t){return a`<emeth-rules-page .service=${e} .query=${t}></emeth-rules-page>`}export{y as show};