import{$ as e,D as t,E as n,F as r,H as i,J as a,K as o,O as s,P as ee,Q as c,S as l,T as u,U as te,W as d,X as f,Y as p,Z as m,a as ne,at as h,b as re,f as ie,h as ae,i as oe,k as se,m as g,o as ce,ot as _,p as v,q as y,rt as b,v as le,y as x}from"./index-AycPnLpu.js";import{r as ue}from"./armies-B3bMC7CQ.js";import{t as de}from"./content-CtaQ_qEU.js";import{a as fe,i as pe,n as me,r as S,t as he}from"./options-CFLCb32I.js";import{n as C,r as ge,t as w}from"./page-DHUUMA04.js";var T=`emeth.level`,E=`against:`,D=`level:`;function _e(e,t){if(!e.length)return h;let n=k();return _`<button name=${E} ?disabled=${t}>Against a bot</button>
    <select name=${D} aria-label="How well the bot plays">
      ${e.map(({name:e,description:t})=>_`<option value=${e} title=${t} ?selected=${e===n}>${e}</option>`)}
    </select>`}function O(e,t,n,r){if(t?.getAttribute(`name`)!==E)return r;let i=e.elements.namedItem(D).value;A(i);let a=n.filter(e=>!r[e]).slice(1);return{...r,...Object.fromEntries(a.map(e=>[e,i]))}}function k(){try{return localStorage.getItem(T)??``}catch{return``}}function A(e){try{localStorage.setItem(T,e)}catch{}}var j=[[`at-once`,`At once: a link for each seat`],[`invited`,`When full: a code for each seat`],[`linked`,`When full: one link for all`],[`anybody`,`When full: anybody may join`]],M={invited:d.INVITED,linked:d.LINK,anybody:d.ANYONE},N=[y.CHOSEN,y.IN_ORDER,y.RANDOM],P=[o.CREATOR,o.NONE,o.INVITED,o.OPERATOR],F=[o.NONE,o.CREATOR,o.INVITED,o.OPERATOR];function I(e,n){let r=(e,t,n)=>_`<div class="field">
      <label for=${e}>${t}</label>
      <select id=${e} name="${e}:">
        ${n.map(([e,t])=>_`<option value=${e}>${g(t)}</option>`)}
      </select>
    </div>`;return _`<fieldset class="beginning">
    <legend>Players</legend>
    ${r(`begins`,`It begins`,j)}
    ${n?_`${r(`order`,`Who sits where`,N.map(e=>[e,ie[e]]))}
            ${r(`own`,`I play`,[[``,`I do not, or choose later`],...e.map(e=>[e,`as ${l(e)}`])])}
            ${s()?h:_`<div class="field">
                    <label for="player">My name, if I play</label>
                    <input id="player" name="player:" maxlength="80" autocomplete="nickname" .value=${t()} />
                  </div>`}`:h}
    ${r(`referee`,`Referee`,(n?F:P).map(e=>[e,v[e]]))}
  </fieldset>`}function L(e){return R(e,`begins`)in M}function ve(e){let t=Number(R(e,`referee`));if(!L(e))return{refereePolicy:t};let n=R(e,`own`),r=s()?``:R(e,`player`).trim();return{refereePolicy:t,startPolicy:a.WHEN_FULL,joinPolicy:M[R(e,`begins`)]??d.INVITED,seatAssignment:Number(R(e,`order`)),...n?{ownSeat:{seat:n,player:r,entropy:ne()}}:{}}}function R(e,t){return e.elements.namedItem(`${t}:`)?.value??``}var z=1n,B=60n*z,V=60n*B,ye=24n*V,be={delay:{seconds:3n*z},delayMode:te.SIMPLE},H=(e,t={})=>b(f,{kind:{case:`budget`,value:{initialTime:{seconds:e},...t}}}),xe=e=>b(f,{kind:{case:`moveTime`,value:{timePerMove:{seconds:e}}}}),U=e=>b(f,{kind:{case:`correspondence`,value:{timePerMove:{seconds:e*ye}}}}),W={"3m+2s":H(3n*B,{increment:{seconds:2n*z}}),"5m d3s":H(5n*B,be),"10m+5s":H(10n*B,{increment:{seconds:5n*z}}),"15m+10s":H(15n*B,{increment:{seconds:10n*z}}),"30m+20s":H(30n*B,{increment:{seconds:20n*z}}),"1h":H(V),"2m/action":xe(2n*B),"1d/action":U(1n),"3d/action":U(3n),"7d/action":U(7n)},G=`own`,K={minutes:10080,seconds:3600},q=()=>Object.entries(W).map(([e,t])=>_`<option value=${e}>${g(ae(t))}</option>`);function Se(e){let t=(e,t,n,r,i)=>_`<label>${t} <input class="short" name="${e}:" type="number" value=${n} min=${r} max=${i} required /></label>`;return _`<div class="field">
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
  </div>`}function Ce(e){return _`<label>Clock <select name="clock:${e}">
    <option value="">As above</option>
    ${q()}
  </select></label>`}function J(e){return X(e,`clock:`)===G}function we(e,t){let n=J(e)?Y(e):W[X(e,`clock:`)],r=t.flatMap(t=>{let n=W[X(e,`clock:${t}`)];return n?[[t,n]]:[]});return{...n?{timeControl:n}:{},seatTimeControls:Object.fromEntries(r)}}function Y(e){let t=t=>BigInt(Math.max(0,Math.trunc(Number(X(e,t))||0)));return H(t(`clock-minutes:`)*B,{increment:{seconds:t(`clock-seconds:`)*z}})}function X(e,t){return e.elements.namedItem(t)?.value??``}var Te=`chance`,Z=``,Ee=class extends w{static properties={...w.properties,game:{attribute:!1},found:{state:!0},faults:{state:!0},armies:{state:!0},seats:{state:!0},waits:{state:!0},isOwnClock:{state:!0}};#e=[];#t=!1;#n=!1;constructor(){super(),this.found=void 0,this.faults={},this.armies=[],this.seats=[],this.waits=!1,this.isOwnClock=!1}willUpdate(e){e.has(`query`)&&this.asked(`new`)!==this.game&&(this.game=this.asked(`new`),this.found=void 0,this.faults={},this.#r())}async#r(){let{game:e,service:t}=this,n=await this.attempt(()=>t.games.getGame({game:e}));if(!n)return;let r=n.game?.hasContent?await this.attempt(()=>de(t,e)):[];if(!r||e!==this.game)return;let i=n.game?.options??[],a=he(i);this.#t=a!==void 0,this.#e=Oe(fe(i,r),a),a&&(this.armies=await this.#i()),this.seats=n.setup?.seats??[],this.found=n,le(`${n.game?.name}: a new match`),await this.updateComplete,this.asked(`scenario`)&&await this.#g()}async#i(){let e=this.asked(`army`),t=await this.attempt(()=>ue(this.service,this.game))??[];if(!e||t.some(t=>t.armyId===e))return t;let n=await this.attempt(()=>this.service.armies.getArmy({armyId:e}));return n?.army?[n.army,...t]:t}render(){let{found:e}=this;return this.framed(`A new match`,e?this.#a(e):h)}#a(e){return _`<form class="new-match" novalidate @submit=${this.#_} @change=${this.#m}>
      <h2>${e.game?.name}</h2>
      <p>${e.game?.summary}</p>
      ${this.#o()}
      <div class="terms-column">${I(this.seats,this.waits)} ${this.#c()}</div>
      <fieldset class="options">
        <legend>${C(this.#e.length,`option`)} of the rules</legend>
        <div>
          ${this.#e.map(e=>pe(e,this.faults[e.name],this.asked(e.name)))}
        </div>
      </fieldset>
      ${this.#d()}
      <p class="begin row">
        <button class="main" ?disabled=${this.busy}>Begin</button>
        ${this.waits?h:_e(this.found?.game?.botLevels??[],this.busy)}
      </p>
    </form>`}#o(){let e=Object.keys(this.faults).length;return e?_`<div class="faults" role="alert">
      <b>${e===1?`One thing is`:`${e} things are`} wrong:</b>
      <ul>
        ${Object.entries(this.faults).map(([e,t])=>e===Z?_`<li>${t}</li>`:_`<li>${this.#s(e)}: ${t}</li>`)}
      </ul>
    </div>`:h}#s(e){return _`<a href="#${$(e)}" @click=${t=>{t.preventDefault(),this.querySelector(`[id="${$(e)}"]`)?.focus()}}>${ke(this.#e,e)}</a>`}#c(){let e=(e,t,n)=>_`<div class="field">
        <label for=${e}>${t}</label>
        <select id=${e} name="${e}:">
          ${n.map(([e,t])=>_`<option value=${e}>${g(t)}</option>`)}
        </select>
      </div>`;return _`<fieldset>
      <legend>Terms</legend>
      <div class="field">
        <label for="title">Title</label>
        <input id="title" name="title:" maxlength="80" autocomplete="off" />
        ${S(`title`,this.faults.title??``)}
      </div>
      ${this.#l?e(`chance`,`Dice and shuffles`,Q([i.ROLLED,i.ENTERED],x)):h}
      ${e(`undo`,`Taking back`,Q([m.CONSENT,m.FREE,m.REFEREE,m.NONE],re))}
      ${e(`visibility`,`Looking on`,[[c.PRIVATE,`whoever has a link`],[c.PUBLIC,`everybody`],[c.UNLISTED,`everybody who knows its address`]])}
      ${e(`stand-in`,`If a player is gone for good`,[[p.NONE,`the match waits`],[p.REFEREE,`the referee may act for the seat`]])}
      <div class="field checked">
        <label for="pause">Pause for disputes</label>
        <input id="pause" name="pause:" type="checkbox" aria-describedby="pause-about" />
        <p class="note" id="pause-about">
          Nobody acts while a dispute is open${this.#l?`, and the service draws nothing`:h}
        </p>
      </div>
      ${Se(this.isOwnClock)}
    </fieldset>`}get#l(){return this.found?.game?.hasChance??!1}#u(e){return _`<label>Dice <select name="chance:${e}">
      <option value="0">As above</option>
      ${[i.ROLLED,i.ENTERED].map(e=>_`<option value=${e}>${g(x[e])}</option>`)}
    </select></label>`}#d(){return _`<fieldset class="by-seat">
      <legend>By seat</legend>
      ${this.seats.map((e,t)=>_`<div class="field">
          <b>${l(e)}</b>
          ${this.#l?this.#u(e):h} ${Ce(e)}
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
    </select></label>`:h}#m=e=>{let t=e.currentTarget;this.waits=L(t),this.isOwnClock=J(t),this.#n=!0,this.#h()};#h=ge(()=>{this.#n&&this.#g()});async#g(){let t=this.querySelector(`form`);if(!t)return;this.#n=!1;let{values:n,faults:r}=me(this.#e,t),i={...r},a={...n};for(;;)try{let{setup:e}=await this.service.games.getGame({game:this.game,options:a});this.seats=e?.seats??[];break}catch(t){let n=e(t),[r=Z]=Object.keys(n.fields),o=/^options\.([\w-]+)/.exec(r)?.[1]??Z;if(i[o]=n.fields[r]??n.rawMessage,!(o in a))break;delete a[o]}return this.faults=i,Object.keys(i).length?void 0:n}#_=async e=>{e.preventDefault();let t=e.target;this.busy=!0;try{let n=await this.#g();n&&await this.#y(this.#v(t,n,e.submitter))}finally{this.busy=!1}Object.keys(this.faults).length&&scrollTo(0,0)};#v(e,t,n){let i=t=>e.elements.namedItem(t)?.value??``,a=e=>this.seats.map(t=>[t,i(`${e}:${t}`)]);return{requestId:r(),game:this.game,title:i(`title:`),chance:Number(i(`chance:`)),undoPolicy:Number(i(`undo:`)),visibility:Number(i(`visibility:`)),substitutePolicy:Number(i(`stand-in:`)),pauseOnDispute:e.elements.namedItem(`pause:`).checked,...ve(e),...we(e,this.seats),options:t,seatChance:Object.fromEntries(a(`chance`).flatMap(([e,t])=>Number(t)?[[e,Number(t)]]:[])),armies:Object.fromEntries(a(`army`).filter(([,e])=>e)),bots:O(e,n,this.seats,Object.fromEntries(a(`bot`).filter(([,e])=>e)))}}async#y(t){try{let e=s(),r=e&&t.ownSeat?this.service.with(e):this.service,i=await ee(()=>r.matches.createMatch(t)),a=i.match?.matchId??``;se(a,De(t,i.tokens,e)),ce(a,i.inviteCodes);let o=i.match?.prompts[0]?.seat??``,c=this.seats.filter(e=>!t.bots?.[e]);n(u({match:a,as:t.bots?.[o]?c[0]??``:o}))}catch(t){let{fields:n,rawMessage:r}=e(t);this.faults=Object.keys(n).length?n:{[Z]:r}}}};function De({ownSeat:e,seatAssignment:t},n,r){let i=e?.seat??``;if(!i)return n;let{[i]:a=``,...o}=n;return{...o,[t===y.RANDOM?oe:i]:a||r}}function Oe(e,t){return e.filter(({name:e})=>e!==t&&e!==Te)}function Q(e,t){return e.map(e=>[e,t[e]])}function ke(e,t){return e.find(e=>e.name===t)?.title??t}function $(e){return e===`title`?e:`option-${e}`}customElements.define(`emeth-new-match`,Ee);function Ae(e,t){return _`<emeth-new-match .service=${e} .query=${t}></emeth-new-match>`}export{Ae as show};