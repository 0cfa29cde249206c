import{$ as e,B as t,D as n,E as r,F as i,G as a,H as o,J as s,K as c,O as l,P as ee,R as u,S as d,T as f,V as p,W as m,Y as h,Z as g,a as te,b as ne,et as _,f as re,h as ie,i as ae,k as oe,m as v,o as se,p as y,q as b,v as ce,y as x,z as le}from"./index-BpCNFTSC.js";import{r as ue}from"./armies-af68FgFD.js";import{t as de}from"./content-CtaQ_qEU.js";import{a as fe,i as pe,n as me,r as S,t as he}from"./options-BBRprCpY.js";import{n as C,r as ge,t as w}from"./page-BJ8IlBeV.js";var T=`emeth.level`,E=`against:`,D=`level:`;function O(t,n){if(!t.length)return e;let r=A();return _`<button name=${E} ?disabled=${n}>Against a bot</button>
    <select name=${D} aria-label="How well the bot plays">
      ${t.map(({name:e,description:t})=>_`<option value=${e} title=${t} ?selected=${e===r}>${e}</option>`)}
    </select>`}function k(e,t,n,r){if(t?.getAttribute(`name`)!==E)return r;let i=e.elements.namedItem(D).value;j(i);let a=n.filter(e=>!r[e]).slice(1);return{...r,...Object.fromEntries(a.map(e=>[e,i]))}}function A(){try{return localStorage.getItem(T)??``}catch{return``}}function j(e){try{localStorage.setItem(T,e)}catch{}}var M=[[`at-once`,`At once: a link for each seat`],[`invited`,`When full: a code for each seat`],[`linked`,`When full: one link for all`],[`anybody`,`When full: anybody may join`]],N={invited:u.INVITED,linked:u.LINKED,anybody:u.ANYBODY},P=[a.CHOSEN,a.IN_ORDER,a.DRAWN],F=[m.CREATOR,m.NOBODY,m.INVITED,m.OPERATOR],I=[m.NOBODY,m.CREATOR,m.INVITED,m.OPERATOR];function L(t,r){let i=(e,t,n)=>_`<div class="field">
      <label for=${e}>${t}</label>
      <select id=${e} name="${e}:">
        ${n.map(([e,t])=>_`<option value=${e}>${v(t)}</option>`)}
      </select>
    </div>`;return _`<fieldset class="beginning">
    <legend>Players</legend>
    ${i(`begins`,`It begins`,M)}
    ${r?_`${i(`order`,`Who sits where`,P.map(e=>[e,re[e]]))}
            ${i(`own`,`I play`,[[``,`I do not, or choose later`],...t.map(e=>[e,`as ${d(e)}`])])}
            ${l()?e:_`<div class="field">
                    <label for="player">My name, if I play</label>
                    <input id="player" name="player:" maxlength="80" autocomplete="nickname" .value=${n()} />
                  </div>`}`:e}
    ${i(`referee`,`Referee`,(r?I:F).map(e=>[e,y[e]]))}
  </fieldset>`}function R(e){return z(e,`begins`)in N}function _e(e){let t=Number(z(e,`referee`));if(!R(e))return{referee:t};let n=z(e,`own`),r=l()?``:z(e,`player`).trim();return{referee:t,begins:le.WHEN_FULL,admission:N[z(e,`begins`)]??u.INVITED,seatOrder:Number(z(e,`order`)),...n?{ownSeat:{seat:n,player:r,entropy:te()}}:{}}}function z(e,t){return e.elements.namedItem(`${t}:`)?.value??``}var B=1000n,V=60n*B,ve=60n*V,ye={delayMs:3n*B,delay:o.SIMPLE},H=(e,t={})=>g(p,{kind:{case:`side`,value:{ms:e,...t}}}),be=e=>g(p,{kind:{case:`move`,value:{ms:e}}}),U=e=>g(p,{kind:{case:`correspondence`,value:{days:e}}}),W={"3m+2s":H(3n*V,{incrementMs:2n*B}),"5m d3s":H(5n*V,ye),"10m+5s":H(10n*V,{incrementMs:5n*B}),"15m+10s":H(15n*V,{incrementMs:10n*B}),"30m+20s":H(30n*V,{incrementMs:20n*B}),"1h":H(ve),"2m/action":be(2n*V),"1d/action":U(1),"3d/action":U(3),"7d/action":U(7)},G=`own`,K={minutes:10080,seconds:3600},q=()=>Object.entries(W).map(([e,t])=>_`<option value=${e}>${v(ie(t))}</option>`);function xe(t){let n=(e,t,n,r,i)=>_`<label>${t} <input class="short" name="${e}:" type="number" value=${n} min=${r} max=${i} required /></label>`;return _`<div class="field">
    <label for="clock">Clock for each seat</label>
    <select id="clock" name="clock:">
      <option value="">No clock</option>
      ${q()}
      <option value=${G}>Another …</option>
    </select>
    ${t?_`<div class="row">
            ${n(`clock-minutes`,`Minutes`,20,1,K.minutes)}
            ${n(`clock-seconds`,`Seconds more a turn`,10,0,K.seconds)}
          </div>`:e}
  </div>`}function Se(e){return _`<label>Clock <select name="clock:${e}">
    <option value="">As above</option>
    ${q()}
  </select></label>`}function J(e){return Y(e,`clock:`)===G}function Ce(e,t){let n=J(e)?we(e):W[Y(e,`clock:`)],r=t.flatMap(t=>{let n=W[Y(e,`clock:${t}`)];return n?[[t,n]]:[]});return{...n?{clock:n}:{},seatClocks:Object.fromEntries(r)}}function we(e){let t=t=>BigInt(Math.max(0,Math.trunc(Number(Y(e,t))||0)));return H(t(`clock-minutes:`)*V,{incrementMs:t(`clock-seconds:`)*B})}function Y(e,t){return e.elements.namedItem(t)?.value??``}var Te=`chance`,X=``,Z=class extends w{static properties={...w.properties,game:{attribute:!1},found:{state:!0},faults:{state:!0},armies:{state:!0},seats:{state:!0},waits:{state:!0},isOwnClock:{state:!0}};#e=[];#t=!1;#n=!1;constructor(){super(),this.found=void 0,this.faults={},this.armies=[],this.seats=[],this.waits=!1,this.isOwnClock=!1}willUpdate(e){e.has(`query`)&&this.asked(`new`)!==this.game&&(this.game=this.asked(`new`),this.found=void 0,this.faults={},this.#r())}async#r(){let{game:e,service:t}=this,n=await this.attempt(()=>t.games.getGame({game:e}));if(!n)return;let r=n.game?.hasContent?await this.attempt(()=>de(t,e)):[];if(!r||e!==this.game)return;let i=n.game?.optionsSchema??{},a=he(i,n.game?.rosterSchema);this.#t=a!==void 0,this.#e=De(fe(i,r),a),a&&(this.armies=await this.#i()),this.seats=n.setup?.seats??[],this.found=n,ce(`${n.game?.name}: a new match`),await this.updateComplete,this.asked(`scenario`)&&await this.#g()}async#i(){let e=this.asked(`army`),t=await this.attempt(()=>ue(this.service,this.game))??[];if(!e||t.some(t=>t.armyId===e))return t;let n=await this.attempt(()=>this.service.armies.getArmy({armyId:e}));return n?.army?[n.army,...t]:t}render(){let{found:t}=this;return this.framed(`A new match`,t?this.#a(t):e)}#a(t){return _`<form class="new-match" novalidate @submit=${this.#_} @change=${this.#m}>
      <h2>${t.game?.name}</h2>
      <p>${t.game?.summary}</p>
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
        ${this.waits?e:O(this.found?.game?.botLevels??[],this.busy)}
      </p>
    </form>`}#o(){let t=Object.keys(this.faults).length;return t?_`<div class="faults" role="alert">
      <b>${t===1?`One thing is`:`${t} things are`} wrong:</b>
      <ul>
        ${Object.entries(this.faults).map(([e,t])=>e===X?_`<li>${t}</li>`:_`<li>${this.#s(e)}: ${t}</li>`)}
      </ul>
    </div>`:e}#s(e){return _`<a href="#${$(e)}" @click=${t=>{t.preventDefault(),this.querySelector(`[id="${$(e)}"]`)?.focus()}}>${e.replaceAll(/[_-]/g,` `)}</a>`}#c(){let n=(e,t,n)=>_`<div class="field">
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
      ${this.#l?n(`chance`,`Dice and shuffles`,Q([t.ROLLED,t.ENTERED],x)):e}
      ${n(`undo`,`Taking back`,Q([b.CONSENT,b.FREE,b.REFEREE,b.NONE],ne))}
      ${n(`visibility`,`Looking on`,[[s.PRIVATE,`whoever has a link`],[s.PUBLIC,`everybody`],[s.UNLISTED,`everybody who knows its address`]])}
      ${n(`stand-in`,`If a player is gone for good`,[[c.NOBODY,`the match waits`],[c.REFEREE,`the referee may act for the seat`]])}
      <div class="field checked">
        <label for="pause">Pause for disputes</label>
        <input id="pause" name="pause:" type="checkbox" aria-describedby="pause-about" />
        <p class="note" id="pause-about">
          Nobody acts while a dispute is open${this.#l?`, and the service draws nothing`:e}
        </p>
      </div>
      ${xe(this.isOwnClock)}
    </fieldset>`}get#l(){return this.found?.game?.hasChance??!1}#u(e){return _`<label>Dice <select name="chance:${e}">
      <option value="0">As above</option>
      ${[t.ROLLED,t.ENTERED].map(e=>_`<option value=${e}>${v(x[e])}</option>`)}
    </select></label>`}#d(){return _`<fieldset class="by-seat">
      <legend>By seat</legend>
      ${this.seats.map((t,n)=>_`<div class="field">
          <b>${d(t)}</b>
          ${this.#l?this.#u(t):e} ${Se(t)}
          ${this.#t?this.#f(t,n):e} ${this.#p(t)}
          ${S(`seat-${t}`,this.faults[`armies[${t}]`]??``)}
        </div>`)}
      ${this.#t?_`<p class="note">
              Armies are fielded where the scenario lets players build them.
              <a href=${f({page:`armies`},{game:this.game})}>Build an army</a>
            </p>`:e}
    </fieldset>`}#f(e,t){let n=t===0?this.asked(`army`):``;return _`<label>Army <select name="army:${e}">
      <option value="">A ready one</option>
      ${this.armies.map(({armyId:e,name:t,points:r})=>_`<option value=${e} ?selected=${e===n}>
          ${t}, ${C(r,`point`)}
        </option>`)}
    </select></label>`}#p(t){let n=this.found?.game?.botLevels??[];return n.length?_`<label>Played by <select name="bot:${t}">
      <option value="">A person</option>
      ${n.map(({name:e,description:t})=>_`<option value=${e} title=${t}>A bot: ${e}</option>`)}
    </select></label>`:e}#m=e=>{let t=e.currentTarget;this.waits=R(t),this.isOwnClock=J(t),this.#n=!0,this.#h()};#h=ge(()=>{this.#n&&this.#g()});async#g(){let e=this.querySelector(`form`);if(!e)return;this.#n=!1;let{values:t,faults:n}=me(this.#e,e),r={...n},i={...t};for(;;)try{let{setup:e}=await this.service.games.getGame({game:this.game,options:i});this.seats=e?.seats??[];break}catch(e){let t=h(e),[n=X]=Object.keys(t.fields),a=/^options\.([\w-]+)/.exec(n)?.[1]??X;if(r[a]=t.fields[n]??t.rawMessage,!(a in i))break;delete i[a]}return this.faults=r,Object.keys(r).length?void 0:t}#_=async e=>{e.preventDefault();let t=e.target;this.busy=!0;try{let n=await this.#g();n&&await this.#y(this.#v(t,n,e.submitter))}finally{this.busy=!1}Object.keys(this.faults).length&&scrollTo(0,0)};#v(e,t,n){let r=t=>e.elements.namedItem(t)?.value??``,a=e=>this.seats.map(t=>[t,r(`${e}:${t}`)]);return{requestId:i(),game:this.game,title:r(`title:`),chance:Number(r(`chance:`)),undo:Number(r(`undo:`)),visibility:Number(r(`visibility:`)),standIn:Number(r(`stand-in:`)),pauseOnDispute:e.elements.namedItem(`pause:`).checked,..._e(e),...Ce(e,this.seats),options:t,seatChance:Object.fromEntries(a(`chance`).flatMap(([e,t])=>Number(t)?[[e,Number(t)]]:[])),armies:Object.fromEntries(a(`army`).filter(([,e])=>e)),bots:k(e,n,this.seats,Object.fromEntries(a(`bot`).filter(([,e])=>e)))}}async#y(e){try{let t=l(),n=t&&e.ownSeat?this.service.with(t):this.service,i=await ee(()=>n.matches.createMatch(e)),a=i.match?.matchId??``;oe(a,Ee(e,i.tokens,t)),se(a,i.codes);let o=i.match?.prompts[0]?.seat??``,s=this.seats.filter(t=>!e.bots?.[t]);r(f({match:a,as:e.bots?.[o]?s[0]??``:o}))}catch(e){let{fields:t,rawMessage:n}=h(e);this.faults=Object.keys(t).length?t:{[X]:n}}}};function Ee({ownSeat:e,seatOrder:t},n,r){let i=e?.seat??``;if(!i)return n;let{[i]:o=``,...s}=n;return{...s,[t===a.DRAWN?ae:i]:o||r}}function De(e,t){return e.filter(({name:e})=>e!==t&&e!==Te)}function Q(e,t){return e.map(e=>[e,t[e]])}function $(e){return e===`title`?e:`option-${e}`}customElements.define(`emeth-new-match`,Z);function Oe(e,t){return _`<emeth-new-match .service=${e} .query=${t}></emeth-new-match>`}export{Oe as show};