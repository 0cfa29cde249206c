import{$ as e,D as t,E as n,G as r,H as i,J as a,K as o,O as s,P as ee,Q as c,S as l,T as u,U as te,W as d,X as f,Y as p,Z as m,a as ne,b as re,ct as h,et as g,f as ie,h as ae,i as oe,k as se,lt as _,m as v,o as y,ot as b,p as ce,v as le,y as x}from"./index-C6A5yDTe.js";import{r as ue}from"./armies-u4WicTNH.js";import{t as de}from"./content-CtaQ_qEU.js";import{a as fe,i as pe,n as me,r as S,t as he}from"./options-fc55l3nz.js";import{n as C,r as ge,t as w}from"./page-ItPi5Hhj.js";var T=`emeth.level`,E=`against:`,D=`level:`;function O(e,t){if(!e.length)return h;let n=A();return _`<button name=${E} ?disabled=${t}>Against a bot</button>
    <select name=${D} aria-label="How well the bot plays">
      ${e.map(({name:e,description:t})=>_`<option value=${e} title=${t} ?selected=${e===n}>${e}</option>`)}
    </select>`}function k(e,t,n,r){if(t?.getAttribute(`name`)!==E)return r;let i=e.elements.namedItem(D).value;j(i);let a=n.filter(e=>!r[e]).slice(1);return{...r,...Object.fromEntries(a.map(e=>[e,i]))}}function A(){try{return localStorage.getItem(T)??``}catch{return``}}function j(e){try{localStorage.setItem(T,e)}catch{}}var M=[[`at-once`,`At once: a link for each seat`],[`invited`,`When full: a code for each seat`],[`linked`,`When full: one link for all`],[`anybody`,`When full: anybody may join`]],N={invited:i.INVITED,linked:i.LINKED,anybody:i.ANYBODY},P=[p.CHOSEN,p.IN_ORDER,p.DRAWN],F=[a.CREATOR,a.NOBODY,a.INVITED,a.OPERATOR],I=[a.NOBODY,a.CREATOR,a.INVITED,a.OPERATOR];function L(e,n){let r=(e,t,n)=>_`<div class="field">
      <label for=${e}>${t}</label>
      <select id=${e} name="${e}:">
        ${n.map(([e,t])=>_`<option value=${e}>${v(t)}</option>`)}
      </select>
    </div>`;return _`<fieldset class="beginning">
    <legend>Players</legend>
    ${r(`begins`,`It begins`,M)}
    ${n?_`${r(`order`,`Who sits where`,P.map(e=>[e,ie[e]]))}
            ${r(`own`,`I play`,[[``,`I do not, or choose later`],...e.map(e=>[e,`as ${l(e)}`])])}
            ${s()?h:_`<div class="field">
                    <label for="player">My name, if I play</label>
                    <input id="player" name="player:" maxlength="80" autocomplete="nickname" .value=${t()} />
                  </div>`}`:h}
    ${r(`referee`,`Referee`,(n?I:F).map(e=>[e,ce[e]]))}
  </fieldset>`}function R(e){return z(e,`begins`)in N}function _e(e){let t=Number(z(e,`referee`));if(!R(e))return{referee:t};let n=z(e,`own`),r=s()?``:z(e,`player`).trim();return{referee:t,begins:te.WHEN_FULL,admission:N[z(e,`begins`)]??i.INVITED,seatOrder:Number(z(e,`order`)),...n?{ownSeat:{seat:n,player:r,entropy:ne()}}:{}}}function z(e,t){return e.elements.namedItem(`${t}:`)?.value??``}var B=1000n,V=60n*B,ve=60n*V,ye={delayMs:3n*B,delay:o.SIMPLE},H=(e,t={})=>b(r,{kind:{case:`side`,value:{ms:e,...t}}}),be=e=>b(r,{kind:{case:`move`,value:{ms:e}}}),U=e=>b(r,{kind:{case:`correspondence`,value:{days:e}}}),W={"3m+2s":H(3n*V,{incrementMs:2n*B}),"5m d3s":H(5n*V,ye),"10m+5s":H(10n*V,{incrementMs:5n*B}),"15m+10s":H(15n*V,{incrementMs:10n*B}),"30m+20s":H(30n*V,{incrementMs:20n*B}),"1h":H(ve),"2m/action":be(2n*V),"1d/action":U(1),"3d/action":U(3),"7d/action":U(7)},G=`own`,K={minutes:10080,seconds:3600},q=()=>Object.entries(W).map(([e,t])=>_`<option value=${e}>${v(ae(t))}</option>`);function xe(e){let t=(e,t,n,r,i)=>_`<label>${t} <input class="short" name="${e}:" type="number" value=${n} min=${r} max=${i} required /></label>`;return _`<div class="field">
    <label for="clock">Clock for each seat</label>
    <select id="clock" name="clock:">
      <option value="">No clock</option>
      ${q()}
      <option value=${G}>Another …</option>
    </select>
    ${e?_`<div class="row">
            ${t(`clock-minutes`,`Minutes`,20,1,K.minutes)}
            ${t(`clock-seconds`,`Seconds more a turn`,10,0,K.seconds)}
          </div>`:h}
  </div>`}function Se(e){return _`<label>Clock <select name="clock:${e}">
    <option value="">As above</option>
    ${q()}
  </select></label>`}function J(e){return Y(e,`clock:`)===G}function Ce(e,t){let n=J(e)?we(e):W[Y(e,`clock:`)],r=t.flatMap(t=>{let n=W[Y(e,`clock:${t}`)];return n?[[t,n]]:[]});return{...n?{clock:n}:{},seatClocks:Object.fromEntries(r)}}function we(e){let t=t=>BigInt(Math.max(0,Math.trunc(Number(Y(e,t))||0)));return H(t(`clock-minutes:`)*V,{incrementMs:t(`clock-seconds:`)*B})}function Y(e,t){return e.elements.namedItem(t)?.value??``}var Te=`chance`,X=``,Z=class extends w{static properties={...w.properties,game:{attribute:!1},found:{state:!0},faults:{state:!0},armies:{state:!0},seats:{state:!0},waits:{state:!0},isOwnClock:{state:!0}};#e=[];#t=!1;#n=!1;constructor(){super(),this.found=void 0,this.faults={},this.armies=[],this.seats=[],this.waits=!1,this.isOwnClock=!1}willUpdate(e){e.has(`query`)&&this.asked(`new`)!==this.game&&(this.game=this.asked(`new`),this.found=void 0,this.faults={},this.#r())}async#r(){let{game:e,service:t}=this,n=await this.attempt(()=>t.games.getGame({game:e}));if(!n)return;let r=n.game?.hasContent?await this.attempt(()=>de(t,e)):[];if(!r||e!==this.game)return;let i=n.game?.options??[],a=he(i);this.#t=a!==void 0,this.#e=De(fe(i,r),a),a&&(this.armies=await this.#i()),this.seats=n.setup?.seats??[],this.found=n,le(`${n.game?.name}: a new match`),await this.updateComplete,this.asked(`scenario`)&&await this.#g()}async#i(){let e=this.asked(`army`),t=await this.attempt(()=>ue(this.service,this.game))??[];if(!e||t.some(t=>t.armyId===e))return t;let n=await this.attempt(()=>this.service.armies.getArmy({armyId:e}));return n?.army?[n.army,...t]:t}render(){let{found:e}=this;return this.framed(`A new match`,e?this.#a(e):h)}#a(e){return _`<form class="new-match" novalidate @submit=${this.#_} @change=${this.#m}>
      <h2>${e.game?.name}</h2>
      <p>${e.game?.summary}</p>
      ${this.#o()}
      <div class="terms-column">${L(this.seats,this.waits)} ${this.#c()}</div>
      <fieldset class="options">
        <legend>${C(this.#e.length,`option`)} of the rules</legend>
        <div>
          ${this.#e.map(e=>pe(e,this.faults[e.name],this.asked(e.name)))}
        </div>
      </fieldset>
      ${this.#d()}
      <p class="begin row">
        <button class="main" ?disabled=${this.busy}>Begin</button>
        ${this.waits?h:O(this.found?.game?.botLevels??[],this.busy)}
      </p>
    </form>`}#o(){let e=Object.keys(this.faults).length;return e?_`<div class="faults" role="alert">
      <b>${e===1?`One thing is`:`${e} things are`} wrong:</b>
      <ul>
        ${Object.entries(this.faults).map(([e,t])=>e===X?_`<li>${t}</li>`:_`<li>${this.#s(e)}: ${t}</li>`)}
      </ul>
    </div>`:h}#s(e){return _`<a href="#${$(e)}" @click=${t=>{t.preventDefault(),this.querySelector(`[id="${$(e)}"]`)?.focus()}}>${Oe(this.#e,e)}</a>`}#c(){let e=(e,t,n)=>_`<div class="field">
        <label for=${e}>${t}</label>
        <select id=${e} name="${e}:">
          ${n.map(([e,t])=>_`<option value=${e}>${v(t)}</option>`)}
        </select>
      </div>`;return _`<fieldset>
      <legend>Terms</legend>
      <div class="field">
        <label for="title">Title</label>
        <input id="title" name="title:" maxlength="80" autocomplete="off" />
        ${S(`title`,this.faults.title??``)}
      </div>
      ${this.#l?e(`chance`,`Dice and shuffles`,Q([d.ROLLED,d.ENTERED],x)):h}
      ${e(`undo`,`Taking back`,Q([m.CONSENT,m.FREE,m.REFEREE,m.NONE],re))}
      ${e(`visibility`,`Looking on`,[[c.PRIVATE,`whoever has a link`],[c.PUBLIC,`everybody`],[c.UNLISTED,`everybody who knows its address`]])}
      ${e(`stand-in`,`If a player is gone for good`,[[f.NOBODY,`the match waits`],[f.REFEREE,`the referee may act for the seat`]])}
      <div class="field checked">
        <label for="pause">Pause for disputes</label>
        <input id="pause" name="pause:" type="checkbox" aria-describedby="pause-about" />
        <p class="note" id="pause-about">
          Nobody acts while a dispute is open${this.#l?`, and the service draws nothing`:h}
        </p>
      </div>
      ${xe(this.isOwnClock)}
    </fieldset>`}get#l(){return this.found?.game?.hasChance??!1}#u(e){return _`<label>Dice <select name="chance:${e}">
      <option value="0">As above</option>
      ${[d.ROLLED,d.ENTERED].map(e=>_`<option value=${e}>${v(x[e])}</option>`)}
    </select></label>`}#d(){return _`<fieldset class="by-seat">
      <legend>By seat</legend>
      ${this.seats.map((e,t)=>_`<div class="field">
          <b>${l(e)}</b>
          ${this.#l?this.#u(e):h} ${Se(e)}
          ${this.#t?this.#f(e,t):h} ${this.#p(e)}
          ${S(`seat-${e}`,this.faults[`armies[${e}]`]??``)}
        </div>`)}
      ${this.#t?_`<p class="note">
              Armies are fielded where the scenario lets players build them.
              <a href=${u({page:`armies`},{game:this.game})}>Build an army</a>
            </p>`:h}
    </fieldset>`}#f(e,t){let n=t===0?this.asked(`army`):``;return _`<label>Army <select name="army:${e}">
      <option value="">A ready one</option>
      ${this.armies.map(({armyId:e,name:t,points:r})=>_`<option value=${e} ?selected=${e===n}>
          ${t}, ${C(r,`point`)}
        </option>`)}
    </select></label>`}#p(e){let t=this.found?.game?.botLevels??[];return t.length?_`<label>Played by <select name="bot:${e}">
      <option value="">A person</option>
      ${t.map(({name:e,description:t})=>_`<option value=${e} title=${t}>A bot: ${e}</option>`)}
    </select></label>`:h}#m=e=>{let t=e.currentTarget;this.waits=R(t),this.isOwnClock=J(t),this.#n=!0,this.#h()};#h=ge(()=>{this.#n&&this.#g()});async#g(){let e=this.querySelector(`form`);if(!e)return;this.#n=!1;let{values:t,faults:n}=me(this.#e,e),r={...n},i={...t};for(;;)try{let{setup:e}=await this.service.games.getGame({game:this.game,options:i});this.seats=e?.seats??[];break}catch(e){let t=g(e),[n=X]=Object.keys(t.fields),a=/^options\.([\w-]+)/.exec(n)?.[1]??X;if(r[a]=t.fields[n]??t.rawMessage,!(a in i))break;delete i[a]}return this.faults=r,Object.keys(r).length?void 0:t}#_=async e=>{e.preventDefault();let t=e.target;this.busy=!0;try{let n=await this.#g();n&&await this.#y(this.#v(t,n,e.submitter))}finally{this.busy=!1}Object.keys(this.faults).length&&scrollTo(0,0)};#v(t,n,r){let i=e=>t.elements.namedItem(e)?.value??``,a=e=>this.seats.map(t=>[t,i(`${e}:${t}`)]);return{requestId:e(),game:this.game,title:i(`title:`),chance:Number(i(`chance:`)),undo:Number(i(`undo:`)),visibility:Number(i(`visibility:`)),standIn:Number(i(`stand-in:`)),pauseOnDispute:t.elements.namedItem(`pause:`).checked,..._e(t),...Ce(t,this.seats),options:n,seatChance:Object.fromEntries(a(`chance`).flatMap(([e,t])=>Number(t)?[[e,Number(t)]]:[])),armies:Object.fromEntries(a(`army`).filter(([,e])=>e)),bots:k(t,r,this.seats,Object.fromEntries(a(`bot`).filter(([,e])=>e)))}}async#y(e){try{let t=s(),r=t&&e.ownSeat?this.service.with(t):this.service,i=await ee(()=>r.matches.createMatch(e)),a=i.match?.matchId??``;se(a,Ee(e,i.tokens,t)),y(a,i.codes);let o=i.match?.prompts[0]?.seat??``,c=this.seats.filter(t=>!e.bots?.[t]);n(u({match:a,as:e.bots?.[o]?c[0]??``:o}))}catch(e){let{fields:t,rawMessage:n}=g(e);this.faults=Object.keys(t).length?t:{[X]:n}}}};function Ee({ownSeat:e,seatOrder:t},n,r){let i=e?.seat??``;if(!i)return n;let{[i]:a=``,...o}=n;return{...o,[t===p.DRAWN?oe:i]:a||r}}function De(e,t){return e.filter(({name:e})=>e!==t&&e!==Te)}function Q(e,t){return e.map(e=>[e,t[e]])}function Oe(e,t){return e.find(e=>e.name===t)?.title??t}function $(e){return e===`title`?e:`option-${e}`}customElements.define(`emeth-new-match`,Z);function ke(e,t){return _`<emeth-new-match .service=${e} .query=${t}></emeth-new-match>`}export{ke as show};