import{A as e,D as t,E as n,F as r,L as i,M as a,N as o,O as s,R as c,S as l,c as u,d,g as f,h as p,j as m,l as h,m as g,x as _}from"./index-HUDWQX_8.js";import{r as v}from"./armies-Bw9sB4O5.js";import{n as y,t as b}from"./catalog-DX5wdHCy.js";import{a as x,i as S,n as C,r as w,t as T}from"./options-D4CNxP_3.js";import{n as E,r as D,t as O}from"./page-BOC9bVKW.js";var k=1000n,A=60n*k,j={delayMs:3n*k,delay:s.SIMPLE},M=(e,n={})=>r(t,{kind:{case:`side`,value:{ms:e,...n}}}),N=e=>r(t,{kind:{case:`move`,value:{ms:e}}}),P=e=>r(t,{kind:{case:`correspondence`,value:{days:e}}}),F={"No clock":void 0,"5 minutes, and 3 seconds a turn that cost nothing":M(5n*A,j),"10 minutes, and 5 seconds more a turn":M(10n*A,{incrementMs:5n*k}),"30 minutes, and 20 seconds more a turn":M(30n*A,{incrementMs:20n*k}),"1 hour":M(60n*A),"2 minutes an action":N(2n*A),"1 day an action":P(1),"3 days an action":P(3),"7 days an action":P(7)};function I(){return c`<div class="field">
    <label for="clock">Clock for each seat</label>
    <select id="clock" name="clock:">
      ${Object.keys(F).map(e=>c`<option value=${e}>${e}</option>`)}
    </select>
  </div>`}function L(e){let t=F[e];return t?{clock:t}:{}}var R=`chance`,z=``,B=class extends O{static properties={...O.properties,game:{attribute:!1},found:{state:!0},faults:{state:!0},armies:{state:!0},seats:{state:!0}};#e=[];#t=!1;constructor(){super(),this.found=void 0,this.faults={},this.armies=[],this.seats=[]}willUpdate(e){e.has(`query`)&&this.asked(`new`)!==this.game&&(this.game=this.asked(`new`),this.found=void 0,this.faults={},this.#n())}async#n(){let{game:e,service:t}=this,n=await this.attempt(()=>t.matches.getGame({game:e}));if(!n)return;let r=n.game?.catalog?await this.attempt(()=>y(t,e)):b;if(!r||e!==this.game)return;let i=n.optionsSchema??{},a=T(i,r.armySchema);this.#t=a!==void 0,this.#e=V(x(i,r.entries),a),a&&(this.armies=await this.#r()),this.seats=n.seats,this.found=n,document.title=`${n.game?.name}: a new match`,await this.updateComplete,this.asked(`scenario`)&&await this.#d()}async#r(){let e=this.asked(`army`),t=await this.attempt(()=>v(this.service,this.game))??[];if(!e||t.some(t=>t.armyId===e))return t;let n=await this.attempt(()=>this.service.armies.getArmy({armyId:e}));return n?.army?[n.army,...t]:t}render(){let{found:e}=this;return this.framed(`A new match`,e?this.#i(e):i)}#i(e){return c`<form class="new-match" novalidate @submit=${this.#f} @change=${this.#u}>
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
    </form>`}#a(){let e=Object.keys(this.faults).length;return e?c`<div class="faults" role="alert">
      <b>${e===1?`One thing is`:`${e} things are`} wrong:</b>
      <ul>
        ${Object.entries(this.faults).map(([e,t])=>e===z?c`<li>${t}</li>`:c`<li>${this.#o(e)}: ${t}</li>`)}
      </ul>
    </div>`:i}#o(e){return c`<a href="#${U(e)}" @click=${t=>{t.preventDefault(),this.querySelector(`[id="${U(e)}"]`)?.focus()}}>${e.replaceAll(/[_-]/g,` `)}</a>`}#s(){let t=(e,t,n)=>c`<div class="field">
        <label for=${e}>${t}</label>
        <select id=${e} name="${e}:">
          ${n.map(([e,t])=>c`<option value=${e}>${W(t)}</option>`)}
        </select>
      </div>`;return c`<fieldset>
      <legend>Terms</legend>
      <div class="field">
        <label for="title">Title</label>
        <input id="title" name="title:" maxlength="80" autocomplete="off" />
        ${w(`title`,this.faults.title??``)}
      </div>
      ${t(`chance`,`Dice and shuffles`,H([n.ROLLED,n.ENTERED],u))}
      ${t(`undo`,`Taking back`,H([m.CONSENT,m.FREE,m.REFEREE,m.NONE],h))}
      ${t(`visibility`,`Looking on`,[[a.PRIVATE,`whoever has a link`],[a.PUBLIC,`everybody`]])}
      ${t(`stand-in`,`If a player is gone for good`,[[e.NOBODY,`the match waits`],[e.REFEREE,`the referee may act for the seat`]])}
      <div class="field checked">
        <label for="pause">Pause for disputes</label>
        <input id="pause" name="pause:" type="checkbox" aria-describedby="pause-about" />
        <p class="note" id="pause-about">
          Nobody acts while a dispute is open, and the service draws nothing
        </p>
      </div>
      ${I()}
    </fieldset>`}#c(){return c`<fieldset class="by-seat">
      <legend>By seat</legend>
      ${this.seats.map((e,t)=>c`<div class="field">
          <b>${d(e)}</b>
          <label>Dice <select name="chance:${e}">
            <option value="0">As above</option>
            ${[n.ROLLED,n.ENTERED].map(e=>c`<option value=${e}>${W(u[e])}</option>`)}
          </select></label>
          ${this.#t?this.#l(e,t):i}
          ${w(`seat-${e}`,this.faults[`armies[${e}]`]??``)}
        </div>`)}
      ${this.#t?c`<p class="note">
              Armies are fielded where the scenario lets players build them.
              <a href=${g({page:`armies`},{game:this.game})}>Build an army</a>
            </p>`:i}
    </fieldset>`}#l(e,t){let n=t===0?this.asked(`army`):``;return c`<label>Army <select name="army:${e}">
      <option value="">A ready one</option>
      ${this.armies.map(({armyId:e,name:t,points:r})=>c`<option value=${e} ?selected=${e===n}>
          ${t}, ${E(r,`point`)}
        </option>`)}
    </select></label>`}#u=D(()=>void this.#d());async#d(){let e=this.querySelector(`form`);if(!e)return;let{values:t,faults:n}=C(this.#e,e),r={...n},i={...t};for(;;)try{let e=await this.service.matches.getGame({game:this.game,options:i});this.seats=e.seats;break}catch(e){let t=o(e),[n=z]=Object.keys(t.fields),a=/^options\.([\w-]+)/.exec(n)?.[1]??z;if(r[a]=t.fields[n]??t.rawMessage,!(a in i))break;delete i[a]}return this.faults=r,Object.keys(r).length?void 0:t}#f=async e=>{e.preventDefault();let t=e.target,n=await this.#d();n&&await this.#m(this.#p(t,n)),Object.keys(this.faults).length&&scrollTo(0,0)};#p(e,t){let n=t=>e.elements.namedItem(t)?.value??``,r=e=>this.seats.map(t=>[t,n(`${e}:${t}`)]);return{requestId:l(),game:this.game,title:n(`title:`),chance:Number(n(`chance:`)),undo:Number(n(`undo:`)),visibility:Number(n(`visibility:`)),standIn:Number(n(`stand-in:`)),pauseOnDispute:e.elements.namedItem(`pause:`).checked,...L(n(`clock:`)),options:t,seatChance:Object.fromEntries(r(`chance`).flatMap(([e,t])=>Number(t)?[[e,Number(t)]]:[])),armies:Object.fromEntries(r(`army`).filter(([,e])=>e))}}async#m(e){this.busy=!0;try{let t=await _(()=>this.service.matches.createMatch(e)),n=t.match?.matchId??``;f(n,t.tokens),p(g({match:n,as:t.match?.asks[0]?.seat??``}))}catch(e){let{fields:t,rawMessage:n}=o(e);this.faults=Object.keys(t).length?t:{[z]:n}}finally{this.busy=!1}}};function V(e,t){return e.filter(({name:e})=>e!==t&&e!==R)}function H(e,t){return e.map(e=>[e,t[e]])}function U(e){return e===`title`?e:`option-${e}`}function W(e){return e.charAt(0).toUpperCase()+e.slice(1)}customElements.define(`emeth-new-match`,B);function G(e,t){return c`<emeth-new-match .service=${e} .query=${t}></emeth-new-match>`}export{G as show};