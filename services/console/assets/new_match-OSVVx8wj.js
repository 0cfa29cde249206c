import{C as e,D as t,O as n,S as r,a as i,d as a,g as o,h as s,i as c,l,o as u,u as d,w as f,x as p,y as m}from"./index--hEZ8Jzz.js";import{r as h}from"./armies-Cp6esDf0.js";import{c as g,l as _,n as v,o as y,s as b,t as x,u as S}from"./catalog-BUA22sQW.js";import{n as C,r as w,t as T}from"./page-B98HjqCo.js";var E=`chance`,D=``,O=class extends T{static properties={...T.properties,game:{attribute:!1},found:{state:!0},faults:{state:!0},armies:{state:!0},seats:{state:!0}};#e=[];#t=!1;constructor(){super(),this.found=void 0,this.faults={},this.armies=[],this.seats=[]}willUpdate(e){e.has(`query`)&&this.asked(`new`)!==this.game&&(this.game=this.asked(`new`),this.found=void 0,this.faults={},this.#n())}async#n(){let{game:e,service:t}=this,n=await this.attempt(()=>t.matches.getGame({game:e}));if(!n)return;let r=n.game?.catalog?await this.attempt(()=>v(t,e)):x;if(!r||e!==this.game)return;let i=n.optionsSchema??{},a=y(i,r.armySchema);this.#t=a!==void 0,this.#e=k(S(i,r.entries),a),a&&(this.armies=await this.#r()),this.seats=n.seats,this.found=n,document.title=`${n.game?.name}: a new match`,await this.updateComplete,this.asked(`scenario`)&&await this.#d()}async#r(){let e=this.asked(`army`),t=await this.attempt(()=>h(this.service,this.game))??[];if(!e||t.some(t=>t.armyId===e))return t;let n=await this.attempt(()=>this.service.armies.getArmy({armyId:e}));return n?.army?[n.army,...t]:t}render(){let{found:e}=this;return this.framed(`A new match`,e?this.#i(e):t)}#i(e){return n`<form class="new-match" novalidate @submit=${this.#f} @change=${this.#u}>
      <h2>${e.game?.name}</h2>
      <p>${e.game?.summary}</p>
      ${this.#a()}
      ${this.#s()}
      <fieldset class="options">
        <legend>${C(this.#e.length,`option`)} of the rules</legend>
        <div>
          ${this.#e.map(e=>_(e,this.faults[e.name],this.asked(e.name)))}
        </div>
      </fieldset>
      ${this.#c()}
      <p class="begin"><button class="main" ?disabled=${this.busy}>Begin</button></p>
    </form>`}#a(){let e=Object.keys(this.faults).length;return e?n`<div class="faults" role="alert">
      <b>${e===1?`One thing is`:`${e} things are`} wrong:</b>
      <ul>
        ${Object.entries(this.faults).map(([e,t])=>e===D?n`<li>${t}</li>`:n`<li>${this.#o(e)}: ${t}</li>`)}
      </ul>
    </div>`:t}#o(e){return n`<a href="#${j(e)}" @click=${t=>{t.preventDefault(),this.querySelector(`[id="${j(e)}"]`)?.focus()}}>${e.replaceAll(/[_-]/g,` `)}</a>`}#s(){let t=(e,t,r)=>n`<div class="field">
        <label for=${e}>${t}</label>
        <select id=${e} name="${e}:">
          ${r.map(([e,t])=>n`<option value=${e}>${M(t)}</option>`)}
        </select>
      </div>`;return n`<fieldset>
      <legend>Terms</legend>
      <div class="field">
        <label for="title">Title</label>
        <input id="title" name="title:" maxlength="80" autocomplete="off" />
        ${g(`title`,this.faults.title??``)}
      </div>
      ${t(`chance`,`Dice and shuffles`,A([m.ROLLED,m.ENTERED],c))}
      ${t(`undo`,`Taking back`,A([r.CONSENT,r.FREE,r.REFEREE,r.NONE],i))}
      ${t(`visibility`,`Looking on`,[[e.PRIVATE,`whoever has a link`],[e.PUBLIC,`everybody`]])}
      ${t(`stand-in`,`If a player is gone for good`,[[p.NOBODY,`the match waits`],[p.REFEREE,`the referee may act for the seat`]])}
      <div class="field checked">
        <label for="pause">Pause for disputes</label>
        <input id="pause" name="pause:" type="checkbox" aria-describedby="pause-about" />
        <p class="note" id="pause-about">
          Nobody acts while a dispute is open, and the service draws nothing
        </p>
      </div>
    </fieldset>`}#c(){return n`<fieldset class="by-seat">
      <legend>By seat</legend>
      ${this.seats.map((e,r)=>n`<div class="field">
          <b>${u(e)}</b>
          <label>Dice <select name="chance:${e}">
            <option value="0">As above</option>
            ${[m.ROLLED,m.ENTERED].map(e=>n`<option value=${e}>${M(c[e])}</option>`)}
          </select></label>
          ${this.#t?this.#l(e,r):t}
          ${g(`seat-${e}`,this.faults[`armies[${e}]`]??``)}
        </div>`)}
      ${this.#t?n`<p class="note">
              Armies are fielded where the scenario lets players build them.
              <a href=${l({page:`armies`},{game:this.game})}>Build an army</a>
            </p>`:t}
    </fieldset>`}#l(e,t){let r=t===0?this.asked(`army`):``;return n`<label>Army <select name="army:${e}">
      <option value="">A ready one</option>
      ${this.armies.map(({armyId:e,name:t,points:i})=>n`<option value=${e} ?selected=${e===r}>
          ${t}, ${C(i,`point`)}
        </option>`)}
    </select></label>`}#u=w(()=>void this.#d());async#d(){let e=this.querySelector(`form`);if(!e)return;let{values:t,faults:n}=b(this.#e,e),r={...n},i={...t};for(;;)try{let e=await this.service.matches.getGame({game:this.game,options:i});this.seats=e.seats;break}catch(e){let t=f(e),[n=D]=Object.keys(t.fields),a=/^options\.([\w-]+)/.exec(n)?.[1]??D;if(r[a]=t.fields[n]??t.rawMessage,!(a in i))break;delete i[a]}return this.faults=r,Object.keys(r).length?void 0:t}#f=async e=>{e.preventDefault();let t=e.target,n=await this.#d();n&&await this.#m(this.#p(t,n)),Object.keys(this.faults).length&&scrollTo(0,0)};#p(e,t){let n=t=>e.elements.namedItem(t)?.value??``,r=e=>this.seats.map(t=>[t,n(`${e}:${t}`)]);return{requestId:o(),game:this.game,title:n(`title:`),chance:Number(n(`chance:`)),undo:Number(n(`undo:`)),visibility:Number(n(`visibility:`)),standIn:Number(n(`stand-in:`)),pauseOnDispute:e.elements.namedItem(`pause:`).checked,options:t,seatChance:Object.fromEntries(r(`chance`).flatMap(([e,t])=>Number(t)?[[e,Number(t)]]:[])),armies:Object.fromEntries(r(`army`).filter(([,e])=>e))}}async#m(e){this.busy=!0;try{let t=await s(()=>this.service.matches.createMatch(e)),n=t.match?.matchId??``;a(n,t.tokens),d(l({match:n,as:t.match?.asks[0]?.seat??``}))}catch(e){let{fields:t,rawMessage:n}=f(e);this.faults=Object.keys(t).length?t:{[D]:n}}finally{this.busy=!1}}};function k(e,t){return e.filter(({name:e})=>e!==t&&e!==E)}function A(e,t){return e.map(e=>[e,t[e]])}function j(e){return e===`title`?e:`option-${e}`}function M(e){return e.charAt(0).toUpperCase()+e.slice(1)}customElements.define(`emeth-new-match`,O);function N(e,t){return n`<emeth-new-match .service=${e} .query=${t}></emeth-new-match>`}export{N as show};