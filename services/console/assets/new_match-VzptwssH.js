import{B as e,D as t,E as n,F as r,G as i,J as a,K as o,O as s,P as ee,Q as c,S as l,T as u,U as d,V as f,W as p,X as m,Y as h,a as te,b as ne,et as g,f as re,h as ie,i as ae,k as oe,m as _,o as v,p as se,q as y,tt as b,v as ce,y as x,z as S}from"./index-DKZ9GWuE.js";import{r as le}from"./armies-BGmMtoPi.js";import{n as ue,t as de}from"./catalog-DX5wdHCy.js";import{a as C,i as fe,n as pe,r as w,t as me}from"./options-DvLzuzDB.js";import{n as T,r as he,t as E}from"./page-DWsNkmbM.js";var D=`emeth.level`,O=`against:`,k=`level:`;function ge(e,t){if(!e.length)return g;let n=j();return b`<button name=${O} ?disabled=${t}>Against a bot</button>
    <select name=${k} aria-label="How well the bot plays">
      ${e.map(({name:e,about:t})=>b`<option value=${e} title=${t} ?selected=${e===n}>${e}</option>`)}
    </select>`}function A(e,t,n,r){if(t?.getAttribute(`name`)!==O)return r;let i=e.elements.namedItem(k).value;M(i);let a=n.filter(e=>!r[e]).slice(1);return{...r,...Object.fromEntries(a.map(e=>[e,i]))}}function j(){try{return localStorage.getItem(D)??``}catch{return``}}function M(e){try{localStorage.setItem(D,e)}catch{}}var N=[[`at-once`,`At once: a link for each seat`],[`invited`,`When full: a code for each seat`],[`linked`,`When full: one link for all`],[`anybody`,`When full: anybody may join`]],P={invited:f.INVITED,linked:f.LINK,anybody:f.ANYONE},F=[p.CHOSEN,p.IN_ORDER,p.RANDOM],I=[d.CREATOR,d.NONE,d.INVITED,d.OPERATOR],L=[d.NONE,d.CREATOR,d.INVITED,d.OPERATOR];function _e(e,n){let r=(e,t,n)=>b`<div class="field">
      <label for=${e}>${t}</label>
      <select id=${e} name="${e}:">
        ${n.map(([e,t])=>b`<option value=${e}>${_(t)}</option>`)}
      </select>
    </div>`;return b`<fieldset class="beginning">
    <legend>Players</legend>
    ${r(`begins`,`It begins`,N)}
    ${n?b`${r(`order`,`Who sits where`,F.map(e=>[e,re[e]]))}
            ${r(`own`,`I play`,[[``,`I do not, or choose later`],...e.map(e=>[e,`as ${l(e)}`])])}
            ${s()?g:b`<div class="field">
                    <label for="player">My name, if I play</label>
                    <input id="player" name="player:" maxlength="80" autocomplete="nickname" .value=${t()} />
                  </div>`}`:g}
    ${r(`referee`,`Referee`,(n?L:I).map(e=>[e,se[e]]))}
  </fieldset>`}function R(e){return z(e,`begins`)in P}function ve(e){let t=Number(z(e,`referee`));if(!R(e))return{refereePolicy:t};let n=z(e,`own`),r=s()?``:z(e,`player`).trim();return{refereePolicy:t,startPolicy:i.WHEN_FULL,joinPolicy:P[z(e,`begins`)]??f.INVITED,seatAssignment:Number(z(e,`order`)),...n?{ownSeat:{seat:n,player:r,entropy:te()}}:{}}}function z(e,t){return e.elements.namedItem(`${t}:`)?.value??``}var B=1n,V=60n*B,H=60n*V,ye=24n*H,be={delay:{seconds:3n*B},delayMode:e.SIMPLE},U=(e,t={})=>c(y,{kind:{case:`budget`,value:{initialTime:{seconds:e},...t}}}),xe=e=>c(y,{kind:{case:`moveTime`,value:{timePerMove:{seconds:e}}}}),W=e=>c(y,{kind:{case:`correspondence`,value:{timePerMove:{seconds:e*ye}}}}),G={"3m+2s":U(3n*V,{increment:{seconds:2n*B}}),"5m d3s":U(5n*V,be),"10m+5s":U(10n*V,{increment:{seconds:5n*B}}),"15m+10s":U(15n*V,{increment:{seconds:10n*B}}),"30m+20s":U(30n*V,{increment:{seconds:20n*B}}),"1h":U(H),"2m/action":xe(2n*V),"1d/action":W(1n),"3d/action":W(3n),"7d/action":W(7n)},K=`own`,q={minutes:10080,seconds:3600},J=()=>Object.entries(G).map(([e,t])=>b`<option value=${e}>${_(ie(t))}</option>`);function Se(e){let t=(e,t,n,r,i)=>b`<label>${t} <input class="short" name="${e}:" type="number" value=${n} min=${r} max=${i} required /></label>`;return b`<div class="field">
    <label for="clock">Clock for each seat</label>
    <select id="clock" name="clock:">
      <option value="">No clock</option>
      ${J()}
      <option value=${K}>Another …</option>
    </select>
    ${e?b`<div class="row">
            ${t(`clock-minutes`,`Minutes`,20,1,q.minutes)}
            ${t(`clock-seconds`,`Seconds more a turn`,10,0,q.seconds)}
          </div>`:g}
  </div>`}function Ce(e){return b`<label>Clock <select name="clock:${e}">
    <option value="">As above</option>
    ${J()}
  </select></label>`}function Y(e){return X(e,`clock:`)===K}function we(e,t){let n=Y(e)?Te(e):G[X(e,`clock:`)],r=t.flatMap(t=>{let n=G[X(e,`clock:${t}`)];return n?[[t,n]]:[]});return{...n?{timeControl:n}:{},seatTimeControls:Object.fromEntries(r)}}function Te(e){let t=t=>BigInt(Math.max(0,Math.trunc(Number(X(e,t))||0)));return U(t(`clock-minutes:`)*V,{increment:{seconds:t(`clock-seconds:`)*B}})}function X(e,t){return e.elements.namedItem(t)?.value??``}var Ee=`chance`,Z=``,De=class extends E{static properties={...E.properties,game:{attribute:!1},found:{state:!0},faults:{state:!0},armies:{state:!0},seats:{state:!0},waits:{state:!0},isOwnClock:{state:!0}};#e=[];#t=!1;#n=!1;constructor(){super(),this.found=void 0,this.faults={},this.armies=[],this.seats=[],this.waits=!1,this.isOwnClock=!1}willUpdate(e){e.has(`query`)&&this.asked(`new`)!==this.game&&(this.game=this.asked(`new`),this.found=void 0,this.faults={},this.#r())}async#r(){let{game:e,service:t}=this,n=await this.attempt(()=>t.matches.getGame({game:e}));if(!n)return;let r=n.game?.catalog?await this.attempt(()=>ue(t,e)):de;if(!r||e!==this.game)return;let i=n.optionsSchema??{},a=me(i,r.armySchema);this.#t=a!==void 0,this.#e=ke(C(i,r.entries),a),a&&(this.armies=await this.#i()),this.seats=n.seats,this.found=n,ce(`${n.game?.name}: a new match`),await this.updateComplete,this.asked(`scenario`)&&await this.#g()}async#i(){let e=this.asked(`army`),t=await this.attempt(()=>le(this.service,this.game))??[];if(!e||t.some(t=>t.armyId===e))return t;let n=await this.attempt(()=>this.service.armies.getArmy({armyId:e}));return n?.army?[n.army,...t]:t}render(){let{found:e}=this;return this.framed(`A new match`,e?this.#a(e):g)}#a(e){return b`<form class="new-match" novalidate @submit=${this.#_} @change=${this.#m}>
      <h2>${e.game?.name}</h2>
      <p>${e.game?.summary}</p>
      ${this.#o()}
      <div class="terms-column">${_e(this.seats,this.waits)} ${this.#c()}</div>
      <fieldset class="options">
        <legend>${T(this.#e.length,`option`)} of the rules</legend>
        <div>
          ${this.#e.map(e=>fe(e,this.faults[e.name],this.asked(e.name)))}
        </div>
      </fieldset>
      ${this.#d()}
      <p class="begin row">
        <button class="main" ?disabled=${this.busy}>Begin</button>
        ${this.waits?g:ge(this.found?.botLevels??[],this.busy)}
      </p>
    </form>`}#o(){let e=Object.keys(this.faults).length;return e?b`<div class="faults" role="alert">
      <b>${e===1?`One thing is`:`${e} things are`} wrong:</b>
      <ul>
        ${Object.entries(this.faults).map(([e,t])=>e===Z?b`<li>${t}</li>`:b`<li>${this.#s(e)}: ${t}</li>`)}
      </ul>
    </div>`:g}#s(e){return b`<a href="#${$(e)}" @click=${t=>{t.preventDefault(),this.querySelector(`[id="${$(e)}"]`)?.focus()}}>${e.replaceAll(/[_-]/g,` `)}</a>`}#c(){let e=(e,t,n)=>b`<div class="field">
        <label for=${e}>${t}</label>
        <select id=${e} name="${e}:">
          ${n.map(([e,t])=>b`<option value=${e}>${_(t)}</option>`)}
        </select>
      </div>`;return b`<fieldset>
      <legend>Terms</legend>
      <div class="field">
        <label for="title">Title</label>
        <input id="title" name="title:" maxlength="80" autocomplete="off" />
        ${w(`title`,this.faults.title??``)}
      </div>
      ${this.#l?e(`chance`,`Dice and shuffles`,Q([S.ROLLED,S.ENTERED],x)):g}
      ${e(`undo`,`Taking back`,Q([a.CONSENT,a.FREE,a.REFEREE,a.NONE],ne))}
      ${e(`visibility`,`Looking on`,[[h.PRIVATE,`whoever has a link`],[h.PUBLIC,`everybody`],[h.UNLISTED,`everybody who knows its address`]])}
      ${e(`stand-in`,`If a player is gone for good`,[[o.NONE,`the match waits`],[o.REFEREE,`the referee may act for the seat`]])}
      <div class="field checked">
        <label for="pause">Pause for disputes</label>
        <input id="pause" name="pause:" type="checkbox" aria-describedby="pause-about" />
        <p class="note" id="pause-about">
          Nobody acts while a dispute is open${this.#l?`, and the service draws nothing`:g}
        </p>
      </div>
      ${Se(this.isOwnClock)}
    </fieldset>`}get#l(){return!this.found?.game?.withoutChance}#u(e){return b`<label>Dice <select name="chance:${e}">
      <option value="0">As above</option>
      ${[S.ROLLED,S.ENTERED].map(e=>b`<option value=${e}>${_(x[e])}</option>`)}
    </select></label>`}#d(){return b`<fieldset class="by-seat">
      <legend>By seat</legend>
      ${this.seats.map((e,t)=>b`<div class="field">
          <b>${l(e)}</b>
          ${this.#l?this.#u(e):g} ${Ce(e)}
          ${this.#t?this.#f(e,t):g} ${this.#p(e)}
          ${w(`seat-${e}`,this.faults[`armies[${e}]`]??``)}
        </div>`)}
      ${this.#t?b`<p class="note">
              Armies are fielded where the scenario lets players build them.
              <a href=${u({page:`armies`},{game:this.game})}>Build an army</a>
            </p>`:g}
    </fieldset>`}#f(e,t){let n=t===0?this.asked(`army`):``;return b`<label>Army <select name="army:${e}">
      <option value="">A ready one</option>
      ${this.armies.map(({armyId:e,name:t,points:r})=>b`<option value=${e} ?selected=${e===n}>
          ${t}, ${T(r,`point`)}
        </option>`)}
    </select></label>`}#p(e){let t=this.found?.botLevels??[];return t.length?b`<label>Played by <select name="bot:${e}">
      <option value="">A person</option>
      ${t.map(({name:e,about:t})=>b`<option value=${e} title=${t}>A bot: ${e}</option>`)}
    </select></label>`:g}#m=e=>{let t=e.currentTarget;this.waits=R(t),this.isOwnClock=Y(t),this.#n=!0,this.#h()};#h=he(()=>{this.#n&&this.#g()});async#g(){let e=this.querySelector(`form`);if(!e)return;this.#n=!1;let{values:t,faults:n}=pe(this.#e,e),r={...n},i={...t};for(;;)try{let e=await this.service.matches.getGame({game:this.game,options:i});this.seats=e.seats;break}catch(e){let t=m(e),[n=Z]=Object.keys(t.fields),a=/^options\.([\w-]+)/.exec(n)?.[1]??Z;if(r[a]=t.fields[n]??t.rawMessage,!(a in i))break;delete i[a]}return this.faults=r,Object.keys(r).length?void 0:t}#_=async e=>{e.preventDefault();let t=e.target;this.busy=!0;try{let n=await this.#g();n&&await this.#y(this.#v(t,n,e.submitter))}finally{this.busy=!1}Object.keys(this.faults).length&&scrollTo(0,0)};#v(e,t,n){let i=t=>e.elements.namedItem(t)?.value??``,a=e=>this.seats.map(t=>[t,i(`${e}:${t}`)]);return{requestId:r(),game:this.game,title:i(`title:`),chance:Number(i(`chance:`)),undoPolicy:Number(i(`undo:`)),visibility:Number(i(`visibility:`)),substitutePolicy:Number(i(`stand-in:`)),pauseOnDispute:e.elements.namedItem(`pause:`).checked,...ve(e),...we(e,this.seats),options:t,seatChance:Object.fromEntries(a(`chance`).flatMap(([e,t])=>Number(t)?[[e,Number(t)]]:[])),armies:Object.fromEntries(a(`army`).filter(([,e])=>e)),bots:A(e,n,this.seats,Object.fromEntries(a(`bot`).filter(([,e])=>e)))}}async#y(e){try{let t=s(),r=t&&e.ownSeat?this.service.with(t):this.service,i=await ee(()=>r.matches.createMatch(e)),a=i.match?.matchId??``;oe(a,Oe(e,i.tokens,t)),v(a,i.inviteCodes);let o=i.match?.prompts[0]?.seat??``,c=this.seats.filter(t=>!e.bots?.[t]);n(u({match:a,as:e.bots?.[o]?c[0]??``:o}))}catch(e){let{fields:t,rawMessage:n}=m(e);this.faults=Object.keys(t).length?t:{[Z]:n}}}};function Oe({ownSeat:e,seatAssignment:t},n,r){let i=e?.seat??``;if(!i)return n;let{[i]:a=``,...o}=n;return{...o,[t===p.RANDOM?ae:i]:a||r}}function ke(e,t){return e.filter(({name:e})=>e!==t&&e!==Ee)}function Q(e,t){return e.map(e=>[e,t[e]])}function $(e){return e===`title`?e:`option-${e}`}customElements.define(`emeth-new-match`,De);function Ae(e,t){return b`<emeth-new-match .service=${e} .query=${t}></emeth-new-match>`}export{Ae as show};