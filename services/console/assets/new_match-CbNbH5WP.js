import{D as e,E as t,F as n,G as r,H as i,J as a,O as o,P as s,Q as c,S as l,T as u,U as d,V as f,W as p,X as m,Y as h,Z as g,a as ee,b as te,et as _,f as ne,h as re,i as ie,k as ae,m as v,nt as y,o as oe,p as b,q as x,rt as S,v as se,y as C}from"./index-fgm-tjmH.js";import{r as ce}from"./armies-CxNTkY7s.js";import{n as le,t as ue}from"./catalog-DX5wdHCy.js";import{a as de,i as fe,n as w,r as T,t as pe}from"./options-CcpUbgP5.js";import{n as E,r as me,t as D}from"./page-Dj_wH9OE.js";var O=`emeth.level`,k=`against:`,A=`level:`;function he(e,t){if(!e.length)return y;let n=M();return S`<button name=${k} ?disabled=${t}>Against a bot</button>
    <select name=${A} aria-label="How well the bot plays">
      ${e.map(({name:e,about:t})=>S`<option value=${e} title=${t} ?selected=${e===n}>${e}</option>`)}
    </select>`}function j(e,t,n,r){if(t?.getAttribute(`name`)!==k)return r;let i=e.elements.namedItem(A).value;N(i);let a=n.filter(e=>!r[e]).slice(1);return{...r,...Object.fromEntries(a.map(e=>[e,i]))}}function M(){try{return localStorage.getItem(O)??``}catch{return``}}function N(e){try{localStorage.setItem(O,e)}catch{}}var P=[[`at-once`,`At once: a link for each seat`],[`invited`,`When full: a code for each seat`],[`linked`,`When full: one link for all`],[`anybody`,`When full: anybody may join`]],F={invited:f.INVITED,linked:f.LINKED,anybody:f.ANYBODY},I=[a.CHOSEN,a.IN_ORDER,a.DRAWN],L=[x.CREATOR,x.NOBODY,x.INVITED,x.OPERATOR],R=[x.NOBODY,x.CREATOR,x.INVITED,x.OPERATOR];function ge(t,n){let r=(e,t,n)=>S`<div class="field">
      <label for=${e}>${t}</label>
      <select id=${e} name="${e}:">
        ${n.map(([e,t])=>S`<option value=${e}>${v(t)}</option>`)}
      </select>
    </div>`;return S`<fieldset class="beginning">
    <legend>Players</legend>
    ${r(`begins`,`It begins`,P)}
    ${n?S`${r(`order`,`Who sits where`,I.map(e=>[e,ne[e]]))}
            ${r(`own`,`I play`,[[``,`I do not, or choose later`],...t.map(e=>[e,`as ${l(e)}`])])}
            ${o()?y:S`<div class="field">
                    <label for="player">My name, if I play</label>
                    <input id="player" name="player:" maxlength="80" autocomplete="nickname" .value=${e()} />
                  </div>`}`:y}
    ${r(`referee`,`Referee`,(n?R:L).map(e=>[e,b[e]]))}
  </fieldset>`}function z(e){return B(e,`begins`)in F}function _e(e){let t=Number(B(e,`referee`));if(!z(e))return{referee:t};let n=B(e,`own`),r=o()?``:B(e,`player`).trim();return{referee:t,begins:i.WHEN_FULL,admission:F[B(e,`begins`)]??f.INVITED,seatOrder:Number(B(e,`order`)),...n?{ownSeat:{seat:n,player:r,entropy:ee()}}:{}}}function B(e,t){return e.elements.namedItem(`${t}:`)?.value??``}var V=1000n,H=60n*V,ve=60n*H,ye={delayMs:3n*V,delay:r.SIMPLE},U=(e,t={})=>_(p,{kind:{case:`side`,value:{ms:e,...t}}}),be=e=>_(p,{kind:{case:`move`,value:{ms:e}}}),W=e=>_(p,{kind:{case:`correspondence`,value:{days:e}}}),G={"3m+2s":U(3n*H,{incrementMs:2n*V}),"5m d3s":U(5n*H,ye),"10m+5s":U(10n*H,{incrementMs:5n*V}),"15m+10s":U(15n*H,{incrementMs:10n*V}),"30m+20s":U(30n*H,{incrementMs:20n*V}),"1h":U(ve),"2m/action":be(2n*H),"1d/action":W(1),"3d/action":W(3),"7d/action":W(7)},K=`own`,q={minutes:10080,seconds:3600},J=()=>Object.entries(G).map(([e,t])=>S`<option value=${e}>${v(re(t))}</option>`);function xe(e){let t=(e,t,n,r,i)=>S`<label>${t} <input class="short" name="${e}:" type="number" value=${n} min=${r} max=${i} required /></label>`;return S`<div class="field">
    <label for="clock">Clock for each seat</label>
    <select id="clock" name="clock:">
      <option value="">No clock</option>
      ${J()}
      <option value=${K}>Another …</option>
    </select>
    ${e?S`<div class="row">
            ${t(`clock-minutes`,`Minutes`,20,1,q.minutes)}
            ${t(`clock-seconds`,`Seconds more a turn`,10,0,q.seconds)}
          </div>`:y}
  </div>`}function Se(e){return S`<label>Clock <select name="clock:${e}">
    <option value="">As above</option>
    ${J()}
  </select></label>`}function Y(e){return X(e,`clock:`)===K}function Ce(e,t){let n=Y(e)?we(e):G[X(e,`clock:`)],r=t.flatMap(t=>{let n=G[X(e,`clock:${t}`)];return n?[[t,n]]:[]});return{...n?{clock:n}:{},seatClocks:Object.fromEntries(r)}}function we(e){let t=t=>BigInt(Math.max(0,Math.trunc(Number(X(e,t))||0)));return U(t(`clock-minutes:`)*H,{incrementMs:t(`clock-seconds:`)*V})}function X(e,t){return e.elements.namedItem(t)?.value??``}var Te=`chance`,Z=``,Ee=class extends D{static properties={...D.properties,game:{attribute:!1},found:{state:!0},faults:{state:!0},armies:{state:!0},seats:{state:!0},waits:{state:!0},isOwnClock:{state:!0}};#e=[];#t=!1;#n=!1;constructor(){super(),this.found=void 0,this.faults={},this.armies=[],this.seats=[],this.waits=!1,this.isOwnClock=!1}willUpdate(e){e.has(`query`)&&this.asked(`new`)!==this.game&&(this.game=this.asked(`new`),this.found=void 0,this.faults={},this.#r())}async#r(){let{game:e,service:t}=this,n=await this.attempt(()=>t.matches.getGame({game:e}));if(!n)return;let r=n.game?.catalog?await this.attempt(()=>le(t,e)):ue;if(!r||e!==this.game)return;let i=n.optionsSchema??{},a=pe(i,r.armySchema);this.#t=a!==void 0,this.#e=Oe(de(i,r.entries),a),a&&(this.armies=await this.#i()),this.seats=n.seats,this.found=n,se(`${n.game?.name}: a new match`),await this.updateComplete,this.asked(`scenario`)&&await this.#g()}async#i(){let e=this.asked(`army`),t=await this.attempt(()=>ce(this.service,this.game))??[];if(!e||t.some(t=>t.armyId===e))return t;let n=await this.attempt(()=>this.service.armies.getArmy({armyId:e}));return n?.army?[n.army,...t]:t}render(){let{found:e}=this;return this.framed(`A new match`,e?this.#a(e):y)}#a(e){return S`<form class="new-match" novalidate @submit=${this.#_} @change=${this.#m}>
      <h2>${e.game?.name}</h2>
      <p>${e.game?.summary}</p>
      ${this.#o()}
      <div class="terms-column">${ge(this.seats,this.waits)} ${this.#c()}</div>
      <fieldset class="options">
        <legend>${E(this.#e.length,`option`)} of the rules</legend>
        <div>
          ${this.#e.map(e=>fe(e,this.faults[e.name],this.asked(e.name)))}
        </div>
      </fieldset>
      ${this.#d()}
      <p class="begin row">
        <button class="main" ?disabled=${this.busy}>Begin</button>
        ${this.waits?y:he(this.found?.botLevels??[],this.busy)}
      </p>
    </form>`}#o(){let e=Object.keys(this.faults).length;return e?S`<div class="faults" role="alert">
      <b>${e===1?`One thing is`:`${e} things are`} wrong:</b>
      <ul>
        ${Object.entries(this.faults).map(([e,t])=>e===Z?S`<li>${t}</li>`:S`<li>${this.#s(e)}: ${t}</li>`)}
      </ul>
    </div>`:y}#s(e){return S`<a href="#${$(e)}" @click=${t=>{t.preventDefault(),this.querySelector(`[id="${$(e)}"]`)?.focus()}}>${e.replaceAll(/[_-]/g,` `)}</a>`}#c(){let e=(e,t,n)=>S`<div class="field">
        <label for=${e}>${t}</label>
        <select id=${e} name="${e}:">
          ${n.map(([e,t])=>S`<option value=${e}>${v(t)}</option>`)}
        </select>
      </div>`;return S`<fieldset>
      <legend>Terms</legend>
      <div class="field">
        <label for="title">Title</label>
        <input id="title" name="title:" maxlength="80" autocomplete="off" />
        ${T(`title`,this.faults.title??``)}
      </div>
      ${this.#l?e(`chance`,`Dice and shuffles`,Q([d.ROLLED,d.ENTERED],C)):y}
      ${e(`undo`,`Taking back`,Q([m.CONSENT,m.FREE,m.REFEREE,m.NONE],te))}
      ${e(`visibility`,`Looking on`,[[g.PRIVATE,`whoever has a link`],[g.PUBLIC,`everybody`],[g.UNLISTED,`everybody who knows its address`]])}
      ${e(`stand-in`,`If a player is gone for good`,[[h.NOBODY,`the match waits`],[h.REFEREE,`the referee may act for the seat`]])}
      <div class="field checked">
        <label for="pause">Pause for disputes</label>
        <input id="pause" name="pause:" type="checkbox" aria-describedby="pause-about" />
        <p class="note" id="pause-about">
          Nobody acts while a dispute is open${this.#l?`, and the service draws nothing`:y}
        </p>
      </div>
      ${xe(this.isOwnClock)}
    </fieldset>`}get#l(){return!this.found?.game?.withoutChance}#u(e){return S`<label>Dice <select name="chance:${e}">
      <option value="0">As above</option>
      ${[d.ROLLED,d.ENTERED].map(e=>S`<option value=${e}>${v(C[e])}</option>`)}
    </select></label>`}#d(){return S`<fieldset class="by-seat">
      <legend>By seat</legend>
      ${this.seats.map((e,t)=>S`<div class="field">
          <b>${l(e)}</b>
          ${this.#l?this.#u(e):y} ${Se(e)}
          ${this.#t?this.#f(e,t):y} ${this.#p(e)}
          ${T(`seat-${e}`,this.faults[`armies[${e}]`]??``)}
        </div>`)}
      ${this.#t?S`<p class="note">
              Armies are fielded where the scenario lets players build them.
              <a href=${u({page:`armies`},{game:this.game})}>Build an army</a>
            </p>`:y}
    </fieldset>`}#f(e,t){let n=t===0?this.asked(`army`):``;return S`<label>Army <select name="army:${e}">
      <option value="">A ready one</option>
      ${this.armies.map(({armyId:e,name:t,points:r})=>S`<option value=${e} ?selected=${e===n}>
          ${t}, ${E(r,`point`)}
        </option>`)}
    </select></label>`}#p(e){let t=this.found?.botLevels??[];return t.length?S`<label>Played by <select name="bot:${e}">
      <option value="">A person</option>
      ${t.map(({name:e,about:t})=>S`<option value=${e} title=${t}>A bot: ${e}</option>`)}
    </select></label>`:y}#m=e=>{let t=e.currentTarget;this.waits=z(t),this.isOwnClock=Y(t),this.#n=!0,this.#h()};#h=me(()=>{this.#n&&this.#g()});async#g(){let e=this.querySelector(`form`);if(!e)return;this.#n=!1;let{values:t,faults:n}=w(this.#e,e),r={...n},i={...t};for(;;)try{let e=await this.service.matches.getGame({game:this.game,options:i});this.seats=e.seats;break}catch(e){let t=c(e),[n=Z]=Object.keys(t.fields),a=/^options\.([\w-]+)/.exec(n)?.[1]??Z;if(r[a]=t.fields[n]??t.rawMessage,!(a in i))break;delete i[a]}return this.faults=r,Object.keys(r).length?void 0:t}#_=async e=>{e.preventDefault();let t=e.target;this.busy=!0;try{let n=await this.#g();n&&await this.#y(this.#v(t,n,e.submitter))}finally{this.busy=!1}Object.keys(this.faults).length&&scrollTo(0,0)};#v(e,t,r){let i=t=>e.elements.namedItem(t)?.value??``,a=e=>this.seats.map(t=>[t,i(`${e}:${t}`)]);return{requestId:n(),game:this.game,title:i(`title:`),chance:Number(i(`chance:`)),undo:Number(i(`undo:`)),visibility:Number(i(`visibility:`)),standIn:Number(i(`stand-in:`)),pauseOnDispute:e.elements.namedItem(`pause:`).checked,..._e(e),...Ce(e,this.seats),options:t,seatChance:Object.fromEntries(a(`chance`).flatMap(([e,t])=>Number(t)?[[e,Number(t)]]:[])),armies:Object.fromEntries(a(`army`).filter(([,e])=>e)),bots:j(e,r,this.seats,Object.fromEntries(a(`bot`).filter(([,e])=>e)))}}async#y(e){try{let n=o(),r=n&&e.ownSeat?this.service.with(n):this.service,i=await s(()=>r.matches.createMatch(e)),a=i.match?.matchId??``;ae(a,De(e,i.tokens,n)),oe(a,i.codes);let c=i.match?.prompts[0]?.seat??``,l=this.seats.filter(t=>!e.bots?.[t]);t(u({match:a,as:e.bots?.[c]?l[0]??``:c}))}catch(e){let{fields:t,rawMessage:n}=c(e);this.faults=Object.keys(t).length?t:{[Z]:n}}}};function De({ownSeat:e,seatOrder:t},n,r){let i=e?.seat??``;if(!i)return n;let{[i]:o=``,...s}=n;return{...s,[t===a.DRAWN?ie:i]:o||r}}function Oe(e,t){return e.filter(({name:e})=>e!==t&&e!==Te)}function Q(e,t){return e.map(e=>[e,t[e]])}function $(e){return e===`title`?e:`option-${e}`}customElements.define(`emeth-new-match`,Ee);function ke(e,t){return S`<emeth-new-match .service=${e} .query=${t}></emeth-new-match>`}export{ke as show};