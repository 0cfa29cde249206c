import{C as e,E as t,L as n,R as r,S as i,T as a,b as o,f as s,h as c,m as l,s as u,v as d,x as f,y as p,z as m}from"./index-BY_yMFqV.js";import{t as h}from"./page-BTA6lbAf.js";import"./still-b8aFDrdi.js";var g={[t.UNSPECIFIED]:`out`,[t.OUT]:`out`,[t.BLUE]:`blue`,[t.BLINKING_BLUE]:`blinking`,[t.RED]:`red`},_=[`ᚠ`,`ᚢ`,`ᚦ`,`ᚨ`,`ᚱ`,`ᚲ`],v=[`1`,`2`,`3`,`4`,`5`,`6`,`7`,`8`,`9`,`0`],y=[[`cc army`,`Army`],[`cc ancients`,`Ancients`],[`cc map`,`Map`],[`cc help`,`Help`]],b=[[`match undo`,`Take back`],[`match redo`,`Take up again`],[`match agree`,`Agree`],[`match refuse`,`Refuse`],[`match draw`,`Offer a draw`],[`match dispute`,`Dispute`],[`match resign`,`Resign`]],x=24,S=class extends n{static properties={prompt:{attribute:!1},waiting:{attribute:!1}};createRenderRoot(){return this}render(){let{prompt:e}=this;return m`<section class="stylus-screen" aria-label="Screen of the stylus">
        <p class="row">
          <span class="led ${g[e.led]}" role="img" aria-label="Light: ${g[e.led]}"></span>
          <b>${e.text}</b>
        </p>
        <div aria-live="polite">
          ${e.events.map(({sentence:e})=>m`<p>${e}</p>`)}
          ${e.refusal?m`<p class="trouble">${e.refusal.why}</p>`:r}
        </div>
        ${e.screen?m`<pre tabindex="0">${e.screen}</pre>`:r}
        <p class="note">
          ${e.picked.length?`Picked: ${e.picked.join(`, `)}. `:``}
          ${e.digits?`Typed: ${e.digits}. `:``}
          ${this.waiting?`${this.waiting} on the way.`:``}
        </p>
      </section>
      <div class="row buttons">
        ${e.armed?m`<p class="armed">${e.armed.sentence}${this.#e()}</p>`:r}
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
      </details>`}#e(){let{armed:e}=this.prompt,t=Object.entries(e?.figures??{}).map(([e,t])=>`${e} ${t}`),n=e?.cost?[e.cost]:[];return[...n,...t].length?` (${[...n,...t].join(`, `)})`:``}#t(){let{runes:e}=this.prompt;return e.length?m`<ol class="runes" aria-label="Runes">
      ${e.map(({sentence:e,label:t,cost:n},r)=>m`<li>
          <button @click=${this.#i(`cc rune ${r+1}`)}>
            <span class="rune" aria-hidden="true">${_[r]??r+1}</span>
            <span>${e||t}${n?` (${n})`:``}</span>
          </button>
        </li>`)}
    </ol>`:r}#n(){let{next:e}=this.prompt;return e.length?m`<details>
      <summary>${e.length===1?`One thing`:`${e.length} things`} may be tapped next</summary>
      <div class="row">${e.slice(0,x).map(e=>this.#r(e,e,`small`))}</div>
    </details>`:r}#r(e,t,n=``){return m`<button class=${n} @click=${this.#i(e)}>${t}</button>`}#i(e){return()=>{this.dispatchEvent(new CustomEvent(`tapped`,{detail:e}))}}};customElements.define(`emeth-stylus-card`,S);var C=`emeth.tables`;function w(){try{let e=JSON.parse(localStorage.getItem(C)??`[]`);return Array.isArray(e)?e:[]}catch{return O}}function T(e){k([e,...w().filter(({tableId:t})=>t!==e.tableId)])}function E(e){k(w().filter(t=>t.tableId!==e))}function D(){let e=crypto.getRandomValues(new Uint8Array(4));return`page-${Array.from(e,e=>e.toString(16).padStart(2,`0`)).join(``)}`}var O=[];function k(e){O=e;try{localStorage.setItem(C,JSON.stringify(e))}catch{}}var A=`0000`,j=`gateway`,M=class extends h{static properties={...h.properties,table:{state:!0},gateway:{state:!0},matchId:{state:!0},seats:{state:!0},svg:{state:!0},known:{state:!0}};#e=``;constructor(){super(),this.table=void 0,this.gateway=void 0,this.matchId=``,this.seats=[],this.svg=``,this.known=[]}disconnectedCallback(){super.disconnectedCallback(),this.gateway?.close()}willUpdate(e){if(!e.has(`query`))return;document.title=`Tables`;let t=new URLSearchParams(location.hash.slice(1)).get(j);t&&this.#t(t);let n=w().find(({tableId:e})=>e===this.asked(`table`));n&&n.key!==this.table?.key?this.attempt(()=>this.#r(n)):n||this.#n()}#t(e){let[t=``]=e.split(`.`);T({name:`Table ${t.slice(0,8)}`,tableId:t,key:e,owner:``,stylus:D()}),l({page:`table`},{table:t}),this.query=new URLSearchParams(location.search)}#n(){this.gateway?.close(),[this.table,this.gateway,this.matchId,this.svg]=[void 0,void 0,``,``]}async#r(t){this.#n(),this.table=t;let{gateways:n}=this.service.with(t.key),r={requestId:e(),stylus:t.stylus,pin:A},{outcome:a}=await i(()=>n.pairStylus(r));if(a.case===`refused`)throw Error(a.value.why);await this.#i();let o=new f(this.service.with(t.key));o.addEventListener(`change`,()=>this.#o(o)),o.addEventListener(`ended`,e=>{this.trouble=e.detail.rawMessage}),this.gateway=o,o.open(),document.title=t.name;let s=d().map(async e=>(await this.service.matches.getMatch({matchId:e})).match),c=(await Promise.allSettled(s)).flatMap(e=>e.status===`fulfilled`&&e.value&&!e.value.result?[e.value]:[]);this.known=c}async#i(){let{table:e}=this;if(!e)return;let t=await this.service.with(e.key).gateways.listStyluses({});this.matchId=t.matchId,this.seats=t.styluses.find(({stylus:t})=>t===e.stylus)?.seats??[]}get#a(){return this.gateway?.prompts.get(this.table?.stylus??``)}#o(e){if(e!==this.gateway)return;this.requestUpdate();let t=this.#a,n=`${t?.version} ${this.matchId}`;t&&n!==this.#e&&(this.#e=n,this.attempt(()=>this.#s(t)))}async#s(e){let{matchId:t}=this,n=o(t),r=[...e.asks.map(({seat:e})=>e).filter(e=>this.seats.includes(e)),...this.seats,...p(n)].find(e=>n[e]),i=r&&n[r];if(!t||!i)return;let s=await this.service.with(i).views.getScene({matchId:t,atLeastVersion:e.version,format:a.SVG,narrow:matchMedia(`(max-width: 60rem)`).matches,legal:!0});t===this.matchId&&s.drawing.case===`svg`&&(this.svg=s.drawing.value)}#c=({detail:e})=>{this.table&&this.gateway?.tap(this.table.stylus,e)};#l=e=>{let t=u(e.composedPath()[0]??null);if(!t||!this.table)return;let{piece:n,space:r}=t.dataset,i=[n,r].filter(e=>e!==void 0),a=this.#a?.next??[],[o=n===void 0?`space ${r}`:`piece ${n}`]=i.flatMap(e=>a.filter(t=>N(t)===e));this.gateway?.tap(this.table.stylus,o)};render(){let{table:e}=this;return this.framed(e?.name??`Tables`,e?this.#u(e):this.#h(),e?m`<a class="button" href=${c({page:`table`})}>All tables</a>`:r)}#u(e){let t=this.#a,n=this.gateway?.line===`lost`;return m`
      ${n?m`<p class="trouble" role="alert">The line is lost. Taps are kept, and sent when it is back.</p>`:r}
      <div class="table-top">
        <div class="table-board">
          ${this.svg?m`<emeth-still .svg=${this.svg} label="The board"
                  .marked=${(t?.picked??[]).map(N)} @click=${this.#l}></emeth-still>`:m`<p class="note">Put a match on the table: its board is drawn here.</p>`}
        </div>
        <div class="control-card">
          ${t?m`<emeth-stylus-card .prompt=${t} .waiting=${this.gateway?.waiting??0}
                  @tapped=${this.#c}></emeth-stylus-card>`:r}
          ${this.#d()} ${this.#m(e)}
        </div>
      </div>`}#d(){let e=this.seats.length?`For ${this.seats.map(s).join(` and `)}`:`For nobody yet`;return m`<details ?open=${!this.seats.length}>
      <summary>${e}</summary>
      <form class="seating" @submit=${this.#p}>
        ${this.known.length?m`<div class="field">
                  <label for="match">Match</label>
                  <select id="match" name="match" @change=${()=>this.requestUpdate()}>
                    ${this.known.map(({matchId:e,title:t,caption:n})=>m`<option value=${e}
                        ?selected=${e===(this.matchId||this.asked(`match`))}>${t||n} (${e.slice(0,8)})</option>`)}
                  </select>
                </div>
                <div class="field">
                  <label for="for">The stylus acts</label>
                  <select id="for" name="for">
                    <option value="">for all seats that this browser has: it is handed around</option>
                    ${this.#f().map(e=>m`<option value=${e}>for ${s(e)}</option>`)}
                  </select>
                </div>
                <p><button class="main" ?disabled=${this.busy}>Seat it</button></p>`:m`<p class="note">This browser has no match that goes on.
                <a href=${c({})}>Begin one</a>, or open a link to a seat.</p>`}
      </form>
    </details>`}#f(){let e=this.querySelector(`#match`)?.value??this.known[0]?.matchId??``;return p(o(e))}#p=t=>{t.preventDefault();let n=t.target,r=e=>n.elements.namedItem(e).value,{table:i}=this;if(!i)return;let a=o(r(`match`)),s=(this.known.find(({matchId:e})=>e===r(`match`))?.seats??[]).flatMap(({name:e})=>a[e]??[]),[c=``]=Object.values(a),l=a[r(`for`)],u={requestId:e(),stylus:i.stylus,matchId:r(`match`),tokens:l?[l]:s.length?s:[c]};this.attempt(async()=>{let{outcome:e}=await this.service.with(i.key).gateways.seatStylus(u);if(e.case===`refused`)throw Error(e.value.why);this.svg=``,await this.#i(),this.#e=``,this.gateway&&this.#o(this.gateway)})};#m(t){return t.owner?m`<details>
      <summary>Another screen at this table</summary>
      <p class="row"><button @click=${()=>{this.attempt(async()=>{let n={requestId:e(),tableId:t.tableId,name:`Another screen`},r=this.service.with(t.owner),{key:a}=await i(()=>r.gateways.registerGateway(n)),o=new URL(c({page:`table`},{table:t.tableId}),location.href);o.hash=new URLSearchParams({[j]:a}).toString();let s=this.querySelector(`#screen-link`);s&&(s.value=o.href,s.select())})}} ?disabled=${this.busy}>Make a link</button>
        <input id="screen-link" readonly aria-label="Link for another screen" /></p>
      <p class="note">Whoever has the link has a stylus of their own there.</p>
    </details>`:r}#h(){let e=w();return m`
      ${e.length?m`<section aria-label="Your tables"><h2>Your tables</h2><ul class="matches">
              ${e.map(({name:e,tableId:t})=>m`<li class="row">
                  <a href=${c({page:`table`},{table:t})}><b>${e}</b></a>
                  <button class="small" aria-label="Forget ${e}" @click=${()=>{E(t),this.requestUpdate()}}>Forget</button></li>`)}
            </ul></section>`:r}
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
      </form>`}#g=t=>{t.preventDefault();let n=t.target,r=e=>n.elements.namedItem(e).value.trim(),a={requestId:e(),name:r(`name`)};this.attempt(async()=>{let e=this.service.with(r(`key`)),{tableId:t,key:n,ownerKey:o}=await i(()=>e.gateways.registerGateway(a));T({name:a.name,tableId:t,key:n,owner:o,stylus:D()}),l({page:`table`},{table:t}),this.query=new URLSearchParams(location.search)})}};function N(e){return e.slice(e.indexOf(` `)+1)}customElements.define(`emeth-table-page`,M);function P(e,t){return m`<emeth-table-page .service=${e} .query=${t}></emeth-table-page>`}export{P as show};