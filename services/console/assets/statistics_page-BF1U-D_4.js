import{S as e,T as t,at as n,ot as r,v as i,w as a}from"./index-AycPnLpu.js";import{o}from"./options-CFLCb32I.js";import{i as s,n as c,r as l,t as u}from"./page-DHUUMA04.js";var d=class extends u{static properties={...u.properties,games:{state:!0},counts:{state:!0},text:{state:!0},found:{state:!0},behind:{state:!0}};#e=``;#t=``;#n=``;#r=l(()=>void this.#a());constructor(){super(),this.games=[],this.counts=void 0,this.text=``,this.found=[],this.behind=0}willUpdate(e){e.has(`query`)&&this.#i()}async#i(){let{service:e}=this;this.#e=this.asked(`game`),this.#t=this.asked(`opening`),this.text=this.asked(`text`),i(`Statistics`);let[t,n]=[this.#e,this.#t],r=await this.attempt(async()=>(this.games.length||(this.games=(await e.games.listGames({})).games),e.statistics.getStatistics({game:t,opening:n})));t===this.#e&&n===this.#t&&(this.counts=r,await this.#a())}async#a(e=``){let t=this.text.trim();if(!t){this.found=[],this.#n=``;return}let n=await this.attempt(()=>this.service.statistics.searchEvents({query:t,game:this.#e,pageToken:e}));n&&t===this.text.trim()&&(this.found=e?[...this.found,...n.events]:n.events,this.#n=n.nextPageToken,this.behind=n.unindexedEvents)}render(){let e=(e,n)=>({name:n,href:t({page:`statistics`},{game:e}),current:e===this.#e});return this.framed(`Statistics`,[s(`Games`,[e(``,`All games`),...this.games.map(({slug:t,name:n})=>e(t,n))]),this.#o(),this.counts&&!this.text.trim()?this.#s(this.counts):n])}#o(){return r`
      <div class="row filters">
        <label class="wide">Search in what is told of public matches
          <input type="search" maxlength="200" .value=${this.text} @input=${e=>{this.text=e.target.value,a({page:`statistics`},{game:this.#e,opening:this.#t,text:this.text}),this.#r()}} placeholder="words, as: captures three" /></label>
      </div>
      ${this.text.trim()?r`<section aria-label="Found">
              <p class="note" role="status">
                ${this.busy?`Searching …`:c(this.found.length,`event`)}${this.#n?` and more`:``}${this.behind?`; ${this.behind} of the latest are not looked through yet`:``}
              </p>
              <ul class="found">${this.found.map(f)}</ul>
              ${this.#n?r`<button @click=${()=>void this.#a(this.#n)}>More</button>`:n}
            </section>`:n}
    `}#s({matches:e,games:i,actions:a,duration:o,openings:s,rules:l}){return e?r`
      <p role="status">
        ${c(e,`public match`,`public matches`)}
        ${e===1?`is`:`are`} over${this.#t?r`, begun with <code>${this.#t}</code>
          (<a href=${t({page:`statistics`},{game:this.#e})}>show all</a>)`:n}.
        ${a&&o?h(e,a,o):n}
      </p>
      ${i.map(e=>this.#c(e,i.length>1))}
      ${s.length?this.#l(s):n}
      ${l.length?this.#u(l):n}
    `:r`<p class="note">No public match ${this.#t?`that began like this `:``}is over yet.</p>`}#c({game:t,matches:n,seats:i,endings:a},s){return r`<section class="statistics" aria-label=${this.#d(t)}>
      ${s?r`<h2>${this.#d(t)}, ${c(n,`match`,`matches`)}</h2>`:r`<h2>Results</h2>`}
      ${_(`Results by seat`,[`Seat`,`Won`,`Drawn`,`Lost`],i.map(t=>[e(t.seat),...m(t)]))}
      <p class="note">Ended by: ${a.map(({reason:e,matches:t})=>`${o(e)} (${t})`).join(`, `)}</p>
    </section>`}#l(i){return r`<section class="statistics" aria-label="Openings"><h2>Openings</h2>
      ${_(`Openings`,[`Began with`,`Matches`,`Won by`],i.map(({game:i,opening:a,matches:o,seats:s})=>[r`<a href=${t({page:`statistics`},{game:i,opening:a})}><code>${a}</code></a>${this.#e?n:r` <span class="note">${this.#d(i)}</span>`}`,`${o}`,s.filter(({won:e})=>e).map(({seat:t,won:n})=>`${e(t)} ${n}`).join(`, `)||`nobody`]))}
    </section>`}#u(e){return r`<section class="statistics" aria-label="Rules"><h2>Rules that were applied most</h2>
      ${_(`Rules`,[`Rule`,`Events`,`Matches`],e.map(({game:e,rule:n,meaning:i,events:a,matches:o})=>[r`${i||`A rule that has left the index`}
            <a class="note" href=${t({page:`rules`},{game:e,rule:n})}><code>${n}</code></a>`,`${a}`,`${o}`]))}
    </section>`}#d(t){return this.games.find(e=>e.slug===t)?.name??e(t)}};function f({matchId:i,game:a,title:o,event:s}){return s?r`<li>
    <a href=${t({match:i,at:s.version})}>${o||e(a)}, event ${s.version}</a>
    <p>${s.snippet.length?s.snippet.map(p):s.sentence}</p>
  </li>`:n}function p({text:e,found:t}){return t?r`<mark>${e}</mark>`:e}function m({won:e,drawn:t,lost:n}){let r=e+t+n;return[e,t,n].map(e=>`${e} (${Math.round(100*e/r)} %)`)}function h(e,t,n){return e===1?`It had ${c(t.max,`action`)}, and took ${g(n.max)}.`:`Half of them had ${c(t.median,`action`)} or fewer, the longest ${t.max};
    half took ${g(n.median)} or less, the longest ${g(n.max)}.`}function g(e){let t=Number(e?.seconds??0);return t<120?c(t,`second`):t<7200?c(Math.round(t/60),`minute`):t<172800?c(Math.round(t/3600),`hour`):c(Math.round(t/86400),`day`)}function _(e,t,n){return r`<div class="scrolled" tabindex="0" role="region" aria-label=${e}>
    <table>
      <thead><tr>${t.map(e=>r`<th scope="col">${e}</th>`)}</tr></thead>
      <tbody>${n.map(([e,...t])=>r`<tr><th scope="row">${e}</th>${t.map(e=>r`<td>${e}</td>`)}</tr>`)}</tbody>
    </table>
  </div>`}customElements.define(`emeth-statistics-page`,d);function v(e,t){return r`<emeth-statistics-page .service=${e} .query=${t}></emeth-statistics-page>`}export{v as show};