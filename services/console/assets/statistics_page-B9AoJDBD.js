import{C as e,S as t,at as n,b as r,g as i,ot as a}from"./index-B5Yiozkt.js";import{o}from"./options-BUvtcA22.js";import{i as s,n as c,r as l,t as u}from"./page-BIRXciqb.js";var d=class extends u{static properties={...u.properties,games:{state:!0},counts:{state:!0},text:{state:!0},found:{state:!0},behind:{state:!0}};#e=``;#t=``;#n=``;#r=l(()=>void this.#a());constructor(){super(),this.games=[],this.counts=void 0,this.text=``,this.found=[],this.behind=0}willUpdate(e){e.has(`query`)&&this.#i()}async#i(){let{service:e}=this;this.#e=this.asked(`game`),this.#t=this.asked(`opening`),this.text=this.asked(`text`),i(`Statistics`);let[t,n]=[this.#e,this.#t],r=await this.attempt(async()=>(this.games.length||(this.games=(await e.games.listGames({})).games),e.statistics.getStatistics({game:t,opening:n})));t===this.#e&&n===this.#t&&(this.counts=r,await this.#a())}async#a(e=``){let t=this.text.trim();if(!t){this.found=[],this.#n=``;return}let n=await this.attempt(()=>this.service.statistics.searchEvents({query:t,game:this.#e,pageToken:e}));n&&t===this.text.trim()&&(this.found=e?[...this.found,...n.events]:n.events,this.#n=n.nextPageToken,this.behind=n.unindexedEvents)}render(){let t=(t,n)=>({name:n,href:e({page:`statistics`},{game:t}),current:t===this.#e});return this.framed(`Statistics`,[s(`Games`,[t(``,`All games`),...this.games.map(({slug:e,name:n})=>t(e,n))]),this.#o(),this.counts&&!this.text.trim()?this.#s(this.counts):n])}#o(){return a`
      <div class="row filters">
        <label class="wide">Search in what is told of public matches
          <input type="search" maxlength="200" .value=${this.text} @input=${e=>{this.text=e.target.value,t({page:`statistics`},{game:this.#e,opening:this.#t,text:this.text}),this.#r()}} placeholder="words, as: captures three" /></label>
      </div>
      ${this.text.trim()?a`<section aria-label="Found">
              <p class="note" role="status">
                ${this.busy?`Searching …`:c(this.found.length,`event`)}${this.#n?` and more`:``}${this.behind?`; ${this.behind} of the latest are not looked through yet`:``}
              </p>
              <ul class="found">${this.found.map(f)}</ul>
              ${this.#n?a`<button @click=${()=>void this.#a(this.#n)}>More</button>`:n}
            </section>`:n}
    `}#s({matches:t,games:r,actions:i,duration:o,openings:s,rules:l}){return t?a`
      <p role="status">
        ${c(t,`public match`,`public matches`)}
        ${t===1?`is`:`are`} over${this.#t?a`, begun with <code>${this.#t}</code>
          (<a href=${e({page:`statistics`},{game:this.#e})}>show all</a>)`:n}.
        ${i&&o?h(t,i,o):n}
      </p>
      ${r.map(e=>this.#c(e,r.length>1))}
      ${s.length?this.#l(s):n}
      ${l.length?this.#u(l):n}
    `:a`<p class="note">No public match ${this.#t?`that began like this `:``}is over yet.</p>`}#c({game:e,matches:t,seats:n,endings:i},s){return a`<section class="statistics" aria-label=${this.#d(e)}>
      ${s?a`<h2>${this.#d(e)}, ${c(t,`match`,`matches`)}</h2>`:a`<h2>Results</h2>`}
      ${_(`Results by seat`,[`Seat`,`Won`,`Drawn`,`Lost`],n.map(e=>[r(e.seat),...m(e)]))}
      <p class="note">Ended by: ${i.map(({reason:e,matches:t})=>`${o(e)} (${t})`).join(`, `)}</p>
    </section>`}#l(t){return a`<section class="statistics" aria-label="Openings"><h2>Openings</h2>
      ${_(`Openings`,[`Began with`,`Matches`,`Won by`],t.map(({game:t,opening:i,matches:o,seats:s})=>[a`<a href=${e({page:`statistics`},{game:t,opening:i})}><code>${i}</code></a>${this.#e?n:a` <span class="note">${this.#d(t)}</span>`}`,`${o}`,s.filter(({won:e})=>e).map(({seat:e,won:t})=>`${r(e)} ${t}`).join(`, `)||`nobody`]))}
    </section>`}#u(t){return a`<section class="statistics" aria-label="Rules"><h2>Rules that were applied most</h2>
      ${_(`Rules`,[`Rule`,`Events`,`Matches`],t.map(({game:t,rule:n,meaning:r,events:i,matches:o})=>[a`${r||`A rule that has left the index`}
            <a class="note" href=${e({page:`rules`},{game:t,rule:n})}><code>${n}</code></a>`,`${i}`,`${o}`]))}
    </section>`}#d(e){return this.games.find(t=>t.slug===e)?.name??r(e)}};function f({matchId:t,game:i,title:o,event:s}){return s?a`<li>
    <a href=${e({match:t,at:s.version})}>${o||r(i)}, event ${s.version}</a>
    <p>${s.snippet.length?s.snippet.map(p):s.sentence}</p>
  </li>`:n}function p({text:e,found:t}){return t?a`<mark>${e}</mark>`:e}function m({won:e,drawn:t,lost:n}){let r=e+t+n;return[e,t,n].map(e=>`${e} (${Math.round(100*e/r)} %)`)}function h(e,t,n){return e===1?`It had ${c(t.max,`action`)}, and took ${g(n.max)}.`:`Half of them had ${c(t.median,`action`)} or fewer, the longest ${t.max};
    half took ${g(n.median)} or less, the longest ${g(n.max)}.`}function g(e){let t=Number(e?.seconds??0);return t<120?c(t,`second`):t<7200?c(Math.round(t/60),`minute`):t<172800?c(Math.round(t/3600),`hour`):c(Math.round(t/86400),`day`)}function _(e,t,n){return a`<div class="scrolled" tabindex="0" role="region" aria-label=${e}>
    <table>
      <thead><tr>${t.map(e=>a`<th scope="col">${e}</th>`)}</tr></thead>
      <tbody>${n.map(([e,...t])=>a`<tr><th scope="row">${e}</th>${t.map(e=>a`<td>${e}</td>`)}</tr>`)}</tbody>
    </table>
  </div>`}customElements.define(`emeth-statistics-page`,d);function v(e,t){return a`<emeth-statistics-page .service=${e} .query=${t}></emeth-statistics-page>`}export{v as show};