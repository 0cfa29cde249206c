import{D as e,E as t,F as n,G as r,H as i,J as a,O as o,P as s,Q as c,S as l,T as u,U as d,V as f,W as p,X as m,Y as h,Z as g,a as ee,b as te,et as _,f as ne,h as v,i as re,k as ie,m as y,nt as b,o as ae,p as oe,q as x,rt as S,v as se,y as C}from"./index-BFugVzW9.js";import{r as ce}from"./armies-CWqB9BlL.js";import{t as le}from"./content-CtaQ_qEU.js";import{a as ue,i as de,n as fe,r as w,t as pe}from"./options-YWBJ6C8O.js";import{n as T,r as me,t as E}from"./page-WkhXbvzz.js";var D=`emeth.level`,O=`against:`,k=`level:`;function he(e,t){if(!e.length)return b;let n=A();return S`<button name=${O} ?disabled=${t}>Against a bot</button>
    <select name=${k} aria-label="How well the bot plays">
      ${e.map(({name:e,description:t})=>S`<option value=${e} title=${t} ?selected=${e===n}>${e}</option>`)}
    </select>`}function ge(e,t,n,r){if(t?.getAttribute(`name`)!==O)return r;let i=e.elements.namedItem(k).value;j(i);let a=n.filter(e=>!r[e]).slice(1);return{...r,...Object.fromEntries(a.map(e=>[e,i]))}}function A(){try{return localStorage.getItem(D)??``}catch{return``}}function j(e){try{localStorage.setItem(D,e)}catch{}}var M=[[`at-once`,`At once: a link for each seat`],[`invited`,`When full: a code for each seat`],[`linked`,`When full: one link for all`],[`anybody`,`When full: anybody may join`]],N={invited:f.INVITED,linked:f.LINKED,anybody:f.ANYBODY},P=[a.CHOSEN,a.IN_ORDER,a.DRAWN],F=[x.CREATOR,x.NOBODY,x.INVITED,x.OPERATOR],I=[x.NOBODY,x.CREATOR,x.INVITED,x.OPERATOR];function L(t,n){let r=(e,t,n)=>S`<div class="field">
      <label for=${e}>${t}</label>
      <select id=${e} name="${e}:">
        ${n.map(([e,t])=>S`<option value=${e}>${y(t)}</option>`)}
      </select>
    </div>`;return S`<fieldset class="beginning">
    <legend>Players</legend>
    ${r(`begins`,`It begins`,M)}
    ${n?S`${r(`order`,`Who sits where`,P.map(e=>[e,ne[e]]))}
            ${r(`own`,`I play`,[[``,`I do not, or choose later`],...t.map(e=>[e,`as ${l(e)}`])])}
            ${o()?b:S`<div class="field">
                    <label for="player">My name, if I play</label>
                    <input id="player" name="player:" maxlength="80" autocomplete="nickname" .value=${e()} />
                  </div>`}`:b}
    ${r(`referee`,`Referee`,(n?I:F).map(e=>[e,oe[e]]))}
  </fieldset>`}function R(e){return z(e,`begins`)in N}function _e(e){let t=Number(z(e,`referee`));if(!R(e))return{referee:t};let n=z(e,`own`),r=o()?``:z(e,`player`).trim();return{referee:t,begins:i.WHEN_FULL,admission:N[z(e,`begins`)]??f.INVITED,seatOrder:Number(z(e,`order`)),...n?{ownSeat:{seat:n,player:r,entropy:ee()}}:{}}}function z(e,t){return e.elements.namedItem(`${t}:`)?.value??``}var B=1000n,V=60n*B,ve=60n*V,ye={delayMs:3n*B,delay:r.SIMPLE},H=(e,t={})=>_(p,{kind:{case:`side`,value:{ms:e,...t}}}),be=e=>_(p,{kind:{case:`move`,value:{ms:e}}}),U=e=>_(p,{kind:{case:`correspondence`,value:{days:e}}}),W={"3m+2s":H(3n*V,{incrementMs:2n*B}),"5m d3s":H(5n*V,ye),"10m+5s":H(10n*V,{incrementMs:5n*B}),"15m+10s":H(15n*V,{incrementMs:10n*B}),"30m+20s":H(30n*V,{incrementMs:20n*B}),"1h":H(ve),"2m/action":be(2n*V),"1d/action":U(1),"3d/action":U(3),"7d/action":U(7)},G=`own`,K={minutes:10080,seconds:3600},q=()=>Object.entries(W).map(([e,t])=>S`<option value=${e}>${y(v(t))}</option>`);function xe(e){let t=(e,t,n,r,i)=>S`<label>${t} <input class="short" name="${e}:" type="number" value=${n} min=${r} max=${i} required /></label>`;return S`<div class="field">
    <label for="clock">Clock for each seat</label>
    <select id="clock" name="clock:">
      <option value="">No clock</option>
      ${q()}
      <option value=${G}>Another …</option>
    </select>
    ${e?S`<div class="row">
            ${t(`clock-minutes`,`Minutes`,20,1,K.minutes)}
            ${t(`clock-seconds`,`Seconds more a turn`,10,0,K.seconds)}
          </div>`:b}
  </div>`}function Se(e){return S`<label>Clock <select name="clock:${e}">
    <option value="">As above</option>
    ${q()}
  </select></label>`}function J(e){return Y(e,`clock:`)===G}function Ce(e,t){let n=J(e)?we(e):W[Y(e,`clock:`)],r=t.flatMap(t=>{let n=W[Y(e,`clock:${t}`)];return n?[[t,n]]:[]});return{...n?{clock:n}:{},seatClocks:Object.fromEntries(r)}}function we(e){let t=t=>BigInt(Math.max(0,Math.trunc(Number(Y(e,t))||0)));return H(t(`clock-minutes:`)*V,{incrementMs:t(`clock-seconds:`)*B})}function Y(e,t){return e.elements.namedItem(t)?.value??``}var Te=`chance`,X=``,Z=class extends E{static properties={...E.properties,game:{attribute:!1},found:{state:!0},faults:{state:!0},armies:{state:!0},seats:{state:!0},waits:{state:!0},isOwnClock:{state:!0}};#e=[];#t=!1;#n=!1;constructor(){super(),this.found=void 0,this.faults={},this.armies=[],this.seats=[],this.waits=!1,this.isOwnClock=!1}willUpdate(e){e.has(`query`)&&this.asked(`new`)!==this.game&&(this.game=this.asked(`new`),this.found=void 0,this.faults={},this.#r())}async#r(){let{game:e,service:t}=this,n=await this.attempt(()=>t.games.getGame({game:e}));if(!n)return;let r=n.game?.hasContent?await this.attempt(()=>le(t,e)):[];if(!r||e!==this.game)return;let i=n.game?.optionsSchema??{},a=pe(i,n.game?.rosterSchema);this.#t=a!==void 0,this.#e=De(ue(i,r),a),a&&(this.armies=await this.#i()),this.seats=n.setup?.seats??[],this.found=n,se(`${n.game?.name}: a new match`),await this.updateComplete,this.asked(`scenario`)&&await this.#g()}async#i(){let e=this.asked(`army`),t=await this.attempt(()=>ce(this.service,this.game))??[];if(!e||t.some(t=>t.armyId===e))return t;let n=await this.attempt(()=>this.service.armies.getArmy({armyId:e}));return n?.army?[n.army,...t]:t}render(){let{found:e}=this;return this.framed(`A new match`,e?this.#a(e):b)}#a(e){return S`<form class="new-match" novalidate @submit=${this.#_} @change=${this.#m}>
      <h2>${e.game?.name}</h2>
      <p>${e.game?.summary}</p>
      ${this.#o()}
      <div class="terms-column">${L(this.seats,this.waits)} ${this.#c()}</div>
      <fieldset class="options">
        <legend>${T(this.#e.length,`option`)} of the rules</legend>
        <div>
          ${this.#e.map(e=>de(e,this.faults[e.name],this.asked(e.name)))}
        </div>
      </fieldset>
      ${this.#d()}
      <p class="begin row">
        <button class="main" ?disabled=${this.busy}>Begin</button>
        ${this.waits?b:he(this.found?.game?.botLevels??[],this.busy)}
      </p>
    </form>`}#o(){let e=Object.keys(this.faults).length;return e?S`<div class="faults" role="alert">
      <b>${e===1?`One thing is`:`${e} things are`} wrong:</b>
      <ul>
        ${Object.entries(this.faults).map(([e,t])=>e===X?S`<li>${t}</li>`:S`<li>${this.#s(e)}: ${t}</li>`)}
      </ul>
    </div>`:b}#s(e){return S`<a href="#${$(e)}" @click=${t=>{t.preventDefault(),this.querySelector(`[id="${$(e)}"]`)?.focus()}}>${e.replaceAll(/[_-]/g,` `)}</a>`}#c(){let e=(e,t,n)=>S`<div class="field">
        <label for=${e}>${t}</label>
        <select id=${e} name="${e}:">
          ${n.map(([e,t])=>S`<option value=${e}>${y(t)}</option>`)}
        </select>
      </div>`;return S`<fieldset>
      <legend>Terms</legend>
      <div class="field">
        <label for="title">Title</label>
        <input id="title" name="title:" maxlength="80" autocomplete="off" />
        ${w(`title`,this.faults.title??``)}
      </div>
      ${this.#l?e(`chance`,`Dice and shuffles`,Q([d.ROLLED,d.ENTERED],C)):b}
      ${e(`undo`,`Taking back`,Q([m.CONSENT,m.FREE,m.REFEREE,m.NONE],te))}
      ${e(`visibility`,`Looking on`,[[g.PRIVATE,`whoever has a link`],[g.PUBLIC,`everybody`],[g.UNLISTED,`everybody who knows its address`]])}
      ${e(`stand-in`,`If a player is gone for good`,[[h.NOBODY,`the match waits`],[h.REFEREE,`the referee may act for the seat`]])}
      <div class="field checked">
        <label for="pause">Pause for disputes</label>
        <input id="pause" name="pause:" type="checkbox" aria-describedby="pause-about" />
        <p class="note" id="pause-about">
          Nobody acts while a dispute is open${this.#l?`, and the service draws nothing`:b}
        </p>
      </div>
      ${xe(this.isOwnClock)}
    </fieldset>`}get#l(){return this.found?.game?.hasChance??!1}#u(e){return S`<label>Dice <select name="chance:${e}">
      <option value="0">As above</option>
      ${[d.ROLLED,d.ENTERED].map(e=>S`<option value=${e}>${y(C[e])}</option>`)}
    </select></label>`}#d(){return S`<fieldset class="by-seat">
      <legend>By seat</legend>
      ${this.seats.map((e,t)=>S`<div class="field">
          <b>${l(e)}</b>
          ${this.#l?this.#u(e):b} ${Se(e)}
          ${this.#t?this.#f(e,t):b} ${this.#p(e)}
          ${w(`seat-${e}`,this.faults[`armies[${e}]`]??``)}
        </div>`)}
      ${this.#t?S`<p class="note">
              Armies are fielded where the scenario lets players build them.
              <a href=${u({page:`armies`},{game:this.game})}>Build an army</a>
            </p>`:b}
    </fieldset>`}#f(e,t){let n=t===0?this.asked(`army`):``;return S`<label>Army <select name="army:${e}">
      <option value="">A ready one</option>
      ${this.armies.map(({armyId:e,name:t,points:r})=>S`<option value=${e} ?selected=${e===n}>
          ${t}, ${T(r,`point`)}
        </option>`)}
    </select></label>`}#p(e){let t=this.found?.game?.botLevels??[];return t.length?S`<label>Played by <select name="bot:${e}">
      <option value="">A person</option>
      ${t.map(({name:e,description:t})=>S`<option value=${e} title=${t}>A bot: ${e}</option>`)}
    </select></label>`:b}#m=e=>{let t=e.currentTarget;this.waits=R(t),this.isOwnClock=J(t),this.#n=!0,this.#h()};#h=me(()=>{this.#n&&this.#g()});async#g(){let e=this.querySelector(`form`);if(!e)return;this.#n=!1;let{values:t,faults:n}=fe(this.#e,e),r={...n},i={...t};for(;;)try{let{setup:e}=await this.service.games.getGame({game:this.game,options:i});this.seats=e?.seats??[];break}catch(e){let t=c(e),[n=X]=Object.keys(t.fields),a=/^options\.([\w-]+)/.exec(n)?.[1]??X;if(r[a]=t.fields[n]??t.rawMessage,!(a in i))break;delete i[a]}return this.faults=r,Object.keys(r).length?void 0:t}#_=async e=>{e.preventDefault();let t=e.target;this.busy=!0;try{let n=await this.#g();n&&await this.#y(this.#v(t,n,e.submitter))}finally{this.busy=!1}Object.keys(this.faults).length&&scrollTo(0,0)};#v(e,t,r){let i=t=>e.elements.namedItem(t)?.value??``,a=e=>this.seats.map(t=>[t,i(`${e}:${t}`)]);return{requestId:n(),game:this.game,title:i(`title:`),chance:Number(i(`chance:`)),undo:Number(i(`undo:`)),visibility:Number(i(`visibility:`)),standIn:Number(i(`stand-in:`)),pauseOnDispute:e.elements.namedItem(`pause:`).checked,..._e(e),...Ce(e,this.seats),options:t,seatChance:Object.fromEntries(a(`chance`).flatMap(([e,t])=>Number(t)?[[e,Number(t)]]:[])),armies:Object.fromEntries(a(`army`).filter(([,e])=>e)),bots:ge(e,r,this.seats,Object.fromEntries(a(`bot`).filter(([,e])=>e)))}}async#y(e){try{let n=o(),r=n&&e.ownSeat?this.service.with(n):this.service,i=await s(()=>r.matches.createMatch(e)),a=i.match?.matchId??``;ie(a,Ee(e,i.tokens,n)),ae(a,i.codes);let c=i.match?.prompts[0]?.seat??``,l=this.seats.filter(t=>!e.bots?.[t]);t(u({match:a,as:e.bots?.[c]?l[0]??``:c}))}catch(e){let{fields:t,rawMessage:n}=c(e);this.faults=Object.keys(t).length?t:{[X]:n}}}};function Ee({ownSeat:e,seatOrder:t},n,r){let i=e?.seat??``;if(!i)return n;let{[i]:o=``,...s}=n;return{...s,[t===a.DRAWN?re:i]:o||r}}function De(e,t){return e.filter(({name:e})=>e!==t&&e!==Te)}function Q(e,t){return e.map(e=>[e,t[e]])}function $(e){return e===`title`?e:`option-${e}`}customElements.define(`emeth-new-match`,Z);function Oe(e,t){return S`<emeth-new-match .service=${e} .query=${t}></emeth-new-match>`}export{Oe as show};