import{D as e,E as t,F as n,H as r,T as i,ct as a,h as o,lt as s,st as c}from"./index-B8-rHzQO.js";import{n as l,r as u,t as d}from"./armies-CHYdvL71.js";import{i as f,t as p}from"./content-CtaQ_qEU.js";import{t as m}from"./entry_card-CiYsa19i.js";import{a as h,i as g,n as _,o as v}from"./options-Ce_cx6hq.js";import{i as y,n as b,r as x,t as S}from"./page-DhiWkHXb.js";function C(e,t){let n=e,r=new Set(t.map(({kind:e})=>e)),{properties:i,required:a=[]}=E(n,n),o=[],s=[];for(let[e,t]of Object.entries(i??{})){let i={...E(t,n),...t},c=i.items&&E(i.items,n);c?s.push(T(e,c,r)):o.push(w(e,i,r,a))}let c=e=>`${e.key===void 0} ${e.name}`;return s.sort((e,t)=>c(e).localeCompare(c(t))),{parts:o,ranks:s}}function w(e,t,n,r){return{name:e,kind:n.has(e)?e:void 0,required:r.includes(e),about:t.description??``}}function T(e,t,n){let r=[...n].find(t=>e===t||e===`${t}s`)??e,{properties:i,required:a=[]}=t,[o]=a,s=Object.entries(i??{}).filter(([e])=>e!==o).map(([e,t])=>w(e,t,n,a)).sort((e,t)=>D(e).localeCompare(D(t)));return{name:e,kind:r,key:i&&o,parts:s}}function E(e,t){let n=e.$ref?.split(`/`).at(-1);return n&&t.$defs?.[n]||e}function D({kind:e,name:t}){return`${e===void 0} ${t}`}function O(e,t){let n={};for(let{name:r,kind:i,required:a}of e.parts)a&&(n[r]=t.find(e=>e.kind===i)?.id??``);for(let{name:t}of e.ranks)n[t]=[];return n}function k(e,t){let n=e[t.name];return Array.isArray(n)?n:[]}function A(e,{key:t}){return String(t===void 0?e:e[t]??``)}function j(e,t,n){let r=t.key===void 0?n:{[t.key]:n};return{...e,[t.name]:[...k(e,t),r]}}function M(e,t,n){return{...e,[t.name]:k(e,t).filter((e,t)=>t!==n)}}function N(e,t,n,r,i){let a=k(e,t).map((e,t)=>{if(t!==n)return e;let{[r]:a,...o}=e;return i?{...o,[r]:i}:o});return{...e,[t.name]:a}}var P=class extends c{static properties={entries:{attribute:!1},plan:{attribute:!1},faction:{attribute:!1},text:{state:!0},kind:{state:!0}};constructor(){super(),this.text=``,this.kind=``}createRenderRoot(){return this}render(){let e=I(this.plan),t=e.includes(this.kind)?this.kind:e[0]??``,n=this.entries.filter(e=>e.kind===t&&F(e,this.faction)&&f(e,this.text));return s`<section class="shelf" aria-label="Content">
      <div class="row filters">
        <label class="wide">Search <input type="search" .value=${this.text} @input=${e=>{this.text=e.target.value}} /></label>
        <div class="row" role="group" aria-label="Kind">
          ${e.map(e=>s`<button class="small" aria-pressed=${e===t}
              @click=${()=>this.kind=e}>${v(e)}</button>`)}
        </div>
      </div>
      <ul class="cards">
        ${n.map(e=>s`<li>${m(e,this.#e(e))}</li>`)}
      </ul>
      ${n.length?a:s`<p class="note">No results</p>`}
    </section>`}#e({kind:e,id:t,name:n}){let r=this.plan.ranks.find(t=>t.kind===e);return r?s`<button aria-label="Add ${n}" @click=${()=>{this.dispatchEvent(new CustomEvent(`entry-chosen`,{detail:{ranks:r,id:t}}))}}>Add</button>`:a}};function F({factions:e},t){return!t||!e.length||e.includes(t)}function I({ranks:e}){let t=e.flatMap(({parts:e})=>e.flatMap(({kind:e})=>e?[e]:[]));return[...new Set([...e.map(({kind:e})=>e),...t])]}customElements.define(`emeth-army-shelf`,P);var L=class extends S{static properties={...S.properties,games:{state:!0},entries:{state:!0},roster:{state:!0},check:{state:!0},own:{state:!0},saved:{state:!0},refused:{state:!0}};#e=``;#t={parts:[],ranks:[]};#n=[];#r={};constructor(){super(),this.games=[],this.entries=void 0,this.roster={},this.check=void 0,this.own=[],this.saved=void 0,this.refused=!1}willUpdate(e){e.has(`query`)&&this.attempt(()=>this.#i(this.asked(`game`),this.asked(`army`)))}async#i(e,t){let{service:n}=this;this.games.length||(this.games=await R(n));let r=t?(await n.armies.getArmy({armyId:t})).army:void 0;this.#e=r?.game||e||this.games[0]?.slug||``,this.saved=r,this.#r=r?.constraints??{},await this.#a(),this.roster=r?.roster??O(this.#t,this.entries??[]),this.own=await u(n,this.#e);let i=this.games.find(({slug:e})=>e===this.#e)?.name;o(`${i}: armies`),await this.#o()}async#a(){let[{game:e},t]=await Promise.all([this.service.games.getGame({game:this.#e}),p(this.service,this.#e,this.#r)]);this.entries=t,this.#t=C(e?.rosterSchema??{},t),this.#n=h(e?.constraints??[],t)}async#o(){let{roster:e}=this,t={game:this.#e,roster:e,constraints:this.#r},n=await this.attempt(()=>this.service.armies.validateArmy(t));e===this.roster&&n&&(this.check=n.validation)}#s=x(()=>void this.#o(),60);#c(e){this.roster=e,this.refused=!1,this.#s()}render(){return this.framed(`Armies`,[this.games.length>1?y(`Games`,this.games.map(({slug:e,name:n})=>({name:n,href:t({page:`armies`},{game:e}),current:e===this.#e}))):a,this.entries?this.#l(this.entries):a])}#l(e){return s`
      <div class="builder">
        <section class="sheet" aria-label="Army">
          ${this.#d()}
          <div class="field">
            <label for="army-name">Name</label>
            <input id="army-name" maxlength="80" autocomplete="off" .value=${this.saved?.name??``} />
          </div>
          ${this.#y()} ${this.#_()}
          ${this.#t.parts.map(t=>this.#p(t,e))}
          <form class="constraints" @change=${this.#x} @submit=${B}>
            ${this.#n.map(e=>e.control.kind===`text`||e.control.kind===`json`?s`<details><summary>${e.title}</summary>
                    ${g(e,``,z(this.#r,e.name))}</details>`:g(e,``,z(this.#r,e.name)))}
          </form>
          ${this.#t.ranks.map(t=>this.#m(t,e))}
        </section>
        <emeth-army-shelf .entries=${e} .plan=${this.#t}
          .faction=${String(this.roster.faction??``)} @entry-chosen=${this.#f}></emeth-army-shelf>
      </div>
      ${this.#b()}
    `}get#u(){return!this.refused&&this.#t.ranks.every(e=>!k(this.roster,e).length)}#d(){let{check:e}=this,t=e?.points??0,n=this.#u?0:e?.faults.length??0,r=this.#u?`No units chosen yet`:e?`Valid army`:``;return s`<div class="standing ${n?`wrong`:``}" role="status">
      <b>${t}</b> ${e?.maxPoints===void 0?b(t,`point`).replace(/^\d+ /,``):`of ${e.maxPoints} points`}
      ${e?.maxPoints===void 0?a:s`<meter min="0" max=${e.maxPoints} value=${Math.min(t,e.maxPoints)}
              aria-label="Points"></meter>`}
      <span>${n?b(n,`fault`):r}</span>
    </div>`}#f=({detail:e})=>{this.#c(j(this.roster,e.ranks,e.id))};#p({name:e,kind:t,about:n},r){let i=String(this.roster[e]??``),a=t=>{this.#c({...this.roster,[e]:t.target.value})};return s`<div class="field">
      <label for="part-${e}">${v(e)}</label>
      ${t===void 0?s`<input id="part-${e}" .value=${i} @change=${a} />`:s`<select id="part-${e}" @change=${a}>
              ${r.filter(e=>e.kind===t).map(e=>s`<option value=${e.id} ?selected=${e.id===i}>
                    ${e.name}</option>`)}
            </select>`}
      <p class="note">${n||(r.find(e=>e.kind===t&&e.id===i)?.description??``)}</p>
    </div>`}#m(e,t){let n=k(this.roster,e);return s`<section class="ranks" aria-label=${v(e.name)}>
      <h2>${v(e.name)} <span class="note">${n.length||`none yet`}</span></h2>
      <ol>${n.map((n,r)=>this.#h(e,n,r,t))}</ol>
    </section>`}#h(e,t,n,r){let i=A(t,e),o=r.find(t=>t.kind===e.kind&&t.id===i),c=o?.name??i,l=`${e.name}[${n}]`,u=(this.check?.faults??[]).filter(({path:e})=>e.startsWith(l));return s`<li class=${u.length?`wrong`:``}>
      <div class="row">
        <b>${c}</b>
        <span class="note">${o?b(o.points,`point`):``}</span>
        <button class="small" aria-label="Remove ${c}"
          @click=${()=>this.#c(M(this.roster,e,n))}>Remove</button>
      </div>
      ${e.parts.length?s`<div class="row fittings">
              ${e.parts.map(i=>this.#g(e,t,n,i,r))}
            </div>`:a}
      ${u.map(({why:e})=>s`<p class="trouble fault">${e}</p>`)}
    </li>`}#g(e,t,n,{name:r,kind:i},a){let o=String(t[r]??``),c=t=>{let{value:i}=t.target;this.#c(N(this.roster,e,n,r,i))};if(i===void 0)return s`<label>${v(r)} <input class="short" .value=${o} @change=${c} /></label>`;let l=String(this.roster.faction??``);return s`<label>${v(r)} <select @change=${c}>
      <option value="">none</option>
      ${a.filter(e=>e.kind===i&&(F(e,l)||e.id===o)).map(e=>s`<option value=${e.id} ?selected=${e.id===o}>
            ${e.name}, ${e.points}</option>`)}
    </select></label>`}#_(){let e=this.check?.faults??[];return!e.length||this.#u?a:s`<div class="faults" role=${this.refused?`alert`:`group`} aria-label="Problems">
      <b>${this.refused?`This army cannot be saved`:`This army is not valid yet`}:</b>
      <ul>${e.map(e=>this.#v(e))}</ul>
    </div>`}#v({why:e,sentence:n,rule:r}){return s`<li>${V(e)}.
      <span class="note">${U(n,e)?a:n}
        <a href=${t({page:`rules`},{game:this.#e,rule:r})}><code>${r}</code></a></span>
    </li>`}#y(){let{saved:e}=this,n=e&&this.own.some(({armyId:t})=>t===e.armyId),r=this.#r.scenario;return s`<p class="row tools">
      <button class="main" ?disabled=${this.busy} @click=${()=>void this.#S(n?e:void 0)}>
        ${n?`Save`:`Save as new`}</button>
      ${n?s`<button @click=${()=>void this.#S(void 0)}>Save a copy</button>`:a}
      ${e?s`<a class="button" href=${t({game:this.#e},{army:e.armyId,scenario:r===void 0?``:String(r)})}>Use in a new match</a>`:a}
    </p>`}#b(){return this.own.length?s`<section aria-label="Saved armies" class="saved">
      <h2>Your armies</h2>
      <ul class="matches">
        ${this.own.map(e=>s`<li class="row">
            <a href=${t({page:`armies`},{army:e.armyId})}
              aria-current=${e.armyId===this.saved?.armyId?`true`:a}>
              <b>${e.name}</b><span>${b(e.points,`point`)}</span></a>
            <button class="small" aria-label="Delete ${e.name}"
              @click=${()=>void this.#C(e)}>Delete</button>
          </li>`)}
      </ul>
    </section>`:a}#x=e=>{let t=e.currentTarget,{values:n,faults:r}=_(this.#n,t),[[i,a]=[]]=Object.entries(r);i?this.trouble=`${this.#n.find(e=>e.name===i)?.title}: ${a}`:(this.#r=n,this.attempt(()=>this.#a()).then(()=>this.#o()))};async#S(e){let t=this.querySelector(`#army-name`)?.value.trim()??``;if(!t){this.trouble=`Give the army a name.`,this.querySelector(`#army-name`)?.focus();return}let{armies:a}=d(this.service),o=r(),s={name:t,roster:this.roster,constraints:this.#r},c=await this.attempt(()=>n(()=>{if(!e)return a.createArmy({requestId:o,army:{game:this.#e,...s}});let{armyId:t,etag:n}=e,r={paths:Object.keys(s)};return a.updateArmy({requestId:o,army:{armyId:t,etag:n,...s},updateMask:r})}));c&&(`ownerToken`in c&&c.ownerToken&&l(c.ownerToken),c.outcome.case===`army`?(this.saved=c.outcome.value,this.own=await u(this.service,this.#e),i({page:`armies`},{army:this.saved.armyId})):c.outcome.case===`refused`&&(this.check=c.outcome.value,this.refused=!0))}async#C({armyId:i}){let a={requestId:r(),armyId:i},{armies:o}=d(this.service);await this.attempt(()=>n(()=>o.deleteArmy(a)))&&(i===this.saved?.armyId?e(t({page:`armies`},{game:this.#e})):this.own=await u(this.service,this.#e))}};async function R(e){let{games:t}=await e.games.listGames({});return t.filter(({hasArmies:e})=>e)}function z(e,t){return String(e[t]??``)}function B(e){e.preventDefault()}function V(e){return e.replace(/^./,e=>e.toUpperCase())}customElements.define(`emeth-armies-page`,L);function H(e,t){return s`<emeth-armies-page .service=${e} .query=${t}></emeth-armies-page>`}function U(e,t){return e.toLowerCase().startsWith(t.toLowerCase())}export{H as show};