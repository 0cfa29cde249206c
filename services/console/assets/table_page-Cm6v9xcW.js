import{I as e,L as t,R as n,S as r,T as i,_ as a,b as o,d as s,m as c,o as l,p as u,v as d,w as f,x as p,y as m}from"./index-HUDWQX_8.js";import{t as h}from"./page-BOC9bVKW.js";import"./still-AUh7G_n7.js";var g={[i.UNSPECIFIED]:`out`,[i.OUT]:`out`,[i.BLUE]:`blue`,[i.BLINKING_BLUE]:`blinking`,[i.RED]:`red`},_=[`ᚠ`,`ᚢ`,`ᚦ`,`ᚨ`,`ᚱ`,`ᚲ`],v=[`1`,`2`,`3`,`4`,`5`,`6`,`7`,`8`,`9`,`0`],y=[[`cc army`,`Army`],[`cc ancients`,`Ancients`],[`cc map`,`Map`],[`cc help`,`Help`]],b=[[`match undo`,`Take back`],[`match redo`,`Take up again`],[`match agree`,`Agree`],[`match refuse`,`Refuse`],[`match draw`,`Offer a draw`],[`match dispute`,`Dispute`],[`match resign`,`Resign`]],x=24,S=class extends e{static properties={prompt:{attribute:!1},waiting:{attribute:!1}};createRenderRoot(){return this}render(){let{prompt:e}=this;return n`<section class="stylus-screen" aria-label="Screen of the stylus">
        <p class="row">
          <span class="led ${g[e.led]}" role="img" aria-label="Light: ${g[e.led]}"></span>
          <b>${e.text}</b>
        </p>
        <div aria-live="polite">
          ${e.events.map(({sentence:e})=>n`<p>${e}</p>`)}
          ${e.refusal?n`<p class="trouble">${e.refusal.why}</p>`:t}
        </div>
        ${e.screen?n`<pre tabindex="0">${e.screen}</pre>`:t}
        <p class="note">
          ${e.picked.length?`Picked: ${e.picked.join(`, `)}. `:``}
          ${e.digits?`Typed: ${e.digits}. `:``}
          ${this.waiting?`${this.waiting} on the way.`:``}
        </p>
        ${e.armed?n`<p class="armed">Confirm: ${e.armed.sentence}${this.#e()}</p>`:t}
      </section>
      <div class="row buttons">
        ${this.#r(`button page`,e.pages>1?`Page ${e.page} of ${e.pages}`:`Page`)}
        ${this.#r(`button confirm`,`Confirm`,e.armed?`main`:``)}
      </div>
      ${this.#t()} ${this.#n()}
      <div class="digits" role="group" aria-label="Digits">
        ${v.map(e=>this.#r(`cc digit ${e}`,e))}
      </div>
      <div class="row" role="group" aria-label="Views">
        ${y.map(([e,t])=>this.#r(e,t,`small`))}
      </div>
      <details>
        <summary>Match card</summary>
        <div class="row">${b.map(([e,t])=>this.#r(e,t,`small`))}</div>
      </details>`}#e(){let{armed:e}=this.prompt,t=Object.entries(e?.figures??{}).map(([e,t])=>`${e} ${t}`),n=e?.cost?[e.cost]:[];return[...n,...t].length?` (${[...n,...t].join(`, `)})`:``}#t(){let{runes:e}=this.prompt;return e.length?n`<ol class="runes" aria-label="Runes">
      ${e.map(({sentence:e,label:t,cost:r},i)=>n`<li>
          <button @click=${this.#i(`cc rune ${i+1}`)}>
            <span class="rune" aria-hidden="true">${_[i]??i+1}</span>
            <span>${e||t}${r?` (${r})`:``}</span>
          </button>
        </li>`)}
    </ol>`:t}#n(){let{next:e}=this.prompt;return e.length?n`<details>
      <summary>${e.length===1?`One thing`:`${e.length} things`} may be tapped next</summary>
      <div class="row">${e.slice(0,x).map(e=>this.#r(e,e,`small`))}</div>
    </details>`:t}#r(e,t,r=``){return n`<button class=${r} @click=${this.#i(e)}>${t}</button>`}#i(e){return()=>{this.dispatchEvent(new CustomEvent(`tapped`,{detail:e}))}}};customElements.define(`emeth-stylus-card`,S);var C=`emeth.tables`;function w(){try{let e=JSON.parse(localStorage.getItem(C)??`[]`);return Array.isArray(e)?e:[]}catch{return O}}function T(e){k([e,...w().filter(({tableId:t})=>t!==e.tableId)])}function E(e){k(w().filter(t=>t.tableId!==e))}function D(){let e=crypto.getRandomValues(new Uint8Array(4));return`page-${Array.from(e,e=>e.toString(16).padStart(2,`0`)).join(``)}`}var O=[];function k(e){O=e;try{localStorage.setItem(C,JSON.stringify(e))}catch{}}var A=`0000`,j=`gateway`,M=class extends h{static properties={...h.properties,table:{state:!0},gateway:{state:!0},matchId:{state:!0},seats:{state:!0},svg:{state:!0},known:{state:!0}};#e=``;constructor(){super(),this.table=void 0,this.gateway=void 0,this.matchId=``,this.seats=[],this.svg=``,this.known=[]}disconnectedCallback(){super.disconnectedCallback(),this.gateway?.close()}willUpdate(e){if(!e.has(`query`))return;document.title=`Tables`;let t=new URLSearchParams(location.hash.slice(1)).get(j);t&&this.#t(t);let n=w().find(({tableId:e})=>e===this.asked(`table`));n&&n.key!==this.table?.key?this.attempt(()=>this.#r(n)):n||this.#n()}#t(e){let[t=``]=e.split(`.`);T({name:`Table ${t.slice(0,8)}`,tableId:t,key:e,owner:``,stylus:D()}),u({page:`table`},{table:t}),this.query=new URLSearchParams(location.search)}#n(){this.gateway?.close(),[this.table,this.gateway,this.matchId,this.svg]=[void 0,void 0,``,``]}async#r(e){this.#n(),this.table=e;let{gateways:t}=this.service.with(e.key),n={requestId:r(),stylus:e.stylus,pin:A},{outcome:i}=await p(()=>t.pairStylus(n));if(i.case===`refused`)throw Error(i.value.why);await this.#i();let s=new o(this.service.with(e.key));s.addEventListener(`change`,()=>this.#o(s)),s.addEventListener(`ended`,e=>{this.trouble=e.detail.rawMessage}),this.gateway=s,s.open(),document.title=e.name;let c=a().map(async e=>(await this.service.matches.getMatch({matchId:e})).match),l=(await Promise.allSettled(c)).flatMap(e=>e.status===`fulfilled`&&e.value&&!e.value.result?[e.value]:[]);this.known=l}async#i(){let{table:e}=this;if(!e)return;let t=await this.service.with(e.key).gateways.listStyluses({});this.matchId=t.matchId,this.seats=t.styluses.find(({stylus:t})=>t===e.stylus)?.seats??[]}get#a(){return this.gateway?.prompts.get(this.table?.stylus??``)}#o(e){if(e!==this.gateway)return;this.requestUpdate();let t=this.#a,n=`${t?.version} ${this.matchId}`;t&&n!==this.#e&&(this.#e=n,this.attempt(()=>this.#s(t)))}async#s(e){let{matchId:t}=this,n=m(t),r=[...e.asks.map(({seat:e})=>e).filter(e=>this.seats.includes(e)),...this.seats,...d(n)].find(e=>n[e]),i=r&&n[r];if(!t||!i)return;let a=await this.service.with(i).views.getScene({matchId:t,atLeastVersion:e.version,format:f.SVG,narrow:matchMedia(`(max-width: 60rem)`).matches,legal:!0});t===this.matchId&&a.drawing.case===`svg`&&(this.svg=a.drawing.value)}#c=({detail:e})=>{this.table&&this.gateway?.tap(this.table.stylus,e)};#l=e=>{let t=l(e.composedPath()[0]??null);if(!t||!this.table)return;let{piece:n,space:r}=t.dataset,i=[n,r].filter(e=>e!==void 0),a=this.#a?.next??[],[o=n===void 0?`space ${r}`:`piece ${n}`]=i.flatMap(e=>a.filter(t=>N(t)===e));this.gateway?.tap(this.table.stylus,o)};render(){let{table:e}=this;return this.framed(e?.name??`Tables`,e?this.#u(e):this.#h(),e?n`<a class="button" href=${c({page:`table`})}>All tables</a>`:t)}#u(e){let r=this.#a,i=this.gateway?.line===`lost`;return n`
      ${i?n`<p class="trouble" role="alert">The line is lost. Taps are kept, and sent when it is back.</p>`:t}
      <div class="table-top">
        <div class="table-board">
          ${this.svg?n`<emeth-still .svg=${this.svg} label="The board"
                  .marked=${(r?.picked??[]).map(N)} @click=${this.#l}></emeth-still>`:n`<p class="note">Put a match on the table: its board is drawn here.</p>`}
        </div>
        <div class="control-card">
          ${r?n`<emeth-stylus-card .prompt=${r} .waiting=${this.gateway?.waiting??0}
                  @tapped=${this.#c}></emeth-stylus-card>`:t}
          ${this.#d()} ${this.#m(e)}
        </div>
      </div>`}#d(){let e=this.seats.length?`For ${this.seats.map(s).join(` and `)}`:`For nobody yet`;return n`<details ?open=${!this.seats.length}>
      <summary>${e}</summary>
      <form class="seating" @submit=${this.#p}>
        ${this.known.length?n`<div class="field">
                  <label for="match">Match</label>
                  <select id="match" name="match" @change=${()=>this.requestUpdate()}>
                    ${this.known.map(({matchId:e,title:t,caption:r})=>n`<option value=${e}
                        ?selected=${e===(this.matchId||this.asked(`match`))}>${t||r} (${e.slice(0,8)})</option>`)}
                  </select>
                </div>
                <div class="field">
                  <label for="for">The stylus acts</label>
                  <select id="for" name="for">
                    <option value="">for all seats that this browser has: it is handed around</option>
                    ${this.#f().map(e=>n`<option value=${e}>for ${s(e)}</option>`)}
                  </select>
                </div>
                <p><button class="main" ?disabled=${this.busy}>Seat it</button></p>`:n`<p class="note">This browser has no match that goes on.
                <a href=${c({})}>Begin one</a>, or open a link to a seat.</p>`}
      </form>
    </details>`}#f(){let e=this.querySelector(`#match`)?.value??this.known[0]?.matchId??``;return d(m(e))}#p=e=>{e.preventDefault();let t=e.target,n=e=>t.elements.namedItem(e).value,{table:i}=this;if(!i)return;let a=m(n(`match`)),o=(this.known.find(({matchId:e})=>e===n(`match`))?.seats??[]).flatMap(({name:e})=>a[e]??[]),[s=``]=Object.values(a),c=a[n(`for`)],l={requestId:r(),stylus:i.stylus,matchId:n(`match`),tokens:c?[c]:o.length?o:[s]};this.attempt(async()=>{let{outcome:e}=await this.service.with(i.key).gateways.seatStylus(l);if(e.case===`refused`)throw Error(e.value.why);this.svg=``,await this.#i(),this.#e=``,this.gateway&&this.#o(this.gateway)})};#m(e){return e.owner?n`<details>
      <summary>Another screen at this table</summary>
      <p class="row"><button @click=${()=>{this.attempt(async()=>{let t={requestId:r(),tableId:e.tableId,name:`Another screen`},n=this.service.with(e.owner),{key:i}=await p(()=>n.gateways.registerGateway(t)),a=new URL(c({page:`table`},{table:e.tableId}),location.href);a.hash=new URLSearchParams({[j]:i}).toString();let o=this.querySelector(`#screen-link`);o&&(o.value=a.href,o.select())})}} ?disabled=${this.busy}>Make a link</button>
        <input id="screen-link" readonly aria-label="Link for another screen" /></p>
      <p class="note">Whoever has the link has a stylus of their own there.</p>
    </details>`:t}#h(){let e=w();return n`
      ${e.length?n`<section aria-label="Your tables"><h2>Your tables</h2><ul class="matches">
              ${e.map(({name:e,tableId:t})=>n`<li class="row">
                  <a href=${c({page:`table`},{table:t})}><b>${e}</b></a>
                  <button class="small" aria-label="Forget ${e}" @click=${()=>{E(t),this.requestUpdate()}}>Forget</button></li>`)}
            </ul></section>`:t}
      <form class="new-table" @submit=${this.#g}>
        <h2>Open a table</h2>
        <p>A table has styluses. Here you get one on the screen, with a Control Card: it plays by taps as those of
          a real table do, and beside them.</p>
        <div class="field">
          <label for="name">Name</label>
          <input id="name" name="name" required maxlength="80" autocomplete="off" />
        </div>
        <div class="field">
          <label for="key">The service's admin key</label>
          <input id="key" name="key" type="password" required autocomplete="off" aria-describedby="key-about" />
          <p class="note" id="key-about">It is in the file admin.key of the service's folder. It is not kept here.</p>
        </div>
        <p><button class="main" ?disabled=${this.busy}>Open the table</button></p>
      </form>`}#g=e=>{e.preventDefault();let t=e.target,n=e=>t.elements.namedItem(e).value.trim(),i={requestId:r(),name:n(`name`)};this.attempt(async()=>{let e=this.service.with(n(`key`)),{tableId:t,key:r,ownerKey:a}=await p(()=>e.gateways.registerGateway(i));T({name:i.name,tableId:t,key:r,owner:a,stylus:D()}),u({page:`table`},{table:t}),this.query=new URLSearchParams(location.search)})}};function N(e){return e.slice(e.indexOf(` `)+1)}customElements.define(`emeth-table-page`,M);function P(e,t){return n`<emeth-table-page .service=${e} .query=${t}></emeth-table-page>`}export{P as show};