import{E as e,T as t,_ as n,j as r,lt as i,ut as a}from"./index-BvIG59Ht.js";import{n as o}from"./content-CtaQ_qEU.js";import{o as s}from"./options-BgdS4_tp.js";import{i as c,n as l,t as u}from"./page-znEGdT6m.js";import{t as d}from"./precedents-2QqDTA44.js";import{r as f}from"./viewers-B4ajJfzm.js";var p=100,m=class extends u{static properties={...u.properties,games:{state:!0},found:{state:!0},text:{state:!0},rule:{state:!0},offered:{state:!0},matchId:{state:!0},citations:{state:!0}};#e=``;constructor(){super(),this.games=[],this.found=void 0,this.text=``,this.rule=``,this.offered=[],this.matchId=``,this.citations=new Map}willUpdate(e){e.has(`query`)&&(this.text=this.asked(`text`),this.rule=this.asked(`rule`),this.#t(this.asked(`game`),this.asked(`match`)))}async#t(e,t){let{service:i}=this;this.games.length||(this.games=(await this.attempt(()=>i.games.listGames({})))?.games??[]);let a=e||this.games[0]?.slug||``;if(a!==this.#e&&a){this.#e=a,this.found=void 0,this.citations=new Map;let e=await this.attempt(()=>Promise.all([i.games.getGame({game:a}),i.matches.listMatches({filter:`game = "${a}"`,pageSize:p})]));if(!e||a!==this.#e)return;let[o,s]=e,c=new Set(r());this.found=o,this.offered=s.matches.filter(({matchId:e,visibility:n})=>c.has(e)||e===t||n===2),n(`${o.game?.name}: rules`)}t===this.matchId&&this.citations.size||await this.#n(t),this.querySelector(`.rules [aria-current]`)?.scrollIntoView({block:`center`})}async#n(e){if(this.matchId=e,this.citations=new Map,!e)return;let{service:t}=f(this.service,e,``,[`referee`]),n=await this.attempt(()=>t.audit.listCitations({matchId:e}));this.citations=new Map((n?.citations??[]).map(e=>[e.rule?.rule??``,e]))}render(){let{found:t}=this;return this.framed(`Rules`,[c(`Games`,this.games.map(({slug:t,name:n})=>({name:n,href:e({page:`rules`},{game:t}),current:t===this.#e}))),t?this.#r(t):i])}#r(t){let n=(t.game?.rules??[]).filter(e=>o(h(e),this.text));return a`
      <p>
        ${t.game?.summary}
        ${t.game?.hasContent?a`<a href=${e({page:`cards`},{game:this.#e})}>See what it is played with</a>`:i}
      </p>
      <div class="row filters">
        <label class="wide">Search
          <input type="search" .value=${this.text} @input=${e=>{this.text=e.target.value,this.#s()}}
            placeholder="words, a heading, or an id" /></label>
        ${this.#i()}
      </div>
      <p class="note" role="status">
        ${l(n.length,`rule`)}${this.citations.size?`; the match rests on ${this.citations.size} of them`:``}
      </p>
      ${[...g(n)].map(([e,t])=>a`<section class="rules" aria-label=${s(e)}>
          <h2>${s(e)}</h2>
          <ul>${t.map(e=>this.#a(e))}</ul>
        </section>`)}
      <details class="rules">
        <summary>How positions and actions are written</summary>
        <pre tabindex="0">${t.game?.notation??``}</pre>
      </details>
    `}#i(){return this.offered.length?a`<label>Cited in <select @change=${e=>{this.#n(e.target.value),this.#s()}}>
      <option value="">no match</option>
      ${this.offered.map(({matchId:e,title:t,caption:n})=>a`<option value=${e}
          ?selected=${e===this.matchId}>${t||n} (${e.slice(0,8)})</option>`)}
    </select></label>`:i}#a(t){let n=this.citations.get(t.id),r=t.id===this.rule,o={game:this.#e,rule:t.id,match:this.matchId};return a`<li aria-current=${r?`true`:i}>
      <p>${_(t.meaning)}</p>
      <p class="note">
        <a href=${e({page:`rules`},o)}><code>${t.id}</code></a>
        ${t.source}${t.rulings.length?` (${t.rulings.join(`, `)})`:``}
      </p>
      ${n?this.#o(n):i}
    </li>`}#o({versions:t,rule:n}){return a`<p class="note cited">
      ${t.length?`Applied in `:i}
      ${t.map(t=>a`<a href=${e({match:this.matchId,at:t})}>event ${t}</a> `)}
      ${n?.precedentIds.length?`Verdicts: `:i}
      ${(n?.precedentIds??[]).map(e=>d(e))}
    </p>`}#s(){let{text:e,rule:n,matchId:r}=this;t({page:`rules`},{game:this.#e,rule:n,match:r,text:e})}};function h({id:e,meaning:t,source:n,rulings:r}){return[e,t,n,...r].join(` `)}function g(e){let t=new Map;for(let n of e){let e=n.id.split(`.`)[1]??n.id;t.set(e,[...t.get(e)??[],n])}return t}function _(e){return e.replace(/^./,e=>e.toUpperCase())+(/[.!?]$/.test(e)?``:`.`)}customElements.define(`emeth-rules-page`,m);function v(e,t){return a`<emeth-rules-page .service=${e} .query=${t}></emeth-rules-page>`}export{v as show};