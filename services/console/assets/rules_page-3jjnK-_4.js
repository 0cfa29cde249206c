import{L as e,R as t,_ as n,m as r,p as i}from"./index-HUDWQX_8.js";import{r as a}from"./catalog-DX5wdHCy.js";import{s as o}from"./options-D4CNxP_3.js";import{i as s,n as c,t as l}from"./page-BOC9bVKW.js";import{t as u}from"./precedents-KLq0QFcd.js";import{n as d}from"./viewers-DAwN4D3U.js";var f=100,p=class extends l{static properties={...l.properties,games:{state:!0},found:{state:!0},text:{state:!0},rule:{state:!0},offered:{state:!0},matchId:{state:!0},citations:{state:!0}};#e=``;constructor(){super(),this.games=[],this.found=void 0,this.text=``,this.rule=``,this.offered=[],this.matchId=``,this.citations=new Map}willUpdate(e){e.has(`query`)&&(this.text=this.asked(`text`),this.rule=this.asked(`rule`),this.#t(this.asked(`game`),this.asked(`match`)))}async#t(e,t){let{service:r}=this;this.games.length||(this.games=(await this.attempt(()=>r.matches.listGames({})))?.games??[]);let i=e||this.games[0]?.slug||``;if(i!==this.#e&&i){this.#e=i,this.found=void 0,this.citations=new Map;let e=await this.attempt(()=>Promise.all([r.matches.getGame({game:i}),r.matches.listMatches({game:i,pageSize:f})]));if(!e||i!==this.#e)return;let[a,o]=e,s=new Set(n());this.found=a,this.offered=o.matches.filter(({matchId:e,visibility:n})=>s.has(e)||e===t||n===2),document.title=`${a.game?.name}: rules`}t===this.matchId&&this.citations.size||await this.#n(t),this.querySelector(`.rules [aria-current]`)?.scrollIntoView({block:`center`})}async#n(e){if(this.matchId=e,this.citations=new Map,!e)return;let{service:t}=d(this.service,e,``,[`referee`]),n=await this.attempt(()=>t.audit.listCitations({matchId:e}));this.citations=new Map((n?.citations??[]).map(e=>[e.rule?.rule??``,e]))}render(){let{found:t}=this;return this.framed(`Rules`,[s(`Games`,this.games.map(({slug:e,name:t})=>({name:t,href:r({page:`rules`},{game:e}),current:e===this.#e}))),t?this.#r(t):e])}#r(n){let i=n.rules.filter(e=>a(m(e),this.text));return t`
      <p>
        ${n.game?.summary}
        ${n.game?.catalog?t`<a href=${r({page:`cards`},{game:this.#e})}>See what it is played with</a>`:e}
      </p>
      <div class="row filters">
        <label class="wide">Search
          <input type="search" .value=${this.text} @input=${e=>{this.text=e.target.value,this.#s()}}
            placeholder="words, a heading, or an id" /></label>
        ${this.#i()}
      </div>
      <p class="note" role="status">
        ${c(i.length,`rule`)}${this.citations.size?`; the match rests on ${this.citations.size} of them`:``}
      </p>
      ${[...h(i)].map(([e,n])=>t`<section class="rules" aria-label=${o(e)}>
          <h2>${o(e)}</h2>
          <ul>${n.map(e=>this.#a(e))}</ul>
        </section>`)}
      <details class="rules">
        <summary>How positions and actions are written</summary>
        <pre tabindex="0">${n.notation}</pre>
      </details>
    `}#i(){return this.offered.length?t`<label>Cited in <select @change=${e=>{this.#n(e.target.value),this.#s()}}>
      <option value="">no match</option>
      ${this.offered.map(({matchId:e,title:n,caption:r})=>t`<option value=${e}
          ?selected=${e===this.matchId}>${n||r} (${e.slice(0,8)})</option>`)}
    </select></label>`:e}#a(n){let i=this.citations.get(n.id),a=n.id===this.rule,o={game:this.#e,rule:n.id,match:this.matchId};return t`<li aria-current=${a?`true`:e}>
      <p>${g(n.meaning)}</p>
      <p class="note">
        <a href=${r({page:`rules`},o)}><code>${n.id}</code></a>
        ${n.source}${n.rulings.length?` (${n.rulings.join(`, `)})`:``}
      </p>
      ${i?this.#o(i):e}
    </li>`}#o({versions:n,rule:i}){return t`<p class="note cited">
      ${n.length?`Applied in `:e}
      ${n.map(e=>t`<a href=${r({match:this.matchId,at:e})}>event ${e}</a> `)}
      ${i?.precedents.length?`Verdicts: `:e}
      ${(i?.precedents??[]).map(e=>u(e))}
    </p>`}#s(){let{text:e,rule:t,matchId:n}=this;i({page:`rules`},{game:this.#e,rule:t,match:n,text:e})}};function m({id:e,meaning:t,source:n,rulings:r}){return[e,t,n,...r].join(` `)}function h(e){let t=new Map;for(let n of e){let e=n.id.split(`.`)[1]??n.id;t.set(e,[...t.get(e)??[],n])}return t}function g(e){return e.replace(/^./,e=>e.toUpperCase())+(/[.!?]$/.test(e)?``:`.`)}customElements.define(`emeth-rules-page`,p);function _(e,n){return t`<emeth-rules-page .service=${e} .query=${n}></emeth-rules-page>`}export{_ as show};