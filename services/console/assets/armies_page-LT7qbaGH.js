import{I as e,L as t,R as n,S as r,h as i,m as a,p as o,x as s}from"./index-HUDWQX_8.js";import{n as c,r as l,t as u}from"./armies-Bw9sB4O5.js";import{a as d,i as f,n as p,o as m,s as h}from"./options-D4CNxP_3.js";import{a as g,n as _}from"./catalog-DX5wdHCy.js";import{t as v}from"./entry_card-CdVcO5rl.js";import{i as y,n as b,r as x,t as S}from"./page-BOC9bVKW.js";function C(e,t){let n=e,r=new Set(t.map(({kind:e})=>e)),{properties:i,required:a=[]}=m(n,n),o=[],s=[];for(let[e,t]of Object.entries(i??{})){let i={...m(t,n),...t},c=i.items&&m(i.items,n);c?s.push(T(e,c,r)):o.push(w(e,i,r,a))}let c=e=>`${e.key===void 0} ${e.name}`;return s.sort((e,t)=>c(e).localeCompare(c(t))),{parts:o,ranks:s}}function w(e,t,n,r){return{name:e,kind:n.has(e)?e:void 0,required:r.includes(e),about:t.description??``}}function T(e,t,n){let r=[...n].find(t=>e===t||e===`${t}s`)??e,{properties:i,required:a=[]}=t,[o]=a,s=Object.entries(i??{}).filter(([e])=>e!==o).map(([e,t])=>w(e,t,n,a)).sort((e,t)=>E(e).localeCompare(E(t)));return{name:e,kind:r,key:i&&o,parts:s}}function E({kind:e,name:t}){return`${e===void 0} ${t}`}function D(e,t){let n={};for(let{name:r,kind:i,required:a}of e.parts)a&&(n[r]=t.find(e=>e.kind===i)?.id??``);for(let{name:t}of e.ranks)n[t]=[];return n}function O(e,t){let n=e[t.name];return Array.isArray(n)?n:[]}function k(e,{key:t}){return String(t===void 0?e:e[t]??``)}function A(e,t,n){let r=t.key===void 0?n:{[t.key]:n};return{...e,[t.name]:[...O(e,t),r]}}function j(e,t,n){return{...e,[t.name]:O(e,t).filter((e,t)=>t!==n)}}function M(e,t,n,r,i){let a=O(e,t).map((e,t)=>{if(t!==n)return e;let{[r]:a,...o}=e;return i?{...o,[r]:i}:o});return{...e,[t.name]:a}}var N=class extends e{static properties={entries:{attribute:!1},plan:{attribute:!1},faction:{attribute:!1},text:{state:!0},kind:{state:!0}};constructor(){super(),this.text=``,this.kind=``}createRenderRoot(){return this}render(){let e=F(this.plan),r=e.includes(this.kind)?this.kind:e[0]??``,i=this.entries.filter(e=>e.kind===r&&P(e,this.faction)&&g(e,this.text));return n`<section class="shelf" aria-label="What there is">
      <div class="row filters">
        <label class="wide">Search <input type="search" .value=${this.text} @input=${e=>{this.text=e.target.value}} /></label>
        <div class="row" role="group" aria-label="Kind">
          ${e.map(e=>n`<button class="small" aria-pressed=${e===r}
              @click=${()=>this.kind=e}>${h(e)}</button>`)}
        </div>
      </div>
      <ul class="cards">
        ${i.map(e=>n`<li>${v(e,this.#e(e))}</li>`)}
      </ul>
      ${i.length?t:n`<p class="note">Nothing is like that.</p>`}
    </section>`}#e({kind:e,id:r,name:i}){let a=this.plan.ranks.find(t=>t.kind===e);return a?n`<button aria-label="Add ${i}" @click=${()=>{this.dispatchEvent(new CustomEvent(`entry-chosen`,{detail:{ranks:a,id:r}}))}}>Add</button>`:t}};function P({factions:e},t){return!t||!e.length||e.includes(t)}function F({ranks:e}){let t=e.flatMap(({parts:e})=>e.flatMap(({kind:e})=>e?[e]:[]));return[...new Set([...e.map(({kind:e})=>e),...t])]}customElements.define(`emeth-army-shelf`,N);var I=class extends S{static properties={...S.properties,games:{state:!0},catalog:{state:!0},army:{state:!0},check:{state:!0},own:{state:!0},saved:{state:!0},refused:{state:!0}};#e=``;#t={parts:[],ranks:[]};#n=[];#r={};constructor(){super(),this.games=[],this.catalog=void 0,this.army={},this.check=void 0,this.own=[],this.saved=void 0,this.refused=!1}willUpdate(e){e.has(`query`)&&this.attempt(()=>this.#i(this.asked(`game`),this.asked(`army`)))}async#i(e,t){let{service:n}=this;this.games.length||(this.games=await L(n));let r=t?(await n.armies.getArmy({armyId:t})).army:void 0;this.#e=r?.game||e||this.games[0]?.slug||``,this.saved=r,this.#r=r?.occasion??{},await this.#a(),this.army=r?.army??D(this.#t,this.catalog?.entries??[]),this.own=await l(n,this.#e);let i=this.games.find(({slug:e})=>e===this.#e)?.name;document.title=`${i}: armies`,await this.#o()}async#a(){let e=await _(this.service,this.#e,this.#r);this.catalog=e,this.#t=C(e.armySchema??{},e.entries),this.#n=d(e.occasionSchema??{},e.entries)}async#o(){let{army:e}=this,t={game:this.#e,army:e,occasion:this.#r},n=await this.attempt(()=>this.service.armies.validateArmy(t));e===this.army&&n&&(this.check=n.check)}#s=x(()=>void this.#o(),60);#c(e){this.army=e,this.refused=!1,this.#s()}render(){return this.framed(`Armies`,[this.games.length>1?y(`Games`,this.games.map(({slug:e,name:t})=>({name:t,href:a({page:`armies`},{game:e}),current:e===this.#e}))):t,this.catalog?this.#l(this.catalog):t])}#l(e){return n`
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
            ${this.#n.map(e=>e.control.kind===`text`||e.control.kind===`json`?n`<details><summary>${h(e.name)}</summary>
                    ${f(e,``,R(this.#r,e.name))}</details>`:f(e,``,R(this.#r,e.name)))}
          </form>
          ${this.#t.ranks.map(t=>this.#p(t,e.entries))}
        </section>
        <emeth-army-shelf .entries=${e.entries} .plan=${this.#t}
          .faction=${String(this.army.faction??``)} @entry-chosen=${this.#d}></emeth-army-shelf>
      </div>
      ${this.#y()}
    `}#u(){let{check:e}=this,r=e?.points??0,i=e?.faults.length??0;return n`<div class="standing ${i?`wrong`:``}" role="status">
      <b>${r}</b> ${e?.limit===void 0?b(r,`point`).replace(/^\d+ /,``):`of ${e.limit} points`}
      ${e?.limit===void 0?t:n`<meter min="0" max=${e.limit} value=${Math.min(r,e.limit)}
              aria-label="Points"></meter>`}
      <span>${i?`${b(i,`fault`)}`:e?`It may serve`:``}</span>
    </div>`}#d=({detail:e})=>{this.#c(A(this.army,e.ranks,e.id))};#f({name:e,kind:t,about:r},i){let a=String(this.army[e]??``),o=t=>{this.#c({...this.army,[e]:t.target.value})};return n`<div class="field">
      <label for="part-${e}">${h(e)}</label>
      ${t===void 0?n`<input id="part-${e}" .value=${a} @change=${o} />`:n`<select id="part-${e}" @change=${o}>
              ${i.filter(e=>e.kind===t).map(e=>n`<option value=${e.id} ?selected=${e.id===a}>
                    ${e.name}</option>`)}
            </select>`}
      <p class="note">${r||(i.find(e=>e.kind===t&&e.id===a)?.words??``)}</p>
    </div>`}#p(e,t){let r=O(this.army,e);return n`<section class="ranks" aria-label=${h(e.name)}>
      <h2>${h(e.name)} <span class="note">${r.length||`none yet`}</span></h2>
      <ol>${r.map((n,r)=>this.#m(e,n,r,t))}</ol>
    </section>`}#m(e,r,i,a){let o=k(r,e),s=a.find(t=>t.kind===e.kind&&t.id===o),c=s?.name??o,l=`${e.name}[${i}]`,u=(this.check?.faults??[]).filter(({path:e})=>e.startsWith(l));return n`<li class=${u.length?`wrong`:``}>
      <div class="row">
        <b>${c}</b>
        <span class="note">${s?b(s.points,`point`):``}</span>
        <button class="small" aria-label="Take ${c} out"
          @click=${()=>this.#c(j(this.army,e,i))}>Take out</button>
      </div>
      ${e.parts.length?n`<div class="row fittings">
              ${e.parts.map(t=>this.#h(e,r,i,t,a))}
            </div>`:t}
      ${u.map(({why:e})=>n`<p class="trouble fault">${e}</p>`)}
    </li>`}#h(e,t,r,{name:i,kind:a},o){let s=String(t[i]??``),c=t=>{let{value:n}=t.target;this.#c(M(this.army,e,r,i,n))};if(a===void 0)return n`<label>${h(i)} <input class="short" .value=${s} @change=${c} /></label>`;let l=String(this.army.faction??``);return n`<label>${h(i)} <select @change=${c}>
      <option value="">none</option>
      ${o.filter(e=>e.kind===a&&(P(e,l)||e.id===s)).map(e=>n`<option value=${e.id} ?selected=${e.id===s}>
            ${e.name}, ${e.points}</option>`)}
    </select></label>`}#g(){let e=this.check?.faults??[];return e.length?n`<div class="faults" role=${this.refused?`alert`:`group`} aria-label="Faults">
      <b>${this.refused?`It cannot be saved like this`:`It may not serve yet`}:</b>
      <ul>${e.map(e=>this.#_(e))}</ul>
    </div>`:t}#_({why:e,sentence:t,rule:r}){return n`<li>${B(e)}.
      <span class="note">${t}
        <a href=${a({page:`rules`},{game:this.#e,rule:r})}><code>${r}</code></a></span>
    </li>`}#v(){let{saved:e}=this,r=e&&this.own.some(({armyId:t})=>t===e.armyId),i=this.#r.scenario;return n`<p class="row tools">
      <button class="main" ?disabled=${this.busy} @click=${()=>void this.#x(r?e:void 0)}>
        ${r?`Save`:`Save as new`}</button>
      ${r?n`<button @click=${()=>void this.#x(void 0)}>Save as another</button>`:t}
      ${e?n`<a class="button" href=${a({game:this.#e},{army:e.armyId,scenario:i===void 0?``:String(i)})}>Use in a new match</a>`:t}
    </p>`}#y(){return this.own.length?n`<section aria-label="Saved armies" class="saved">
      <h2>Your armies</h2>
      <ul class="matches">
        ${this.own.map(e=>n`<li class="row">
            <a href=${a({page:`armies`},{army:e.armyId})}
              aria-current=${e.armyId===this.saved?.armyId?`true`:t}>
              <b>${e.name}</b><span>${b(e.points,`point`)}</span></a>
            <button class="small" aria-label="Delete ${e.name}"
              @click=${()=>void this.#S(e)}>Delete</button>
          </li>`)}
      </ul>
    </section>`:t}#b=e=>{let t=e.currentTarget,{values:n,faults:r}=p(this.#n,t),[[i,a]=[]]=Object.entries(r);i?this.trouble=`${h(i)}: ${a}`:(this.#r=n,this.attempt(()=>this.#a()).then(()=>this.#o()))};async#x(e){let t=this.querySelector(`#army-name`)?.value.trim()??``;if(!t){this.trouble=`Give the army a name.`,this.querySelector(`#army-name`)?.focus();return}let n={requestId:r(),game:this.#e,name:t,army:this.army,occasion:this.#r,...e?{armyId:e.armyId,expectedVersion:e.version}:{}},{armies:i}=u(this.service),a=await this.attempt(()=>s(()=>i.saveArmy(n)));a&&(a.ownerToken&&c(a.ownerToken),a.outcome.case===`saved`?(this.saved=a.outcome.value,this.own=await l(this.service,this.#e),o({page:`armies`},{army:this.saved.armyId})):a.outcome.case===`refused`&&(this.check=a.outcome.value,this.refused=!0))}async#S({armyId:e}){let t={requestId:r(),armyId:e},{armies:n}=u(this.service);await this.attempt(()=>s(()=>n.deleteArmy(t)))&&(e===this.saved?.armyId?i(a({page:`armies`},{game:this.#e})):this.own=await l(this.service,this.#e))}};async function L(e){let{games:t}=await e.matches.listGames({});return t.filter(({armies:e})=>e)}function R(e,t){return String(e[t]??``)}function z(e){e.preventDefault()}function B(e){return e.replace(/^./,e=>e.toUpperCase())}customElements.define(`emeth-armies-page`,I);function V(e,t){return n`<emeth-armies-page .service=${e} .query=${t}></emeth-armies-page>`}export{V as show};