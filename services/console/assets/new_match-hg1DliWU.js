import{C as e,D as t,E as n,M as r,O as i,T as a,b as o,c as s,h as c,j as l,m as u,p as d,s as f,u as p,y as m}from"./index-CFjs9Dd6.js";import{r as h}from"./armies-CcSJicUE.js";import{n as g,t as _}from"./catalog-DX5wdHCy.js";import{a as v,i as y,n as b,r as x,t as S}from"./options-oZ-KN1SJ.js";import{n as C,r as w,t as T}from"./page-CQgnjSre.js";var E=`chance`,D=``,O=class extends T{static properties={...T.properties,game:{attribute:!1},found:{state:!0},faults:{state:!0},armies:{state:!0},seats:{state:!0}};#e=[];#t=!1;constructor(){super(),this.found=void 0,this.faults={},this.armies=[],this.seats=[]}willUpdate(e){e.has(`query`)&&this.asked(`new`)!==this.game&&(this.game=this.asked(`new`),this.found=void 0,this.faults={},this.#n())}async#n(){let{game:e,service:t}=this,n=await this.attempt(()=>t.matches.getGame({game:e}));if(!n)return;let r=n.game?.catalog?await this.attempt(()=>g(t,e)):_;if(!r||e!==this.game)return;let i=n.optionsSchema??{},a=S(i,r.armySchema);this.#t=a!==void 0,this.#e=k(v(i,r.entries),a),a&&(this.armies=await this.#r()),this.seats=n.seats,this.found=n,document.title=`${n.game?.name}: a new match`,await this.updateComplete,this.asked(`scenario`)&&await this.#d()}async#r(){let e=this.asked(`army`),t=await this.attempt(()=>h(this.service,this.game))??[];if(!e||t.some(t=>t.armyId===e))return t;let n=await this.attempt(()=>this.service.armies.getArmy({armyId:e}));return n?.army?[n.army,...t]:t}render(){let{found:e}=this;return this.framed(`A new match`,e?this.#i(e):l)}#i(e){return r`<form class="new-match" novalidate @submit=${this.#f} @change=${this.#u}>
      <h2>${e.game?.name}</h2>
      <p>${e.game?.summary}</p>
      ${this.#a()}
      ${this.#s()}
      <fieldset class="options">
        <legend>${C(this.#e.length,`option`)} of the rules</legend>
        <div>
          ${this.#e.map(e=>y(e,this.faults[e.name],this.asked(e.name)))}
        </div>
      </fieldset>
      ${this.#c()}
      <p class="begin"><button class="main" ?disabled=${this.busy}>Begin</button></p>
    </form>`}#a(){let e=Object.keys(this.faults).length;return e?r`<div class="faults" role="alert">
      <b>${e===1?`One thing is`:`${e} things are`} wrong:</b>
      <ul>
        ${Object.entries(this.faults).map(([e,t])=>e===D?r`<li>${t}</li>`:r`<li>${this.#o(e)}: ${t}</li>`)}
      </ul>
    </div>`:l}#o(e){return r`<a href="#${j(e)}" @click=${t=>{t.preventDefault(),this.querySelector(`[id="${j(e)}"]`)?.focus()}}>${e.replaceAll(/[_-]/g,` `)}</a>`}#s(){let i=(e,t,n)=>r`<div class="field">
        <label for=${e}>${t}</label>
        <select id=${e} name="${e}:">
          ${n.map(([e,t])=>r`<option value=${e}>${M(t)}</option>`)}
        </select>
      </div>`;return r`<fieldset>
      <legend>Terms</legend>
      <div class="field">
        <label for="title">Title</label>
        <input id="title" name="title:" maxlength="80" autocomplete="off" />
        ${x(`title`,this.faults.title??``)}
      </div>
      ${i(`chance`,`Dice and shuffles`,A([e.ROLLED,e.ENTERED],f))}
      ${i(`undo`,`Taking back`,A([n.CONSENT,n.FREE,n.REFEREE,n.NONE],s))}
      ${i(`visibility`,`Looking on`,[[t.PRIVATE,`whoever has a link`],[t.PUBLIC,`everybody`]])}
      ${i(`stand-in`,`If a player is gone for good`,[[a.NOBODY,`the match waits`],[a.REFEREE,`the referee may act for the seat`]])}
      <div class="field checked">
        <label for="pause">Pause for disputes</label>
        <input id="pause" name="pause:" type="checkbox" aria-describedby="pause-about" />
        <p class="note" id="pause-about">
          Nobody acts while a dispute is open, and the service draws nothing
        </p>
      </div>
    </fieldset>`}#c(){return r`<fieldset class="by-seat">
      <legend>By seat</legend>
      ${this.seats.map((t,n)=>r`<div class="field">
          <b>${p(t)}</b>
          <label>Dice <select name="chance:${t}">
            <option value="0">As above</option>
            ${[e.ROLLED,e.ENTERED].map(e=>r`<option value=${e}>${M(f[e])}</option>`)}
          </select></label>
          ${this.#t?this.#l(t,n):l}
          ${x(`seat-${t}`,this.faults[`armies[${t}]`]??``)}
        </div>`)}
      ${this.#t?r`<p class="note">
              Armies are fielded where the scenario lets players build them.
              <a href=${d({page:`armies`},{game:this.game})}>Build an army</a>
            </p>`:l}
    </fieldset>`}#l(e,t){let n=t===0?this.asked(`army`):``;return r`<label>Army <select name="army:${e}">
      <option value="">A ready one</option>
      ${this.armies.map(({armyId:e,name:t,points:i})=>r`<option value=${e} ?selected=${e===n}>
          ${t}, ${C(i,`point`)}
        </option>`)}
    </select></label>`}#u=w(()=>void this.#d());async#d(){let e=this.querySelector(`form`);if(!e)return;let{values:t,faults:n}=b(this.#e,e),r={...n},a={...t};for(;;)try{let e=await this.service.matches.getGame({game:this.game,options:a});this.seats=e.seats;break}catch(e){let t=i(e),[n=D]=Object.keys(t.fields),o=/^options\.([\w-]+)/.exec(n)?.[1]??D;if(r[o]=t.fields[n]??t.rawMessage,!(o in a))break;delete a[o]}return this.faults=r,Object.keys(r).length?void 0:t}#f=async e=>{e.preventDefault();let t=e.target,n=await this.#d();n&&await this.#m(this.#p(t,n)),Object.keys(this.faults).length&&scrollTo(0,0)};#p(e,t){let n=t=>e.elements.namedItem(t)?.value??``,r=e=>this.seats.map(t=>[t,n(`${e}:${t}`)]);return{requestId:o(),game:this.game,title:n(`title:`),chance:Number(n(`chance:`)),undo:Number(n(`undo:`)),visibility:Number(n(`visibility:`)),standIn:Number(n(`stand-in:`)),pauseOnDispute:e.elements.namedItem(`pause:`).checked,options:t,seatChance:Object.fromEntries(r(`chance`).flatMap(([e,t])=>Number(t)?[[e,Number(t)]]:[])),armies:Object.fromEntries(r(`army`).filter(([,e])=>e))}}async#m(e){this.busy=!0;try{let t=await m(()=>this.service.matches.createMatch(e)),n=t.match?.matchId??``;c(n,t.tokens),u(d({match:n,as:t.match?.asks[0]?.seat??``}))}catch(e){let{fields:t,rawMessage:n}=i(e);this.faults=Object.keys(t).length?t:{[D]:n}}finally{this.busy=!1}}};function k(e,t){return e.filter(({name:e})=>e!==t&&e!==E)}function A(e,t){return e.map(e=>[e,t[e]])}function j(e){return e===`title`?e:`option-${e}`}function M(e){return e.charAt(0).toUpperCase()+e.slice(1)}customElements.define(`emeth-new-match`,O);function N(e,t){return r`<emeth-new-match .service=${e} .query=${t}></emeth-new-match>`}export{N as show};