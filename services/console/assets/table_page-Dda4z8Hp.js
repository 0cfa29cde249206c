import{$ as e,A as t,F as n,M as r,N as i,P as a,S as o,T as s,V as c,at as l,it as u,j as d,l as f,ot as p,v as m,w as h}from"./index-AycPnLpu.js";import{t as g}from"./page-DHUUMA04.js";import"./still-Dmg5NcNg.js";var _={[c.UNSPECIFIED]:`out`,[c.OUT]:`out`,[c.BLUE]:`blue`,[c.BLINKING_BLUE]:`blinking`,[c.RED]:`red`},v=[`ᚠ`,`ᚢ`,`ᚦ`,`ᚨ`,`ᚱ`,`ᚲ`],y=[`1`,`2`,`3`,`4`,`5`,`6`,`7`,`8`,`9`,`0`],b=[[`cc army`,`Army`],[`cc ancients`,`Ancients`],[`cc map`,`Map`],[`cc help`,`Help`]],x=[[`match undo`,`Take back`],[`match redo`,`Take up again`],[`match agree`,`Agree`],[`match refuse`,`Refuse`],[`match draw`,`Offer a draw`],[`match dispute`,`Dispute`],[`match resign`,`Resign`]],S=24,C=class extends u{static properties={prompt:{attribute:!1},waiting:{attribute:!1}};createRenderRoot(){return this}render(){let{prompt:e}=this;return p`<section class="stylus-screen" aria-label="Screen of the stylus">
        <p class="row">
          <span class="led ${_[e.led]}" role="img" aria-label="Light: ${_[e.led]}"></span>
          <b>${e.text}</b>
        </p>
        <div aria-live="polite">
          ${e.events.map(({sentence:e})=>p`<p>${e}</p>`)}
          ${e.refusal?p`<p class="trouble">${e.refusal.why}</p>`:l}
        </div>
        ${e.screen?p`<pre tabindex="0">${e.screen}</pre>`:l}
        <p class="note">
          ${e.picked.length?`Picked: ${e.picked.join(`, `)}. `:``}
          ${e.digits?`Typed: ${e.digits}. `:``}
          ${this.waiting?`${this.waiting} on the way.`:``}
        </p>
      </section>
      <div class="row buttons">
        ${e.armed?p`<p class="armed">${e.armed.sentence}${this.#e()}</p>`:l}
        ${this.#r(`button page`,e.pages>1?`Page ${e.page} of ${e.pages}`:`Page`)}
        ${this.#r(`button confirm`,`Confirm`,e.armed?`main`:``)}
      </div>
      ${this.#t()} ${this.#n()}
      <div class="digits" role="group" aria-label="Digits">
        ${y.map(e=>this.#r(`cc digit ${e}`,e))}
      </div>
      <div class="row" role="group" aria-label="Views">
        ${b.map(([e,t])=>this.#r(e,t,`small`))}
      </div>
      <details>
        <summary>Match card</summary>
        <div class="row">${x.map(([e,t])=>this.#r(e,t,`small`))}</div>
      </details>`}#e(){let{armed:e}=this.prompt,t=Object.entries(e?.figures??{}).map(([e,t])=>`${e} ${t}`),n=e?.cost?[e.cost]:[];return[...n,...t].length?` (${[...n,...t].join(`, `)})`:``}#t(){let{runes:e}=this.prompt;return e.length?p`<ol class="runes" aria-label="Runes">
      ${e.map(({sentence:e,label:t,cost:n},r)=>p`<li>
          <button @click=${this.#i(`cc rune ${r+1}`)}>
            <span class="rune" aria-hidden="true">${v[r]??r+1}</span>
            <span>${e||t}${n?` (${n})`:``}</span>
          </button>
        </li>`)}
    </ol>`:l}#n(){let{next:e}=this.prompt;return e.length?p`<details>
      <summary>${e.length===1?`One thing`:`${e.length} things`} may be tapped next</summary>
      <div class="row">${e.slice(0,S).map(e=>this.#r(e,e,`small`))}</div>
    </details>`:l}#r(e,t,n=``){return p`<button class=${n} @click=${this.#i(e)}>${t}</button>`}#i(e){return()=>{this.dispatchEvent(new CustomEvent(`tapped`,{detail:e}))}}};customElements.define(`emeth-stylus-card`,C);var w=`emeth.tables`;function T(){try{let e=JSON.parse(localStorage.getItem(w)??`[]`);return Array.isArray(e)?e:[]}catch{return k}}function E(e){A([e,...T().filter(({tableId:t})=>t!==e.tableId)])}function D(e){A(T().filter(t=>t.tableId!==e))}function O(){let e=crypto.getRandomValues(new Uint8Array(4));return`page-${Array.from(e,e=>e.toString(16).padStart(2,`0`)).join(``)}`}var k=[];function A(e){k=e;try{localStorage.setItem(w,JSON.stringify(e))}catch{}}var j=`0000`,M=`gateway`,N=class extends g{static properties={...g.properties,table:{state:!0},gateway:{state:!0},matchId:{state:!0},seats:{state:!0},svg:{state:!0},known:{state:!0},isGuarded:{state:!0}};#e=``;constructor(){super(),this.isGuarded=!1,this.table=void 0,this.gateway=void 0,this.matchId=``,this.seats=[],this.svg=``,this.known=[]}disconnectedCallback(){super.disconnectedCallback(),this.gateway?.close()}willUpdate(e){if(!e.has(`query`))return;m(`Tables`);let t=new URLSearchParams(location.hash.slice(1)).get(M);t&&this.#t(t);let n=T().find(({tableId:e})=>e===this.asked(`table`));n&&n.key!==this.table?.key?this.attempt(()=>this.#r(n)):n||this.#n()}#t(e){let[t=``]=e.split(`.`);E({name:`Table ${t.slice(0,8)}`,tableId:t,key:e,owner:``,stylus:O()}),h({page:`table`},{table:t}),this.query=new URLSearchParams(location.search)}#n(){this.gateway?.close(),[this.table,this.gateway,this.matchId,this.svg]=[void 0,void 0,``,``]}async#r(e){this.#n(),this.table=e;let{gateways:r}=this.service.with(e.key),o={requestId:n(),stylus:e.stylus,pin:j},{outcome:s}=await a(()=>r.pairStylus(o));if(s.case===`refused`)throw Error(s.value.why);await this.#i();let c=new i(this.service.with(e.key));c.addEventListener(`change`,()=>this.#o(c)),c.addEventListener(`ended`,e=>{this.trouble=e.detail.rawMessage}),this.gateway=c,c.open(),m(e.name);let l=t().map(async e=>(await this.service.matches.getMatch({matchId:e})).match),u=(await Promise.allSettled(l)).flatMap(e=>e.status===`fulfilled`&&e.value&&!e.value.result?[e.value]:[]);this.known=u}async#i(){let{table:e}=this;if(!e)return;let t=await this.service.with(e.key).gateways.listStyluses({});this.matchId=t.matchId,this.seats=t.styluses.find(({stylus:t})=>t===e.stylus)?.seats??[]}get#a(){return this.gateway?.prompts.get(this.table?.stylus??``)}#o(e){if(e!==this.gateway)return;this.requestUpdate();let t=this.#a,n=`${t?.version} ${this.matchId}`;t&&n!==this.#e&&(this.#e=n,this.attempt(()=>this.#s(t)))}async#s(e){let{matchId:t}=this,n=r(t),i=[...e.prompts.map(({seat:e})=>e).filter(e=>this.seats.includes(e)),...this.seats,...d(n)].find(e=>n[e]),a=i&&n[i];if(!t||!a)return;let{svg:o}=await this.service.with(a).view(t,[`svg`],{atLeastVersion:e.version,narrow:matchMedia(`(max-width: 60rem)`).matches,markLegal:!0});t===this.matchId&&(this.svg=o)}#c=({detail:e})=>{this.table&&this.gateway?.tap(this.table.stylus,e)};#l=e=>{let t=f(e.composedPath()[0]??null);if(!t||!this.table)return;let{piece:n,space:r}=t.dataset,i=[n,r].filter(e=>e!==void 0),a=this.#a?.next??[],[o=n===void 0?`space ${r}`:`piece ${n}`]=i.flatMap(e=>a.filter(t=>P(t)===e));this.gateway?.tap(this.table.stylus,o)};render(){let{table:e}=this;return this.framed(e?.name??`Tables`,e?this.#u(e):this.#h(),e?p`<a class="button" href=${s({page:`table`})}>All tables</a>`:l)}#u(e){let t=this.#a,n=this.gateway?.line===`lost`;return p`
      ${n?p`<p class="trouble" role="alert">The line is lost. Taps are kept, and sent when it is back.</p>`:l}
      <div class="table-top">
        <div class="table-board">
          ${this.svg?p`<emeth-still .svg=${this.svg} label="The board"
                  .marked=${(t?.picked??[]).map(P)} @click=${this.#l}></emeth-still>`:p`<p class="note">Put a match on the table: its board is drawn here.</p>`}
        </div>
        <div class="control-card">
          ${t?p`<emeth-stylus-card .prompt=${t} .waiting=${this.gateway?.waiting??0}
                  @tapped=${this.#c}></emeth-stylus-card>`:l}
          ${this.#d()} ${this.#m(e)}
        </div>
      </div>`}#d(){let e=this.seats.length?`For ${this.seats.map(o).join(` and `)}`:`For nobody yet`;return p`<details ?open=${!this.seats.length}>
      <summary>${e}</summary>
      <form class="seating" @submit=${this.#p}>
        ${this.known.length?p`<div class="field">
                  <label for="match">Match</label>
                  <select id="match" name="match" @change=${()=>this.requestUpdate()}>
                    ${this.known.map(({matchId:e,title:t,caption:n})=>p`<option value=${e}
                        ?selected=${e===(this.matchId||this.asked(`match`))}>${t||n} (${e.slice(0,8)})</option>`)}
                  </select>
                </div>
                <div class="field">
                  <label for="for">The stylus acts</label>
                  <select id="for" name="for">
                    <option value="">for all seats that this browser has: it is handed around</option>
                    ${this.#f().map(e=>p`<option value=${e}>for ${o(e)}</option>`)}
                  </select>
                </div>
                <p><button class="main" ?disabled=${this.busy}>Seat it</button></p>`:p`<p class="note">This browser has no match that goes on.
                <a href=${s({})}>Begin one</a>, or open a link to a seat.</p>`}
      </form>
    </details>`}#f(){let e=this.querySelector(`#match`)?.value??this.known[0]?.matchId??``;return d(r(e))}#p=e=>{e.preventDefault();let t=e.target,i=e=>t.elements.namedItem(e).value,{table:a}=this;if(!a)return;let o=r(i(`match`)),s=(this.known.find(({matchId:e})=>e===i(`match`))?.seats??[]).flatMap(({name:e})=>o[e]??[]),[c=``]=Object.values(o),l=o[i(`for`)],u={requestId:n(),stylus:a.stylus,matchId:i(`match`),tokens:l?[l]:s.length?s:[c]};this.attempt(async()=>{let{outcome:e}=await this.service.with(a.key).gateways.seatStylus(u);if(e.case===`refused`)throw Error(e.value.why);this.svg=``,await this.#i(),this.#e=``,this.gateway&&this.#o(this.gateway)})};#m(e){return e.owner?p`<details>
      <summary>Another screen at this table</summary>
      <p class="row"><button @click=${()=>{this.attempt(async()=>{let t={requestId:n(),tableId:e.tableId,name:`Another screen`},r=this.service.with(e.owner),{key:i}=await a(()=>r.gateways.registerGateway(t)),o=new URL(s({page:`table`},{table:e.tableId}),location.href);o.hash=new URLSearchParams({[M]:i}).toString();let c=this.querySelector(`#screen-link`);c&&(c.value=o.href,c.select())})}} ?disabled=${this.busy}>Make a link</button>
        <input id="screen-link" readonly aria-label="Link for another screen" /></p>
      <p class="note">Whoever has the link has a stylus of their own there.</p>
    </details>`:l}#h(){let e=T();return p`
      ${e.length?p`<section aria-label="Your tables"><h2>Your tables</h2><ul class="matches">
              ${e.map(({name:e,tableId:t})=>p`<li class="row">
                  <a href=${s({page:`table`},{table:t})}><b>${e}</b></a>
                  <button class="small" aria-label="Forget ${e}" @click=${()=>{D(t),this.requestUpdate()}}>Forget</button></li>`)}
            </ul></section>`:l}
      <form class="new-table" @submit=${this.#_}>
        <h2>Open a table</h2>
        <p>A table has styluses. Here you get one on the screen, with a Control Card: it plays by taps as those of
          a real table do, and beside them.</p>
        <div class="field">
          <label for="name">Name</label>
          <input id="name" name="name" required maxlength="80" autocomplete="off" />
        </div>
        ${this.isGuarded?p`<div class="field">
                <label for="key">The service's admin key</label>
                <input id="key" name="key" type="password" required autocomplete="off" aria-describedby="key-about" />
                <p class="note" id="key-about">It is in the file admin.key of the service's folder. It is not kept here.</p>
              </div>`:l}
        <p><button class="main" ?disabled=${this.busy}>Open the table</button></p>
      </form>`}async#g(t){try{return await a(t)}catch(t){throw e(t).reason===`TOKEN_MISSING`&&(this.isGuarded=!0),t}}#_=e=>{e.preventDefault();let t=e.target,r=e=>t.elements.namedItem(e)?.value.trim()??``,i={requestId:n(),name:r(`name`)};this.attempt(async()=>{let e=r(`key`),{gateways:t}=e?this.service.with(e):this.service,{tableId:n,key:a,ownerKey:o}=await this.#g(()=>t.registerGateway(i));E({name:i.name,tableId:n,key:a,owner:o,stylus:O()}),h({page:`table`},{table:n}),this.query=new URLSearchParams(location.search)})}};function P(e){return e.slice(e.indexOf(` `)+1)}customElements.define(`emeth-table-page`,N);function F(e,t){return p`<emeth-table-page .service=${e} .query=${t}></emeth-table-page>`}export{F as show};