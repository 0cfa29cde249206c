import{B as e,C as t,D as n,E as r,H as i,J as a,K as o,M as ee,Q as s,T as c,U as l,V as te,W as u,X as d,Y as f,Z as ne,_ as p,a as re,at as m,b as h,d as ie,f as g,g as ae,i as _,o as v,ot as y,p as oe,q as b,rt as x,u as se,v as ce,w as le}from"./index-B5Yiozkt.js";import{r as ue}from"./armies-u4WicTNH.js";import{t as de}from"./content-CtaQ_qEU.js";import{a as fe,i as pe,n as me,r as S,t as he}from"./options-BUvtcA22.js";import{n as C,r as ge,t as w}from"./page-BIRXciqb.js";var T=`emeth.level`,E=`against:`,D=`level:`;function O(e,t){if(!e.length)return m;let n=A();return y`<button name=${E} ?disabled=${t}>Against a bot</button>
    <select name=${D} aria-label="How well the bot plays">
      ${e.map(({name:e,description:t})=>y`<option value=${e} title=${t} ?selected=${e===n}>${e}</option>`)}
    </select>`}function k(e,t,n,r){if(t?.getAttribute(`name`)!==E)return r;let i=e.elements.namedItem(D).value;j(i);let a=n.filter(e=>!r[e]).slice(1);return{...r,...Object.fromEntries(a.map(e=>[e,i]))}}function A(){try{return localStorage.getItem(T)??``}catch{return``}}function j(e){try{localStorage.setItem(T,e)}catch{}}var M=[[`at-once`,`At once: a link for each seat`],[`invited`,`When full: a code for each seat`],[`linked`,`When full: one link for all`],[`anybody`,`When full: anybody may join`]],N={invited:e.INVITED,linked:e.LINKED,anybody:e.ANYBODY},P=[b.CHOSEN,b.IN_ORDER,b.DRAWN],F=[o.CREATOR,o.NOBODY,o.INVITED,o.OPERATOR],I=[o.NOBODY,o.CREATOR,o.INVITED,o.OPERATOR];function L(e,t){let n=(e,t,n)=>y`<div class="field">
      <label for=${e}>${t}</label>
      <select id=${e} name="${e}:">
        ${n.map(([e,t])=>y`<option value=${e}>${g(t)}</option>`)}
      </select>
    </div>`;return y`<fieldset class="beginning">
    <legend>Players</legend>
    ${n(`begins`,`It begins`,M)}
    ${t?y`${n(`order`,`Who sits where`,P.map(e=>[e,se[e]]))}
            ${n(`own`,`I play`,[[``,`I do not, or choose later`],...e.map(e=>[e,`as ${h(e)}`])])}
            ${r()?m:y`<div class="field">
                    <label for="player">My name, if I play</label>
                    <input id="player" name="player:" maxlength="80" autocomplete="nickname" .value=${c()} />
                  </div>`}`:m}
    ${n(`referee`,`Referee`,(t?I:F).map(e=>[e,ie[e]]))}
  </fieldset>`}function R(e){return z(e,`begins`)in N}function _e(t){let n=Number(z(t,`referee`));if(!R(t))return{referee:n};let i=z(t,`own`),a=r()?``:z(t,`player`).trim();return{referee:n,begins:te.WHEN_FULL,admission:N[z(t,`begins`)]??e.INVITED,seatOrder:Number(z(t,`order`)),...i?{ownSeat:{seat:i,player:a,entropy:re()}}:{}}}function z(e,t){return e.elements.namedItem(`${t}:`)?.value??``}var B=1000n,V=60n*B,ve=60n*V,ye={delayMs:3n*B,delay:u.SIMPLE},H=(e,t={})=>x(l,{kind:{case:`side`,value:{ms:e,...t}}}),be=e=>x(l,{kind:{case:`move`,value:{ms:e}}}),U=e=>x(l,{kind:{case:`correspondence`,value:{days:e}}}),W={"3m+2s":H(3n*V,{incrementMs:2n*B}),"5m d3s":H(5n*V,ye),"10m+5s":H(10n*V,{incrementMs:5n*B}),"15m+10s":H(15n*V,{incrementMs:10n*B}),"30m+20s":H(30n*V,{incrementMs:20n*B}),"1h":H(ve),"2m/action":be(2n*V),"1d/action":U(1),"3d/action":U(3),"7d/action":U(7)},G=`own`,K={minutes:10080,seconds:3600},q=()=>Object.entries(W).map(([e,t])=>y`<option value=${e}>${g(oe(t))}</option>`);function xe(e){let t=(e,t,n,r,i)=>y`<label>${t} <input class="short" name="${e}:" type="number" value=${n} min=${r} max=${i} required /></label>`;return y`<div class="field">
    <label for="clock">Clock for each seat</label>
    <select id="clock" name="clock:">
      <option value="">No clock</option>
      ${q()}
      <option value=${G}>Another …</option>
    </select>
    ${e?y`<div class="row">
            ${t(`clock-minutes`,`Minutes`,20,1,K.minutes)}
            ${t(`clock-seconds`,`Seconds more a turn`,10,0,K.seconds)}
          </div>`:m}
  </div>`}function Se(e){return y`<label>Clock <select name="clock:${e}">
    <option value="">As above</option>
    ${q()}
  </select></label>`}function J(e){return Y(e,`clock:`)===G}function Ce(e,t){let n=J(e)?we(e):W[Y(e,`clock:`)],r=t.flatMap(t=>{let n=W[Y(e,`clock:${t}`)];return n?[[t,n]]:[]});return{...n?{clock:n}:{},seatClocks:Object.fromEntries(r)}}function we(e){let t=t=>BigInt(Math.max(0,Math.trunc(Number(Y(e,t))||0)));return H(t(`clock-minutes:`)*V,{incrementMs:t(`clock-seconds:`)*B})}function Y(e,t){return e.elements.namedItem(t)?.value??``}var Te=`chance`,X=``,Z=class extends w{static properties={...w.properties,game:{attribute:!1},found:{state:!0},faults:{state:!0},armies:{state:!0},seats:{state:!0},waits:{state:!0},isOwnClock:{state:!0}};#e=[];#t=!1;#n=!1;constructor(){super(),this.found=void 0,this.faults={},this.armies=[],this.seats=[],this.waits=!1,this.isOwnClock=!1}willUpdate(e){e.has(`query`)&&this.asked(`new`)!==this.game&&(this.game=this.asked(`new`),this.found=void 0,this.faults={},this.#r())}async#r(){let{game:e,service:t}=this,n=await this.attempt(()=>t.games.getGame({game:e}));if(!n)return;let r=n.game?.hasContent?await this.attempt(()=>de(t,e)):[];if(!r||e!==this.game)return;let i=n.game?.options??[],a=he(i);this.#t=a!==void 0,this.#e=De(fe(i,r),a),a&&(this.armies=await this.#i()),this.seats=n.setup?.seats??[],this.found=n,ae(`${n.game?.name}: a new match`),await this.updateComplete,this.asked(`scenario`)&&await this.#g()}async#i(){let e=this.asked(`army`),t=await this.attempt(()=>ue(this.service,this.game))??[];if(!e||t.some(t=>t.armyId===e))return t;let n=await this.attempt(()=>this.service.armies.getArmy({armyId:e}));return n?.army?[n.army,...t]:t}render(){let{found:e}=this;return this.framed(`A new match`,e?this.#a(e):m)}#a(e){return y`<form class="new-match" novalidate @submit=${this.#_} @change=${this.#m}>
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
        ${this.waits?m:O(this.found?.game?.botLevels??[],this.busy)}
      </p>
    </form>`}#o(){let e=Object.keys(this.faults).length;return e?y`<div class="faults" role="alert">
      <b>${e===1?`One thing is`:`${e} things are`} wrong:</b>
      <ul>
        ${Object.entries(this.faults).map(([e,t])=>e===X?y`<li>${t}</li>`:y`<li>${this.#s(e)}: ${t}</li>`)}
      </ul>
    </div>`:m}#s(e){return y`<a href="#${$(e)}" @click=${t=>{t.preventDefault(),this.querySelector(`[id="${$(e)}"]`)?.focus()}}>${Oe(this.#e,e)}</a>`}#c(){let e=(e,t,n)=>y`<div class="field">
        <label for=${e}>${t}</label>
        <select id=${e} name="${e}:">
          ${n.map(([e,t])=>y`<option value=${e}>${g(t)}</option>`)}
        </select>
      </div>`;return y`<fieldset>
      <legend>Terms</legend>
      <div class="field">
        <label for="title">Title</label>
        <input id="title" name="title:" maxlength="80" autocomplete="off" />
        ${S(`title`,this.faults.title??``)}
      </div>
      ${this.#l?e(`chance`,`Dice and shuffles`,Q([i.ROLLED,i.ENTERED],p)):m}
      ${e(`undo`,`Taking back`,Q([f.CONSENT,f.FREE,f.REFEREE,f.NONE],ce))}
      ${e(`visibility`,`Looking on`,[[d.PRIVATE,`whoever has a link`],[d.PUBLIC,`everybody`],[d.UNLISTED,`everybody who knows its address`]])}
      ${e(`stand-in`,`If a player is gone for good`,[[a.NOBODY,`the match waits`],[a.REFEREE,`the referee may act for the seat`]])}
      <div class="field checked">
        <label for="pause">Pause for disputes</label>
        <input id="pause" name="pause:" type="checkbox" aria-describedby="pause-about" />
        <p class="note" id="pause-about">
          Nobody acts while a dispute is open${this.#l?`, and the service draws nothing`:m}
        </p>
      </div>
      ${xe(this.isOwnClock)}
    </fieldset>`}get#l(){return this.found?.game?.hasChance??!1}#u(e){return y`<label>Dice <select name="chance:${e}">
      <option value="0">As above</option>
      ${[i.ROLLED,i.ENTERED].map(e=>y`<option value=${e}>${g(p[e])}</option>`)}
    </select></label>`}#d(){return y`<fieldset class="by-seat">
      <legend>By seat</legend>
      ${this.seats.map((e,t)=>y`<div class="field">
          <b>${h(e)}</b>
          ${this.#l?this.#u(e):m} ${Se(e)}
          ${this.#t?this.#f(e,t):m} ${this.#p(e)}
          ${S(`seat-${e}`,this.faults[`armies[${e}]`]??``)}
        </div>`)}
      ${this.#t?y`<p class="note">
              Armies are fielded where the scenario lets players build them.
              <a href=${t({page:`armies`},{game:this.game})}>Build an army</a>
            </p>`:m}
    </fieldset>`}#f(e,t){let n=t===0?this.asked(`army`):``;return y`<label>Army <select name="army:${e}">
      <option value="">A ready one</option>
      ${this.armies.map(({armyId:e,name:t,points:r})=>y`<option value=${e} ?selected=${e===n}>
          ${t}, ${C(r,`point`)}
        </option>`)}
    </select></label>`}#p(e){let t=this.found?.game?.botLevels??[];return t.length?y`<label>Played by <select name="bot:${e}">
      <option value="">A person</option>
      ${t.map(({name:e,description:t})=>y`<option value=${e} title=${t}>A bot: ${e}</option>`)}
    </select></label>`:m}#m=e=>{let t=e.currentTarget;this.waits=R(t),this.isOwnClock=J(t),this.#n=!0,this.#h()};#h=ge(()=>{this.#n&&this.#g()});async#g(){let e=this.querySelector(`form`);if(!e)return;this.#n=!1;let{values:t,faults:n}=me(this.#e,e),r={...n},i={...t};for(;;)try{let{setup:e}=await this.service.games.getGame({game:this.game,options:i});this.seats=e?.seats??[];break}catch(e){let t=s(e),[n=X]=Object.keys(t.fields),a=/^options\.([\w-]+)/.exec(n)?.[1]??X;if(r[a]=t.fields[n]??t.rawMessage,!(a in i))break;delete i[a]}return this.faults=r,Object.keys(r).length?void 0:t}#_=async e=>{e.preventDefault();let t=e.target;this.busy=!0;try{let n=await this.#g();n&&await this.#y(this.#v(t,n,e.submitter))}finally{this.busy=!1}Object.keys(this.faults).length&&scrollTo(0,0)};#v(e,t,n){let r=t=>e.elements.namedItem(t)?.value??``,i=e=>this.seats.map(t=>[t,r(`${e}:${t}`)]);return{requestId:ne(),game:this.game,title:r(`title:`),chance:Number(r(`chance:`)),undo:Number(r(`undo:`)),visibility:Number(r(`visibility:`)),standIn:Number(r(`stand-in:`)),pauseOnDispute:e.elements.namedItem(`pause:`).checked,..._e(e),...Ce(e,this.seats),options:t,seatChance:Object.fromEntries(i(`chance`).flatMap(([e,t])=>Number(t)?[[e,Number(t)]]:[])),armies:Object.fromEntries(i(`army`).filter(([,e])=>e)),bots:k(e,n,this.seats,Object.fromEntries(i(`bot`).filter(([,e])=>e)))}}async#y(e){try{let i=r(),a=i&&e.ownSeat?this.service.with(i):this.service,o=await ee(()=>a.matches.createMatch(e)),s=o.match?.matchId??``;n(s,Ee(e,o.tokens,i)),v(s,o.codes);let c=o.match?.prompts[0]?.seat??``,l=this.seats.filter(t=>!e.bots?.[t]);le(t({match:s,as:e.bots?.[c]?l[0]??``:c}))}catch(e){let{fields:t,rawMessage:n}=s(e);this.faults=Object.keys(t).length?t:{[X]:n}}}};function Ee({ownSeat:e,seatOrder:t},n,r){let i=e?.seat??``;if(!i)return n;let{[i]:a=``,...o}=n;return{...o,[t===b.DRAWN?_:i]:a||r}}function De(e,t){return e.filter(({name:e})=>e!==t&&e!==Te)}function Q(e,t){return e.map(e=>[e,t[e]])}function Oe(e,t){return e.find(e=>e.name===t)?.title??t}function $(e){return e===`title`?e:`option-${e}`}customElements.define(`emeth-new-match`,Z);function ke(e,t){return y`<emeth-new-match .service=${e} .query=${t}></emeth-new-match>`}export{ke as show};