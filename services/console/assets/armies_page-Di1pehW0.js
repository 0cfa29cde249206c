import{$ as e,E as t,F as n,P as r,Q as i,T as a,et as o,v as s,w as c}from"./index-DanQUKbx.js";import{n as l,r as u,t as d}from"./armies-DzNynZlV.js";import{a as f,i as p,n as m,o as h,s as g}from"./options-ty2pnlha.js";import{i as _,t as v}from"./content-CtaQ_qEU.js";import{t as y}from"./entry_card-BZGycAzM.js";import{i as b,n as x,r as S,t as C}from"./page-YtEaryHY.js";function w(e,t){let n=e,r=new Set(t.map(({kind:e})=>e)),{properties:i,required:a=[]}=h(n,n),o=[],s=[];for(let[e,t]of Object.entries(i??{})){let i={...h(t,n),...t},c=i.items&&h(i.items,n);c?s.push(E(e,c,r)):o.push(T(e,i,r,a))}let c=e=>`${e.key===void 0} ${e.name}`;return s.sort((e,t)=>c(e).localeCompare(c(t))),{parts:o,ranks:s}}function T(e,t,n,r){return{name:e,kind:n.has(e)?e:void 0,required:r.includes(e),about:t.description??``}}function E(e,t,n){let r=[...n].find(t=>e===t||e===`${t}s`)??e,{properties:i,required:a=[]}=t,[o]=a,s=Object.entries(i??{}).filter(([e])=>e!==o).map(([e,t])=>T(e,t,n,a)).sort((e,t)=>D(e).localeCompare(D(t)));return{name:e,kind:r,key:i&&o,parts:s}}function D({kind:e,name:t}){return`${e===void 0} ${t}`}function O(e,t){let n={};for(let{name:r,kind:i,required:a}of e.parts)a&&(n[r]=t.find(e=>e.kind===i)?.id??``);for(let{name:t}of e.ranks)n[t]=[];return n}function k(e,t){let n=e[t.name];return Array.isArray(n)?n:[]}function A(e,{key:t}){return String(t===void 0?e:e[t]??``)}function j(e,t,n){let r=t.key===void 0?n:{[t.key]:n};return{...e,[t.name]:[...k(e,t),r]}}function M(e,t,n){return{...e,[t.name]:k(e,t).filter((e,t)=>t!==n)}}function N(e,t,n,r,i){let a=k(e,t).map((e,t)=>{if(t!==n)return e;let{[r]:a,...o}=e;return i?{...o,[r]:i}:o});return{...e,[t.name]:a}}var P=class extends i{static properties={entries:{attribute:!1},plan:{attribute:!1},faction:{attribute:!1},text:{state:!0},kind:{state:!0}};constructor(){super(),this.text=``,this.kind=``}createRenderRoot(){return this}render(){let t=I(this.plan),n=t.includes(this.kind)?this.kind:t[0]??``,r=this.entries.filter(e=>e.kind===n&&F(e,this.faction)&&_(e,this.text));return o`<section class="shelf" aria-label="What there is">
      <div class="row filters">
        <label class="wide">Search <input type="search" .value=${this.text} @input=${e=>{this.text=e.target.value}} /></label>
        <div class="row" role="group" aria-label="Kind">
          ${t.map(e=>o`<button class="small" aria-pressed=${e===n}
              @click=${()=>this.kind=e}>${g(e)}</button>`)}
        </div>
      </div>
      <ul class="cards">
        ${r.map(e=>o`<li>${y(e,this.#e(e))}</li>`)}
      </ul>
      ${r.length?e:o`<p class="note">Nothing is like that.</p>`}
    </section>`}#e({kind:t,id:n,name:r}){let i=this.plan.ranks.find(e=>e.kind===t);return i?o`<button aria-label="Add ${r}" @click=${()=>{this.dispatchEvent(new CustomEvent(`entry-chosen`,{detail:{ranks:i,id:n}}))}}>Add</button>`:e}};function F({factions:e},t){return!t||!e.length||e.includes(t)}function I({ranks:e}){let t=e.flatMap(({parts:e})=>e.flatMap(({kind:e})=>e?[e]:[]));return[...new Set([...e.map(({kind:e})=>e),...t])]}customElements.define(`emeth-army-shelf`,P);var L=class extends C{static properties={...C.properties,games:{state:!0},entries:{state:!0},roster:{state:!0},check:{state:!0},own:{state:!0},saved:{state:!0},refused:{state:!0}};#e=``;#t={parts:[],ranks:[]};#n=[];#r={};constructor(){super(),this.games=[],this.entries=void 0,this.roster={},this.check=void 0,this.own=[],this.saved=void 0,this.refused=!1}willUpdate(e){e.has(`query`)&&this.attempt(()=>this.#i(this.asked(`game`),this.asked(`army`)))}async#i(e,t){let{service:n}=this;this.games.length||(this.games=await R(n));let r=t?(await n.armies.getArmy({armyId:t})).army:void 0;this.#e=r?.game||e||this.games[0]?.slug||``,this.saved=r,this.#r=r?.constraints??{},await this.#a(),this.roster=r?.roster??O(this.#t,this.entries??[]),this.own=await u(n,this.#e);let i=this.games.find(({slug:e})=>e===this.#e)?.name;s(`${i}: armies`),await this.#o()}async#a(){let[{game:e},t]=await Promise.all([this.service.games.getGame({game:this.#e}),v(this.service,this.#e,this.#r)]);this.entries=t,this.#t=w(e?.rosterSchema??{},t),this.#n=f(e?.constraintsSchema??{},t)}async#o(){let{roster:e}=this,t={game:this.#e,roster:e,constraints:this.#r},n=await this.attempt(()=>this.service.armies.validateArmy(t));e===this.roster&&n&&(this.check=n.validation)}#s=S(()=>void this.#o(),60);#c(e){this.roster=e,this.refused=!1,this.#s()}render(){return this.framed(`Armies`,[this.games.length>1?b(`Games`,this.games.map(({slug:e,name:t})=>({name:t,href:a({page:`armies`},{game:e}),current:e===this.#e}))):e,this.entries?this.#l(this.entries):e])}#l(e){return o`
      <div class="builder">
        <section class="sheet" aria-label="The army">
          ${this.#d()}
          <div class="field">
            <label for="army-name">Name</label>
            <input id="army-name" maxlength="80" autocomplete="off" .value=${this.saved?.name??``} />
          </div>
          ${this.#y()} ${this.#_()}
          ${this.#t.parts.map(t=>this.#p(t,e))}
          <form class="constraints" @change=${this.#x} @submit=${B}>
            ${this.#n.map(e=>e.control.kind===`text`||e.control.kind===`json`?o`<details><summary>${g(e.name)}</summary>
                    ${p(e,``,z(this.#r,e.name))}</details>`:p(e,``,z(this.#r,e.name)))}
          </form>
          ${this.#t.ranks.map(t=>this.#m(t,e))}
        </section>
        <emeth-army-shelf .entries=${e} .plan=${this.#t}
          .faction=${String(this.roster.faction??``)} @entry-chosen=${this.#f}></emeth-army-shelf>
      </div>
      ${this.#b()}
    `}get#u(){return!this.refused&&this.#t.ranks.every(e=>!k(this.roster,e).length)}#d(){let{check:t}=this,n=t?.points??0,r=this.#u?0:t?.faults.length??0,i=this.#u?`Nothing chosen yet`:t?`It may serve`:``;return o`<div class="standing ${r?`wrong`:``}" role="status">
      <b>${n}</b> ${t?.maxPoints===void 0?x(n,`point`).replace(/^\d+ /,``):`of ${t.maxPoints} points`}
      ${t?.maxPoints===void 0?e:o`<meter min="0" max=${t.maxPoints} value=${Math.min(n,t.maxPoints)}
              aria-label="Points"></meter>`}
      <span>${r?x(r,`fault`):i}</span>
    </div>`}#f=({detail:e})=>{this.#c(j(this.roster,e.ranks,e.id))};#p({name:e,kind:t,about:n},r){let i=String(this.roster[e]??``),a=t=>{this.#c({...this.roster,[e]:t.target.value})};return o`<div class="field">
      <label for="part-${e}">${g(e)}</label>
      ${t===void 0?o`<input id="part-${e}" .value=${i} @change=${a} />`:o`<select id="part-${e}" @change=${a}>
              ${r.filter(e=>e.kind===t).map(e=>o`<option value=${e.id} ?selected=${e.id===i}>
                    ${e.name}</option>`)}
            </select>`}
      <p class="note">${n||(r.find(e=>e.kind===t&&e.id===i)?.description??``)}</p>
    </div>`}#m(e,t){let n=k(this.roster,e);return o`<section class="ranks" aria-label=${g(e.name)}>
      <h2>${g(e.name)} <span class="note">${n.length||`none yet`}</span></h2>
      <ol>${n.map((n,r)=>this.#h(e,n,r,t))}</ol>
    </section>`}#h(t,n,r,i){let a=A(n,t),s=i.find(e=>e.kind===t.kind&&e.id===a),c=s?.name??a,l=`${t.name}[${r}]`,u=(this.check?.faults??[]).filter(({path:e})=>e.startsWith(l));return o`<li class=${u.length?`wrong`:``}>
      <div class="row">
        <b>${c}</b>
        <span class="note">${s?x(s.points,`point`):``}</span>
        <button class="small" aria-label="Take ${c} out"
          @click=${()=>this.#c(M(this.roster,t,r))}>Take out</button>
      </div>
      ${t.parts.length?o`<div class="row fittings">
              ${t.parts.map(e=>this.#g(t,n,r,e,i))}
            </div>`:e}
      ${u.map(({why:e})=>o`<p class="trouble fault">${e}</p>`)}
    </li>`}#g(e,t,n,{name:r,kind:i},a){let s=String(t[r]??``),c=t=>{let{value:i}=t.target;this.#c(N(this.roster,e,n,r,i))};if(i===void 0)return o`<label>${g(r)} <input class="short" .value=${s} @change=${c} /></label>`;let l=String(this.roster.faction??``);return o`<label>${g(r)} <select @change=${c}>
      <option value="">none</option>
      ${a.filter(e=>e.kind===i&&(F(e,l)||e.id===s)).map(e=>o`<option value=${e.id} ?selected=${e.id===s}>
            ${e.name}, ${e.points}</option>`)}
    </select></label>`}#_(){let t=this.check?.faults??[];return!t.length||this.#u?e:o`<div class="faults" role=${this.refused?`alert`:`group`} aria-label="Faults">
      <b>${this.refused?`It cannot be saved like this`:`It may not serve yet`}:</b>
      <ul>${t.map(e=>this.#v(e))}</ul>
    </div>`}#v({why:t,sentence:n,rule:r}){return o`<li>${V(t)}.
      <span class="note">${U(n,t)?e:n}
        <a href=${a({page:`rules`},{game:this.#e,rule:r})}><code>${r}</code></a></span>
    </li>`}#y(){let{saved:t}=this,n=t&&this.own.some(({armyId:e})=>e===t.armyId),r=this.#r.scenario;return o`<p class="row tools">
      <button class="main" ?disabled=${this.busy} @click=${()=>void this.#S(n?t:void 0)}>
        ${n?`Save`:`Save as new`}</button>
      ${n?o`<button @click=${()=>void this.#S(void 0)}>Save as another</button>`:e}
      ${t?o`<a class="button" href=${a({game:this.#e},{army:t.armyId,scenario:r===void 0?``:String(r)})}>Use in a new match</a>`:e}
    </p>`}#b(){return this.own.length?o`<section aria-label="Saved armies" class="saved">
      <h2>Your armies</h2>
      <ul class="matches">
        ${this.own.map(t=>o`<li class="row">
            <a href=${a({page:`armies`},{army:t.armyId})}
              aria-current=${t.armyId===this.saved?.armyId?`true`:e}>
              <b>${t.name}</b><span>${x(t.points,`point`)}</span></a>
            <button class="small" aria-label="Delete ${t.name}"
              @click=${()=>void this.#C(t)}>Delete</button>
          </li>`)}
      </ul>
    </section>`:e}#x=e=>{let t=e.currentTarget,{values:n,faults:r}=m(this.#n,t),[[i,a]=[]]=Object.entries(r);i?this.trouble=`${g(i)}: ${a}`:(this.#r=n,this.attempt(()=>this.#a()).then(()=>this.#o()))};async#S(e){let t=this.querySelector(`#army-name`)?.value.trim()??``;if(!t){this.trouble=`Give the army a name.`,this.querySelector(`#army-name`)?.focus();return}let{armies:i}=d(this.service),a=n(),o={name:t,roster:this.roster,constraints:this.#r},s=await this.attempt(()=>r(()=>{if(!e)return i.createArmy({requestId:a,army:{game:this.#e,...o}});let{armyId:t,etag:n}=e,r={paths:Object.keys(o)};return i.updateArmy({requestId:a,army:{armyId:t,etag:n,...o},updateMask:r})}));s&&(`ownerToken`in s&&s.ownerToken&&l(s.ownerToken),s.outcome.case===`army`?(this.saved=s.outcome.value,this.own=await u(this.service,this.#e),c({page:`armies`},{army:this.saved.armyId})):s.outcome.case===`refused`&&(this.check=s.outcome.value,this.refused=!0))}async#C({armyId:e}){let i={requestId:n(),armyId:e},{armies:o}=d(this.service);await this.attempt(()=>r(()=>o.deleteArmy(i)))&&(e===this.saved?.armyId?t(a({page:`armies`},{game:this.#e})):this.own=await u(this.service,this.#e))}};async function R(e){let{games:t}=await e.games.listGames({});return t.filter(({hasArmies:e})=>e)}function z(e,t){return String(e[t]??``)}function B(e){e.preventDefault()}function V(e){return e.replace(/^./,e=>e.toUpperCase())}customElements.define(`emeth-armies-page`,L);function H(e,t){return o`<emeth-armies-page .service=${e} .query=${t}></emeth-armies-page>`}function U(e,t){return e.toLowerCase().startsWith(t.toLowerCase())}export{H as show};