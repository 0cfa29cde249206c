import{$ as e,B as t,D as n,E as r,F as i,G as a,H as o,J as s,K as c,O as l,P as u,R as d,S as f,T as p,V as m,W as h,Y as g,Z as _,a as ee,b as te,et as v,f as ne,h as re,i as ie,k as ae,m as y,o as oe,p as se,q as b,v as ce,y as x,z as le}from"./index-CKxDFHyR.js";import{r as ue}from"./armies-DXfA25NY.js";import{n as de,t as S}from"./catalog-DX5wdHCy.js";import{a as C,i as fe,n as pe,r as w,t as me}from"./options-Cj8bPPFI.js";import{n as T,r as he,t as E}from"./page-CepFfcL1.js";var D=`emeth.level`,O=`against:`,k=`level:`;function A(t,n){if(!t.length)return e;let r=M();return v`<button name=${O} ?disabled=${n}>Against a bot</button>
    <select name=${k} aria-label="How well the bot plays">
      ${t.map(({name:e,about:t})=>v`<option value=${e} title=${t} ?selected=${e===r}>${e}</option>`)}
    </select>`}function j(e,t,n,r){if(t?.getAttribute(`name`)!==O)return r;let i=e.elements.namedItem(k).value;N(i);let a=n.filter(e=>!r[e]).slice(1);return{...r,...Object.fromEntries(a.map(e=>[e,i]))}}function M(){try{return localStorage.getItem(D)??``}catch{return``}}function N(e){try{localStorage.setItem(D,e)}catch{}}var P=[[`at-once`,`At once: a link for each seat`],[`invited`,`When full: a code for each seat`],[`linked`,`When full: one link for all`],[`anybody`,`When full: anybody may join`]],F={invited:d.INVITED,linked:d.LINKED,anybody:d.ANYBODY},I=[a.CHOSEN,a.IN_ORDER,a.DRAWN],L=[h.CREATOR,h.NOBODY,h.INVITED,h.OPERATOR],R=[h.NOBODY,h.CREATOR,h.INVITED,h.OPERATOR];function ge(t,r){let i=(e,t,n)=>v`<div class="field">
      <label for=${e}>${t}</label>
      <select id=${e} name="${e}:">
        ${n.map(([e,t])=>v`<option value=${e}>${y(t)}</option>`)}
      </select>
    </div>`;return v`<fieldset class="beginning">
    <legend>Players</legend>
    ${i(`begins`,`It begins`,P)}
    ${r?v`${i(`order`,`Who sits where`,I.map(e=>[e,ne[e]]))}
            ${i(`own`,`I play`,[[``,`I do not, or choose later`],...t.map(e=>[e,`as ${f(e)}`])])}
            ${l()?e:v`<div class="field">
                    <label for="player">My name, if I play</label>
                    <input id="player" name="player:" maxlength="80" autocomplete="nickname" .value=${n()} />
                  </div>`}`:e}
    ${i(`referee`,`Referee`,(r?R:L).map(e=>[e,se[e]]))}
  </fieldset>`}function z(e){return B(e,`begins`)in F}function _e(e){let t=Number(B(e,`referee`));if(!z(e))return{referee:t};let n=B(e,`own`),r=l()?``:B(e,`player`).trim();return{referee:t,begins:le.WHEN_FULL,admission:F[B(e,`begins`)]??d.INVITED,seatOrder:Number(B(e,`order`)),...n?{ownSeat:{seat:n,player:r,entropy:ee()}}:{}}}function B(e,t){return e.elements.namedItem(`${t}:`)?.value??``}var V=1000n,H=60n*V,ve=60n*H,ye={delayMs:3n*V,delay:o.SIMPLE},U=(e,t={})=>_(m,{kind:{case:`side`,value:{ms:e,...t}}}),be=e=>_(m,{kind:{case:`move`,value:{ms:e}}}),W=e=>_(m,{kind:{case:`correspondence`,value:{days:e}}}),G={"3m+2s":U(3n*H,{incrementMs:2n*V}),"5m d3s":U(5n*H,ye),"10m+5s":U(10n*H,{incrementMs:5n*V}),"15m+10s":U(15n*H,{incrementMs:10n*V}),"30m+20s":U(30n*H,{incrementMs:20n*V}),"1h":U(ve),"2m/action":be(2n*H),"1d/action":W(1),"3d/action":W(3),"7d/action":W(7)},K=`own`,q={minutes:10080,seconds:3600},J=()=>Object.entries(G).map(([e,t])=>v`<option value=${e}>${y(re(t))}</option>`);function xe(t){let n=(e,t,n,r,i)=>v`<label>${t} <input class="short" name="${e}:" type="number" value=${n} min=${r} max=${i} required /></label>`;return v`<div class="field">
    <label for="clock">Clock for each seat</label>
    <select id="clock" name="clock:">
      <option value="">No clock</option>
      ${J()}
      <option value=${K}>Another …</option>
    </select>
    ${t?v`<div class="row">
            ${n(`clock-minutes`,`Minutes`,20,1,q.minutes)}
            ${n(`clock-seconds`,`Seconds more a turn`,10,0,q.seconds)}
          </div>`:e}
  </div>`}function Se(e){return v`<label>Clock <select name="clock:${e}">
    <option value="">As above</option>
    ${J()}
  </select></label>`}function Y(e){return X(e,`clock:`)===K}function Ce(e,t){let n=Y(e)?we(e):G[X(e,`clock:`)],r=t.flatMap(t=>{let n=G[X(e,`clock:${t}`)];return n?[[t,n]]:[]});return{...n?{clock:n}:{},seatClocks:Object.fromEntries(r)}}function we(e){let t=t=>BigInt(Math.max(0,Math.trunc(Number(X(e,t))||0)));return U(t(`clock-minutes:`)*H,{incrementMs:t(`clock-seconds:`)*V})}function X(e,t){return e.elements.namedItem(t)?.value??``}var Te=`chance`,Z=``,Ee=class extends E{static properties={...E.properties,game:{attribute:!1},found:{state:!0},faults:{state:!0},armies:{state:!0},seats:{state:!0},waits:{state:!0},isOwnClock:{state:!0}};#e=[];#t=!1;#n=!1;constructor(){super(),this.found=void 0,this.faults={},this.armies=[],this.seats=[],this.waits=!1,this.isOwnClock=!1}willUpdate(e){e.has(`query`)&&this.asked(`new`)!==this.game&&(this.game=this.asked(`new`),this.found=void 0,this.faults={},this.#r())}async#r(){let{game:e,service:t}=this,n=await this.attempt(()=>t.matches.getGame({game:e}));if(!n)return;let r=n.game?.catalog?await this.attempt(()=>de(t,e)):S;if(!r||e!==this.game)return;let i=n.optionsSchema??{},a=me(i,r.armySchema);this.#t=a!==void 0,this.#e=Oe(C(i,r.entries),a),a&&(this.armies=await this.#i()),this.seats=n.seats,this.found=n,ce(`${n.game?.name}: a new match`),await this.updateComplete,this.asked(`scenario`)&&await this.#g()}async#i(){let e=this.asked(`army`),t=await this.attempt(()=>ue(this.service,this.game))??[];if(!e||t.some(t=>t.armyId===e))return t;let n=await this.attempt(()=>this.service.armies.getArmy({armyId:e}));return n?.army?[n.army,...t]:t}render(){let{found:t}=this;return this.framed(`A new match`,t?this.#a(t):e)}#a(t){return v`<form class="new-match" novalidate @submit=${this.#_} @change=${this.#m}>
      <h2>${t.game?.name}</h2>
      <p>${t.game?.summary}</p>
      ${this.#o()}
      <div class="terms-column">${ge(this.seats,this.waits)} ${this.#c()}</div>
      <fieldset class="options">
        <legend>${T(this.#e.length,`option`)} of the rules</legend>
        <div>
          ${this.#e.map(e=>fe(e,this.faults[e.name],this.asked(e.name)))}
        </div>
      </fieldset>
      ${this.#d()}
      <p class="begin row">
        <button class="main" ?disabled=${this.busy}>Begin</button>
        ${this.waits?e:A(this.found?.botLevels??[],this.busy)}
      </p>
    </form>`}#o(){let t=Object.keys(this.faults).length;return t?v`<div class="faults" role="alert">
      <b>${t===1?`One thing is`:`${t} things are`} wrong:</b>
      <ul>
        ${Object.entries(this.faults).map(([e,t])=>e===Z?v`<li>${t}</li>`:v`<li>${this.#s(e)}: ${t}</li>`)}
      </ul>
    </div>`:e}#s(e){return v`<a href="#${$(e)}" @click=${t=>{t.preventDefault(),this.querySelector(`[id="${$(e)}"]`)?.focus()}}>${e.replaceAll(/[_-]/g,` `)}</a>`}#c(){let n=(e,t,n)=>v`<div class="field">
        <label for=${e}>${t}</label>
        <select id=${e} name="${e}:">
          ${n.map(([e,t])=>v`<option value=${e}>${y(t)}</option>`)}
        </select>
      </div>`;return v`<fieldset>
      <legend>Terms</legend>
      <div class="field">
        <label for="title">Title</label>
        <input id="title" name="title:" maxlength="80" autocomplete="off" />
        ${w(`title`,this.faults.title??``)}
      </div>
      ${this.#l?n(`chance`,`Dice and shuffles`,Q([t.ROLLED,t.ENTERED],x)):e}
      ${n(`undo`,`Taking back`,Q([b.CONSENT,b.FREE,b.REFEREE,b.NONE],te))}
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
    </fieldset>`}get#l(){return!this.found?.game?.withoutChance}#u(e){return v`<label>Dice <select name="chance:${e}">
      <option value="0">As above</option>
      ${[t.ROLLED,t.ENTERED].map(e=>v`<option value=${e}>${y(x[e])}</option>`)}
    </select></label>`}#d(){return v`<fieldset class="by-seat">
      <legend>By seat</legend>
      ${this.seats.map((t,n)=>v`<div class="field">
          <b>${f(t)}</b>
          ${this.#l?this.#u(t):e} ${Se(t)}
          ${this.#t?this.#f(t,n):e} ${this.#p(t)}
          ${w(`seat-${t}`,this.faults[`armies[${t}]`]??``)}
        </div>`)}
      ${this.#t?v`<p class="note">
              Armies are fielded where the scenario lets players build them.
              <a href=${p({page:`armies`},{game:this.game})}>Build an army</a>
            </p>`:e}
    </fieldset>`}#f(e,t){let n=t===0?this.asked(`army`):``;return v`<label>Army <select name="army:${e}">
      <option value="">A ready one</option>
      ${this.armies.map(({armyId:e,name:t,points:r})=>v`<option value=${e} ?selected=${e===n}>
          ${t}, ${T(r,`point`)}
        </option>`)}
    </select></label>`}#p(t){let n=this.found?.botLevels??[];return n.length?v`<label>Played by <select name="bot:${t}">
      <option value="">A person</option>
      ${n.map(({name:e,about:t})=>v`<option value=${e} title=${t}>A bot: ${e}</option>`)}
    </select></label>`:e}#m=e=>{let t=e.currentTarget;this.waits=z(t),this.isOwnClock=Y(t),this.#n=!0,this.#h()};#h=he(()=>{this.#n&&this.#g()});async#g(){let e=this.querySelector(`form`);if(!e)return;this.#n=!1;let{values:t,faults:n}=pe(this.#e,e),r={...n},i={...t};for(;;)try{let e=await this.service.matches.getGame({game:this.game,options:i});this.seats=e.seats;break}catch(e){let t=g(e),[n=Z]=Object.keys(t.fields),a=/^options\.([\w-]+)/.exec(n)?.[1]??Z;if(r[a]=t.fields[n]??t.rawMessage,!(a in i))break;delete i[a]}return this.faults=r,Object.keys(r).length?void 0:t}#_=async e=>{e.preventDefault();let t=e.target;this.busy=!0;try{let n=await this.#g();n&&await this.#y(this.#v(t,n,e.submitter))}finally{this.busy=!1}Object.keys(this.faults).length&&scrollTo(0,0)};#v(e,t,n){let r=t=>e.elements.namedItem(t)?.value??``,a=e=>this.seats.map(t=>[t,r(`${e}:${t}`)]);return{requestId:i(),game:this.game,title:r(`title:`),chance:Number(r(`chance:`)),undo:Number(r(`undo:`)),visibility:Number(r(`visibility:`)),standIn:Number(r(`stand-in:`)),pauseOnDispute:e.elements.namedItem(`pause:`).checked,..._e(e),...Ce(e,this.seats),options:t,seatChance:Object.fromEntries(a(`chance`).flatMap(([e,t])=>Number(t)?[[e,Number(t)]]:[])),armies:Object.fromEntries(a(`army`).filter(([,e])=>e)),bots:j(e,n,this.seats,Object.fromEntries(a(`bot`).filter(([,e])=>e)))}}async#y(e){try{let t=l(),n=t&&e.ownSeat?this.service.with(t):this.service,i=await u(()=>n.matches.createMatch(e)),a=i.match?.matchId??``;ae(a,De(e,i.tokens,t)),oe(a,i.codes);let o=i.match?.prompts[0]?.seat??``,s=this.seats.filter(t=>!e.bots?.[t]);r(p({match:a,as:e.bots?.[o]?s[0]??``:o}))}catch(e){let{fields:t,rawMessage:n}=g(e);this.faults=Object.keys(t).length?t:{[Z]:n}}}};function De({ownSeat:e,seatOrder:t},n,r){let i=e?.seat??``;if(!i)return n;let{[i]:o=``,...s}=n;return{...s,[t===a.DRAWN?ie:i]:o||r}}function Oe(e,t){return e.filter(({name:e})=>e!==t&&e!==Te)}function Q(e,t){return e.map(e=>[e,t[e]])}function $(e){return e===`title`?e:`option-${e}`}customElements.define(`emeth-new-match`,Ee);function ke(e,t){return v`<emeth-new-match .service=${e} .query=${t}></emeth-new-match>`}export{ke as show};