import{B as e,D as t,E as n,F as r,G as i,H as a,J as o,K as s,O as c,P as l,Q as u,S as d,T as f,U as ee,V as p,X as m,Y as h,a as g,b as _,et as v,f as te,h as ne,i as re,k as y,m as b,o as x,p as S,q as C,tt as w,v as ie,y as T,z as E}from"./index-BCgoMYJ5.js";import{r as ae}from"./armies-T5y0URSN.js";import{n as oe,t as se}from"./catalog-DX5wdHCy.js";import{a as ce,i as le,n as ue,r as D,t as de}from"./options-DL9yBahj.js";import{n as O,r as fe,t as k}from"./page-CmaaqJpE.js";var A=[[`at-once`,`At once: a link for each seat`],[`invited`,`When full: a code for each seat`],[`linked`,`When full: one link for all`],[`anybody`,`When full: anybody may join`]],j={invited:E.INVITED,linked:E.LINKED,anybody:E.ANYBODY},M=[s.CHOSEN,s.IN_ORDER,s.DRAWN],N=[i.CREATOR,i.NOBODY,i.INVITED,i.OPERATOR],P=[i.NOBODY,i.CREATOR,i.INVITED,i.OPERATOR];function F(e,n){let r=(e,t,n)=>w`<div class="field">
      <label for=${e}>${t}</label>
      <select id=${e} name="${e}:">
        ${n.map(([e,t])=>w`<option value=${e}>${b(t)}</option>`)}
      </select>
    </div>`;return w`<fieldset class="beginning">
    <legend>Players</legend>
    ${r(`begins`,`It begins`,A)}
    ${n?w`${r(`order`,`Who sits where`,M.map(e=>[e,te[e]]))}
            ${r(`own`,`I play`,[[``,`I do not, or choose later`],...e.map(e=>[e,`as ${d(e)}`])])}
            ${c()?v:w`<div class="field">
                    <label for="player">My name, if I play</label>
                    <input id="player" name="player:" maxlength="80" autocomplete="nickname" .value=${t()} />
                  </div>`}`:v}
    ${r(`referee`,`Referee`,(n?P:N).map(e=>[e,S[e]]))}
  </fieldset>`}function I(e){return R(e,`begins`)in j}function L(t){let n=Number(R(t,`referee`));if(!I(t))return{referee:n};let r=R(t,`own`),i=c()?``:R(t,`player`).trim();return{referee:n,begins:e.WHEN_FULL,admission:j[R(t,`begins`)]??E.INVITED,seatOrder:Number(R(t,`order`)),...r?{ownSeat:{seat:r,player:i,entropy:g()}}:{}}}function R(e,t){return e.elements.namedItem(`${t}:`)?.value??``}var z=1000n,B=60n*z,V=60n*B,pe={delayMs:3n*z,delay:ee.SIMPLE},H=(e,t={})=>u(a,{kind:{case:`side`,value:{ms:e,...t}}}),me=e=>u(a,{kind:{case:`move`,value:{ms:e}}}),U=e=>u(a,{kind:{case:`correspondence`,value:{days:e}}}),W={"3m+2s":H(3n*B,{incrementMs:2n*z}),"5m d3s":H(5n*B,pe),"10m+5s":H(10n*B,{incrementMs:5n*z}),"15m+10s":H(15n*B,{incrementMs:10n*z}),"30m+20s":H(30n*B,{incrementMs:20n*z}),"1h":H(V),"2m/action":me(2n*B),"1d/action":U(1),"3d/action":U(3),"7d/action":U(7)},G=`own`,K={minutes:10080,seconds:3600},q=()=>Object.entries(W).map(([e,t])=>w`<option value=${e}>${b(ne(t))}</option>`);function he(e){let t=(e,t,n,r,i)=>w`<label>${t} <input class="short" name="${e}:" type="number" value=${n} min=${r} max=${i} required /></label>`;return w`<div class="field">
    <label for="clock">Clock for each seat</label>
    <select id="clock" name="clock:">
      <option value="">No clock</option>
      ${q()}
      <option value=${G}>Another …</option>
    </select>
    ${e?w`<div class="row">
            ${t(`clock-minutes`,`Minutes`,20,1,K.minutes)}
            ${t(`clock-seconds`,`Seconds more a turn`,10,0,K.seconds)}
          </div>`:v}
  </div>`}function ge(e){return w`<label>Clock <select name="clock:${e}">
    <option value="">As above</option>
    ${q()}
  </select></label>`}function J(e){return X(e,`clock:`)===G}function _e(e,t){let n=J(e)?Y(e):W[X(e,`clock:`)],r=t.flatMap(t=>{let n=W[X(e,`clock:${t}`)];return n?[[t,n]]:[]});return{...n?{clock:n}:{},seatClocks:Object.fromEntries(r)}}function Y(e){let t=t=>BigInt(Math.max(0,Math.trunc(Number(X(e,t))||0)));return H(t(`clock-minutes:`)*B,{incrementMs:t(`clock-seconds:`)*z})}function X(e,t){return e.elements.namedItem(t)?.value??``}var ve=`chance`,Z=``,ye=class extends k{static properties={...k.properties,game:{attribute:!1},found:{state:!0},faults:{state:!0},armies:{state:!0},seats:{state:!0},waits:{state:!0},isOwnClock:{state:!0}};#e=[];#t=!1;#n=!1;constructor(){super(),this.found=void 0,this.faults={},this.armies=[],this.seats=[],this.waits=!1,this.isOwnClock=!1}willUpdate(e){e.has(`query`)&&this.asked(`new`)!==this.game&&(this.game=this.asked(`new`),this.found=void 0,this.faults={},this.#r())}async#r(){let{game:e,service:t}=this,n=await this.attempt(()=>t.matches.getGame({game:e}));if(!n)return;let r=n.game?.catalog?await this.attempt(()=>oe(t,e)):se;if(!r||e!==this.game)return;let i=n.optionsSchema??{},a=de(i,r.armySchema);this.#t=a!==void 0,this.#e=xe(ce(i,r.entries),a),a&&(this.armies=await this.#i()),this.seats=n.seats,this.found=n,ie(`${n.game?.name}: a new match`),await this.updateComplete,this.asked(`scenario`)&&await this.#g()}async#i(){let e=this.asked(`army`),t=await this.attempt(()=>ae(this.service,this.game))??[];if(!e||t.some(t=>t.armyId===e))return t;let n=await this.attempt(()=>this.service.armies.getArmy({armyId:e}));return n?.army?[n.army,...t]:t}render(){let{found:e}=this;return this.framed(`A new match`,e?this.#a(e):v)}#a(e){return w`<form class="new-match" novalidate @submit=${this.#_} @change=${this.#m}>
      <h2>${e.game?.name}</h2>
      <p>${e.game?.summary}</p>
      ${this.#o()}
      <div class="terms-column">${F(this.seats,this.waits)} ${this.#c()}</div>
      <fieldset class="options">
        <legend>${O(this.#e.length,`option`)} of the rules</legend>
        <div>
          ${this.#e.map(e=>le(e,this.faults[e.name],this.asked(e.name)))}
        </div>
      </fieldset>
      ${this.#d()}
      <p class="begin"><button class="main" ?disabled=${this.busy}>Begin</button></p>
    </form>`}#o(){let e=Object.keys(this.faults).length;return e?w`<div class="faults" role="alert">
      <b>${e===1?`One thing is`:`${e} things are`} wrong:</b>
      <ul>
        ${Object.entries(this.faults).map(([e,t])=>e===Z?w`<li>${t}</li>`:w`<li>${this.#s(e)}: ${t}</li>`)}
      </ul>
    </div>`:v}#s(e){return w`<a href="#${$(e)}" @click=${t=>{t.preventDefault(),this.querySelector(`[id="${$(e)}"]`)?.focus()}}>${e.replaceAll(/[_-]/g,` `)}</a>`}#c(){let e=(e,t,n)=>w`<div class="field">
        <label for=${e}>${t}</label>
        <select id=${e} name="${e}:">
          ${n.map(([e,t])=>w`<option value=${e}>${b(t)}</option>`)}
        </select>
      </div>`;return w`<fieldset>
      <legend>Terms</legend>
      <div class="field">
        <label for="title">Title</label>
        <input id="title" name="title:" maxlength="80" autocomplete="off" />
        ${D(`title`,this.faults.title??``)}
      </div>
      ${this.#l?e(`chance`,`Dice and shuffles`,Q([p.ROLLED,p.ENTERED],T)):v}
      ${e(`undo`,`Taking back`,Q([o.CONSENT,o.FREE,o.REFEREE,o.NONE],_))}
      ${e(`visibility`,`Looking on`,[[h.PRIVATE,`whoever has a link`],[h.PUBLIC,`everybody`],[h.UNLISTED,`everybody who knows its address`]])}
      ${e(`stand-in`,`If a player is gone for good`,[[C.NOBODY,`the match waits`],[C.REFEREE,`the referee may act for the seat`]])}
      <div class="field checked">
        <label for="pause">Pause for disputes</label>
        <input id="pause" name="pause:" type="checkbox" aria-describedby="pause-about" />
        <p class="note" id="pause-about">
          Nobody acts while a dispute is open${this.#l?`, and the service draws nothing`:v}
        </p>
      </div>
      ${he(this.isOwnClock)}
    </fieldset>`}get#l(){return!this.found?.game?.withoutChance}#u(e){return w`<label>Dice <select name="chance:${e}">
      <option value="0">As above</option>
      ${[p.ROLLED,p.ENTERED].map(e=>w`<option value=${e}>${b(T[e])}</option>`)}
    </select></label>`}#d(){return w`<fieldset class="by-seat">
      <legend>By seat</legend>
      ${this.seats.map((e,t)=>w`<div class="field">
          <b>${d(e)}</b>
          ${this.#l?this.#u(e):v} ${ge(e)}
          ${this.#t?this.#f(e,t):v} ${this.#p(e)}
          ${D(`seat-${e}`,this.faults[`armies[${e}]`]??``)}
        </div>`)}
      ${this.#t?w`<p class="note">
              Armies are fielded where the scenario lets players build them.
              <a href=${f({page:`armies`},{game:this.game})}>Build an army</a>
            </p>`:v}
    </fieldset>`}#f(e,t){let n=t===0?this.asked(`army`):``;return w`<label>Army <select name="army:${e}">
      <option value="">A ready one</option>
      ${this.armies.map(({armyId:e,name:t,points:r})=>w`<option value=${e} ?selected=${e===n}>
          ${t}, ${O(r,`point`)}
        </option>`)}
    </select></label>`}#p(e){let t=this.found?.botLevels??[];return t.length?w`<label>Played by <select name="bot:${e}">
      <option value="">A person</option>
      ${t.map(({name:e,about:t})=>w`<option value=${e} title=${t}>A bot: ${e}</option>`)}
    </select></label>`:v}#m=e=>{let t=e.currentTarget;this.waits=I(t),this.isOwnClock=J(t),this.#n=!0,this.#h()};#h=fe(()=>{this.#n&&this.#g()});async#g(){let e=this.querySelector(`form`);if(!e)return;this.#n=!1;let{values:t,faults:n}=ue(this.#e,e),r={...n},i={...t};for(;;)try{let e=await this.service.matches.getGame({game:this.game,options:i});this.seats=e.seats;break}catch(e){let t=m(e),[n=Z]=Object.keys(t.fields),a=/^options\.([\w-]+)/.exec(n)?.[1]??Z;if(r[a]=t.fields[n]??t.rawMessage,!(a in i))break;delete i[a]}return this.faults=r,Object.keys(r).length?void 0:t}#_=async e=>{e.preventDefault();let t=e.target;this.busy=!0;try{let e=await this.#g();e&&await this.#y(this.#v(t,e))}finally{this.busy=!1}Object.keys(this.faults).length&&scrollTo(0,0)};#v(e,t){let n=t=>e.elements.namedItem(t)?.value??``,i=e=>this.seats.map(t=>[t,n(`${e}:${t}`)]);return{requestId:r(),game:this.game,title:n(`title:`),chance:Number(n(`chance:`)),undo:Number(n(`undo:`)),visibility:Number(n(`visibility:`)),standIn:Number(n(`stand-in:`)),pauseOnDispute:e.elements.namedItem(`pause:`).checked,...L(e),..._e(e,this.seats),options:t,seatChance:Object.fromEntries(i(`chance`).flatMap(([e,t])=>Number(t)?[[e,Number(t)]]:[])),armies:Object.fromEntries(i(`army`).filter(([,e])=>e)),bots:Object.fromEntries(i(`bot`).filter(([,e])=>e))}}async#y(e){try{let t=c(),r=t&&e.ownSeat?this.service.with(t):this.service,i=await l(()=>r.matches.createMatch(e)),a=i.match?.matchId??``;y(a,be(e,i.tokens,t)),x(a,i.codes);let o=i.match?.asks[0]?.seat??``,s=this.seats.filter(t=>!e.bots?.[t]);n(f({match:a,as:e.bots?.[o]?s[0]??``:o}))}catch(e){let{fields:t,rawMessage:n}=m(e);this.faults=Object.keys(t).length?t:{[Z]:n}}}};function be({ownSeat:e,seatOrder:t},n,r){let i=e?.seat??``;if(!i)return n;let{[i]:a=``,...o}=n;return{...o,[t===s.DRAWN?re:i]:a||r}}function xe(e,t){return e.filter(({name:e})=>e!==t&&e!==ve)}function Q(e,t){return e.map(e=>[e,t[e]])}function $(e){return e===`title`?e:`option-${e}`}customElements.define(`emeth-new-match`,ye);function Se(e,t){return w`<emeth-new-match .service=${e} .query=${t}></emeth-new-match>`}export{Se as show};