import{$ as e,B as t,D as n,E as r,G as i,H as a,J as o,K as s,N as c,O as l,P as u,R as d,T as ee,V as f,W as p,Y as m,Z as h,_ as te,a as ne,d as re,et as g,f as _,i as v,m as y,o as b,p as x,q as S,v as C,w,x as T,y as ie,z as ae}from"./index-CJpAOJvg.js";import{r as oe}from"./armies-BXIrFJSb.js";import{n as se,t as ce}from"./catalog-DX5wdHCy.js";import{a as le,i as ue,n as de,r as E,t as fe}from"./options-CYOR12Tj.js";import{n as D,r as O,t as k}from"./page-C7ON4D_K.js";var A=[[`at-once`,`At once: a link for each seat`],[`invited`,`When full: a code for each seat`],[`linked`,`When full: one link for all`],[`anybody`,`When full: anybody may join`]],j={invited:d.INVITED,linked:d.LINKED,anybody:d.ANYBODY},M=[i.CHOSEN,i.IN_ORDER,i.DRAWN],N=[p.CREATOR,p.NOBODY,p.INVITED,p.OPERATOR],P=[p.NOBODY,p.CREATOR,p.INVITED,p.OPERATOR];function F(t,i){let a=(e,t,n)=>g`<div class="field">
      <label for=${e}>${t}</label>
      <select id=${e} name="${e}:">
        ${n.map(([e,t])=>g`<option value=${e}>${x(t)}</option>`)}
      </select>
    </div>`;return g`<fieldset class="beginning">
    <legend>Players</legend>
    ${a(`begins`,`It begins`,A)}
    ${i?g`${a(`order`,`Who sits where`,M.map(e=>[e,re[e]]))}
            ${a(`own`,`I play`,[[``,`I do not, or choose later`],...t.map(e=>[e,`as ${T(e)}`])])}
            ${n()?e:g`<div class="field">
                    <label for="player">My name, if I play</label>
                    <input id="player" name="player:" maxlength="80" autocomplete="nickname" .value=${r()} />
                  </div>`}`:e}
    ${a(`referee`,`Referee`,(i?P:N).map(e=>[e,_[e]]))}
  </fieldset>`}function I(e){return R(e,`begins`)in j}function L(e){let t=Number(R(e,`referee`));if(!I(e))return{referee:t};let r=R(e,`own`),i=n()?``:R(e,`player`).trim();return{referee:t,begins:ae.WHEN_FULL,admission:j[R(e,`begins`)]??d.INVITED,seatOrder:Number(R(e,`order`)),...r?{ownSeat:{seat:r,player:i,entropy:ne()}}:{}}}function R(e,t){return e.elements.namedItem(`${t}:`)?.value??``}var z=1000n,B=60n*z,V=60n*B,pe={delayMs:3n*z,delay:a.SIMPLE},H=(e,t={})=>h(f,{kind:{case:`side`,value:{ms:e,...t}}}),me=e=>h(f,{kind:{case:`move`,value:{ms:e}}}),U=e=>h(f,{kind:{case:`correspondence`,value:{days:e}}}),W={"3m+2s":H(3n*B,{incrementMs:2n*z}),"5m d3s":H(5n*B,pe),"10m+5s":H(10n*B,{incrementMs:5n*z}),"15m+10s":H(15n*B,{incrementMs:10n*z}),"30m+20s":H(30n*B,{incrementMs:20n*z}),"1h":H(V),"2m/action":me(2n*B),"1d/action":U(1),"3d/action":U(3),"7d/action":U(7)},G=`own`,K={minutes:10080,seconds:3600},q=()=>Object.entries(W).map(([e,t])=>g`<option value=${e}>${x(y(t))}</option>`);function he(t){let n=(e,t,n,r,i)=>g`<label>${t} <input class="short" name="${e}:" type="number" value=${n} min=${r} max=${i} required /></label>`;return g`<div class="field">
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
  </div>`}function ge(e){return g`<label>Clock <select name="clock:${e}">
    <option value="">As above</option>
    ${q()}
  </select></label>`}function J(e){return X(e,`clock:`)===G}function _e(e,t){let n=J(e)?Y(e):W[X(e,`clock:`)],r=t.flatMap(t=>{let n=W[X(e,`clock:${t}`)];return n?[[t,n]]:[]});return{...n?{clock:n}:{},seatClocks:Object.fromEntries(r)}}function Y(e){let t=t=>BigInt(Math.max(0,Math.trunc(Number(X(e,t))||0)));return H(t(`clock-minutes:`)*B,{incrementMs:t(`clock-seconds:`)*z})}function X(e,t){return e.elements.namedItem(t)?.value??``}var ve=`chance`,Z=``,ye=class extends k{static properties={...k.properties,game:{attribute:!1},found:{state:!0},faults:{state:!0},armies:{state:!0},seats:{state:!0},waits:{state:!0},isOwnClock:{state:!0}};#e=[];#t=!1;#n=!1;constructor(){super(),this.found=void 0,this.faults={},this.armies=[],this.seats=[],this.waits=!1,this.isOwnClock=!1}willUpdate(e){e.has(`query`)&&this.asked(`new`)!==this.game&&(this.game=this.asked(`new`),this.found=void 0,this.faults={},this.#r())}async#r(){let{game:e,service:t}=this,n=await this.attempt(()=>t.matches.getGame({game:e}));if(!n)return;let r=n.game?.catalog?await this.attempt(()=>se(t,e)):ce;if(!r||e!==this.game)return;let i=n.optionsSchema??{},a=fe(i,r.armySchema);this.#t=a!==void 0,this.#e=xe(le(i,r.entries),a),a&&(this.armies=await this.#i()),this.seats=n.seats,this.found=n,te(`${n.game?.name}: a new match`),await this.updateComplete,this.asked(`scenario`)&&await this.#m()}async#i(){let e=this.asked(`army`),t=await this.attempt(()=>oe(this.service,this.game))??[];if(!e||t.some(t=>t.armyId===e))return t;let n=await this.attempt(()=>this.service.armies.getArmy({armyId:e}));return n?.army?[n.army,...t]:t}render(){let{found:t}=this;return this.framed(`A new match`,t?this.#a(t):e)}#a(e){return g`<form class="new-match" novalidate @submit=${this.#h} @change=${this.#f}>
      <h2>${e.game?.name}</h2>
      <p>${e.game?.summary}</p>
      ${this.#o()}
      <div class="terms-column">${F(this.seats,this.waits)} ${this.#c()}</div>
      <fieldset class="options">
        <legend>${D(this.#e.length,`option`)} of the rules</legend>
        <div>
          ${this.#e.map(e=>ue(e,this.faults[e.name],this.asked(e.name)))}
        </div>
      </fieldset>
      ${this.#l()}
      <p class="begin"><button class="main" ?disabled=${this.busy}>Begin</button></p>
    </form>`}#o(){let t=Object.keys(this.faults).length;return t?g`<div class="faults" role="alert">
      <b>${t===1?`One thing is`:`${t} things are`} wrong:</b>
      <ul>
        ${Object.entries(this.faults).map(([e,t])=>e===Z?g`<li>${t}</li>`:g`<li>${this.#s(e)}: ${t}</li>`)}
      </ul>
    </div>`:e}#s(e){return g`<a href="#${$(e)}" @click=${t=>{t.preventDefault(),this.querySelector(`[id="${$(e)}"]`)?.focus()}}>${e.replaceAll(/[_-]/g,` `)}</a>`}#c(){let e=(e,t,n)=>g`<div class="field">
        <label for=${e}>${t}</label>
        <select id=${e} name="${e}:">
          ${n.map(([e,t])=>g`<option value=${e}>${x(t)}</option>`)}
        </select>
      </div>`;return g`<fieldset>
      <legend>Terms</legend>
      <div class="field">
        <label for="title">Title</label>
        <input id="title" name="title:" maxlength="80" autocomplete="off" />
        ${E(`title`,this.faults.title??``)}
      </div>
      ${e(`chance`,`Dice and shuffles`,Q([t.ROLLED,t.ENTERED],C))}
      ${e(`undo`,`Taking back`,Q([S.CONSENT,S.FREE,S.REFEREE,S.NONE],ie))}
      ${e(`visibility`,`Looking on`,[[o.PRIVATE,`whoever has a link`],[o.PUBLIC,`everybody`],[o.UNLISTED,`everybody who knows its address`]])}
      ${e(`stand-in`,`If a player is gone for good`,[[s.NOBODY,`the match waits`],[s.REFEREE,`the referee may act for the seat`]])}
      <div class="field checked">
        <label for="pause">Pause for disputes</label>
        <input id="pause" name="pause:" type="checkbox" aria-describedby="pause-about" />
        <p class="note" id="pause-about">
          Nobody acts while a dispute is open, and the service draws nothing
        </p>
      </div>
      ${he(this.isOwnClock)}
    </fieldset>`}#l(){return g`<fieldset class="by-seat">
      <legend>By seat</legend>
      ${this.seats.map((n,r)=>g`<div class="field">
          <b>${T(n)}</b>
          <label>Dice <select name="chance:${n}">
            <option value="0">As above</option>
            ${[t.ROLLED,t.ENTERED].map(e=>g`<option value=${e}>${x(C[e])}</option>`)}
          </select></label>
          ${ge(n)}
          ${this.#t?this.#u(n,r):e} ${this.#d(n)}
          ${E(`seat-${n}`,this.faults[`armies[${n}]`]??``)}
        </div>`)}
      ${this.#t?g`<p class="note">
              Armies are fielded where the scenario lets players build them.
              <a href=${w({page:`armies`},{game:this.game})}>Build an army</a>
            </p>`:e}
    </fieldset>`}#u(e,t){let n=t===0?this.asked(`army`):``;return g`<label>Army <select name="army:${e}">
      <option value="">A ready one</option>
      ${this.armies.map(({armyId:e,name:t,points:r})=>g`<option value=${e} ?selected=${e===n}>
          ${t}, ${D(r,`point`)}
        </option>`)}
    </select></label>`}#d(t){let n=this.found?.botLevels??[];return n.length?g`<label>Played by <select name="bot:${t}">
      <option value="">A person</option>
      ${n.map(({name:e,about:t})=>g`<option value=${e} title=${t}>A bot: ${e}</option>`)}
    </select></label>`:e}#f=e=>{let t=e.currentTarget;this.waits=I(t),this.isOwnClock=J(t),this.#n=!0,this.#p()};#p=O(()=>{this.#n&&this.#m()});async#m(){let e=this.querySelector(`form`);if(!e)return;this.#n=!1;let{values:t,faults:n}=de(this.#e,e),r={...n},i={...t};for(;;)try{let e=await this.service.matches.getGame({game:this.game,options:i});this.seats=e.seats;break}catch(e){let t=m(e),[n=Z]=Object.keys(t.fields),a=/^options\.([\w-]+)/.exec(n)?.[1]??Z;if(r[a]=t.fields[n]??t.rawMessage,!(a in i))break;delete i[a]}return this.faults=r,Object.keys(r).length?void 0:t}#h=async e=>{e.preventDefault();let t=e.target,n=await this.#m();n&&await this.#_(this.#g(t,n)),Object.keys(this.faults).length&&scrollTo(0,0)};#g(e,t){let n=t=>e.elements.namedItem(t)?.value??``,r=e=>this.seats.map(t=>[t,n(`${e}:${t}`)]);return{requestId:u(),game:this.game,title:n(`title:`),chance:Number(n(`chance:`)),undo:Number(n(`undo:`)),visibility:Number(n(`visibility:`)),standIn:Number(n(`stand-in:`)),pauseOnDispute:e.elements.namedItem(`pause:`).checked,...L(e),..._e(e,this.seats),options:t,seatChance:Object.fromEntries(r(`chance`).flatMap(([e,t])=>Number(t)?[[e,Number(t)]]:[])),armies:Object.fromEntries(r(`army`).filter(([,e])=>e)),bots:Object.fromEntries(r(`bot`).filter(([,e])=>e))}}async#_(e){this.busy=!0;try{let t=n(),r=t&&e.ownSeat?this.service.with(t):this.service,i=await c(()=>r.matches.createMatch(e)),a=i.match?.matchId??``;l(a,be(e,i.tokens,t)),b(a,i.codes);let o=i.match?.asks[0]?.seat??``,s=this.seats.filter(t=>!e.bots?.[t]);ee(w({match:a,as:e.bots?.[o]?s[0]??``:o}))}catch(e){let{fields:t,rawMessage:n}=m(e);this.faults=Object.keys(t).length?t:{[Z]:n}}finally{this.busy=!1}}};function be({ownSeat:e,seatOrder:t},n,r){let a=e?.seat??``;if(!a)return n;let{[a]:o=``,...s}=n;return{...s,[t===i.DRAWN?v:a]:o||r}}function xe(e,t){return e.filter(({name:e})=>e!==t&&e!==ve)}function Q(e,t){return e.map(e=>[e,t[e]])}function $(e){return e===`title`?e:`option-${e}`}customElements.define(`emeth-new-match`,ye);function Se(e,t){return g`<emeth-new-match .service=${e} .query=${t}></emeth-new-match>`}export{Se as show};