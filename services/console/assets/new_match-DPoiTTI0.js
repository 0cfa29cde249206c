import{A as e,C as t,E as n,O as r,T as i,a,b as o,d as s,g as c,h as l,i as u,j as d,l as f,o as p,u as m,w as h,x as g,y as _}from"./index-DS9bmOL9.js";import{r as v}from"./armies-8ODuHxyt.js";import{c as y,l as b,n as x,o as S,s as C,t as w,u as T}from"./catalog-BG6-F_H7.js";import{n as E,r as D,t as O}from"./page-DCg8ST-z.js";var k=1000n,A=60n*k,j={delayMs:3n*k,delay:g.SIMPLE},M=(e,t={})=>r(o,{kind:{case:`side`,value:{ms:e,...t}}}),N=e=>r(o,{kind:{case:`move`,value:{ms:e}}}),P=e=>r(o,{kind:{case:`correspondence`,value:{days:e}}}),F={"No clock":void 0,"5 minutes, and 3 seconds a turn that cost nothing":M(5n*A,j),"10 minutes, and 5 seconds more a turn":M(10n*A,{incrementMs:5n*k}),"30 minutes, and 20 seconds more a turn":M(30n*A,{incrementMs:20n*k}),"1 hour":M(60n*A),"2 minutes an action":N(2n*A),"1 day an action":P(1),"3 days an action":P(3),"7 days an action":P(7)};function I(){return d`<div class="field">
    <label for="clock">Clock for each seat</label>
    <select id="clock" name="clock:">
      ${Object.keys(F).map(e=>d`<option value=${e}>${e}</option>`)}
    </select>
  </div>`}function L(e){let t=F[e];return t?{clock:t}:{}}var R=`chance`,z=``,B=class extends O{static properties={...O.properties,game:{attribute:!1},found:{state:!0},faults:{state:!0},armies:{state:!0},seats:{state:!0}};#e=[];#t=!1;constructor(){super(),this.found=void 0,this.faults={},this.armies=[],this.seats=[]}willUpdate(e){e.has(`query`)&&this.asked(`new`)!==this.game&&(this.game=this.asked(`new`),this.found=void 0,this.faults={},this.#n())}async#n(){let{game:e,service:t}=this,n=await this.attempt(()=>t.matches.getGame({game:e}));if(!n)return;let r=n.game?.catalog?await this.attempt(()=>x(t,e)):w;if(!r||e!==this.game)return;let i=n.optionsSchema??{},a=S(i,r.armySchema);this.#t=a!==void 0,this.#e=V(T(i,r.entries),a),a&&(this.armies=await this.#r()),this.seats=n.seats,this.found=n,document.title=`${n.game?.name}: a new match`,await this.updateComplete,this.asked(`scenario`)&&await this.#d()}async#r(){let e=this.asked(`army`),t=await this.attempt(()=>v(this.service,this.game))??[];if(!e||t.some(t=>t.armyId===e))return t;let n=await this.attempt(()=>this.service.armies.getArmy({armyId:e}));return n?.army?[n.army,...t]:t}render(){let{found:t}=this;return this.framed(`A new match`,t?this.#i(t):e)}#i(e){return d`<form class="new-match" novalidate @submit=${this.#f} @change=${this.#u}>
      <h2>${e.game?.name}</h2>
      <p>${e.game?.summary}</p>
      ${this.#a()}
      ${this.#s()}
      <fieldset class="options">
        <legend>${E(this.#e.length,`option`)} of the rules</legend>
        <div>
          ${this.#e.map(e=>b(e,this.faults[e.name],this.asked(e.name)))}
        </div>
      </fieldset>
      ${this.#c()}
      <p class="begin"><button class="main" ?disabled=${this.busy}>Begin</button></p>
    </form>`}#a(){let t=Object.keys(this.faults).length;return t?d`<div class="faults" role="alert">
      <b>${t===1?`One thing is`:`${t} things are`} wrong:</b>
      <ul>
        ${Object.entries(this.faults).map(([e,t])=>e===z?d`<li>${t}</li>`:d`<li>${this.#o(e)}: ${t}</li>`)}
      </ul>
    </div>`:e}#o(e){return d`<a href="#${U(e)}" @click=${t=>{t.preventDefault(),this.querySelector(`[id="${U(e)}"]`)?.focus()}}>${e.replaceAll(/[_-]/g,` `)}</a>`}#s(){let e=(e,t,n)=>d`<div class="field">
        <label for=${e}>${t}</label>
        <select id=${e} name="${e}:">
          ${n.map(([e,t])=>d`<option value=${e}>${W(t)}</option>`)}
        </select>
      </div>`;return d`<fieldset>
      <legend>Terms</legend>
      <div class="field">
        <label for="title">Title</label>
        <input id="title" name="title:" maxlength="80" autocomplete="off" />
        ${y(`title`,this.faults.title??``)}
      </div>
      ${e(`chance`,`Dice and shuffles`,H([_.ROLLED,_.ENTERED],u))}
      ${e(`undo`,`Taking back`,H([h.CONSENT,h.FREE,h.REFEREE,h.NONE],a))}
      ${e(`visibility`,`Looking on`,[[i.PRIVATE,`whoever has a link`],[i.PUBLIC,`everybody`]])}
      ${e(`stand-in`,`If a player is gone for good`,[[t.NOBODY,`the match waits`],[t.REFEREE,`the referee may act for the seat`]])}
      <div class="field checked">
        <label for="pause">Pause for disputes</label>
        <input id="pause" name="pause:" type="checkbox" aria-describedby="pause-about" />
        <p class="note" id="pause-about">
          Nobody acts while a dispute is open, and the service draws nothing
        </p>
      </div>
      ${I()}
    </fieldset>`}#c(){return d`<fieldset class="by-seat">
      <legend>By seat</legend>
      ${this.seats.map((t,n)=>d`<div class="field">
          <b>${p(t)}</b>
          <label>Dice <select name="chance:${t}">
            <option value="0">As above</option>
            ${[_.ROLLED,_.ENTERED].map(e=>d`<option value=${e}>${W(u[e])}</option>`)}
          </select></label>
          ${this.#t?this.#l(t,n):e}
          ${y(`seat-${t}`,this.faults[`armies[${t}]`]??``)}
        </div>`)}
      ${this.#t?d`<p class="note">
              Armies are fielded where the scenario lets players build them.
              <a href=${f({page:`armies`},{game:this.game})}>Build an army</a>
            </p>`:e}
    </fieldset>`}#l(e,t){let n=t===0?this.asked(`army`):``;return d`<label>Army <select name="army:${e}">
      <option value="">A ready one</option>
      ${this.armies.map(({armyId:e,name:t,points:r})=>d`<option value=${e} ?selected=${e===n}>
          ${t}, ${E(r,`point`)}
        </option>`)}
    </select></label>`}#u=D(()=>void this.#d());async#d(){let e=this.querySelector(`form`);if(!e)return;let{values:t,faults:r}=C(this.#e,e),i={...r},a={...t};for(;;)try{let e=await this.service.matches.getGame({game:this.game,options:a});this.seats=e.seats;break}catch(e){let t=n(e),[r=z]=Object.keys(t.fields),o=/^options\.([\w-]+)/.exec(r)?.[1]??z;if(i[o]=t.fields[r]??t.rawMessage,!(o in a))break;delete a[o]}return this.faults=i,Object.keys(i).length?void 0:t}#f=async e=>{e.preventDefault();let t=e.target,n=await this.#d();n&&await this.#m(this.#p(t,n)),Object.keys(this.faults).length&&scrollTo(0,0)};#p(e,t){let n=t=>e.elements.namedItem(t)?.value??``,r=e=>this.seats.map(t=>[t,n(`${e}:${t}`)]);return{requestId:c(),game:this.game,title:n(`title:`),chance:Number(n(`chance:`)),undo:Number(n(`undo:`)),visibility:Number(n(`visibility:`)),standIn:Number(n(`stand-in:`)),pauseOnDispute:e.elements.namedItem(`pause:`).checked,...L(n(`clock:`)),options:t,seatChance:Object.fromEntries(r(`chance`).flatMap(([e,t])=>Number(t)?[[e,Number(t)]]:[])),armies:Object.fromEntries(r(`army`).filter(([,e])=>e))}}async#m(e){this.busy=!0;try{let t=await l(()=>this.service.matches.createMatch(e)),n=t.match?.matchId??``;s(n,t.tokens),m(f({match:n,as:t.match?.asks[0]?.seat??``}))}catch(e){let{fields:t,rawMessage:r}=n(e);this.faults=Object.keys(t).length?t:{[z]:r}}finally{this.busy=!1}}};function V(e,t){return e.filter(({name:e})=>e!==t&&e!==R)}function H(e,t){return e.map(e=>[e,t[e]])}function U(e){return e===`title`?e:`option-${e}`}function W(e){return e.charAt(0).toUpperCase()+e.slice(1)}customElements.define(`emeth-new-match`,B);function G(e,t){return d`<emeth-new-match .service=${e} .query=${t}></emeth-new-match>`}export{G as show};