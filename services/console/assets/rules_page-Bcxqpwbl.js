import{A as e,T as t,at as n,ot as r,v as i,w as a}from"./index-AycPnLpu.js";import{n as o}from"./content-CtaQ_qEU.js";import{o as s}from"./options-CFLCb32I.js";import{i as c,n as l,t as u}from"./page-DHUUMA04.js";import{t as d}from"./precedents-Cxr_jQMQ.js";import{r as f}from"./viewers-ai6_WIsy.js";var p=100,m=class extends u{static properties={...u.properties,games:{state:!0},found:{state:!0},text:{state:!0},rule:{state:!0},offered:{state:!0},matchId:{state:!0},citations:{state:!0}};#e=``;constructor(){super(),this.games=[],this.found=void 0,this.text=``,this.rule=``,this.offered=[],this.matchId=``,this.citations=new Map}willUpdate(e){e.has(`query`)&&(this.text=this.asked(`text`),this.rule=this.asked(`rule`),this.#t(this.asked(`game`),this.asked(`match`)))}async#t(t,n){let{service:r}=this;this.games.length||(this.games=(await this.attempt(()=>r.games.listGames({})))?.games??[]);let a=t||this.games[0]?.slug||``;if(a!==this.#e&&a){this.#e=a,this.found=void 0,this.citations=new Map;let t=await this.attempt(()=>Promise.all([r.games.getGame({game:a}),r.matches.listMatches({filter:`game = "${a}"`,pageSize:p})]));if(!t||a!==this.#e)return;let[o,s]=t,c=new Set(e());this.found=o,this.offered=s.matches.filter(({matchId:e,visibility:t})=>c.has(e)||e===n||t===2),i(`${o.game?.name}: rules`)}n===this.matchId&&this.citations.size||await this.#n(n),this.querySelector(`.rules [aria-current]`)?.scrollIntoView({block:`center`})}async#n(e){if(this.matchId=e,this.citations=new Map,!e)return;let{service:t}=f(this.service,e,``,[`referee`]),n=await this.attempt(()=>t.audit.listCitations({matchId:e}));this.citations=new Map((n?.citations??[]).map(e=>[e.rule?.rule??``,e]))}render(){let{found:e}=this;return this.framed(`Rules`,[c(`Games`,this.games.map(({slug:e,name:n})=>({name:n,href:t({page:`rules`},{game:e}),current:e===this.#e}))),e?this.#r(e):n])}#r(e){let i=(e.game?.rules??[]).filter(e=>o(h(e),this.text));return r`
      <p>
        ${e.game?.summary}
        ${e.game?.hasContent?r`<a href=${t({page:`cards`},{game:this.#e})}>See what it is played with</a>`:n}
      </p>
      <div class="row filters">
        <label class="wide">Search
          <input type="search" .value=${this.text} @input=${e=>{this.text=e.target.value,this.#s()}}
            placeholder="words, a heading, or an id" /></label>
        ${this.#i()}
      </div>
      <p class="note" role="status">
        ${l(i.length,`rule`)}${this.citations.size?`; the match rests on ${this.citations.size} of them`:``}
      </p>
      ${[...g(i)].map(([e,t])=>r`<section class="rules" aria-label=${s(e)}>
          <h2>${s(e)}</h2>
          <ul>${t.map(e=>this.#a(e))}</ul>
        </section>`)}
      <details class="rules">
        <summary>How positions and actions are written</summary>
        <pre tabindex="0">${e.game?.notation??``}</pre>
      </details>
    `}#i(){return this.offered.length?r`<label>Cited in <select @change=${e=>{this.#n(e.target.value),this.#s()}}>
      <option value="">no match</option>
      ${this.offered.map(({matchId:e,title:t,caption:n})=>r`<option value=${e}
          ?selected=${e===this.matchId}>${t||n} (${e.slice(0,8)})</option>`)}
    </select></label>`:n}#a(e){let i=this.citations.get(e.id),a=e.id===this.rule,o={game:this.#e,rule:e.id,match:this.matchId};return r`<li aria-current=${a?`true`:n}>
      <p>${_(e.meaning)}</p>
      <p class="note">
        <a href=${t({page:`rules`},o)}><code>${e.id}</code></a>
        ${e.source}${e.rulings.length?` (${e.rulings.join(`, `)})`:``}
      </p>
      ${i?this.#o(i):n}
    </li>`}#o({versions:e,rule:i}){return r`<p class="note cited">
      ${e.length?`Applied in `:n}
      ${e.map(e=>r`<a href=${t({match:this.matchId,at:e})}>event ${e}</a> `)}
      ${i?.precedentIds.length?`Verdicts: `:n}
      ${(i?.precedentIds??[]).map(e=>d(e))}
    </p>`}#s(){let{text:e,rule:t,matchId:n}=this;a({page:`rules`},{game:this.#e,rule:t,match:n,text:e})}};function h({id:e,meaning:t,source:n,rulings:r}){return[e,t,n,...r].join(` `)}function g(e){let t=new Map;for(let n of e){let e=n.id.split(`.`)[1]??n.id;t.set(e,[...t.get(e)??[],n])}return t}function _(e){return e.replace(/^./,e=>e.toUpperCase())+(/[.!?]$/.test(e)?``:`.`)}customElements.define(`emeth-rules-page`,m);function v(e,t){return r`<emeth-rules-page .service=${e} .query=${t}></emeth-rules-page>`}export{v as show};