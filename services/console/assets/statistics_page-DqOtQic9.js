import{C as e,E as t,T as n,ct as r,h as i,lt as a}from"./index-B8-rHzQO.js";import{o}from"./options-Ce_cx6hq.js";import{i as s,n as c,r as l,t as u}from"./page-DhiWkHXb.js";var d=class extends u{static properties={...u.properties,games:{state:!0},counts:{state:!0},text:{state:!0},found:{state:!0},behind:{state:!0}};#e=``;#t=``;#n=``;#r=l(()=>void this.#a());constructor(){super(),this.games=[],this.counts=void 0,this.text=``,this.found=[],this.behind=0}willUpdate(e){e.has(`query`)&&this.#i()}async#i(){let{service:e}=this;this.#e=this.asked(`game`),this.#t=this.asked(`opening`),this.text=this.asked(`text`),i(`Statistics`);let[t,n]=[this.#e,this.#t],r=await this.attempt(async()=>(this.games.length||(this.games=(await e.games.listGames({})).games),e.statistics.getStatistics({game:t,opening:n})));t===this.#e&&n===this.#t&&(this.counts=r,await this.#a())}async#a(e=``){let t=this.text.trim();if(!t){this.found=[],this.#n=``;return}let n=await this.attempt(()=>this.service.statistics.searchEvents({query:t,filter:this.#e&&`game = "${this.#e}"`,pageToken:e}));n&&t===this.text.trim()&&(this.found=e?[...this.found,...n.events]:n.events,this.#n=n.nextPageToken,this.behind=n.unindexedEvents)}render(){let e=(e,n)=>({name:n,href:t({page:`statistics`},{game:e}),current:e===this.#e});return this.framed(`Statistics`,[s(`Games`,[e(``,`All games`),...this.games.map(({slug:t,name:n})=>e(t,n))]),this.#o(),this.counts&&!this.text.trim()?this.#s(this.counts):r])}#o(){return a`
      <div class="row filters">
        <label class="wide">Search events of public matches
          <input type="search" maxlength="200" .value=${this.text} @input=${e=>{this.text=e.target.value,n({page:`statistics`},{game:this.#e,opening:this.#t,text:this.text}),this.#r()}} placeholder="for example: captures three" /></label>
      </div>
      ${this.text.trim()?a`<section aria-label="Search results">
              <p class="note" role="status">
                ${this.busy?`Searching …`:c(this.found.length,`event`)}${this.#n?` and more`:``}${this.behind?`; ${this.behind} of the latest events are not searchable yet`:``}
              </p>
              <ul class="found">${this.found.map(f)}</ul>
              ${this.#n?a`<button @click=${()=>void this.#a(this.#n)}>More</button>`:r}
            </section>`:r}
    `}#s({matches:e,games:n,actions:i,duration:o,openings:s,rules:l}){return e?a`
      <p role="status">
        ${c(e,`public match`,`public matches`)}
        ${e===1?`is`:`are`} over${this.#t?a`, begun with <code>${this.#t}</code>
          (<a href=${t({page:`statistics`},{game:this.#e})}>show all</a>)`:r}.
        ${i&&o?h(e,i,o):r}
      </p>
      ${n.map(e=>this.#c(e,n.length>1))}
      ${s.length?this.#l(s):r}
      ${l.length?this.#u(l):r}
    `:a`<p class="note">No public match ${this.#t?`with this opening `:``}has ended yet.</p>`}#c({game:t,matches:n,seats:r,endings:i},s){return a`<section class="statistics" aria-label=${this.#d(t)}>
      ${s?a`<h2>${this.#d(t)}, ${c(n,`match`,`matches`)}</h2>`:a`<h2>Results</h2>`}
      ${_(`Results by seat`,[`Seat`,`Won`,`Drawn`,`Lost`],r.map(t=>[e(t.seat),...m(t)]))}
      <p class="note">Ended by: ${i.map(({reason:e,matches:t})=>`${o(e)} (${t})`).join(`, `)}</p>
    </section>`}#l(n){return a`<section class="statistics" aria-label="Openings"><h2>Openings</h2>
      ${_(`Openings`,[`Opening`,`Matches`,`Won by`],n.map(({game:n,opening:i,matches:o,seats:s})=>[a`<a href=${t({page:`statistics`},{game:n,opening:i})}><code>${i}</code></a>${this.#e?r:a` <span class="note">${this.#d(n)}</span>`}`,`${o}`,s.filter(({won:e})=>e).map(({seat:t,won:n})=>`${e(t)} ${n}`).join(`, `)||`nobody`]))}
    </section>`}#u(e){return a`<section class="statistics" aria-label="Rules"><h2>Rules applied most often</h2>
      ${_(`Rules`,[`Rule`,`Events`,`Matches`],e.map(({game:e,rule:n,meaning:r,events:i,matches:o})=>[a`${r||`A rule that no longer exists`}
            <a class="note" href=${t({page:`rules`},{game:e,rule:n})}><code>${n}</code></a>`,`${i}`,`${o}`]))}
    </section>`}#d(t){return this.games.find(e=>e.slug===t)?.name??e(t)}};function f({matchId:n,game:i,title:o,event:s}){return s?a`<li>
    <a href=${t({match:n,at:s.version})}>${o||e(i)}, event ${s.version}</a>
    <p>${s.snippet.length?s.snippet.map(p):s.sentence}</p>
  </li>`:r}function p({text:e,found:t}){return t?a`<mark>${e}</mark>`:e}function m({won:e,drawn:t,lost:n}){let r=e+t+n;return[e,t,n].map(e=>`${e} (${Math.round(100*e/r)} %)`)}function h(e,t,n){return e===1?`The match had ${c(t.max,`action`)}, and took ${g(n.max)}.`:`Half of them had ${c(t.median,`action`)} or fewer, the longest ${t.max};
    half took ${g(n.median)} or less, the longest ${g(n.max)}.`}function g(e){let t=Number(e?.seconds??0);return t<120?c(t,`second`):t<7200?c(Math.round(t/60),`minute`):t<172800?c(Math.round(t/3600),`hour`):c(Math.round(t/86400),`day`)}function _(e,t,n){return a`<div class="scrolled" tabindex="0" role="region" aria-label=${e}>
    <table>
      <thead><tr>${t.map(e=>a`<th scope="col">${e}</th>`)}</tr></thead>
      <tbody>${n.map(([e,...t])=>a`<tr><th scope="row">${e}</th>${t.map(e=>a`<td>${e}</td>`)}</tr>`)}</tbody>
    </table>
  </div>`}customElements.define(`emeth-statistics-page`,d);function v(e,t){return a`<emeth-statistics-page .service=${e} .query=${t}></emeth-statistics-page>`}export{v as show};