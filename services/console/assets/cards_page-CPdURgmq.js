import{R as e,h as t,m as n,z as r}from"./index-BY_yMFqV.js";import{a as i,i as a,n as o}from"./catalog-DX5wdHCy.js";import{t as s}from"./entry_card-D9xqLK3J.js";import{s as c}from"./options-CQ9QxEAn.js";import{i as l,n as u,t as d}from"./page-BTA6lbAf.js";var f=class extends d{static properties={...d.properties,games:{state:!0},entries:{state:!0},hasArmies:{state:!0},text:{state:!0},kind:{state:!0}};#e=``;constructor(){super(),this.games=[],this.entries=void 0,this.hasArmies=!1,this.text=``,this.kind=``}willUpdate(e){e.has(`query`)&&(this.text=this.asked(`text`),this.kind=this.asked(`kind`),this.attempt(()=>this.#t(this.asked(`game`))))}async#t(e){let{service:t}=this;if(!this.games.length){let{games:e}=await t.matches.listGames({});this.games=e.filter(({catalog:e})=>e)}this.#e=e||this.games[0]?.slug||``;let{entries:n,armySchema:r}=await o(t,this.#e);this.entries=n,this.hasArmies=r!==void 0;let i=this.games.find(({slug:e})=>e===this.#e)?.name;document.title=`${i}: what it is played with`}render(){return this.framed(`Cards and pieces`,[l(`Games`,this.games.map(({slug:e,name:n})=>({name:n,href:t({page:`cards`},{game:e}),current:e===this.#e}))),this.entries?this.#n(this.entries):e])}#n(n){let o=n.filter(e=>(!this.kind||e.kind===this.kind)&&i(e,this.text));return r`
      <div class="row filters">
        <label class="wide">Search <input type="search" .value=${this.text} @input=${e=>{this.text=e.target.value,this.#r()}} /></label>
        <label>of <select @change=${e=>{this.kind=e.target.value,this.#r()}}>
          <option value="">all kinds</option>
          ${a(n).map(e=>r`<option value=${e} ?selected=${e===this.kind}>${c(e)}</option>`)}
        </select></label>
        ${this.hasArmies?r`<a href=${t({page:`armies`},{game:this.#e})}>Build an army</a>`:e}
      </div>
      <p class="note" role="status">${u(o.length,`entry`,`entries`)}</p>
      <ul class="cards">${o.map(e=>r`<li>${s(e)}</li>`)}</ul>
    `}#r(){n({page:`cards`},{game:this.#e,kind:this.kind,text:this.text})}};customElements.define(`emeth-cards-page`,f);function p(e,t){return r`<emeth-cards-page .service=${e} .query=${t}></emeth-cards-page>`}export{p as show};