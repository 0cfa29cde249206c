import{C as e,D as t,I as n,M as r,N as i,O as a,P as o,R as s,S as c,_ as l,f as u,g as d,h as f,j as p,k as m,l as h,u as g,z as _}from"./index-BY_yMFqV.js";import{r as v}from"./armies-Dw06tVnA.js";import{n as y,t as b}from"./catalog-DX5wdHCy.js";import{a as x,i as S,n as C,r as w,t as T}from"./options-CQ9QxEAn.js";import{n as E,r as D,t as O}from"./page-BTA6lbAf.js";var k=1000n,A=60n*k,j={delayMs:3n*k,delay:m.SIMPLE},M=(e,t={})=>n(a,{kind:{case:`side`,value:{ms:e,...t}}}),N=e=>n(a,{kind:{case:`move`,value:{ms:e}}}),P=e=>n(a,{kind:{case:`correspondence`,value:{days:e}}}),F={"No clock":void 0,"5 minutes, and 3 seconds a turn that cost nothing":M(5n*A,j),"10 minutes, and 5 seconds more a turn":M(10n*A,{incrementMs:5n*k}),"30 minutes, and 20 seconds more a turn":M(30n*A,{incrementMs:20n*k}),"1 hour":M(60n*A),"2 minutes an action":N(2n*A),"1 day an action":P(1),"3 days an action":P(3),"7 days an action":P(7)};function I(){return _`<div class="field">
    <label for="clock">Clock for each seat</label>
    <select id="clock" name="clock:">
      ${Object.keys(F).map(e=>_`<option value=${e}>${e}</option>`)}
    </select>
  </div>`}function L(e){let t=F[e];return t?{clock:t}:{}}var R=`chance`,z=``,B=class extends O{static properties={...O.properties,game:{attribute:!1},found:{state:!0},faults:{state:!0},armies:{state:!0},seats:{state:!0}};#e=[];#t=!1;constructor(){super(),this.found=void 0,this.faults={},this.armies=[],this.seats=[]}willUpdate(e){e.has(`query`)&&this.asked(`new`)!==this.game&&(this.game=this.asked(`new`),this.found=void 0,this.faults={},this.#n())}async#n(){let{game:e,service:t}=this,n=await this.attempt(()=>t.matches.getGame({game:e}));if(!n)return;let r=n.game?.catalog?await this.attempt(()=>y(t,e)):b;if(!r||e!==this.game)return;let i=n.optionsSchema??{},a=T(i,r.armySchema);this.#t=a!==void 0,this.#e=V(x(i,r.entries),a),a&&(this.armies=await this.#r()),this.seats=n.seats,this.found=n,document.title=`${n.game?.name}: a new match`,await this.updateComplete,this.asked(`scenario`)&&await this.#d()}async#r(){let e=this.asked(`army`),t=await this.attempt(()=>v(this.service,this.game))??[];if(!e||t.some(t=>t.armyId===e))return t;let n=await this.attempt(()=>this.service.armies.getArmy({armyId:e}));return n?.army?[n.army,...t]:t}render(){let{found:e}=this;return this.framed(`A new match`,e?this.#i(e):s)}#i(e){return _`<form class="new-match" novalidate @submit=${this.#f} @change=${this.#u}>
      <h2>${e.game?.name}</h2>
      <p>${e.game?.summary}</p>
      ${this.#a()}
      ${this.#s()}
      <fieldset class="options">
        <legend>${E(this.#e.length,`option`)} of the rules</legend>
        <div>
          ${this.#e.map(e=>S(e,this.faults[e.name],this.asked(e.name)))}
        </div>
      </fieldset>
      ${this.#c()}
      <p class="begin"><button class="main" ?disabled=${this.busy}>Begin</button></p>
    </form>`}#a(){let e=Object.keys(this.faults).length;return e?_`<div class="faults" role="alert">
      <b>${e===1?`One thing is`:`${e} things are`} wrong:</b>
      <ul>
        ${Object.entries(this.faults).map(([e,t])=>e===z?_`<li>${t}</li>`:_`<li>${this.#o(e)}: ${t}</li>`)}
      </ul>
    </div>`:s}#o(e){return _`<a href="#${U(e)}" @click=${t=>{t.preventDefault(),this.querySelector(`[id="${U(e)}"]`)?.focus()}}>${e.replaceAll(/[_-]/g,` `)}</a>`}#s(){let e=(e,t,n)=>_`<div class="field">
        <label for=${e}>${t}</label>
        <select id=${e} name="${e}:">
          ${n.map(([e,t])=>_`<option value=${e}>${W(t)}</option>`)}
        </select>
      </div>`;return _`<fieldset>
      <legend>Terms</legend>
      <div class="field">
        <label for="title">Title</label>
        <input id="title" name="title:" maxlength="80" autocomplete="off" />
        ${w(`title`,this.faults.title??``)}
      </div>
      ${e(`chance`,`Dice and shuffles`,H([t.ROLLED,t.ENTERED],h))}
      ${e(`undo`,`Taking back`,H([r.CONSENT,r.FREE,r.REFEREE,r.NONE],g))}
      ${e(`visibility`,`Looking on`,[[i.PRIVATE,`whoever has a link`],[i.PUBLIC,`everybody`]])}
      ${e(`stand-in`,`If a player is gone for good`,[[p.NOBODY,`the match waits`],[p.REFEREE,`the referee may act for the seat`]])}
      <div class="field checked">
        <label for="pause">Pause for disputes</label>
        <input id="pause" name="pause:" type="checkbox" aria-describedby="pause-about" />
        <p class="note" id="pause-about">
          Nobody acts while a dispute is open, and the service draws nothing
        </p>
      </div>
      ${I()}
    </fieldset>`}#c(){return _`<fieldset class="by-seat">
      <legend>By seat</legend>
      ${this.seats.map((e,n)=>_`<div class="field">
          <b>${u(e)}</b>
          <label>Dice <select name="chance:${e}">
            <option value="0">As above</option>
            ${[t.ROLLED,t.ENTERED].map(e=>_`<option value=${e}>${W(h[e])}</option>`)}
          </select></label>
          ${this.#t?this.#l(e,n):s}
          ${w(`seat-${e}`,this.faults[`armies[${e}]`]??``)}
        </div>`)}
      ${this.#t?_`<p class="note">
              Armies are fielded where the scenario lets players build them.
              <a href=${f({page:`armies`},{game:this.game})}>Build an army</a>
            </p>`:s}
    </fieldset>`}#l(e,t){let n=t===0?this.asked(`army`):``;return _`<label>Army <select name="army:${e}">
      <option value="">A ready one</option>
      ${this.armies.map(({armyId:e,name:t,points:r})=>_`<option value=${e} ?selected=${e===n}>
          ${t}, ${E(r,`point`)}
        </option>`)}
    </select></label>`}#u=D(()=>void this.#d());async#d(){let e=this.querySelector(`form`);if(!e)return;let{values:t,faults:n}=C(this.#e,e),r={...n},i={...t};for(;;)try{let e=await this.service.matches.getGame({game:this.game,options:i});this.seats=e.seats;break}catch(e){let t=o(e),[n=z]=Object.keys(t.fields),a=/^options\.([\w-]+)/.exec(n)?.[1]??z;if(r[a]=t.fields[n]??t.rawMessage,!(a in i))break;delete i[a]}return this.faults=r,Object.keys(r).length?void 0:t}#f=async e=>{e.preventDefault();let t=e.target,n=await this.#d();n&&await this.#m(this.#p(t,n)),Object.keys(this.faults).length&&scrollTo(0,0)};#p(t,n){let r=e=>t.elements.namedItem(e)?.value??``,i=e=>this.seats.map(t=>[t,r(`${e}:${t}`)]);return{requestId:e(),game:this.game,title:r(`title:`),chance:Number(r(`chance:`)),undo:Number(r(`undo:`)),visibility:Number(r(`visibility:`)),standIn:Number(r(`stand-in:`)),pauseOnDispute:t.elements.namedItem(`pause:`).checked,...L(r(`clock:`)),options:n,seatChance:Object.fromEntries(i(`chance`).flatMap(([e,t])=>Number(t)?[[e,Number(t)]]:[])),armies:Object.fromEntries(i(`army`).filter(([,e])=>e))}}async#m(e){this.busy=!0;try{let t=await c(()=>this.service.matches.createMatch(e)),n=t.match?.matchId??``;l(n,t.tokens),d(f({match:n,as:t.match?.asks[0]?.seat??``}))}catch(e){let{fields:t,rawMessage:n}=o(e);this.faults=Object.keys(t).length?t:{[z]:n}}finally{this.busy=!1}}};function V(e,t){return e.filter(({name:e})=>e!==t&&e!==R)}function H(e,t){return e.map(e=>[e,t[e]])}function U(e){return e===`title`?e:`option-${e}`}function W(e){return e.charAt(0).toUpperCase()+e.slice(1)}customElements.define(`emeth-new-match`,B);function G(e,t){return _`<emeth-new-match .service=${e} .query=${t}></emeth-new-match>`}export{G as show};