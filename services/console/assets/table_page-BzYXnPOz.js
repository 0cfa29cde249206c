import{$ as e,A as t,C as n,I as r,L as i,M as a,N as o,P as s,Q as c,Y as l,_ as u,et as d,j as f,k as p,l as m,w as h,x as g}from"./index-CJpAOJvg.js";import{t as _}from"./page-C7ON4D_K.js";import"./still-B0gFd2cr.js";var v={[i.UNSPECIFIED]:`out`,[i.OUT]:`out`,[i.BLUE]:`blue`,[i.BLINKING_BLUE]:`blinking`,[i.RED]:`red`},y=[`ᚠ`,`ᚢ`,`ᚦ`,`ᚨ`,`ᚱ`,`ᚲ`],b=[`1`,`2`,`3`,`4`,`5`,`6`,`7`,`8`,`9`,`0`],x=[[`cc army`,`Army`],[`cc ancients`,`Ancients`],[`cc map`,`Map`],[`cc help`,`Help`]],S=[[`match undo`,`Take back`],[`match redo`,`Take up again`],[`match agree`,`Agree`],[`match refuse`,`Refuse`],[`match draw`,`Offer a draw`],[`match dispute`,`Dispute`],[`match resign`,`Resign`]],C=24,w=class extends c{static properties={prompt:{attribute:!1},waiting:{attribute:!1}};createRenderRoot(){return this}render(){let{prompt:t}=this;return d`<section class="stylus-screen" aria-label="Screen of the stylus">
        <p class="row">
          <span class="led ${v[t.led]}" role="img" aria-label="Light: ${v[t.led]}"></span>
          <b>${t.text}</b>
        </p>
        <div aria-live="polite">
          ${t.events.map(({sentence:e})=>d`<p>${e}</p>`)}
          ${t.refusal?d`<p class="trouble">${t.refusal.why}</p>`:e}
        </div>
        ${t.screen?d`<pre tabindex="0">${t.screen}</pre>`:e}
        <p class="note">
          ${t.picked.length?`Picked: ${t.picked.join(`, `)}. `:``}
          ${t.digits?`Typed: ${t.digits}. `:``}
          ${this.waiting?`${this.waiting} on the way.`:``}
        </p>
      </section>
      <div class="row buttons">
        ${t.armed?d`<p class="armed">${t.armed.sentence}${this.#e()}</p>`:e}
        ${this.#r(`button page`,t.pages>1?`Page ${t.page} of ${t.pages}`:`Page`)}
        ${this.#r(`button confirm`,`Confirm`,t.armed?`main`:``)}
      </div>
      ${this.#t()} ${this.#n()}
      <div class="digits" role="group" aria-label="Digits">
        ${b.map(e=>this.#r(`cc digit ${e}`,e))}
      </div>
      <div class="row" role="group" aria-label="Views">
        ${x.map(([e,t])=>this.#r(e,t,`small`))}
      </div>
      <details>
        <summary>Match card</summary>
        <div class="row">${S.map(([e,t])=>this.#r(e,t,`small`))}</div>
      </details>`}#e(){let{armed:e}=this.prompt,t=Object.entries(e?.figures??{}).map(([e,t])=>`${e} ${t}`),n=e?.cost?[e.cost]:[];return[...n,...t].length?` (${[...n,...t].join(`, `)})`:``}#t(){let{runes:t}=this.prompt;return t.length?d`<ol class="runes" aria-label="Runes">
      ${t.map(({sentence:e,label:t,cost:n},r)=>d`<li>
          <button @click=${this.#i(`cc rune ${r+1}`)}>
            <span class="rune" aria-hidden="true">${y[r]??r+1}</span>
            <span>${e||t}${n?` (${n})`:``}</span>
          </button>
        </li>`)}
    </ol>`:e}#n(){let{next:t}=this.prompt;return t.length?d`<details>
      <summary>${t.length===1?`One thing`:`${t.length} things`} may be tapped next</summary>
      <div class="row">${t.slice(0,C).map(e=>this.#r(e,e,`small`))}</div>
    </details>`:e}#r(e,t,n=``){return d`<button class=${n} @click=${this.#i(e)}>${t}</button>`}#i(e){return()=>{this.dispatchEvent(new CustomEvent(`tapped`,{detail:e}))}}};customElements.define(`emeth-stylus-card`,w);var T=`emeth.tables`;function E(){try{let e=JSON.parse(localStorage.getItem(T)??`[]`);return Array.isArray(e)?e:[]}catch{return A}}function D(e){j([e,...E().filter(({tableId:t})=>t!==e.tableId)])}function O(e){j(E().filter(t=>t.tableId!==e))}function k(){let e=crypto.getRandomValues(new Uint8Array(4));return`page-${Array.from(e,e=>e.toString(16).padStart(2,`0`)).join(``)}`}var A=[];function j(e){A=e;try{localStorage.setItem(T,JSON.stringify(e))}catch{}}var M=`0000`,N=`gateway`,P=class extends _{static properties={..._.properties,table:{state:!0},gateway:{state:!0},matchId:{state:!0},seats:{state:!0},svg:{state:!0},known:{state:!0},isGuarded:{state:!0}};#e=``;constructor(){super(),this.isGuarded=!1,this.table=void 0,this.gateway=void 0,this.matchId=``,this.seats=[],this.svg=``,this.known=[]}disconnectedCallback(){super.disconnectedCallback(),this.gateway?.close()}willUpdate(e){if(!e.has(`query`))return;u(`Tables`);let t=new URLSearchParams(location.hash.slice(1)).get(N);t&&this.#t(t);let n=E().find(({tableId:e})=>e===this.asked(`table`));n&&n.key!==this.table?.key?this.attempt(()=>this.#r(n)):n||this.#n()}#t(e){let[t=``]=e.split(`.`);D({name:`Table ${t.slice(0,8)}`,tableId:t,key:e,owner:``,stylus:k()}),n({page:`table`},{table:t}),this.query=new URLSearchParams(location.search)}#n(){this.gateway?.close(),[this.table,this.gateway,this.matchId,this.svg]=[void 0,void 0,``,``]}async#r(e){this.#n(),this.table=e;let{gateways:t}=this.service.with(e.key),n={requestId:s(),stylus:e.stylus,pin:M},{outcome:r}=await o(()=>t.pairStylus(n));if(r.case===`refused`)throw Error(r.value.why);await this.#i();let i=new a(this.service.with(e.key));i.addEventListener(`change`,()=>this.#o(i)),i.addEventListener(`ended`,e=>{this.trouble=e.detail.rawMessage}),this.gateway=i,i.open(),u(e.name);let c=p().map(async e=>(await this.service.matches.getMatch({matchId:e})).match),l=(await Promise.allSettled(c)).flatMap(e=>e.status===`fulfilled`&&e.value&&!e.value.result?[e.value]:[]);this.known=l}async#i(){let{table:e}=this;if(!e)return;let t=await this.service.with(e.key).gateways.listStyluses({});this.matchId=t.matchId,this.seats=t.styluses.find(({stylus:t})=>t===e.stylus)?.seats??[]}get#a(){return this.gateway?.prompts.get(this.table?.stylus??``)}#o(e){if(e!==this.gateway)return;this.requestUpdate();let t=this.#a,n=`${t?.version} ${this.matchId}`;t&&n!==this.#e&&(this.#e=n,this.attempt(()=>this.#s(t)))}async#s(e){let{matchId:n}=this,i=f(n),a=[...e.asks.map(({seat:e})=>e).filter(e=>this.seats.includes(e)),...this.seats,...t(i)].find(e=>i[e]),o=a&&i[a];if(!n||!o)return;let s=await this.service.with(o).views.getScene({matchId:n,atLeastVersion:e.version,format:r.SVG,narrow:matchMedia(`(max-width: 60rem)`).matches,legal:!0});n===this.matchId&&s.drawing.case===`svg`&&(this.svg=s.drawing.value)}#c=({detail:e})=>{this.table&&this.gateway?.tap(this.table.stylus,e)};#l=e=>{let t=m(e.composedPath()[0]??null);if(!t||!this.table)return;let{piece:n,space:r}=t.dataset,i=[n,r].filter(e=>e!==void 0),a=this.#a?.next??[],[o=n===void 0?`space ${r}`:`piece ${n}`]=i.flatMap(e=>a.filter(t=>F(t)===e));this.gateway?.tap(this.table.stylus,o)};render(){let{table:t}=this;return this.framed(t?.name??`Tables`,t?this.#u(t):this.#h(),t?d`<a class="button" href=${h({page:`table`})}>All tables</a>`:e)}#u(t){let n=this.#a,r=this.gateway?.line===`lost`;return d`
      ${r?d`<p class="trouble" role="alert">The line is lost. Taps are kept, and sent when it is back.</p>`:e}
      <div class="table-top">
        <div class="table-board">
          ${this.svg?d`<emeth-still .svg=${this.svg} label="The board"
                  .marked=${(n?.picked??[]).map(F)} @click=${this.#l}></emeth-still>`:d`<p class="note">Put a match on the table: its board is drawn here.</p>`}
        </div>
        <div class="control-card">
          ${n?d`<emeth-stylus-card .prompt=${n} .waiting=${this.gateway?.waiting??0}
                  @tapped=${this.#c}></emeth-stylus-card>`:e}
          ${this.#d()} ${this.#m(t)}
        </div>
      </div>`}#d(){let e=this.seats.length?`For ${this.seats.map(g).join(` and `)}`:`For nobody yet`;return d`<details ?open=${!this.seats.length}>
      <summary>${e}</summary>
      <form class="seating" @submit=${this.#p}>
        ${this.known.length?d`<div class="field">
                  <label for="match">Match</label>
                  <select id="match" name="match" @change=${()=>this.requestUpdate()}>
                    ${this.known.map(({matchId:e,title:t,caption:n})=>d`<option value=${e}
                        ?selected=${e===(this.matchId||this.asked(`match`))}>${t||n} (${e.slice(0,8)})</option>`)}
                  </select>
                </div>
                <div class="field">
                  <label for="for">The stylus acts</label>
                  <select id="for" name="for">
                    <option value="">for all seats that this browser has: it is handed around</option>
                    ${this.#f().map(e=>d`<option value=${e}>for ${g(e)}</option>`)}
                  </select>
                </div>
                <p><button class="main" ?disabled=${this.busy}>Seat it</button></p>`:d`<p class="note">This browser has no match that goes on.
                <a href=${h({})}>Begin one</a>, or open a link to a seat.</p>`}
      </form>
    </details>`}#f(){let e=this.querySelector(`#match`)?.value??this.known[0]?.matchId??``;return t(f(e))}#p=e=>{e.preventDefault();let t=e.target,n=e=>t.elements.namedItem(e).value,{table:r}=this;if(!r)return;let i=f(n(`match`)),a=(this.known.find(({matchId:e})=>e===n(`match`))?.seats??[]).flatMap(({name:e})=>i[e]??[]),[o=``]=Object.values(i),c=i[n(`for`)],l={requestId:s(),stylus:r.stylus,matchId:n(`match`),tokens:c?[c]:a.length?a:[o]};this.attempt(async()=>{let{outcome:e}=await this.service.with(r.key).gateways.seatStylus(l);if(e.case===`refused`)throw Error(e.value.why);this.svg=``,await this.#i(),this.#e=``,this.gateway&&this.#o(this.gateway)})};#m(t){return t.owner?d`<details>
      <summary>Another screen at this table</summary>
      <p class="row"><button @click=${()=>{this.attempt(async()=>{let e={requestId:s(),tableId:t.tableId,name:`Another screen`},n=this.service.with(t.owner),{key:r}=await o(()=>n.gateways.registerGateway(e)),i=new URL(h({page:`table`},{table:t.tableId}),location.href);i.hash=new URLSearchParams({[N]:r}).toString();let a=this.querySelector(`#screen-link`);a&&(a.value=i.href,a.select())})}} ?disabled=${this.busy}>Make a link</button>
        <input id="screen-link" readonly aria-label="Link for another screen" /></p>
      <p class="note">Whoever has the link has a stylus of their own there.</p>
    </details>`:e}#h(){let t=E();return d`
      ${t.length?d`<section aria-label="Your tables"><h2>Your tables</h2><ul class="matches">
              ${t.map(({name:e,tableId:t})=>d`<li class="row">
                  <a href=${h({page:`table`},{table:t})}><b>${e}</b></a>
                  <button class="small" aria-label="Forget ${e}" @click=${()=>{O(t),this.requestUpdate()}}>Forget</button></li>`)}
            </ul></section>`:e}
      <form class="new-table" @submit=${this.#_}>
        <h2>Open a table</h2>
        <p>A table has styluses. Here you get one on the screen, with a Control Card: it plays by taps as those of
          a real table do, and beside them.</p>
        <div class="field">
          <label for="name">Name</label>
          <input id="name" name="name" required maxlength="80" autocomplete="off" />
        </div>
        ${this.isGuarded?d`<div class="field">
                <label for="key">The service's admin key</label>
                <input id="key" name="key" type="password" required autocomplete="off" aria-describedby="key-about" />
                <p class="note" id="key-about">It is in the file admin.key of the service's folder. It is not kept here.</p>
              </div>`:e}
        <p><button class="main" ?disabled=${this.busy}>Open the table</button></p>
      </form>`}async#g(e){try{return await o(e)}catch(e){throw l(e).reason===`TOKEN_MISSING`&&(this.isGuarded=!0),e}}#_=e=>{e.preventDefault();let t=e.target,r=e=>t.elements.namedItem(e)?.value.trim()??``,i={requestId:s(),name:r(`name`)};this.attempt(async()=>{let e=r(`key`),{gateways:t}=e?this.service.with(e):this.service,{tableId:a,key:o,ownerKey:s}=await this.#g(()=>t.registerGateway(i));D({name:i.name,tableId:a,key:o,owner:s,stylus:k()}),n({page:`table`},{table:a}),this.query=new URLSearchParams(location.search)})}};function F(e){return e.slice(e.indexOf(` `)+1)}customElements.define(`emeth-table-page`,P);function I(e,t){return d`<emeth-table-page .service=${e} .query=${t}></emeth-table-page>`}export{I as show};