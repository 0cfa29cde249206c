import{$ as e,B as t,D as n,E as r,G as i,H as a,J as o,K as s,N as ee,O as c,P as l,R as u,T as d,V as f,W as p,Y as m,Z as h,_ as g,a as te,et as _,f as v,m as y,o as b,p as x,q as S,s as C,v as w,w as T,x as E,y as ne,z as re}from"./index-ClOwKbgB.js";import{r as ie}from"./armies-Cx4jfnkV.js";import{n as ae,t as oe}from"./catalog-DX5wdHCy.js";import{a as D,i as O,n as k,r as A,t as j}from"./options-BTUlxnRg.js";import{n as M,r as N,t as P}from"./page-C_bb098E.js";var F=[[`at-once`,`At once: a link for each seat`],[`invited`,`When full: a code for each seat`],[`linked`,`When full: one link for all`],[`anybody`,`When full: anybody may join`]],I={invited:u.INVITED,linked:u.LINKED,anybody:u.ANYBODY},L=[i.CHOSEN,i.IN_ORDER,i.DRAWN],R=[p.CREATOR,p.NOBODY,p.INVITED,p.OPERATOR],z=[p.NOBODY,p.CREATOR,p.INVITED,p.OPERATOR];function B(t,i){let a=(e,t,n)=>_`<div class="field">
      <label for=${e}>${t}</label>
      <select id=${e} name="${e}:">
        ${n.map(([e,t])=>_`<option value=${e}>${y(t)}</option>`)}
      </select>
    </div>`;return _`<fieldset class="beginning">
    <legend>Players</legend>
    ${a(`begins`,`It begins`,F)}
    ${i?_`${a(`order`,`Who sits where`,L.map(e=>[e,v[e]]))}
            ${a(`own`,`I play`,[[``,`I do not, or choose later`],...t.map(e=>[e,`as ${E(e)}`])])}
            ${n()?e:_`<div class="field">
                    <label for="player">My name, if I play</label>
                    <input id="player" name="player:" maxlength="80" autocomplete="nickname" .value=${r()} />
                  </div>`}`:e}
    ${a(`referee`,`Referee`,(i?z:R).map(e=>[e,x[e]]))}
  </fieldset>`}function V(e){return U(e,`begins`)in I}function H(e){let t=Number(U(e,`referee`));if(!V(e))return{referee:t};let r=U(e,`own`),i=n()?``:U(e,`player`).trim();return{referee:t,begins:re.WHEN_FULL,admission:I[U(e,`begins`)]??u.INVITED,seatOrder:Number(U(e,`order`)),...r?{ownSeat:{seat:r,player:i,entropy:b()}}:{}}}function U(e,t){return e.elements.namedItem(`${t}:`)?.value??``}var W=1000n,G=60n*W,K={delayMs:3n*W,delay:a.SIMPLE},q=(e,t={})=>h(f,{kind:{case:`side`,value:{ms:e,...t}}}),se=e=>h(f,{kind:{case:`move`,value:{ms:e}}}),J=e=>h(f,{kind:{case:`correspondence`,value:{days:e}}}),Y={"No clock":void 0,"5 minutes, and 3 seconds a turn that cost nothing":q(5n*G,K),"10 minutes, and 5 seconds more a turn":q(10n*G,{incrementMs:5n*W}),"30 minutes, and 20 seconds more a turn":q(30n*G,{incrementMs:20n*W}),"1 hour":q(60n*G),"2 minutes an action":se(2n*G),"1 day an action":J(1),"3 days an action":J(3),"7 days an action":J(7)};function ce(){return _`<div class="field">
    <label for="clock">Clock for each seat</label>
    <select id="clock" name="clock:">
      ${Object.keys(Y).map(e=>_`<option value=${e}>${e}</option>`)}
    </select>
  </div>`}function le(e){let t=Y[e];return t?{clock:t}:{}}var ue=`chance`,X=``,de=class extends P{static properties={...P.properties,game:{attribute:!1},found:{state:!0},faults:{state:!0},armies:{state:!0},seats:{state:!0},waits:{state:!0}};#e=[];#t=!1;#n=!1;constructor(){super(),this.found=void 0,this.faults={},this.armies=[],this.seats=[],this.waits=!1}willUpdate(e){e.has(`query`)&&this.asked(`new`)!==this.game&&(this.game=this.asked(`new`),this.found=void 0,this.faults={},this.#r())}async#r(){let{game:e,service:t}=this,n=await this.attempt(()=>t.matches.getGame({game:e}));if(!n)return;let r=n.game?.catalog?await this.attempt(()=>ae(t,e)):oe;if(!r||e!==this.game)return;let i=n.optionsSchema??{},a=j(i,r.armySchema);this.#t=a!==void 0,this.#e=fe(D(i,r.entries),a),a&&(this.armies=await this.#i()),this.seats=n.seats,this.found=n,g(`${n.game?.name}: a new match`),await this.updateComplete,this.asked(`scenario`)&&await this.#p()}async#i(){let e=this.asked(`army`),t=await this.attempt(()=>ie(this.service,this.game))??[];if(!e||t.some(t=>t.armyId===e))return t;let n=await this.attempt(()=>this.service.armies.getArmy({armyId:e}));return n?.army?[n.army,...t]:t}render(){let{found:t}=this;return this.framed(`A new match`,t?this.#a(t):e)}#a(e){return _`<form class="new-match" novalidate @submit=${this.#m} @change=${this.#d}>
      <h2>${e.game?.name}</h2>
      <p>${e.game?.summary}</p>
      ${this.#o()}
      <div class="terms-column">${B(this.seats,this.waits)} ${this.#c()}</div>
      <fieldset class="options">
        <legend>${M(this.#e.length,`option`)} of the rules</legend>
        <div>
          ${this.#e.map(e=>O(e,this.faults[e.name],this.asked(e.name)))}
        </div>
      </fieldset>
      ${this.#l()}
      <p class="begin"><button class="main" ?disabled=${this.busy}>Begin</button></p>
    </form>`}#o(){let t=Object.keys(this.faults).length;return t?_`<div class="faults" role="alert">
      <b>${t===1?`One thing is`:`${t} things are`} wrong:</b>
      <ul>
        ${Object.entries(this.faults).map(([e,t])=>e===X?_`<li>${t}</li>`:_`<li>${this.#s(e)}: ${t}</li>`)}
      </ul>
    </div>`:e}#s(e){return _`<a href="#${$(e)}" @click=${t=>{t.preventDefault(),this.querySelector(`[id="${$(e)}"]`)?.focus()}}>${e.replaceAll(/[_-]/g,` `)}</a>`}#c(){let e=(e,t,n)=>_`<div class="field">
        <label for=${e}>${t}</label>
        <select id=${e} name="${e}:">
          ${n.map(([e,t])=>_`<option value=${e}>${y(t)}</option>`)}
        </select>
      </div>`;return _`<fieldset>
      <legend>Terms</legend>
      <div class="field">
        <label for="title">Title</label>
        <input id="title" name="title:" maxlength="80" autocomplete="off" />
        ${A(`title`,this.faults.title??``)}
      </div>
      ${e(`chance`,`Dice and shuffles`,Q([t.ROLLED,t.ENTERED],w))}
      ${e(`undo`,`Taking back`,Q([S.CONSENT,S.FREE,S.REFEREE,S.NONE],ne))}
      ${e(`visibility`,`Looking on`,[[o.PRIVATE,`whoever has a link`],[o.PUBLIC,`everybody`],[o.UNLISTED,`everybody who knows its address`]])}
      ${e(`stand-in`,`If a player is gone for good`,[[s.NOBODY,`the match waits`],[s.REFEREE,`the referee may act for the seat`]])}
      <div class="field checked">
        <label for="pause">Pause for disputes</label>
        <input id="pause" name="pause:" type="checkbox" aria-describedby="pause-about" />
        <p class="note" id="pause-about">
          Nobody acts while a dispute is open, and the service draws nothing
        </p>
      </div>
      ${ce()}
    </fieldset>`}#l(){return _`<fieldset class="by-seat">
      <legend>By seat</legend>
      ${this.seats.map((n,r)=>_`<div class="field">
          <b>${E(n)}</b>
          <label>Dice <select name="chance:${n}">
            <option value="0">As above</option>
            ${[t.ROLLED,t.ENTERED].map(e=>_`<option value=${e}>${y(w[e])}</option>`)}
          </select></label>
          ${this.#t?this.#u(n,r):e}
          ${A(`seat-${n}`,this.faults[`armies[${n}]`]??``)}
        </div>`)}
      ${this.#t?_`<p class="note">
              Armies are fielded where the scenario lets players build them.
              <a href=${T({page:`armies`},{game:this.game})}>Build an army</a>
            </p>`:e}
    </fieldset>`}#u(e,t){let n=t===0?this.asked(`army`):``;return _`<label>Army <select name="army:${e}">
      <option value="">A ready one</option>
      ${this.armies.map(({armyId:e,name:t,points:r})=>_`<option value=${e} ?selected=${e===n}>
          ${t}, ${M(r,`point`)}
        </option>`)}
    </select></label>`}#d=e=>{this.waits=V(e.currentTarget),this.#n=!0,this.#f()};#f=N(()=>{this.#n&&this.#p()});async#p(){let e=this.querySelector(`form`);if(!e)return;this.#n=!1;let{values:t,faults:n}=k(this.#e,e),r={...n},i={...t};for(;;)try{let e=await this.service.matches.getGame({game:this.game,options:i});this.seats=e.seats;break}catch(e){let t=m(e),[n=X]=Object.keys(t.fields),a=/^options\.([\w-]+)/.exec(n)?.[1]??X;if(r[a]=t.fields[n]??t.rawMessage,!(a in i))break;delete i[a]}return this.faults=r,Object.keys(r).length?void 0:t}#m=async e=>{e.preventDefault();let t=e.target,n=await this.#p();n&&await this.#g(this.#h(t,n)),Object.keys(this.faults).length&&scrollTo(0,0)};#h(e,t){let n=t=>e.elements.namedItem(t)?.value??``,r=e=>this.seats.map(t=>[t,n(`${e}:${t}`)]);return{requestId:l(),game:this.game,title:n(`title:`),chance:Number(n(`chance:`)),undo:Number(n(`undo:`)),visibility:Number(n(`visibility:`)),standIn:Number(n(`stand-in:`)),pauseOnDispute:e.elements.namedItem(`pause:`).checked,...H(e),...le(n(`clock:`)),options:t,seatChance:Object.fromEntries(r(`chance`).flatMap(([e,t])=>Number(t)?[[e,Number(t)]]:[])),armies:Object.fromEntries(r(`army`).filter(([,e])=>e))}}async#g(e){this.busy=!0;try{let t=n(),r=t&&e.ownSeat?this.service.with(t):this.service,i=await ee(()=>r.matches.createMatch(e)),a=i.match?.matchId??``;c(a,Z(e,i.tokens,t)),C(a,i.codes),d(T({match:a,as:i.match?.asks[0]?.seat??``}))}catch(e){let{fields:t,rawMessage:n}=m(e);this.faults=Object.keys(t).length?t:{[X]:n}}finally{this.busy=!1}}};function Z({ownSeat:e,seatOrder:t},n,r){let a=e?.seat??``;if(!a)return n;let{[a]:o=``,...s}=n;return{...s,[t===i.DRAWN?te:a]:o||r}}function fe(e,t){return e.filter(({name:e})=>e!==t&&e!==ue)}function Q(e,t){return e.map(e=>[e,t[e]])}function $(e){return e===`title`?e:`option-${e}`}customElements.define(`emeth-new-match`,de);function pe(e,t){return _`<emeth-new-match .service=${e} .query=${t}></emeth-new-match>`}export{pe as show};