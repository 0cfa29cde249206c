import{$ as e,A as t,C as n,D as r,E as i,F as a,G as o,H as s,J as c,O as l,Q as u,U as d,W as ee,X as f,Y as p,Z as m,_ as te,b as h,ct as g,d as _,et as v,f as ne,g as re,h as ie,k as y,l as ae,lt as b,ot as x,q as S,u as oe,v as se,x as ce}from"./index-B8-rHzQO.js";import{r as le}from"./armies-CHYdvL71.js";import{t as ue}from"./content-CtaQ_qEU.js";import{a as de,i as fe,n as pe,r as C,t as me}from"./options-Ce_cx6hq.js";import{n as he,r as ge,t as w}from"./page-DhiWkHXb.js";var T=`emeth.level`,E=`against:`,D=`level:`;function _e(e,t){if(!e.length)return g;let n=k();return b`<button name=${E} ?disabled=${t}>Play the computer</button>
    <select name=${D} aria-label="Computer level">
      ${e.map(({name:e,description:t})=>b`<option value=${e} title=${t} ?selected=${e===n}>${e}</option>`)}
    </select>`}function O(e,t,n,r){if(t?.getAttribute(`name`)!==E)return r;let i=e.elements.namedItem(D).value;A(i);let a=n.filter(e=>!r[e]).slice(1);return{...r,...Object.fromEntries(a.map(e=>[e,i]))}}function k(){try{return localStorage.getItem(T)??``}catch{return``}}function A(e){try{localStorage.setItem(T,e)}catch{}}var j=[[`at-once`,`Immediately, with a link for each seat`],[`invited`,`When full, by a code for each seat`],[`linked`,`When full, by one link for all seats`],[`anybody`,`When full, open to anybody`]],M={invited:o.INVITED,linked:o.LINK,anybody:o.ANYONE},N=[c.CHOSEN,c.IN_ORDER,c.RANDOM],P=[S.CREATOR,S.NONE,S.INVITED,S.OPERATOR],F=[S.NONE,S.CREATOR,S.INVITED,S.OPERATOR];function I(e,t){let r=(e,t,n)=>b`<div class="field">
      <label for=${e}>${t}</label>
      <select id=${e} name="${e}:">
        ${n.map(([e,t])=>b`<option value=${e}>${_(t)}</option>`)}
      </select>
    </div>`;return b`<fieldset class="beginning">
    <legend>Players</legend>
    ${r(`begins`,`Start`,j)}
    ${t?b`${r(`order`,`Seat assignment`,N.map(e=>[e,ae[e]]))}
            ${r(`own`,`Your seat`,[[``,`none, or choose later`],...e.map(e=>[e,`as ${n(e)}`])])}
            ${y()?g:b`<div class="field">
                    <label for="player">Your name, if you play</label>
                    <input id="player" name="player:" maxlength="80" autocomplete="nickname" .value=${l()} />
                  </div>`}`:g}
    ${r(`referee`,`Referee`,(t?F:P).map(e=>[e,oe[e]]))}
  </fieldset>`}function L(e){return R(e,`begins`)in M}function ve(e){let t=Number(R(e,`referee`));if(!L(e))return{refereePolicy:t};let n=R(e,`own`),r=y()?``:R(e,`player`).trim();return{refereePolicy:t,startPolicy:p.WHEN_FULL,joinPolicy:M[R(e,`begins`)]??o.INVITED,seatAssignment:Number(R(e,`order`)),...n?{ownSeat:{seat:n,player:r,entropy:te()}}:{}}}function R(e,t){return e.elements.namedItem(`${t}:`)?.value??``}var z=1n,B=60n*z,V=60n*B,ye=24n*V,be={delay:{seconds:3n*z},delayMode:ee.SIMPLE},H=(e,t={})=>x(m,{kind:{case:`budget`,value:{initialTime:{seconds:e},...t}}}),xe=e=>x(m,{kind:{case:`moveTime`,value:{timePerMove:{seconds:e}}}}),U=e=>x(m,{kind:{case:`correspondence`,value:{timePerMove:{seconds:e*ye}}}}),W={"3m+2s":H(3n*B,{increment:{seconds:2n*z}}),"5m d3s":H(5n*B,be),"10m+5s":H(10n*B,{increment:{seconds:5n*z}}),"15m+10s":H(15n*B,{increment:{seconds:10n*z}}),"30m+20s":H(30n*B,{increment:{seconds:20n*z}}),"1h":H(V),"2m/action":xe(2n*B),"1d/action":U(1n),"3d/action":U(3n),"7d/action":U(7n)},G=`own`,K={minutes:10080,seconds:3600},q=()=>Object.entries(W).map(([e,t])=>b`<option value=${e}>${_(ne(t))}</option>`);function Se(e){let t=(e,t,n,r,i)=>b`<label>${t} <input class="short" name="${e}:" type="number" value=${n} min=${r} max=${i} required /></label>`;return b`<div class="field">
    <label for="clock">Clock for each seat</label>
    <select id="clock" name="clock:">
      <option value="">No clock</option>
      ${q()}
      <option value=${G}>Custom …</option>
    </select>
    ${e?b`<div class="row">
            ${t(`clock-minutes`,`Minutes`,20,1,K.minutes)}
            ${t(`clock-seconds`,`Increment in seconds`,10,0,K.seconds)}
          </div>`:g}
  </div>`}function Ce(e){return b`<label>Clock <select name="clock:${e}">
    <option value="">Same as above</option>
    ${q()}
  </select></label>`}function J(e){return X(e,`clock:`)===G}function we(e,t){let n=J(e)?Y(e):W[X(e,`clock:`)],r=t.flatMap(t=>{let n=W[X(e,`clock:${t}`)];return n?[[t,n]]:[]});return{...n?{timeControl:n}:{},seatTimeControls:Object.fromEntries(r)}}function Y(e){let t=t=>BigInt(Math.max(0,Math.trunc(Number(X(e,t))||0)));return H(t(`clock-minutes:`)*B,{increment:{seconds:t(`clock-seconds:`)*z}})}function X(e,t){return e.elements.namedItem(t)?.value??``}var Te=`chance`,Z=``,Ee=class extends w{static properties={...w.properties,game:{attribute:!1},found:{state:!0},faults:{state:!0},armies:{state:!0},seats:{state:!0},waits:{state:!0},isOwnClock:{state:!0}};#e=[];#t=!1;#n=!1;constructor(){super(),this.found=void 0,this.faults={},this.armies=[],this.seats=[],this.waits=!1,this.isOwnClock=!1}willUpdate(e){e.has(`query`)&&this.asked(`new`)!==this.game&&(this.game=this.asked(`new`),this.found=void 0,this.faults={},this.#r())}async#r(){let{game:e,service:t}=this,n=await this.attempt(()=>t.games.getGame({game:e}));if(!n)return;let r=n.game?.hasContent?await this.attempt(()=>ue(t,e)):[];if(!r||e!==this.game)return;let i=n.game?.options??[],a=me(i);this.#t=a!==void 0,this.#e=Oe(de(i,r),a),a&&(this.armies=await this.#i()),this.seats=n.setup?.seats??[],this.found=n,ie(`${n.game?.name}: new game`),await this.updateComplete,this.asked(`scenario`)&&await this.#g()}async#i(){let e=this.asked(`army`),t=await this.attempt(()=>le(this.service,this.game))??[];if(!e||t.some(t=>t.armyId===e))return t;let n=await this.attempt(()=>this.service.armies.getArmy({armyId:e}));return n?.army?[n.army,...t]:t}render(){let{found:e}=this;return this.framed(`New game`,e?this.#a(e):g)}#a(e){return b`<form class="new-match" novalidate @submit=${this.#_} @change=${this.#m}>
      <h2>${e.game?.name}</h2>
      <p>${e.game?.summary}</p>
      ${this.#o()}
      <div class="terms-column">${I(this.seats,this.waits)} ${this.#c()}</div>
      <fieldset class="options">
        <legend>House rules</legend>
        <div>
          ${this.#e.map(e=>fe(e,this.faults[e.name],this.asked(e.name)))}
        </div>
      </fieldset>
      ${this.#d()}
      <p class="begin row">
        <button class="main" ?disabled=${this.busy}>Play</button>
        ${this.waits?g:_e(this.found?.game?.botLevels??[],this.busy)}
      </p>
    </form>`}#o(){let e=Object.keys(this.faults).length;return e?b`<div class="faults" role="alert">
      <b>${e===1?`One field is`:`${e} fields are`} wrong:</b>
      <ul>
        ${Object.entries(this.faults).map(([e,t])=>e===Z?b`<li>${t}</li>`:b`<li>${this.#s(e)}: ${t}</li>`)}
      </ul>
    </div>`:g}#s(e){return b`<a href="#${$(e)}" @click=${t=>{t.preventDefault(),this.querySelector(`[id="${$(e)}"]`)?.focus()}}>${ke(this.#e,e)}</a>`}#c(){let t=(e,t,n)=>b`<div class="field">
        <label for=${e}>${t}</label>
        <select id=${e} name="${e}:">
          ${n.map(([e,t])=>b`<option value=${e}>${_(t)}</option>`)}
        </select>
      </div>`;return b`<fieldset>
      <legend>Terms</legend>
      <div class="field">
        <label for="title">Title</label>
        <input id="title" name="title:" maxlength="80" autocomplete="off" />
        ${C(`title`,this.faults.title??``)}
      </div>
      ${this.#l?t(`chance`,`Dice and shuffles`,Q([d.ROLLED,d.ENTERED],h)):g}
      ${t(`undo`,`Takebacks`,Q([u.CONSENT,u.FREE,u.REFEREE,u.NONE],ce))}
      ${t(`visibility`,`Spectators`,[[e.PRIVATE,`anybody with an invite link`],[e.PUBLIC,`everybody, listed publicly`],[e.UNLISTED,`anybody with the address`]])}
      ${t(`stand-in`,`If a player leaves for good`,[[f.NONE,`the match waits`],[f.REFEREE,`the referee may act for the seat`]])}
      <div class="field checked">
        <label for="pause">Pause for disputes</label>
        <input id="pause" name="pause:" type="checkbox" aria-describedby="pause-about" />
        <p class="note" id="pause-about">
          No player may act while a dispute is open${this.#l?`, and the server rolls and draws nothing`:g}
        </p>
      </div>
      ${Se(this.isOwnClock)}
    </fieldset>`}get#l(){return this.found?.game?.hasChance??!1}#u(e){return b`<label>Dice <select name="chance:${e}">
      <option value="0">Same as above</option>
      ${[d.ROLLED,d.ENTERED].map(e=>b`<option value=${e}>${_(h[e])}</option>`)}
    </select></label>`}#d(){return b`<fieldset class="by-seat">
      <legend>By seat</legend>
      ${this.seats.map((e,t)=>b`<div class="field">
          <b>${n(e)}</b>
          ${this.#l?this.#u(e):g} ${Ce(e)}
          ${this.#t?this.#f(e,t):g} ${this.#p(e)}
          ${C(`seat-${e}`,this.faults[`armies[${e}]`]??``)}
        </div>`)}
      ${this.#t?b`<p class="note">
              Saved armies can be used in scenarios that let players build armies.
              <a href=${i({page:`armies`},{game:this.game})}>Build an army</a>
            </p>`:g}
    </fieldset>`}#f(e,t){let n=t===0?this.asked(`army`):``;return b`<label>Army <select name="army:${e}">
      <option value="">Standard army</option>
      ${this.armies.map(({armyId:e,name:t,points:r})=>b`<option value=${e} ?selected=${e===n}>
          ${t}, ${he(r,`point`)}
        </option>`)}
    </select></label>`}#p(e){let t=this.found?.game?.botLevels??[];return t.length?b`<label>Played by <select name="bot:${e}">
      <option value="">A person</option>
      ${t.map(({name:e,description:t})=>b`<option value=${e} title=${t}>Computer: ${e}</option>`)}
    </select></label>`:g}#m=e=>{let t=e.currentTarget;this.waits=L(t),this.isOwnClock=J(t),this.#n=!0,this.#h()};#h=ge(()=>{this.#n&&this.#g()});async#g(){let e=this.querySelector(`form`);if(!e)return;this.#n=!1;let{values:t,faults:n}=pe(this.#e,e),r={...n},i={...t};for(;;)try{let{setup:e}=await this.service.games.getGame({game:this.game,options:i});this.seats=e?.seats??[];break}catch(e){let t=v(e),[n=Z]=Object.keys(t.fields),a=/^options\.([\w-]+)/.exec(n)?.[1]??Z;if(r[a]=t.fields[n]??t.rawMessage,!(a in i))break;delete i[a]}return this.faults=r,Object.keys(r).length?void 0:t}#_=async e=>{e.preventDefault();let t=e.target;this.busy=!0;try{let n=await this.#g();n&&await this.#y(this.#v(t,n,e.submitter))}finally{this.busy=!1}Object.keys(this.faults).length&&scrollTo(0,0)};#v(e,t,n){let r=t=>e.elements.namedItem(t)?.value??``,i=e=>this.seats.map(t=>[t,r(`${e}:${t}`)]);return{requestId:s(),game:this.game,title:r(`title:`),chance:Number(r(`chance:`)),undoPolicy:Number(r(`undo:`)),visibility:Number(r(`visibility:`)),substitutePolicy:Number(r(`stand-in:`)),pauseOnDispute:e.elements.namedItem(`pause:`).checked,...ve(e),...we(e,this.seats),options:t,seatChance:Object.fromEntries(i(`chance`).flatMap(([e,t])=>Number(t)?[[e,Number(t)]]:[])),armies:Object.fromEntries(i(`army`).filter(([,e])=>e)),bots:O(e,n,this.seats,Object.fromEntries(i(`bot`).filter(([,e])=>e)))}}async#y(e){try{let n=y(),o=n&&e.ownSeat?this.service.with(n):this.service,s=await a(()=>o.matches.createMatch(e)),c=s.match?.matchId??``;t(c,De(e,s.tokens,n)),se(c,s.inviteCodes);let l=s.match?.prompts[0]?.seat??``,u=this.seats.filter(t=>!e.bots?.[t]);r(i({match:c,as:e.bots?.[l]?u[0]??``:l}))}catch(e){let{fields:t,rawMessage:n}=v(e);this.faults=Object.keys(t).length?t:{[Z]:n}}}};function De({ownSeat:e,seatAssignment:t},n,r){let i=e?.seat??``;if(!i)return n;let{[i]:a=``,...o}=n;return{...o,[t===c.RANDOM?re:i]:a||r}}function Oe(e,t){return e.filter(({name:e})=>e!==t&&e!==Te)}function Q(e,t){return e.map(e=>[e,t[e]])}function ke(e,t){return e.find(e=>e.name===t)?.title??t}function $(e){return e===`title`?e:`option-${e}`}customElements.define(`emeth-new-match`,Ee);function Ae(e,t){return b`<emeth-new-match .service=${e} .query=${t}></emeth-new-match>`}export{Ae as show};