import{A as e,c as t,j as n,l as r}from"./index-DS9bmOL9.js";import{a as i,f as a,i as o,n as s}from"./catalog-BG6-F_H7.js";import{t as c}from"./entry_card-CYbTZSmb.js";import{i as l,n as u,t as d}from"./page-DCg8ST-z.js";var f=class extends d{static properties={...d.properties,games:{state:!0},entries:{state:!0},hasArmies:{state:!0},text:{state:!0},kind:{state:!0}};#e=``;constructor(){super(),this.games=[],this.entries=void 0,this.hasArmies=!1,this.text=``,this.kind=``}willUpdate(e){e.has(`query`)&&(this.text=this.asked(`text`),this.kind=this.asked(`kind`),this.attempt(()=>this.#t(this.asked(`game`))))}async#t(e){let{service:t}=this;if(!this.games.length){let{games:e}=await t.matches.listGames({});this.games=e.filter(({catalog:e})=>e)}this.#e=e||this.games[0]?.slug||``;let{entries:n,armySchema:r}=await s(t,this.#e);this.entries=n,this.hasArmies=r!==void 0;let i=this.games.find(({slug:e})=>e===this.#e)?.name;document.title=`${i}: what it is played with`}render(){return this.framed(`Cards and pieces`,[l(`Games`,this.games.map(({slug:e,name:t})=>({name:t,href:r({page:`cards`},{game:e}),current:e===this.#e}))),this.entries?this.#n(this.entries):e])}#n(t){let s=t.filter(e=>(!this.kind||e.kind===this.kind)&&i(e,this.text));return n`
      <div class="row filters">
        <label class="wide">Search <input type="search" .value=${this.text} @input=${e=>{this.text=e.target.value,this.#r()}} /></label>
        <label>of <select @change=${e=>{this.kind=e.target.value,this.#r()}}>
          <option value="">all kinds</option>
          ${o(t).map(e=>n`<option value=${e} ?selected=${e===this.kind}>${a(e)}</option>`)}
        </select></label>
        ${this.hasArmies?n`<a href=${r({page:`armies`},{game:this.#e})}>Build an army</a>`:e}
      </div>
      <p class="note" role="status">${u(s.length,`entry`,`entries`)}</p>
      <ul class="cards">${s.map(e=>n`<li>${c(e)}</li>`)}</ul>
    `}#r(){t({page:`cards`},{game:this.#e,kind:this.kind,text:this.text})}};customElements.define(`emeth-cards-page`,f);function p(e,t){return n`<emeth-cards-page .service=${e} .query=${t}></emeth-cards-page>`}export{p as show};