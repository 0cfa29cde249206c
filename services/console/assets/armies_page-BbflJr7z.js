import{C as e,L as t,R as n,S as r,g as i,h as a,m as o,z as s}from"./index-BY_yMFqV.js";import{n as c,r as l,t as u}from"./armies-Dw06tVnA.js";import{a as d,i as f,n as p,o as m,s as h}from"./options-CQ9QxEAn.js";import{a as g,n as _}from"./catalog-DX5wdHCy.js";import{t as v}from"./entry_card-D9xqLK3J.js";import{i as y,n as b,r as x,t as S}from"./page-BTA6lbAf.js";function C(e,t){let n=e,r=new Set(t.map(({kind:e})=>e)),{properties:i,required:a=[]}=m(n,n),o=[],s=[];for(let[e,t]of Object.entries(i??{})){let i={...m(t,n),...t},c=i.items&&m(i.items,n);c?s.push(T(e,c,r)):o.push(w(e,i,r,a))}let c=e=>`${e.key===void 0} ${e.name}`;return s.sort((e,t)=>c(e).localeCompare(c(t))),{parts:o,ranks:s}}function w(e,t,n,r){return{name:e,kind:n.has(e)?e:void 0,required:r.includes(e),about:t.description??``}}function T(e,t,n){let r=[...n].find(t=>e===t||e===`${t}s`)??e,{properties:i,required:a=[]}=t,[o]=a,s=Object.entries(i??{}).filter(([e])=>e!==o).map(([e,t])=>w(e,t,n,a)).sort((e,t)=>E(e).localeCompare(E(t)));return{name:e,kind:r,key:i&&o,parts:s}}function E({kind:e,name:t}){return`${e===void 0} ${t}`}function D(e,t){let n={};for(let{name:r,kind:i,required:a}of e.parts)a&&(n[r]=t.find(e=>e.kind===i)?.id??``);for(let{name:t}of e.ranks)n[t]=[];return n}function O(e,t){let n=e[t.name];return Array.isArray(n)?n:[]}function k(e,{key:t}){return String(t===void 0?e:e[t]??``)}function A(e,t,n){let r=t.key===void 0?n:{[t.key]:n};return{...e,[t.name]:[...O(e,t),r]}}function j(e,t,n){return{...e,[t.name]:O(e,t).filter((e,t)=>t!==n)}}function M(e,t,n,r,i){let a=O(e,t).map((e,t)=>{if(t!==n)return e;let{[r]:a,...o}=e;return i?{...o,[r]:i}:o});return{...e,[t.name]:a}}var N=class extends t{static properties={entries:{attribute:!1},plan:{attribute:!1},faction:{attribute:!1},text:{state:!0},kind:{state:!0}};constructor(){super(),this.text=``,this.kind=``}createRenderRoot(){return this}render(){let e=F(this.plan),t=e.includes(this.kind)?this.kind:e[0]??``,r=this.entries.filter(e=>e.kind===t&&P(e,this.faction)&&g(e,this.text));return s`<section class="shelf" aria-label="What there is">
      <div class="row filters">
        <label class="wide">Search <input type="search" .value=${this.text} @input=${e=>{this.text=e.target.value}} /></label>
        <div class="row" role="group" aria-label="Kind">
          ${e.map(e=>s`<button class="small" aria-pressed=${e===t}
              @click=${()=>this.kind=e}>${h(e)}</button>`)}
        </div>
      </div>
      <ul class="cards">
        ${r.map(e=>s`<li>${v(e,this.#e(e))}</li>`)}
      </ul>
      ${r.length?n:s`<p class="note">Nothing is like that.</p>`}
    </section>`}#e({kind:e,id:t,name:r}){let i=this.plan.ranks.find(t=>t.kind===e);return i?s`<button aria-label="Add ${r}" @click=${()=>{this.dispatchEvent(new CustomEvent(`entry-chosen`,{detail:{ranks:i,id:t}}))}}>Add</button>`:n}};function P({factions:e},t){return!t||!e.length||e.includes(t)}function F({ranks:e}){let t=e.flatMap(({parts:e})=>e.flatMap(({kind:e})=>e?[e]:[]));return[...new Set([...e.map(({kind:e})=>e),...t])]}customElements.define(`emeth-army-shelf`,N);var I=class extends S{static properties={...S.properties,games:{state:!0},catalog:{state:!0},army:{state:!0},check:{state:!0},own:{state:!0},saved:{state:!0},refused:{state:!0}};#e=``;#t={parts:[],ranks:[]};#n=[];#r={};constructor(){super(),this.games=[],this.catalog=void 0,this.army={},this.check=void 0,this.own=[],this.saved=void 0,this.refused=!1}willUpdate(e){e.has(`query`)&&this.attempt(()=>this.#i(this.asked(`game`),this.asked(`army`)))}async#i(e,t){let{service:n}=this;this.games.length||(this.games=await L(n));let r=t?(await n.armies.getArmy({armyId:t})).army:void 0;this.#e=r?.game||e||this.games[0]?.slug||``,this.saved=r,this.#r=r?.occasion??{},await this.#a(),this.army=r?.army??D(this.#t,this.catalog?.entries??[]),this.own=await l(n,this.#e);let i=this.games.find(({slug:e})=>e===this.#e)?.name;document.title=`${i}: armies`,await this.#o()}async#a(){let e=await _(this.service,this.#e,this.#r);this.catalog=e,this.#t=C(e.armySchema??{},e.entries),this.#n=d(e.occasionSchema??{},e.entries)}async#o(){let{army:e}=this,t={game:this.#e,army:e,occasion:this.#r},n=await this.attempt(()=>this.service.armies.validateArmy(t));e===this.army&&n&&(this.check=n.check)}#s=x(()=>void this.#o(),60);#c(e){this.army=e,this.refused=!1,this.#s()}render(){return this.framed(`Armies`,[this.games.length>1?y(`Games`,this.games.map(({slug:e,name:t})=>({name:t,href:a({page:`armies`},{game:e}),current:e===this.#e}))):n,this.catalog?this.#l(this.catalog):n])}#l(e){return s`
      <div class="builder">
        <section class="sheet" aria-label="The army">
          ${this.#u()}
          <div class="field">
            <label for="army-name">Name</label>
            <input id="army-name" maxlength="80" autocomplete="off" .value=${this.saved?.name??``} />
          </div>
          ${this.#v()} ${this.#g()}
          ${this.#t.parts.map(t=>this.#f(t,e.entries))}
          <form class="occasion" @change=${this.#b} @submit=${z}>
            ${this.#n.map(e=>e.control.kind===`text`||e.control.kind===`json`?s`<details><summary>${h(e.name)}</summary>
                    ${f(e,``,R(this.#r,e.name))}</details>`:f(e,``,R(this.#r,e.name)))}
          </form>
          ${this.#t.ranks.map(t=>this.#p(t,e.entries))}
        </section>
        <emeth-army-shelf .entries=${e.entries} .plan=${this.#t}
          .faction=${String(this.army.faction??``)} @entry-chosen=${this.#d}></emeth-army-shelf>
      </div>
      ${this.#y()}
    `}#u(){let{check:e}=this,t=e?.points??0,r=e?.faults.length??0;return s`<div class="standing ${r?`wrong`:``}" role="status">
      <b>${t}</b> ${e?.limit===void 0?b(t,`point`).replace(/^\d+ /,``):`of ${e.limit} points`}
      ${e?.limit===void 0?n:s`<meter min="0" max=${e.limit} value=${Math.min(t,e.limit)}
              aria-label="Points"></meter>`}
      <span>${r?`${b(r,`fault`)}`:e?`It may serve`:``}</span>
    </div>`}#d=({detail:e})=>{this.#c(A(this.army,e.ranks,e.id))};#f({name:e,kind:t,about:n},r){let i=String(this.army[e]??``),a=t=>{this.#c({...this.army,[e]:t.target.value})};return s`<div class="field">
      <label for="part-${e}">${h(e)}</label>
      ${t===void 0?s`<input id="part-${e}" .value=${i} @change=${a} />`:s`<select id="part-${e}" @change=${a}>
              ${r.filter(e=>e.kind===t).map(e=>s`<option value=${e.id} ?selected=${e.id===i}>
                    ${e.name}</option>`)}
            </select>`}
      <p class="note">${n||(r.find(e=>e.kind===t&&e.id===i)?.words??``)}</p>
    </div>`}#p(e,t){let n=O(this.army,e);return s`<section class="ranks" aria-label=${h(e.name)}>
      <h2>${h(e.name)} <span class="note">${n.length||`none yet`}</span></h2>
      <ol>${n.map((n,r)=>this.#m(e,n,r,t))}</ol>
    </section>`}#m(e,t,r,i){let a=k(t,e),o=i.find(t=>t.kind===e.kind&&t.id===a),c=o?.name??a,l=`${e.name}[${r}]`,u=(this.check?.faults??[]).filter(({path:e})=>e.startsWith(l));return s`<li class=${u.length?`wrong`:``}>
      <div class="row">
        <b>${c}</b>
        <span class="note">${o?b(o.points,`point`):``}</span>
        <button class="small" aria-label="Take ${c} out"
          @click=${()=>this.#c(j(this.army,e,r))}>Take out</button>
      </div>
      ${e.parts.length?s`<div class="row fittings">
              ${e.parts.map(n=>this.#h(e,t,r,n,i))}
            </div>`:n}
      ${u.map(({why:e})=>s`<p class="trouble fault">${e}</p>`)}
    </li>`}#h(e,t,n,{name:r,kind:i},a){let o=String(t[r]??``),c=t=>{let{value:i}=t.target;this.#c(M(this.army,e,n,r,i))};if(i===void 0)return s`<label>${h(r)} <input class="short" .value=${o} @change=${c} /></label>`;let l=String(this.army.faction??``);return s`<label>${h(r)} <select @change=${c}>
      <option value="">none</option>
      ${a.filter(e=>e.kind===i&&(P(e,l)||e.id===o)).map(e=>s`<option value=${e.id} ?selected=${e.id===o}>
            ${e.name}, ${e.points}</option>`)}
    </select></label>`}#g(){let e=this.check?.faults??[];return e.length?s`<div class="faults" role=${this.refused?`alert`:`group`} aria-label="Faults">
      <b>${this.refused?`It cannot be saved like this`:`It may not serve yet`}:</b>
      <ul>${e.map(e=>this.#_(e))}</ul>
    </div>`:n}#_({why:e,sentence:t,rule:n}){return s`<li>${B(e)}.
      <span class="note">${t}
        <a href=${a({page:`rules`},{game:this.#e,rule:n})}><code>${n}</code></a></span>
    </li>`}#v(){let{saved:e}=this,t=e&&this.own.some(({armyId:t})=>t===e.armyId),r=this.#r.scenario;return s`<p class="row tools">
      <button class="main" ?disabled=${this.busy} @click=${()=>void this.#x(t?e:void 0)}>
        ${t?`Save`:`Save as new`}</button>
      ${t?s`<button @click=${()=>void this.#x(void 0)}>Save as another</button>`:n}
      ${e?s`<a class="button" href=${a({game:this.#e},{army:e.armyId,scenario:r===void 0?``:String(r)})}>Use in a new match</a>`:n}
    </p>`}#y(){return this.own.length?s`<section aria-label="Saved armies" class="saved">
      <h2>Your armies</h2>
      <ul class="matches">
        ${this.own.map(e=>s`<li class="row">
            <a href=${a({page:`armies`},{army:e.armyId})}
              aria-current=${e.armyId===this.saved?.armyId?`true`:n}>
              <b>${e.name}</b><span>${b(e.points,`point`)}</span></a>
            <button class="small" aria-label="Delete ${e.name}"
              @click=${()=>void this.#S(e)}>Delete</button>
          </li>`)}
      </ul>
    </section>`:n}#b=e=>{let t=e.currentTarget,{values:n,faults:r}=p(this.#n,t),[[i,a]=[]]=Object.entries(r);i?this.trouble=`${h(i)}: ${a}`:(this.#r=n,this.attempt(()=>this.#a()).then(()=>this.#o()))};async#x(t){let n=this.querySelector(`#army-name`)?.value.trim()??``;if(!n){this.trouble=`Give the army a name.`,this.querySelector(`#army-name`)?.focus();return}let i={requestId:e(),game:this.#e,name:n,army:this.army,occasion:this.#r,...t?{armyId:t.armyId,expectedVersion:t.version}:{}},{armies:a}=u(this.service),s=await this.attempt(()=>r(()=>a.saveArmy(i)));s&&(s.ownerToken&&c(s.ownerToken),s.outcome.case===`saved`?(this.saved=s.outcome.value,this.own=await l(this.service,this.#e),o({page:`armies`},{army:this.saved.armyId})):s.outcome.case===`refused`&&(this.check=s.outcome.value,this.refused=!0))}async#S({armyId:t}){let n={requestId:e(),armyId:t},{armies:o}=u(this.service);await this.attempt(()=>r(()=>o.deleteArmy(n)))&&(t===this.saved?.armyId?i(a({page:`armies`},{game:this.#e})):this.own=await l(this.service,this.#e))}};async function L(e){let{games:t}=await e.matches.listGames({});return t.filter(({armies:e})=>e)}function R(e,t){return String(e[t]??``)}function z(e){e.preventDefault()}function B(e){return e.replace(/^./,e=>e.toUpperCase())}customElements.define(`emeth-armies-page`,I);function V(e,t){return s`<emeth-armies-page .service=${e} .query=${t}></emeth-armies-page>`}export{V as show};