import{C as e,E as t,F as n,H as r,I as i,M as a,N as o,P as s,T as c,_ as l,at as u,c as d,et as f,j as p,ot as m,st as h,y as g}from"./index-BsMZkBms.js";import{t as _}from"./page-ByolI00x.js";import"./still-0u1rBNpl.js";var v={[r.UNSPECIFIED]:`off`,[r.OFF]:`off`,[r.BLUE]:`blue`,[r.BLUE_BLINKING]:`blinking`,[r.RED]:`red`},y=[`ᚠ`,`ᚢ`,`ᚦ`,`ᚨ`,`ᚱ`,`ᚲ`],b=[`1`,`2`,`3`,`4`,`5`,`6`,`7`,`8`,`9`,`0`],x=[[`cc army`,`Army`],[`cc ancients`,`Ancients`],[`cc map`,`Map`],[`cc help`,`Help`]],S=[[`match undo`,`Take back`],[`match redo`,`Take up again`],[`match agree`,`Agree`],[`match refuse`,`Refuse`],[`match draw`,`Offer a draw`],[`match dispute`,`Dispute`],[`match resign`,`Resign`]],C=24,w=class extends u{static properties={prompt:{attribute:!1},waiting:{attribute:!1}};createRenderRoot(){return this}render(){let{prompt:e}=this;return h`<section class="stylus-screen" aria-label="Screen of the stylus">
        <p class="row">
          <span class="led ${v[e.led]}" role="img" aria-label="Light: ${v[e.led]}"></span>
          <b>${e.text}</b>
        </p>
        <div aria-live="polite">
          ${e.events.map(({sentence:e})=>h`<p>${e}</p>`)}
          ${e.refusal?h`<p class="trouble">${e.refusal.why}</p>`:m}
        </div>
        ${e.screen?h`<pre tabindex="0">${e.screen}</pre>`:m}
        <p class="note">
          ${e.selected.length?`Picked: ${e.selected.join(`, `)}. `:``}
          ${e.digits?`Typed: ${e.digits}. `:``}
          ${this.waiting?`${this.waiting} on the way.`:``}
        </p>
      </section>
      <div class="row buttons">
        ${e.armed?h`<p class="armed">${e.armed.sentence}${this.#e()}</p>`:m}
        ${this.#r(`button page`,e.pageCount>1?`Page ${e.page} of ${e.pageCount}`:`Page`)}
        ${this.#r(`button confirm`,`Confirm`,e.armed?`main`:``)}
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
      </details>`}#e(){let{armed:e}=this.prompt,t=Object.entries(e?.figures??{}).map(([e,t])=>`${e} ${t}`),n=e?.cost?[e.cost]:[];return[...n,...t].length?` (${[...n,...t].join(`, `)})`:``}#t(){let{runes:e}=this.prompt;return e.length?h`<ol class="runes" aria-label="Runes">
      ${e.map(({sentence:e,label:t,cost:n},r)=>h`<li>
          <button @click=${this.#i(`cc rune ${r+1}`)}>
            <span class="rune" aria-hidden="true">${y[r]??r+1}</span>
            <span>${e||t}${n?` (${n})`:``}</span>
          </button>
        </li>`)}
    </ol>`:m}#n(){let{nextTargets:e}=this.prompt;return e.length?h`<details>
      <summary>${e.length===1?`One thing`:`${e.length} things`} may be tapped next</summary>
      <div class="row">${e.slice(0,C).map(e=>this.#r(e,e,`small`))}</div>
    </details>`:m}#r(e,t,n=``){return h`<button class=${n} @click=${this.#i(e)}>${t}</button>`}#i(e){return()=>{this.dispatchEvent(new CustomEvent(`tapped`,{detail:e}))}}};customElements.define(`emeth-stylus-card`,w);var T=`emeth.tables`;function E(){try{let e=JSON.parse(localStorage.getItem(T)??`[]`);return Array.isArray(e)?e:[]}catch{return A}}function D(e){j([e,...E().filter(({tableId:t})=>t!==e.tableId)])}function O(e){j(E().filter(t=>t.tableId!==e))}function k(){let e=crypto.getRandomValues(new Uint8Array(4));return`page-${Array.from(e,e=>e.toString(16).padStart(2,`0`)).join(``)}`}var A=[];function j(e){A=e;try{localStorage.setItem(T,JSON.stringify(e))}catch{}}var M=`0000`,N=`gateway`,P=class extends _{static properties={..._.properties,table:{state:!0},gateway:{state:!0},matchId:{state:!0},seats:{state:!0},svg:{state:!0},known:{state:!0},isGuarded:{state:!0}};#e=``;constructor(){super(),this.isGuarded=!1,this.table=void 0,this.gateway=void 0,this.matchId=``,this.seats=[],this.svg=``,this.known=[]}disconnectedCallback(){super.disconnectedCallback(),this.gateway?.close()}willUpdate(e){if(!e.has(`query`))return;l(`Tables`);let t=new URLSearchParams(location.hash.slice(1)).get(N);t&&this.#t(t);let n=E().find(({tableId:e})=>e===this.asked(`table`));n&&n.key!==this.table?.key?this.attempt(()=>this.#r(n)):n||this.#n()}#t(e){let[t=``]=e.split(`.`);D({name:`Table ${t.slice(0,8)}`,tableId:t,key:e,owner:``,stylus:k()}),c({page:`table`},{table:t}),this.query=new URLSearchParams(location.search)}#n(){this.gateway?.close(),[this.table,this.gateway,this.matchId,this.svg]=[void 0,void 0,``,``]}async#r(e){this.#n(),this.table=e;let{styluses:t}=this.service.with(e.key),r={requestId:i(),stylusId:e.stylus,pin:M},{outcome:a}=await n(()=>t.pairStylus(r));if(a.case===`refusal`)throw Error(a.value.why);await this.#i();let o=new s(this.service.with(e.key));o.addEventListener(`change`,()=>this.#o(o)),o.addEventListener(`ended`,e=>{this.trouble=e.detail.rawMessage}),this.gateway=o,o.open(),l(e.name);let c=p().map(async e=>(await g(this.service,e).matches.getMatch({matchId:e})).match),u=(await Promise.allSettled(c)).flatMap(e=>e.status===`fulfilled`&&e.value&&!e.value.result?[e.value]:[]);this.known=u}async#i(){let{table:e}=this;if(!e)return;let{tables:t}=await this.service.with(e.key).gateways.listDevices({});this.matchId=t[0]?.matchId??``,this.seats=t[0]?.styluses.find(({stylusId:t})=>t===e.stylus)?.seats??[]}get#a(){return this.gateway?.prompts.get(this.table?.stylus??``)}#o(e){if(e!==this.gateway)return;this.requestUpdate();let t=this.#a,n=`${t?.matchVersion} ${this.matchId}`;t&&n!==this.#e&&(this.#e=n,this.attempt(()=>this.#s(t)))}async#s(e){let{matchId:t}=this,n=o(t),r=[...e.prompts.map(({seat:e})=>e).filter(e=>this.seats.includes(e)),...this.seats,...a(n)].find(e=>n[e]),i=r&&n[r];if(!t||!i)return;let{svg:s}=await this.service.with(i).view(t,[`svg`],{atLeastVersion:e.matchVersion,narrow:matchMedia(`(max-width: 60rem)`).matches,markLegal:!0});t===this.matchId&&(this.svg=s)}#c=({detail:e})=>{this.table&&this.gateway?.tap(this.table.stylus,e)};#l=e=>{let t=d(e.composedPath()[0]??null);if(!t||!this.table)return;let{piece:n,space:r}=t.dataset,i=[n,r].filter(e=>e!==void 0),a=this.#a?.nextTargets??[],[o=n===void 0?`space ${r}`:`piece ${n}`]=i.flatMap(e=>a.filter(t=>F(t)===e));this.gateway?.tap(this.table.stylus,o)};render(){let{table:e}=this;return this.framed(e?.name??`Tables`,e?this.#u(e):this.#h(),e?h`<a class="button" href=${t({page:`table`})}>All tables</a>`:m)}#u(e){let t=this.#a,n=this.gateway?.line===`lost`;return h`
      ${n?h`<p class="trouble" role="alert">The line is lost. Taps are kept, and sent when it is back.</p>`:m}
      <div class="table-top">
        <div class="table-board">
          ${this.svg?h`<emeth-still .svg=${this.svg} label="The board"
                  .marked=${(t?.selected??[]).map(F)} @click=${this.#l}></emeth-still>`:h`<p class="note">Put a match on the table: its board is drawn here.</p>`}
        </div>
        <div class="control-card">
          ${t?h`<emeth-stylus-card .prompt=${t} .waiting=${this.gateway?.waiting??0}
                  @tapped=${this.#c}></emeth-stylus-card>`:m}
          ${this.#d()} ${this.#m(e)}
        </div>
      </div>`}#d(){let n=this.seats.length?`For ${this.seats.map(e).join(` and `)}`:`For nobody yet`;return h`<details ?open=${!this.seats.length}>
      <summary>${n}</summary>
      <form class="seating" @submit=${this.#p}>
        ${this.known.length?h`<div class="field">
                  <label for="match">Match</label>
                  <select id="match" name="match" @change=${()=>this.requestUpdate()}>
                    ${this.known.map(({matchId:e,title:t,caption:n})=>h`<option value=${e}
                        ?selected=${e===(this.matchId||this.asked(`match`))}>${t||n} (${e.slice(0,8)})</option>`)}
                  </select>
                </div>
                <div class="field">
                  <label for="for">The stylus acts</label>
                  <select id="for" name="for">
                    <option value="">for all seats that this browser has: it is handed around</option>
                    ${this.#f().map(t=>h`<option value=${t}>for ${e(t)}</option>`)}
                  </select>
                </div>
                <p><button class="main" ?disabled=${this.busy}>Seat it</button></p>`:h`<p class="note">This browser has no match that goes on.
                <a href=${t({})}>Begin one</a>, or open a link to a seat.</p>`}
      </form>
    </details>`}#f(){let e=this.querySelector(`#match`)?.value??this.known[0]?.matchId??``;return a(o(e))}#p=e=>{e.preventDefault();let t=e.target,n=e=>t.elements.namedItem(e).value,{table:r}=this;if(!r)return;let a=o(n(`match`)),s=(this.known.find(({matchId:e})=>e===n(`match`))?.seats??[]).flatMap(({name:e})=>a[e]??[]),[c=``]=Object.values(a),l=a[n(`for`)],u={requestId:i(),stylusId:r.stylus,seating:{matchId:n(`match`),tokens:l?[l]:s.length?s:[c]}};this.attempt(async()=>{let{outcome:e}=await this.service.with(r.key).styluses.updateStylus(u);if(e.case===`refusal`)throw Error(e.value.why);this.svg=``,await this.#i(),this.#e=``,this.gateway&&this.#o(this.gateway)})};#m(e){return e.owner?h`<details>
      <summary>Another screen at this table</summary>
      <p class="row"><button @click=${()=>{this.attempt(async()=>{let r={requestId:i(),tableId:e.tableId,name:`Another screen`},a=this.service.with(e.owner),{gatewayKey:o}=await n(()=>a.gateways.createGateway(r)),s=new URL(t({page:`table`},{table:e.tableId}),location.href);s.hash=new URLSearchParams({[N]:o}).toString();let c=this.querySelector(`#screen-link`);c&&(c.value=s.href,c.select())})}} ?disabled=${this.busy}>Make a link</button>
        <input id="screen-link" readonly aria-label="Link for another screen" /></p>
      <p class="note">Whoever has the link has a stylus of their own there.</p>
    </details>`:m}#h(){let e=E();return h`
      ${e.length?h`<section aria-label="Your tables"><h2>Your tables</h2><ul class="matches">
              ${e.map(({name:e,tableId:n})=>h`<li class="row">
                  <a href=${t({page:`table`},{table:n})}><b>${e}</b></a>
                  <button class="small" aria-label="Forget ${e}" @click=${()=>{O(n),this.requestUpdate()}}>Forget</button></li>`)}
            </ul></section>`:m}
      <form class="new-table" @submit=${this.#_}>
        <h2>Open a table</h2>
        <p>A table has styluses. Here you get one on the screen, with a Control Card: it plays by taps as those of
          a real table do, and beside them.</p>
        <div class="field">
          <label for="name">Name</label>
          <input id="name" name="name" required maxlength="80" autocomplete="off" />
        </div>
        ${this.isGuarded?h`<div class="field">
                <label for="key">The service's admin key</label>
                <input id="key" name="key" type="password" required autocomplete="off" aria-describedby="key-about" />
                <p class="note" id="key-about">It is in the file admin.key of the service's folder. It is not kept here.</p>
              </div>`:m}
        <p><button class="main" ?disabled=${this.busy}>Open the table</button></p>
      </form>`}async#g(e){try{return await n(e)}catch(e){throw f(e).reason===`TOKEN_MISSING`&&(this.isGuarded=!0),e}}#_=e=>{e.preventDefault();let t=e.target,n=e=>t.elements.namedItem(e)?.value.trim()??``,r={requestId:i(),name:n(`name`)};this.attempt(async()=>{let e=n(`key`),{gateways:t}=e?this.service.with(e):this.service,{tableId:i,gatewayKey:a,ownerKey:o}=await this.#g(()=>t.createGateway(r));D({name:r.name,tableId:i,key:a,owner:o,stylus:k()}),c({page:`table`},{table:i}),this.query=new URLSearchParams(location.search)})}};function F(e){return e.slice(e.indexOf(` `)+1)}customElements.define(`emeth-table-page`,P);function I(e,t){return h`<emeth-table-page .service=${e} .query=${t}></emeth-table-page>`}export{I as show};