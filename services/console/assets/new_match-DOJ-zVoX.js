import{$ as e,D as t,E as n,F as r,G as i,H as a,J as o,K as s,O as c,P as ee,Q as l,S as u,T as d,U as te,W as f,X as p,Y as m,Z as h,a as g,at as _,b as ne,f as re,h as ie,i as ae,k as oe,m as v,o as se,ot as y,p as ce,rt as b,v as le,y as x}from"./index-FnYwRBpT.js";import{r as ue}from"./armies-BV4kxgUq.js";import{t as de}from"./content-CtaQ_qEU.js";import{a as fe,i as pe,n as me,r as S,t as he}from"./options-BnUP8WY8.js";import{n as C,r as ge,t as w}from"./page-CZSkNF-t.js";var T=`emeth.level`,E=`against:`,D=`level:`;function O(e,t){if(!e.length)return _;let n=A();return y`<button name=${E} ?disabled=${t}>Against a bot</button>
    <select name=${D} aria-label="How well the bot plays">
      ${e.map(({name:e,description:t})=>y`<option value=${e} title=${t} ?selected=${e===n}>${e}</option>`)}
    </select>`}function k(e,t,n,r){if(t?.getAttribute(`name`)!==E)return r;let i=e.elements.namedItem(D).value;j(i);let a=n.filter(e=>!r[e]).slice(1);return{...r,...Object.fromEntries(a.map(e=>[e,i]))}}function A(){try{return localStorage.getItem(T)??``}catch{return``}}function j(e){try{localStorage.setItem(T,e)}catch{}}var M=[[`at-once`,`At once: a link for each seat`],[`invited`,`When full: a code for each seat`],[`linked`,`When full: one link for all`],[`anybody`,`When full: anybody may join`]],N={invited:a.INVITED,linked:a.LINKED,anybody:a.ANYBODY},P=[m.CHOSEN,m.IN_ORDER,m.DRAWN],F=[o.CREATOR,o.NOBODY,o.INVITED,o.OPERATOR],I=[o.NOBODY,o.CREATOR,o.INVITED,o.OPERATOR];function L(e,n){let r=(e,t,n)=>y`<div class="field">
      <label for=${e}>${t}</label>
      <select id=${e} name="${e}:">
        ${n.map(([e,t])=>y`<option value=${e}>${v(t)}</option>`)}
      </select>
    </div>`;return y`<fieldset class="beginning">
    <legend>Players</legend>
    ${r(`begins`,`It begins`,M)}
    ${n?y`${r(`order`,`Who sits where`,P.map(e=>[e,re[e]]))}
            ${r(`own`,`I play`,[[``,`I do not, or choose later`],...e.map(e=>[e,`as ${u(e)}`])])}
            ${c()?_:y`<div class="field">
                    <label for="player">My name, if I play</label>
                    <input id="player" name="player:" maxlength="80" autocomplete="nickname" .value=${t()} />
                  </div>`}`:_}
    ${r(`referee`,`Referee`,(n?I:F).map(e=>[e,ce[e]]))}
  </fieldset>`}function R(e){return z(e,`begins`)in N}function _e(e){let t=Number(z(e,`referee`));if(!R(e))return{referee:t};let n=z(e,`own`),r=c()?``:z(e,`player`).trim();return{referee:t,begins:te.WHEN_FULL,admission:N[z(e,`begins`)]??a.INVITED,seatOrder:Number(z(e,`order`)),...n?{ownSeat:{seat:n,player:r,entropy:g()}}:{}}}function z(e,t){return e.elements.namedItem(`${t}:`)?.value??``}var B=1000n,V=60n*B,ve=60n*V,ye={delayMs:3n*B,delay:s.SIMPLE},H=(e,t={})=>b(i,{kind:{case:`side`,value:{ms:e,...t}}}),be=e=>b(i,{kind:{case:`move`,value:{ms:e}}}),U=e=>b(i,{kind:{case:`correspondence`,value:{days:e}}}),W={"3m+2s":H(3n*V,{incrementMs:2n*B}),"5m d3s":H(5n*V,ye),"10m+5s":H(10n*V,{incrementMs:5n*B}),"15m+10s":H(15n*V,{incrementMs:10n*B}),"30m+20s":H(30n*V,{incrementMs:20n*B}),"1h":H(ve),"2m/action":be(2n*V),"1d/action":U(1),"3d/action":U(3),"7d/action":U(7)},G=`own`,K={minutes:10080,seconds:3600},q=()=>Object.entries(W).map(([e,t])=>y`<option value=${e}>${v(ie(t))}</option>`);function xe(e){let t=(e,t,n,r,i)=>y`<label>${t} <input class="short" name="${e}:" type="number" value=${n} min=${r} max=${i} required /></label>`;return y`<div class="field">
    <label for="clock">Clock for each seat</label>
    <select id="clock" name="clock:">
      <option value="">No clock</option>
      ${q()}
      <option value=${G}>Another …</option>
    </select>
    ${e?y`<div class="row">
            ${t(`clock-minutes`,`Minutes`,20,1,K.minutes)}
            ${t(`clock-seconds`,`Seconds more a turn`,10,0,K.seconds)}
          </div>`:_}
  </div>`}function Se(e){return y`<label>Clock <select name="clock:${e}">
    <option value="">As above</option>
    ${q()}
  </select></label>`}function J(e){return Y(e,`clock:`)===G}function Ce(e,t){let n=J(e)?we(e):W[Y(e,`clock:`)],r=t.flatMap(t=>{let n=W[Y(e,`clock:${t}`)];return n?[[t,n]]:[]});return{...n?{clock:n}:{},seatClocks:Object.fromEntries(r)}}function we(e){let t=t=>BigInt(Math.max(0,Math.trunc(Number(Y(e,t))||0)));return H(t(`clock-minutes:`)*V,{incrementMs:t(`clock-seconds:`)*B})}function Y(e,t){return e.elements.namedItem(t)?.value??``}var Te=`chance`,X=``,Z=class extends w{static properties={...w.properties,game:{attribute:!1},found:{state:!0},faults:{state:!0},armies:{state:!0},seats:{state:!0},waits:{state:!0},isOwnClock:{state:!0}};#e=[];#t=!1;#n=!1;constructor(){super(),this.found=void 0,this.faults={},this.armies=[],this.seats=[],this.waits=!1,this.isOwnClock=!1}willUpdate(e){e.has(`query`)&&this.asked(`new`)!==this.game&&(this.game=this.asked(`new`),this.found=void 0,this.faults={},this.#r())}async#r(){let{game:e,service:t}=this,n=await this.attempt(()=>t.games.getGame({game:e}));if(!n)return;let r=n.game?.hasContent?await this.attempt(()=>de(t,e)):[];if(!r||e!==this.game)return;let i=n.game?.options??[],a=he(i);this.#t=a!==void 0,this.#e=De(fe(i,r),a),a&&(this.armies=await this.#i()),this.seats=n.setup?.seats??[],this.found=n,le(`${n.game?.name}: a new match`),await this.updateComplete,this.asked(`scenario`)&&await this.#g()}async#i(){let e=this.asked(`army`),t=await this.attempt(()=>ue(this.service,this.game))??[];if(!e||t.some(t=>t.armyId===e))return t;let n=await this.attempt(()=>this.service.armies.getArmy({armyId:e}));return n?.army?[n.army,...t]:t}render(){let{found:e}=this;return this.framed(`A new match`,e?this.#a(e):_)}#a(e){return y`<form class="new-match" novalidate @submit=${this.#_} @change=${this.#m}>
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
        ${this.waits?_:O(this.found?.game?.botLevels??[],this.busy)}
      </p>
    </form>`}#o(){let e=Object.keys(this.faults).length;return e?y`<div class="faults" role="alert">
      <b>${e===1?`One thing is`:`${e} things are`} wrong:</b>
      <ul>
        ${Object.entries(this.faults).map(([e,t])=>e===X?y`<li>${t}</li>`:y`<li>${this.#s(e)}: ${t}</li>`)}
      </ul>
    </div>`:_}#s(e){return y`<a href="#${$(e)}" @click=${t=>{t.preventDefault(),this.querySelector(`[id="${$(e)}"]`)?.focus()}}>${Oe(this.#e,e)}</a>`}#c(){let e=(e,t,n)=>y`<div class="field">
        <label for=${e}>${t}</label>
        <select id=${e} name="${e}:">
          ${n.map(([e,t])=>y`<option value=${e}>${v(t)}</option>`)}
        </select>
      </div>`;return y`<fieldset>
      <legend>Terms</legend>
      <div class="field">
        <label for="title">Title</label>
        <input id="title" name="title:" maxlength="80" autocomplete="off" />
        ${S(`title`,this.faults.title??``)}
      </div>
      ${this.#l?e(`chance`,`Dice and shuffles`,Q([f.ROLLED,f.ENTERED],x)):_}
      ${e(`undo`,`Taking back`,Q([h.CONSENT,h.FREE,h.REFEREE,h.NONE],ne))}
      ${e(`visibility`,`Looking on`,[[l.PRIVATE,`whoever has a link`],[l.PUBLIC,`everybody`],[l.UNLISTED,`everybody who knows its address`]])}
      ${e(`stand-in`,`If a player is gone for good`,[[p.NOBODY,`the match waits`],[p.REFEREE,`the referee may act for the seat`]])}
      <div class="field checked">
        <label for="pause">Pause for disputes</label>
        <input id="pause" name="pause:" type="checkbox" aria-describedby="pause-about" />
        <p class="note" id="pause-about">
          Nobody acts while a dispute is open${this.#l?`, and the service draws nothing`:_}
        </p>
      </div>
      ${xe(this.isOwnClock)}
    </fieldset>`}get#l(){return this.found?.game?.hasChance??!1}#u(e){return y`<label>Dice <select name="chance:${e}">
      <option value="0">As above</option>
      ${[f.ROLLED,f.ENTERED].map(e=>y`<option value=${e}>${v(x[e])}</option>`)}
    </select></label>`}#d(){return y`<fieldset class="by-seat">
      <legend>By seat</legend>
      ${this.seats.map((e,t)=>y`<div class="field">
          <b>${u(e)}</b>
          ${this.#l?this.#u(e):_} ${Se(e)}
          ${this.#t?this.#f(e,t):_} ${this.#p(e)}
          ${S(`seat-${e}`,this.faults[`armies[${e}]`]??``)}
        </div>`)}
      ${this.#t?y`<p class="note">
              Armies are fielded where the scenario lets players build them.
              <a href=${d({page:`armies`},{game:this.game})}>Build an army</a>
            </p>`:_}
    </fieldset>`}#f(e,t){let n=t===0?this.asked(`army`):``;return y`<label>Army <select name="army:${e}">
      <option value="">A ready one</option>
      ${this.armies.map(({armyId:e,name:t,points:r})=>y`<option value=${e} ?selected=${e===n}>
          ${t}, ${C(r,`point`)}
        </option>`)}
    </select></label>`}#p(e){let t=this.found?.game?.botLevels??[];return t.length?y`<label>Played by <select name="bot:${e}">
      <option value="">A person</option>
      ${t.map(({name:e,description:t})=>y`<option value=${e} title=${t}>A bot: ${e}</option>`)}
    </select></label>`:_}#m=e=>{let t=e.currentTarget;this.waits=R(t),this.isOwnClock=J(t),this.#n=!0,this.#h()};#h=ge(()=>{this.#n&&this.#g()});async#g(){let t=this.querySelector(`form`);if(!t)return;this.#n=!1;let{values:n,faults:r}=me(this.#e,t),i={...r},a={...n};for(;;)try{let{setup:e}=await this.service.games.getGame({game:this.game,options:a});this.seats=e?.seats??[];break}catch(t){let n=e(t),[r=X]=Object.keys(n.fields),o=/^options\.([\w-]+)/.exec(r)?.[1]??X;if(i[o]=n.fields[r]??n.rawMessage,!(o in a))break;delete a[o]}return this.faults=i,Object.keys(i).length?void 0:n}#_=async e=>{e.preventDefault();let t=e.target;this.busy=!0;try{let n=await this.#g();n&&await this.#y(this.#v(t,n,e.submitter))}finally{this.busy=!1}Object.keys(this.faults).length&&scrollTo(0,0)};#v(e,t,n){let i=t=>e.elements.namedItem(t)?.value??``,a=e=>this.seats.map(t=>[t,i(`${e}:${t}`)]);return{requestId:r(),game:this.game,title:i(`title:`),chance:Number(i(`chance:`)),undo:Number(i(`undo:`)),visibility:Number(i(`visibility:`)),standIn:Number(i(`stand-in:`)),pauseOnDispute:e.elements.namedItem(`pause:`).checked,..._e(e),...Ce(e,this.seats),options:t,seatChance:Object.fromEntries(a(`chance`).flatMap(([e,t])=>Number(t)?[[e,Number(t)]]:[])),armies:Object.fromEntries(a(`army`).filter(([,e])=>e)),bots:k(e,n,this.seats,Object.fromEntries(a(`bot`).filter(([,e])=>e)))}}async#y(t){try{let e=c(),r=e&&t.ownSeat?this.service.with(e):this.service,i=await ee(()=>r.matches.createMatch(t)),a=i.match?.matchId??``;oe(a,Ee(t,i.tokens,e)),se(a,i.codes);let o=i.match?.prompts[0]?.seat??``,s=this.seats.filter(e=>!t.bots?.[e]);n(d({match:a,as:t.bots?.[o]?s[0]??``:o}))}catch(t){let{fields:n,rawMessage:r}=e(t);this.faults=Object.keys(n).length?n:{[X]:r}}}};function Ee({ownSeat:e,seatOrder:t},n,r){let i=e?.seat??``;if(!i)return n;let{[i]:a=``,...o}=n;return{...o,[t===m.DRAWN?ae:i]:a||r}}function De(e,t){return e.filter(({name:e})=>e!==t&&e!==Te)}function Q(e,t){return e.map(e=>[e,t[e]])}function Oe(e,t){return e.find(e=>e.name===t)?.title??t}function $(e){return e===`title`?e:`option-${e}`}customElements.define(`emeth-new-match`,Z);function ke(e,t){return y`<emeth-new-match .service=${e} .query=${t}></emeth-new-match>`}export{ke as show};