import{B as e,D as t,E as n,F as r,G as i,H as a,J as o,K as s,O as c,P as ee,Q as l,S as u,T as d,U as te,V as f,X as p,Y as m,a as ne,b as re,et as h,f as ie,h as ae,i as oe,k as se,m as g,o as _,p as ce,q as v,tt as y,v as le,y as b,z as x}from"./index-CnppYzAq.js";import{r as ue}from"./armies-dqDSQCYp.js";import{n as de,t as fe}from"./catalog-DX5wdHCy.js";import{a as S,i as C,n as pe,r as w,t as me}from"./options-C99zZntK.js";import{n as T,r as he,t as E}from"./page-CbH16QgK.js";var D=`emeth.level`,O=`against:`,k=`level:`;function A(e,t){if(!e.length)return h;let n=M();return y`<button name=${O} ?disabled=${t}>Against a bot</button>
    <select name=${k} aria-label="How well the bot plays">
      ${e.map(({name:e,about:t})=>y`<option value=${e} title=${t} ?selected=${e===n}>${e}</option>`)}
    </select>`}function j(e,t,n,r){if(t?.getAttribute(`name`)!==O)return r;let i=e.elements.namedItem(k).value;N(i);let a=n.filter(e=>!r[e]).slice(1);return{...r,...Object.fromEntries(a.map(e=>[e,i]))}}function M(){try{return localStorage.getItem(D)??``}catch{return``}}function N(e){try{localStorage.setItem(D,e)}catch{}}var P=[[`at-once`,`At once: a link for each seat`],[`invited`,`When full: a code for each seat`],[`linked`,`When full: one link for all`],[`anybody`,`When full: anybody may join`]],F={invited:x.INVITED,linked:x.LINKED,anybody:x.ANYBODY},I=[s.CHOSEN,s.IN_ORDER,s.DRAWN],L=[i.CREATOR,i.NOBODY,i.INVITED,i.OPERATOR],R=[i.NOBODY,i.CREATOR,i.INVITED,i.OPERATOR];function ge(e,n){let r=(e,t,n)=>y`<div class="field">
      <label for=${e}>${t}</label>
      <select id=${e} name="${e}:">
        ${n.map(([e,t])=>y`<option value=${e}>${g(t)}</option>`)}
      </select>
    </div>`;return y`<fieldset class="beginning">
    <legend>Players</legend>
    ${r(`begins`,`It begins`,P)}
    ${n?y`${r(`order`,`Who sits where`,I.map(e=>[e,ie[e]]))}
            ${r(`own`,`I play`,[[``,`I do not, or choose later`],...e.map(e=>[e,`as ${u(e)}`])])}
            ${c()?h:y`<div class="field">
                    <label for="player">My name, if I play</label>
                    <input id="player" name="player:" maxlength="80" autocomplete="nickname" .value=${t()} />
                  </div>`}`:h}
    ${r(`referee`,`Referee`,(n?R:L).map(e=>[e,ce[e]]))}
  </fieldset>`}function z(e){return B(e,`begins`)in F}function _e(t){let n=Number(B(t,`referee`));if(!z(t))return{referee:n};let r=B(t,`own`),i=c()?``:B(t,`player`).trim();return{referee:n,begins:e.WHEN_FULL,admission:F[B(t,`begins`)]??x.INVITED,seatOrder:Number(B(t,`order`)),...r?{ownSeat:{seat:r,player:i,entropy:ne()}}:{}}}function B(e,t){return e.elements.namedItem(`${t}:`)?.value??``}var V=1000n,H=60n*V,ve=60n*H,ye={delayMs:3n*V,delay:te.SIMPLE},U=(e,t={})=>l(a,{kind:{case:`side`,value:{ms:e,...t}}}),be=e=>l(a,{kind:{case:`move`,value:{ms:e}}}),W=e=>l(a,{kind:{case:`correspondence`,value:{days:e}}}),G={"3m+2s":U(3n*H,{incrementMs:2n*V}),"5m d3s":U(5n*H,ye),"10m+5s":U(10n*H,{incrementMs:5n*V}),"15m+10s":U(15n*H,{incrementMs:10n*V}),"30m+20s":U(30n*H,{incrementMs:20n*V}),"1h":U(ve),"2m/action":be(2n*H),"1d/action":W(1),"3d/action":W(3),"7d/action":W(7)},K=`own`,q={minutes:10080,seconds:3600},J=()=>Object.entries(G).map(([e,t])=>y`<option value=${e}>${g(ae(t))}</option>`);function xe(e){let t=(e,t,n,r,i)=>y`<label>${t} <input class="short" name="${e}:" type="number" value=${n} min=${r} max=${i} required /></label>`;return y`<div class="field">
    <label for="clock">Clock for each seat</label>
    <select id="clock" name="clock:">
      <option value="">No clock</option>
      ${J()}
      <option value=${K}>Another …</option>
    </select>
    ${e?y`<div class="row">
            ${t(`clock-minutes`,`Minutes`,20,1,q.minutes)}
            ${t(`clock-seconds`,`Seconds more a turn`,10,0,q.seconds)}
          </div>`:h}
  </div>`}function Se(e){return y`<label>Clock <select name="clock:${e}">
    <option value="">As above</option>
    ${J()}
  </select></label>`}function Y(e){return X(e,`clock:`)===K}function Ce(e,t){let n=Y(e)?we(e):G[X(e,`clock:`)],r=t.flatMap(t=>{let n=G[X(e,`clock:${t}`)];return n?[[t,n]]:[]});return{...n?{clock:n}:{},seatClocks:Object.fromEntries(r)}}function we(e){let t=t=>BigInt(Math.max(0,Math.trunc(Number(X(e,t))||0)));return U(t(`clock-minutes:`)*H,{incrementMs:t(`clock-seconds:`)*V})}function X(e,t){return e.elements.namedItem(t)?.value??``}var Te=`chance`,Z=``,Ee=class extends E{static properties={...E.properties,game:{attribute:!1},found:{state:!0},faults:{state:!0},armies:{state:!0},seats:{state:!0},waits:{state:!0},isOwnClock:{state:!0}};#e=[];#t=!1;#n=!1;constructor(){super(),this.found=void 0,this.faults={},this.armies=[],this.seats=[],this.waits=!1,this.isOwnClock=!1}willUpdate(e){e.has(`query`)&&this.asked(`new`)!==this.game&&(this.game=this.asked(`new`),this.found=void 0,this.faults={},this.#r())}async#r(){let{game:e,service:t}=this,n=await this.attempt(()=>t.matches.getGame({game:e}));if(!n)return;let r=n.game?.catalog?await this.attempt(()=>de(t,e)):fe;if(!r||e!==this.game)return;let i=n.optionsSchema??{},a=me(i,r.armySchema);this.#t=a!==void 0,this.#e=Oe(S(i,r.entries),a),a&&(this.armies=await this.#i()),this.seats=n.seats,this.found=n,le(`${n.game?.name}: a new match`),await this.updateComplete,this.asked(`scenario`)&&await this.#g()}async#i(){let e=this.asked(`army`),t=await this.attempt(()=>ue(this.service,this.game))??[];if(!e||t.some(t=>t.armyId===e))return t;let n=await this.attempt(()=>this.service.armies.getArmy({armyId:e}));return n?.army?[n.army,...t]:t}render(){let{found:e}=this;return this.framed(`A new match`,e?this.#a(e):h)}#a(e){return y`<form class="new-match" novalidate @submit=${this.#_} @change=${this.#m}>
      <h2>${e.game?.name}</h2>
      <p>${e.game?.summary}</p>
      ${this.#o()}
      <div class="terms-column">${ge(this.seats,this.waits)} ${this.#c()}</div>
      <fieldset class="options">
        <legend>${T(this.#e.length,`option`)} of the rules</legend>
        <div>
          ${this.#e.map(e=>C(e,this.faults[e.name],this.asked(e.name)))}
        </div>
      </fieldset>
      ${this.#d()}
      <p class="begin row">
        <button class="main" ?disabled=${this.busy}>Begin</button>
        ${this.waits?h:A(this.found?.botLevels??[],this.busy)}
      </p>
    </form>`}#o(){let e=Object.keys(this.faults).length;return e?y`<div class="faults" role="alert">
      <b>${e===1?`One thing is`:`${e} things are`} wrong:</b>
      <ul>
        ${Object.entries(this.faults).map(([e,t])=>e===Z?y`<li>${t}</li>`:y`<li>${this.#s(e)}: ${t}</li>`)}
      </ul>
    </div>`:h}#s(e){return y`<a href="#${$(e)}" @click=${t=>{t.preventDefault(),this.querySelector(`[id="${$(e)}"]`)?.focus()}}>${e.replaceAll(/[_-]/g,` `)}</a>`}#c(){let e=(e,t,n)=>y`<div class="field">
        <label for=${e}>${t}</label>
        <select id=${e} name="${e}:">
          ${n.map(([e,t])=>y`<option value=${e}>${g(t)}</option>`)}
        </select>
      </div>`;return y`<fieldset>
      <legend>Terms</legend>
      <div class="field">
        <label for="title">Title</label>
        <input id="title" name="title:" maxlength="80" autocomplete="off" />
        ${w(`title`,this.faults.title??``)}
      </div>
      ${this.#l?e(`chance`,`Dice and shuffles`,Q([f.ROLLED,f.ENTERED],b)):h}
      ${e(`undo`,`Taking back`,Q([o.CONSENT,o.FREE,o.REFEREE,o.NONE],re))}
      ${e(`visibility`,`Looking on`,[[m.PRIVATE,`whoever has a link`],[m.PUBLIC,`everybody`],[m.UNLISTED,`everybody who knows its address`]])}
      ${e(`stand-in`,`If a player is gone for good`,[[v.NOBODY,`the match waits`],[v.REFEREE,`the referee may act for the seat`]])}
      <div class="field checked">
        <label for="pause">Pause for disputes</label>
        <input id="pause" name="pause:" type="checkbox" aria-describedby="pause-about" />
        <p class="note" id="pause-about">
          Nobody acts while a dispute is open${this.#l?`, and the service draws nothing`:h}
        </p>
      </div>
      ${xe(this.isOwnClock)}
    </fieldset>`}get#l(){return!this.found?.game?.withoutChance}#u(e){return y`<label>Dice <select name="chance:${e}">
      <option value="0">As above</option>
      ${[f.ROLLED,f.ENTERED].map(e=>y`<option value=${e}>${g(b[e])}</option>`)}
    </select></label>`}#d(){return y`<fieldset class="by-seat">
      <legend>By seat</legend>
      ${this.seats.map((e,t)=>y`<div class="field">
          <b>${u(e)}</b>
          ${this.#l?this.#u(e):h} ${Se(e)}
          ${this.#t?this.#f(e,t):h} ${this.#p(e)}
          ${w(`seat-${e}`,this.faults[`armies[${e}]`]??``)}
        </div>`)}
      ${this.#t?y`<p class="note">
              Armies are fielded where the scenario lets players build them.
              <a href=${d({page:`armies`},{game:this.game})}>Build an army</a>
            </p>`:h}
    </fieldset>`}#f(e,t){let n=t===0?this.asked(`army`):``;return y`<label>Army <select name="army:${e}">
      <option value="">A ready one</option>
      ${this.armies.map(({armyId:e,name:t,points:r})=>y`<option value=${e} ?selected=${e===n}>
          ${t}, ${T(r,`point`)}
        </option>`)}
    </select></label>`}#p(e){let t=this.found?.botLevels??[];return t.length?y`<label>Played by <select name="bot:${e}">
      <option value="">A person</option>
      ${t.map(({name:e,about:t})=>y`<option value=${e} title=${t}>A bot: ${e}</option>`)}
    </select></label>`:h}#m=e=>{let t=e.currentTarget;this.waits=z(t),this.isOwnClock=Y(t),this.#n=!0,this.#h()};#h=he(()=>{this.#n&&this.#g()});async#g(){let e=this.querySelector(`form`);if(!e)return;this.#n=!1;let{values:t,faults:n}=pe(this.#e,e),r={...n},i={...t};for(;;)try{let e=await this.service.matches.getGame({game:this.game,options:i});this.seats=e.seats;break}catch(e){let t=p(e),[n=Z]=Object.keys(t.fields),a=/^options\.([\w-]+)/.exec(n)?.[1]??Z;if(r[a]=t.fields[n]??t.rawMessage,!(a in i))break;delete i[a]}return this.faults=r,Object.keys(r).length?void 0:t}#_=async e=>{e.preventDefault();let t=e.target;this.busy=!0;try{let n=await this.#g();n&&await this.#y(this.#v(t,n,e.submitter))}finally{this.busy=!1}Object.keys(this.faults).length&&scrollTo(0,0)};#v(e,t,n){let i=t=>e.elements.namedItem(t)?.value??``,a=e=>this.seats.map(t=>[t,i(`${e}:${t}`)]);return{requestId:r(),game:this.game,title:i(`title:`),chance:Number(i(`chance:`)),undo:Number(i(`undo:`)),visibility:Number(i(`visibility:`)),standIn:Number(i(`stand-in:`)),pauseOnDispute:e.elements.namedItem(`pause:`).checked,..._e(e),...Ce(e,this.seats),options:t,seatChance:Object.fromEntries(a(`chance`).flatMap(([e,t])=>Number(t)?[[e,Number(t)]]:[])),armies:Object.fromEntries(a(`army`).filter(([,e])=>e)),bots:j(e,n,this.seats,Object.fromEntries(a(`bot`).filter(([,e])=>e)))}}async#y(e){try{let t=c(),r=t&&e.ownSeat?this.service.with(t):this.service,i=await ee(()=>r.matches.createMatch(e)),a=i.match?.matchId??``;se(a,De(e,i.tokens,t)),_(a,i.codes);let o=i.match?.prompts[0]?.seat??``,s=this.seats.filter(t=>!e.bots?.[t]);n(d({match:a,as:e.bots?.[o]?s[0]??``:o}))}catch(e){let{fields:t,rawMessage:n}=p(e);this.faults=Object.keys(t).length?t:{[Z]:n}}}};function De({ownSeat:e,seatOrder:t},n,r){let i=e?.seat??``;if(!i)return n;let{[i]:a=``,...o}=n;return{...o,[t===s.DRAWN?oe:i]:a||r}}function Oe(e,t){return e.filter(({name:e})=>e!==t&&e!==Te)}function Q(e,t){return e.map(e=>[e,t[e]])}function $(e){return e===`title`?e:`option-${e}`}customElements.define(`emeth-new-match`,Ee);function ke(e,t){return y`<emeth-new-match .service=${e} .query=${t}></emeth-new-match>`}export{ke as show};