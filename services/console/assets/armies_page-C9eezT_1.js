import{A as e,c as t,g as n,h as r,j as i,k as a,l as o,u as s}from"./index-DS9bmOL9.js";import{n as c,r as l,t as u}from"./armies-8ODuHxyt.js";import{a as d,d as f,f as p,l as m,n as h,s as g,u as _}from"./catalog-BG6-F_H7.js";import{t as v}from"./entry_card-CYbTZSmb.js";import{i as y,n as b,r as x,t as S}from"./page-DCg8ST-z.js";function C(e,t){let n=e,r=new Set(t.map(({kind:e})=>e)),{properties:i,required:a=[]}=f(n,n),o=[],s=[];for(let[e,t]of Object.entries(i??{})){let i={...f(t,n),...t},c=i.items&&f(i.items,n);c?s.push(T(e,c,r)):o.push(w(e,i,r,a))}let c=e=>`${e.key===void 0} ${e.name}`;return s.sort((e,t)=>c(e).localeCompare(c(t))),{parts:o,ranks:s}}function w(e,t,n,r){return{name:e,kind:n.has(e)?e:void 0,required:r.includes(e),about:t.description??``}}function T(e,t,n){let r=[...n].find(t=>e===t||e===`${t}s`)??e,{properties:i,required:a=[]}=t,[o]=a,s=Object.entries(i??{}).filter(([e])=>e!==o).map(([e,t])=>w(e,t,n,a)).sort((e,t)=>E(e).localeCompare(E(t)));return{name:e,kind:r,key:i&&o,parts:s}}function E({kind:e,name:t}){return`${e===void 0} ${t}`}function D(e,t){let n={};for(let{name:r,kind:i,required:a}of e.parts)a&&(n[r]=t.find(e=>e.kind===i)?.id??``);for(let{name:t}of e.ranks)n[t]=[];return n}function O(e,t){let n=e[t.name];return Array.isArray(n)?n:[]}function k(e,{key:t}){return String(t===void 0?e:e[t]??``)}function A(e,t,n){let r=t.key===void 0?n:{[t.key]:n};return{...e,[t.name]:[...O(e,t),r]}}function j(e,t,n){return{...e,[t.name]:O(e,t).filter((e,t)=>t!==n)}}function M(e,t,n,r,i){let a=O(e,t).map((e,t)=>{if(t!==n)return e;let{[r]:a,...o}=e;return i?{...o,[r]:i}:o});return{...e,[t.name]:a}}var N=class extends a{static properties={entries:{attribute:!1},plan:{attribute:!1},faction:{attribute:!1},text:{state:!0},kind:{state:!0}};constructor(){super(),this.text=``,this.kind=``}createRenderRoot(){return this}render(){let t=F(this.plan),n=t.includes(this.kind)?this.kind:t[0]??``,r=this.entries.filter(e=>e.kind===n&&P(e,this.faction)&&d(e,this.text));return i`<section class="shelf" aria-label="What there is">
      <div class="row filters">
        <label class="wide">Search <input type="search" .value=${this.text} @input=${e=>{this.text=e.target.value}} /></label>
        <div class="row" role="group" aria-label="Kind">
          ${t.map(e=>i`<button class="small" aria-pressed=${e===n}
              @click=${()=>this.kind=e}>${p(e)}</button>`)}
        </div>
      </div>
      <ul class="cards">
        ${r.map(e=>i`<li>${v(e,this.#e(e))}</li>`)}
      </ul>
      ${r.length?e:i`<p class="note">Nothing is like that.</p>`}
    </section>`}#e({kind:t,id:n,name:r}){let a=this.plan.ranks.find(e=>e.kind===t);return a?i`<button aria-label="Add ${r}" @click=${()=>{this.dispatchEvent(new CustomEvent(`entry-chosen`,{detail:{ranks:a,id:n}}))}}>Add</button>`:e}};function P({factions:e},t){return!t||!e.length||e.includes(t)}function F({ranks:e}){let t=e.flatMap(({parts:e})=>e.flatMap(({kind:e})=>e?[e]:[]));return[...new Set([...e.map(({kind:e})=>e),...t])]}customElements.define(`emeth-army-shelf`,N);var I=class extends S{static properties={...S.properties,games:{state:!0},catalog:{state:!0},army:{state:!0},check:{state:!0},own:{state:!0},saved:{state:!0},refused:{state:!0}};#e=``;#t={parts:[],ranks:[]};#n=[];#r={};constructor(){super(),this.games=[],this.catalog=void 0,this.army={},this.check=void 0,this.own=[],this.saved=void 0,this.refused=!1}willUpdate(e){e.has(`query`)&&this.attempt(()=>this.#i(this.asked(`game`),this.asked(`army`)))}async#i(e,t){let{service:n}=this;this.games.length||(this.games=await L(n));let r=t?(await n.armies.getArmy({armyId:t})).army:void 0;this.#e=r?.game||e||this.games[0]?.slug||``,this.saved=r,this.#r=r?.occasion??{},await this.#a(),this.army=r?.army??D(this.#t,this.catalog?.entries??[]),this.own=await l(n,this.#e);let i=this.games.find(({slug:e})=>e===this.#e)?.name;document.title=`${i}: armies`,await this.#o()}async#a(){let e=await h(this.service,this.#e,this.#r);this.catalog=e,this.#t=C(e.armySchema??{},e.entries),this.#n=_(e.occasionSchema??{},e.entries)}async#o(){let{army:e}=this,t={game:this.#e,army:e,occasion:this.#r},n=await this.attempt(()=>this.service.armies.validateArmy(t));e===this.army&&n&&(this.check=n.check)}#s=x(()=>void this.#o(),60);#c(e){this.army=e,this.refused=!1,this.#s()}render(){return this.framed(`Armies`,[this.games.length>1?y(`Games`,this.games.map(({slug:e,name:t})=>({name:t,href:o({page:`armies`},{game:e}),current:e===this.#e}))):e,this.catalog?this.#l(this.catalog):e])}#l(e){return i`
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
            ${this.#n.map(e=>e.control.kind===`text`||e.control.kind===`json`?i`<details><summary>${p(e.name)}</summary>
                    ${m(e,``,R(this.#r,e.name))}</details>`:m(e,``,R(this.#r,e.name)))}
          </form>
          ${this.#t.ranks.map(t=>this.#p(t,e.entries))}
        </section>
        <emeth-army-shelf .entries=${e.entries} .plan=${this.#t}
          .faction=${String(this.army.faction??``)} @entry-chosen=${this.#d}></emeth-army-shelf>
      </div>
      ${this.#y()}
    `}#u(){let{check:t}=this,n=t?.points??0,r=t?.faults.length??0;return i`<div class="standing ${r?`wrong`:``}" role="status">
      <b>${n}</b> ${t?.limit===void 0?b(n,`point`).replace(/^\d+ /,``):`of ${t.limit} points`}
      ${t?.limit===void 0?e:i`<meter min="0" max=${t.limit} value=${Math.min(n,t.limit)}
              aria-label="Points"></meter>`}
      <span>${r?`${b(r,`fault`)}`:t?`It may serve`:``}</span>
    </div>`}#d=({detail:e})=>{this.#c(A(this.army,e.ranks,e.id))};#f({name:e,kind:t,about:n},r){let a=String(this.army[e]??``),o=t=>{this.#c({...this.army,[e]:t.target.value})};return i`<div class="field">
      <label for="part-${e}">${p(e)}</label>
      ${t===void 0?i`<input id="part-${e}" .value=${a} @change=${o} />`:i`<select id="part-${e}" @change=${o}>
              ${r.filter(e=>e.kind===t).map(e=>i`<option value=${e.id} ?selected=${e.id===a}>
                    ${e.name}</option>`)}
            </select>`}
      <p class="note">${n||(r.find(e=>e.kind===t&&e.id===a)?.words??``)}</p>
    </div>`}#p(e,t){let n=O(this.army,e);return i`<section class="ranks" aria-label=${p(e.name)}>
      <h2>${p(e.name)} <span class="note">${n.length||`none yet`}</span></h2>
      <ol>${n.map((n,r)=>this.#m(e,n,r,t))}</ol>
    </section>`}#m(t,n,r,a){let o=k(n,t),s=a.find(e=>e.kind===t.kind&&e.id===o),c=s?.name??o,l=`${t.name}[${r}]`,u=(this.check?.faults??[]).filter(({path:e})=>e.startsWith(l));return i`<li class=${u.length?`wrong`:``}>
      <div class="row">
        <b>${c}</b>
        <span class="note">${s?b(s.points,`point`):``}</span>
        <button class="small" aria-label="Take ${c} out"
          @click=${()=>this.#c(j(this.army,t,r))}>Take out</button>
      </div>
      ${t.parts.length?i`<div class="row fittings">
              ${t.parts.map(e=>this.#h(t,n,r,e,a))}
            </div>`:e}
      ${u.map(({why:e})=>i`<p class="trouble fault">${e}</p>`)}
    </li>`}#h(e,t,n,{name:r,kind:a},o){let s=String(t[r]??``),c=t=>{let{value:i}=t.target;this.#c(M(this.army,e,n,r,i))};if(a===void 0)return i`<label>${p(r)} <input class="short" .value=${s} @change=${c} /></label>`;let l=String(this.army.faction??``);return i`<label>${p(r)} <select @change=${c}>
      <option value="">none</option>
      ${o.filter(e=>e.kind===a&&(P(e,l)||e.id===s)).map(e=>i`<option value=${e.id} ?selected=${e.id===s}>
            ${e.name}, ${e.points}</option>`)}
    </select></label>`}#g(){let t=this.check?.faults??[];return t.length?i`<div class="faults" role=${this.refused?`alert`:`group`} aria-label="Faults">
      <b>${this.refused?`It cannot be saved like this`:`It may not serve yet`}:</b>
      <ul>${t.map(e=>this.#_(e))}</ul>
    </div>`:e}#_({why:e,sentence:t,rule:n}){return i`<li>${B(e)}.
      <span class="note">${t}
        <a href=${o({page:`rules`},{game:this.#e,rule:n})}><code>${n}</code></a></span>
    </li>`}#v(){let{saved:t}=this,n=t&&this.own.some(({armyId:e})=>e===t.armyId),r=this.#r.scenario;return i`<p class="row tools">
      <button class="main" ?disabled=${this.busy} @click=${()=>void this.#x(n?t:void 0)}>
        ${n?`Save`:`Save as new`}</button>
      ${n?i`<button @click=${()=>void this.#x(void 0)}>Save as another</button>`:e}
      ${t?i`<a class="button" href=${o({game:this.#e},{army:t.armyId,scenario:r===void 0?``:String(r)})}>Use in a new match</a>`:e}
    </p>`}#y(){return this.own.length?i`<section aria-label="Saved armies" class="saved">
      <h2>Your armies</h2>
      <ul class="matches">
        ${this.own.map(t=>i`<li class="row">
            <a href=${o({page:`armies`},{army:t.armyId})}
              aria-current=${t.armyId===this.saved?.armyId?`true`:e}>
              <b>${t.name}</b><span>${b(t.points,`point`)}</span></a>
            <button class="small" aria-label="Delete ${t.name}"
              @click=${()=>void this.#S(t)}>Delete</button>
          </li>`)}
      </ul>
    </section>`:e}#b=e=>{let t=e.currentTarget,{values:n,faults:r}=g(this.#n,t),[[i,a]=[]]=Object.entries(r);i?this.trouble=`${p(i)}: ${a}`:(this.#r=n,this.attempt(()=>this.#a()).then(()=>this.#o()))};async#x(e){let i=this.querySelector(`#army-name`)?.value.trim()??``;if(!i){this.trouble=`Give the army a name.`,this.querySelector(`#army-name`)?.focus();return}let a={requestId:n(),game:this.#e,name:i,army:this.army,occasion:this.#r,...e?{armyId:e.armyId,expectedVersion:e.version}:{}},{armies:o}=u(this.service),s=await this.attempt(()=>r(()=>o.saveArmy(a)));s&&(s.ownerToken&&c(s.ownerToken),s.outcome.case===`saved`?(this.saved=s.outcome.value,this.own=await l(this.service,this.#e),t({page:`armies`},{army:this.saved.armyId})):s.outcome.case===`refused`&&(this.check=s.outcome.value,this.refused=!0))}async#S({armyId:e}){let t={requestId:n(),armyId:e},{armies:i}=u(this.service);await this.attempt(()=>r(()=>i.deleteArmy(t)))&&(e===this.saved?.armyId?s(o({page:`armies`},{game:this.#e})):this.own=await l(this.service,this.#e))}};async function L(e){let{games:t}=await e.matches.listGames({});return t.filter(({armies:e})=>e)}function R(e,t){return String(e[t]??``)}function z(e){e.preventDefault()}function B(e){return e.replace(/^./,e=>e.toUpperCase())}customElements.define(`emeth-armies-page`,I);function V(e,t){return i`<emeth-armies-page .service=${e} .query=${t}></emeth-armies-page>`}export{V as show};