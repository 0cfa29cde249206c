import{E as e,T as t,ct as n,h as r,lt as i}from"./index-B8-rHzQO.js";import{i as a,r as o,t as s}from"./content-CtaQ_qEU.js";import{t as c}from"./entry_card-CiYsa19i.js";import{o as l}from"./options-Ce_cx6hq.js";import{i as u,n as d,t as f}from"./page-DhiWkHXb.js";var p=class extends f{static properties={...f.properties,games:{state:!0},entries:{state:!0},hasArmies:{state:!0},text:{state:!0},kind:{state:!0}};#e=``;constructor(){super(),this.games=[],this.entries=void 0,this.hasArmies=!1,this.text=``,this.kind=``}willUpdate(e){e.has(`query`)&&(this.text=this.asked(`text`),this.kind=this.asked(`kind`),this.attempt(()=>this.#t(this.asked(`game`))))}async#t(e){let{service:t}=this;if(!this.games.length){let{games:e}=await t.games.listGames({});this.games=e.filter(({hasContent:e})=>e)}this.#e=e||this.games[0]?.slug||``,this.entries=await s(t,this.#e);let n=this.games.find(({slug:e})=>e===this.#e);this.hasArmies=n?.hasArmies??!1,r(`${n?.name}: cards and pieces`)}render(){return this.framed(`Cards and pieces`,[u(`Games`,this.games.map(({slug:t,name:n})=>({name:n,href:e({page:`cards`},{game:t}),current:t===this.#e}))),this.entries?this.#n(this.entries):n])}#n(t){let r=t.filter(e=>(!this.kind||e.kind===this.kind)&&a(e,this.text));return i`
      <div class="row filters">
        <label class="wide">Search <input type="search" .value=${this.text} @input=${e=>{this.text=e.target.value,this.#r()}} /></label>
        <label>of <select @change=${e=>{this.kind=e.target.value,this.#r()}}>
          <option value="">all kinds</option>
          ${o(t).map(e=>i`<option value=${e} ?selected=${e===this.kind}>${l(e)}</option>`)}
        </select></label>
        ${this.hasArmies?i`<a href=${e({page:`armies`},{game:this.#e})}>Build an army</a>`:n}
      </div>
      <h2 class="unseen">Content</h2>
      <p class="note" role="status">${d(r.length,`entry`,`entries`)}</p>
      <ul class="cards">${r.map(e=>i`<li>${c(e)}</li>`)}</ul>
    `}#r(){t({page:`cards`},{game:this.#e,kind:this.kind,text:this.text})}};customElements.define(`emeth-cards-page`,p);function m(e,t){return i`<emeth-cards-page .service=${e} .query=${t}></emeth-cards-page>`}export{m as show};