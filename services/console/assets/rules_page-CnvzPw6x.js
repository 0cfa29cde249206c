import{R as e,h as t,m as n,v as r,z as i}from"./index-BY_yMFqV.js";import{r as a}from"./catalog-DX5wdHCy.js";import{s as o}from"./options-CQ9QxEAn.js";import{i as s,n as c,t as l}from"./page-BTA6lbAf.js";import{t as u}from"./precedents-Br3ovsPT.js";import{n as d}from"./viewers-H0-62GYY.js";var f=100,p=class extends l{static properties={...l.properties,games:{state:!0},found:{state:!0},text:{state:!0},rule:{state:!0},offered:{state:!0},matchId:{state:!0},citations:{state:!0}};#e=``;constructor(){super(),this.games=[],this.found=void 0,this.text=``,this.rule=``,this.offered=[],this.matchId=``,this.citations=new Map}willUpdate(e){e.has(`query`)&&(this.text=this.asked(`text`),this.rule=this.asked(`rule`),this.#t(this.asked(`game`),this.asked(`match`)))}async#t(e,t){let{service:n}=this;this.games.length||(this.games=(await this.attempt(()=>n.matches.listGames({})))?.games??[]);let i=e||this.games[0]?.slug||``;if(i!==this.#e&&i){this.#e=i,this.found=void 0,this.citations=new Map;let e=await this.attempt(()=>Promise.all([n.matches.getGame({game:i}),n.matches.listMatches({game:i,pageSize:f})]));if(!e||i!==this.#e)return;let[a,o]=e,s=new Set(r());this.found=a,this.offered=o.matches.filter(({matchId:e,visibility:n})=>s.has(e)||e===t||n===2),document.title=`${a.game?.name}: rules`}t===this.matchId&&this.citations.size||await this.#n(t),this.querySelector(`.rules [aria-current]`)?.scrollIntoView({block:`center`})}async#n(e){if(this.matchId=e,this.citations=new Map,!e)return;let{service:t}=d(this.service,e,``,[`referee`]),n=await this.attempt(()=>t.audit.listCitations({matchId:e}));this.citations=new Map((n?.citations??[]).map(e=>[e.rule?.rule??``,e]))}render(){let{found:n}=this;return this.framed(`Rules`,[s(`Games`,this.games.map(({slug:e,name:n})=>({name:n,href:t({page:`rules`},{game:e}),current:e===this.#e}))),n?this.#r(n):e])}#r(n){let r=n.rules.filter(e=>a(m(e),this.text));return i`
      <p>
        ${n.game?.summary}
        ${n.game?.catalog?i`<a href=${t({page:`cards`},{game:this.#e})}>See what it is played with</a>`:e}
      </p>
      <div class="row filters">
        <label class="wide">Search
          <input type="search" .value=${this.text} @input=${e=>{this.text=e.target.value,this.#s()}}
            placeholder="words, a heading, or an id" /></label>
        ${this.#i()}
      </div>
      <p class="note" role="status">
        ${c(r.length,`rule`)}${this.citations.size?`; the match rests on ${this.citations.size} of them`:``}
      </p>
      ${[...h(r)].map(([e,t])=>i`<section class="rules" aria-label=${o(e)}>
          <h2>${o(e)}</h2>
          <ul>${t.map(e=>this.#a(e))}</ul>
        </section>`)}
      <details class="rules">
        <summary>How positions and actions are written</summary>
        <pre tabindex="0">${n.notation}</pre>
      </details>
    `}#i(){return this.offered.length?i`<label>Cited in <select @change=${e=>{this.#n(e.target.value),this.#s()}}>
      <option value="">no match</option>
      ${this.offered.map(({matchId:e,title:t,caption:n})=>i`<option value=${e}
          ?selected=${e===this.matchId}>${t||n} (${e.slice(0,8)})</option>`)}
    </select></label>`:e}#a(n){let r=this.citations.get(n.id),a=n.id===this.rule,o={game:this.#e,rule:n.id,match:this.matchId};return i`<li aria-current=${a?`true`:e}>
      <p>${g(n.meaning)}</p>
      <p class="note">
        <a href=${t({page:`rules`},o)}><code>${n.id}</code></a>
        ${n.source}${n.rulings.length?` (${n.rulings.join(`, `)})`:``}
      </p>
      ${r?this.#o(r):e}
    </li>`}#o({versions:n,rule:r}){return i`<p class="note cited">
      ${n.length?`Applied in `:e}
      ${n.map(e=>i`<a href=${t({match:this.matchId,at:e})}>event ${e}</a> `)}
      ${r?.precedents.length?`Verdicts: `:e}
      ${(r?.precedents??[]).map(e=>u(e))}
    </p>`}#s(){let{text:e,rule:t,matchId:r}=this;n({page:`rules`},{game:this.#e,rule:t,match:r,text:e})}};function m({id:e,meaning:t,source:n,rulings:r}){return[e,t,n,...r].join(` `)}function h(e){let t=new Map;for(let n of e){let e=n.id.split(`.`)[1]??n.id;t.set(e,[...t.get(e)??[],n])}return t}function g(e){return e.replace(/^./,e=>e.toUpperCase())+(/[.!?]$/.test(e)?``:`.`)}customElements.define(`emeth-rules-page`,p);function _(e,t){return i`<emeth-rules-page .service=${e} .query=${t}></emeth-rules-page>`}export{_ as show};