import{$ as e,B as t,D as n,E as r,F as i,G as a,H as o,J as s,K as c,O as l,P as ee,R as u,S as d,T as f,U as p,W as te,Y as m,Z as h,a as ne,b as re,et as g,f as ie,h as ae,i as oe,k as se,m as _,o as v,p as ce,q as y,v as le,y as b,z as ue}from"./index-DanQUKbx.js";import{r as de}from"./armies-DzNynZlV.js";import{t as fe}from"./content-CtaQ_qEU.js";import{a as pe,i as me,n as he,r as x,t as ge}from"./options-ty2pnlha.js";import{n as S,r as _e,t as C}from"./page-YtEaryHY.js";var w=`emeth.level`,T=`against:`,E=`level:`;function D(t,n){if(!t.length)return e;let r=k();return g`<button name=${T} ?disabled=${n}>Against a bot</button>
    <select name=${E} aria-label="How well the bot plays">
      ${t.map(({name:e,description:t})=>g`<option value=${e} title=${t} ?selected=${e===r}>${e}</option>`)}
    </select>`}function O(e,t,n,r){if(t?.getAttribute(`name`)!==T)return r;let i=e.elements.namedItem(E).value;A(i);let a=n.filter(e=>!r[e]).slice(1);return{...r,...Object.fromEntries(a.map(e=>[e,i]))}}function k(){try{return localStorage.getItem(w)??``}catch{return``}}function A(e){try{localStorage.setItem(w,e)}catch{}}var j=[[`at-once`,`At once: a link for each seat`],[`invited`,`When full: a code for each seat`],[`linked`,`When full: one link for all`],[`anybody`,`When full: anybody may join`]],M={invited:t.INVITED,linked:t.LINK,anybody:t.ANYONE},N=[p.CHOSEN,p.IN_ORDER,p.RANDOM],P=[o.CREATOR,o.NONE,o.INVITED,o.OPERATOR],F=[o.NONE,o.CREATOR,o.INVITED,o.OPERATOR];function I(t,r){let i=(e,t,n)=>g`<div class="field">
      <label for=${e}>${t}</label>
      <select id=${e} name="${e}:">
        ${n.map(([e,t])=>g`<option value=${e}>${_(t)}</option>`)}
      </select>
    </div>`;return g`<fieldset class="beginning">
    <legend>Players</legend>
    ${i(`begins`,`It begins`,j)}
    ${r?g`${i(`order`,`Who sits where`,N.map(e=>[e,ie[e]]))}
            ${i(`own`,`I play`,[[``,`I do not, or choose later`],...t.map(e=>[e,`as ${d(e)}`])])}
            ${l()?e:g`<div class="field">
                    <label for="player">My name, if I play</label>
                    <input id="player" name="player:" maxlength="80" autocomplete="nickname" .value=${n()} />
                  </div>`}`:e}
    ${i(`referee`,`Referee`,(r?F:P).map(e=>[e,ce[e]]))}
  </fieldset>`}function L(e){return R(e,`begins`)in M}function ve(e){let n=Number(R(e,`referee`));if(!L(e))return{refereePolicy:n};let r=R(e,`own`),i=l()?``:R(e,`player`).trim();return{refereePolicy:n,startPolicy:te.WHEN_FULL,joinPolicy:M[R(e,`begins`)]??t.INVITED,seatAssignment:Number(R(e,`order`)),...r?{ownSeat:{seat:r,player:i,entropy:ne()}}:{}}}function R(e,t){return e.elements.namedItem(`${t}:`)?.value??``}var z=1n,B=60n*z,V=60n*B,ye=24n*V,be={delay:{seconds:3n*z},delayMode:ue.SIMPLE},H=(e,t={})=>h(c,{kind:{case:`budget`,value:{initialTime:{seconds:e},...t}}}),xe=e=>h(c,{kind:{case:`moveTime`,value:{timePerMove:{seconds:e}}}}),U=e=>h(c,{kind:{case:`correspondence`,value:{timePerMove:{seconds:e*ye}}}}),W={"3m+2s":H(3n*B,{increment:{seconds:2n*z}}),"5m d3s":H(5n*B,be),"10m+5s":H(10n*B,{increment:{seconds:5n*z}}),"15m+10s":H(15n*B,{increment:{seconds:10n*z}}),"30m+20s":H(30n*B,{increment:{seconds:20n*z}}),"1h":H(V),"2m/action":xe(2n*B),"1d/action":U(1n),"3d/action":U(3n),"7d/action":U(7n)},G=`own`,K={minutes:10080,seconds:3600},q=()=>Object.entries(W).map(([e,t])=>g`<option value=${e}>${_(ae(t))}</option>`);function Se(t){let n=(e,t,n,r,i)=>g`<label>${t} <input class="short" name="${e}:" type="number" value=${n} min=${r} max=${i} required /></label>`;return g`<div class="field">
    <label for="clock">Clock for each seat</label>
    <select id="clock" name="clock:">
      <option value="">No clock</option>
      ${q()}
      <option value=${G}>Another …</option>
    </select>
    ${t?g`<div class="row">
            ${n(`clock-minutes`,`Minutes`,20,1,K.minutes)}
            ${n(`clock-seconds`,`Seconds more a turn`,10,0,K.seconds)}
          </div>`:e}
  </div>`}function Ce(e){return g`<label>Clock <select name="clock:${e}">
    <option value="">As above</option>
    ${q()}
  </select></label>`}function J(e){return X(e,`clock:`)===G}function we(e,t){let n=J(e)?Y(e):W[X(e,`clock:`)],r=t.flatMap(t=>{let n=W[X(e,`clock:${t}`)];return n?[[t,n]]:[]});return{...n?{timeControl:n}:{},seatTimeControls:Object.fromEntries(r)}}function Y(e){let t=t=>BigInt(Math.max(0,Math.trunc(Number(X(e,t))||0)));return H(t(`clock-minutes:`)*B,{increment:{seconds:t(`clock-seconds:`)*z}})}function X(e,t){return e.elements.namedItem(t)?.value??``}var Te=`chance`,Z=``,Ee=class extends C{static properties={...C.properties,game:{attribute:!1},found:{state:!0},faults:{state:!0},armies:{state:!0},seats:{state:!0},waits:{state:!0},isOwnClock:{state:!0}};#e=[];#t=!1;#n=!1;constructor(){super(),this.found=void 0,this.faults={},this.armies=[],this.seats=[],this.waits=!1,this.isOwnClock=!1}willUpdate(e){e.has(`query`)&&this.asked(`new`)!==this.game&&(this.game=this.asked(`new`),this.found=void 0,this.faults={},this.#r())}async#r(){let{game:e,service:t}=this,n=await this.attempt(()=>t.games.getGame({game:e}));if(!n)return;let r=n.game?.hasContent?await this.attempt(()=>fe(t,e)):[];if(!r||e!==this.game)return;let i=n.game?.optionsSchema??{},a=ge(i,n.game?.rosterSchema);this.#t=a!==void 0,this.#e=Oe(pe(i,r),a),a&&(this.armies=await this.#i()),this.seats=n.setup?.seats??[],this.found=n,le(`${n.game?.name}: a new match`),await this.updateComplete,this.asked(`scenario`)&&await this.#g()}async#i(){let e=this.asked(`army`),t=await this.attempt(()=>de(this.service,this.game))??[];if(!e||t.some(t=>t.armyId===e))return t;let n=await this.attempt(()=>this.service.armies.getArmy({armyId:e}));return n?.army?[n.army,...t]:t}render(){let{found:t}=this;return this.framed(`A new match`,t?this.#a(t):e)}#a(t){return g`<form class="new-match" novalidate @submit=${this.#_} @change=${this.#m}>
      <h2>${t.game?.name}</h2>
      <p>${t.game?.summary}</p>
      ${this.#o()}
      <div class="terms-column">${I(this.seats,this.waits)} ${this.#c()}</div>
      <fieldset class="options">
        <legend>${S(this.#e.length,`option`)} of the rules</legend>
        <div>
          ${this.#e.map(e=>me(e,this.faults[e.name],this.asked(e.name)))}
        </div>
      </fieldset>
      ${this.#d()}
      <p class="begin row">
        <button class="main" ?disabled=${this.busy}>Begin</button>
        ${this.waits?e:D(this.found?.game?.botLevels??[],this.busy)}
      </p>
    </form>`}#o(){let t=Object.keys(this.faults).length;return t?g`<div class="faults" role="alert">
      <b>${t===1?`One thing is`:`${t} things are`} wrong:</b>
      <ul>
        ${Object.entries(this.faults).map(([e,t])=>e===Z?g`<li>${t}</li>`:g`<li>${this.#s(e)}: ${t}</li>`)}
      </ul>
    </div>`:e}#s(e){return g`<a href="#${$(e)}" @click=${t=>{t.preventDefault(),this.querySelector(`[id="${$(e)}"]`)?.focus()}}>${e.replaceAll(/[_-]/g,` `)}</a>`}#c(){let t=(e,t,n)=>g`<div class="field">
        <label for=${e}>${t}</label>
        <select id=${e} name="${e}:">
          ${n.map(([e,t])=>g`<option value=${e}>${_(t)}</option>`)}
        </select>
      </div>`;return g`<fieldset>
      <legend>Terms</legend>
      <div class="field">
        <label for="title">Title</label>
        <input id="title" name="title:" maxlength="80" autocomplete="off" />
        ${x(`title`,this.faults.title??``)}
      </div>
      ${this.#l?t(`chance`,`Dice and shuffles`,Q([u.ROLLED,u.ENTERED],b)):e}
      ${t(`undo`,`Taking back`,Q([y.CONSENT,y.FREE,y.REFEREE,y.NONE],re))}
      ${t(`visibility`,`Looking on`,[[s.PRIVATE,`whoever has a link`],[s.PUBLIC,`everybody`],[s.UNLISTED,`everybody who knows its address`]])}
      ${t(`stand-in`,`If a player is gone for good`,[[a.NONE,`the match waits`],[a.REFEREE,`the referee may act for the seat`]])}
      <div class="field checked">
        <label for="pause">Pause for disputes</label>
        <input id="pause" name="pause:" type="checkbox" aria-describedby="pause-about" />
        <p class="note" id="pause-about">
          Nobody acts while a dispute is open${this.#l?`, and the service draws nothing`:e}
        </p>
      </div>
      ${Se(this.isOwnClock)}
    </fieldset>`}get#l(){return this.found?.game?.hasChance??!1}#u(e){return g`<label>Dice <select name="chance:${e}">
      <option value="0">As above</option>
      ${[u.ROLLED,u.ENTERED].map(e=>g`<option value=${e}>${_(b[e])}</option>`)}
    </select></label>`}#d(){return g`<fieldset class="by-seat">
      <legend>By seat</legend>
      ${this.seats.map((t,n)=>g`<div class="field">
          <b>${d(t)}</b>
          ${this.#l?this.#u(t):e} ${Ce(t)}
          ${this.#t?this.#f(t,n):e} ${this.#p(t)}
          ${x(`seat-${t}`,this.faults[`armies[${t}]`]??``)}
        </div>`)}
      ${this.#t?g`<p class="note">
              Armies are fielded where the scenario lets players build them.
              <a href=${f({page:`armies`},{game:this.game})}>Build an army</a>
            </p>`:e}
    </fieldset>`}#f(e,t){let n=t===0?this.asked(`army`):``;return g`<label>Army <select name="army:${e}">
      <option value="">A ready one</option>
      ${this.armies.map(({armyId:e,name:t,points:r})=>g`<option value=${e} ?selected=${e===n}>
          ${t}, ${S(r,`point`)}
        </option>`)}
    </select></label>`}#p(t){let n=this.found?.game?.botLevels??[];return n.length?g`<label>Played by <select name="bot:${t}">
      <option value="">A person</option>
      ${n.map(({name:e,description:t})=>g`<option value=${e} title=${t}>A bot: ${e}</option>`)}
    </select></label>`:e}#m=e=>{let t=e.currentTarget;this.waits=L(t),this.isOwnClock=J(t),this.#n=!0,this.#h()};#h=_e(()=>{this.#n&&this.#g()});async#g(){let e=this.querySelector(`form`);if(!e)return;this.#n=!1;let{values:t,faults:n}=he(this.#e,e),r={...n},i={...t};for(;;)try{let{setup:e}=await this.service.games.getGame({game:this.game,options:i});this.seats=e?.seats??[];break}catch(e){let t=m(e),[n=Z]=Object.keys(t.fields),a=/^options\.([\w-]+)/.exec(n)?.[1]??Z;if(r[a]=t.fields[n]??t.rawMessage,!(a in i))break;delete i[a]}return this.faults=r,Object.keys(r).length?void 0:t}#_=async e=>{e.preventDefault();let t=e.target;this.busy=!0;try{let n=await this.#g();n&&await this.#y(this.#v(t,n,e.submitter))}finally{this.busy=!1}Object.keys(this.faults).length&&scrollTo(0,0)};#v(e,t,n){let r=t=>e.elements.namedItem(t)?.value??``,a=e=>this.seats.map(t=>[t,r(`${e}:${t}`)]);return{requestId:i(),game:this.game,title:r(`title:`),chance:Number(r(`chance:`)),undoPolicy:Number(r(`undo:`)),visibility:Number(r(`visibility:`)),substitutePolicy:Number(r(`stand-in:`)),pauseOnDispute:e.elements.namedItem(`pause:`).checked,...ve(e),...we(e,this.seats),options:t,seatChance:Object.fromEntries(a(`chance`).flatMap(([e,t])=>Number(t)?[[e,Number(t)]]:[])),armies:Object.fromEntries(a(`army`).filter(([,e])=>e)),bots:O(e,n,this.seats,Object.fromEntries(a(`bot`).filter(([,e])=>e)))}}async#y(e){try{let t=l(),n=t&&e.ownSeat?this.service.with(t):this.service,i=await ee(()=>n.matches.createMatch(e)),a=i.match?.matchId??``;se(a,De(e,i.tokens,t)),v(a,i.inviteCodes);let o=i.match?.prompts[0]?.seat??``,s=this.seats.filter(t=>!e.bots?.[t]);r(f({match:a,as:e.bots?.[o]?s[0]??``:o}))}catch(e){let{fields:t,rawMessage:n}=m(e);this.faults=Object.keys(t).length?t:{[Z]:n}}}};function De({ownSeat:e,seatAssignment:t},n,r){let i=e?.seat??``;if(!i)return n;let{[i]:a=``,...o}=n;return{...o,[t===p.RANDOM?oe:i]:a||r}}function Oe(e,t){return e.filter(({name:e})=>e!==t&&e!==Te)}function Q(e,t){return e.map(e=>[e,t[e]])}function $(e){return e===`title`?e:`option-${e}`}customElements.define(`emeth-new-match`,Ee);function ke(e,t){return g`<emeth-new-match .service=${e} .query=${t}></emeth-new-match>`}export{ke as show};