import{$ as e,A as t,C as n,M as r,O as i,Q as a,R as o,S as s,Z as c,at as l,b as u,et as d,g as f,it as p,j as m,k as h,ot as g,rt as _,z as v}from"./index-B5Yiozkt.js";import{t as y}from"./still-2PMUmu1o.js";import{t as b}from"./page-BIRXciqb.js";var x=250,S=4e3,C=100,w=class extends EventTarget{prompts=new Map;line=`opening`;#e;#t;#n=new AbortController;#r=c();#i=[];#a=0n;#o=0n;#s=!1;#c;constructor(e){super(),this.#e=e,this.#t=(e.options.token??``).split(`.`).slice(0,-1).join(`.`),this.#c=new m(`gateway ${this.#t}`),this.#l(this.#c.text)}#l(t){if(t===void 0)return;let{epoch:n,taps:r}=JSON.parse(t);this.#r=n,this.#i=r.map(t=>e(v,t)),this.#a=this.#i.at(-1)?.seq??0n}#u(){let e=this.#i.map(e=>d(v,e)),t=JSON.stringify({epoch:this.#r,taps:e});this.#c.text=e.length?t:void 0}async open(){let{signal:e}=this.#n,t=x;for(;!e.aborted;){try{let n={gatewayId:this.#t,epoch:this.#r,firstKept:this.#d,locale:T()},r=this.#e.gateways.listen({hello:n},{signal:e});for await(let{answer:e}of r)t=x,e&&this.#f(e)}catch(t){let n=a(t);if(e.aborted)return;let r=this.line===`up`&&n.reason===``;if(!n.passing&&!r){this.#_(n);return}}this.#g(`lost`),await new Promise(e=>setTimeout(e,t)),t=Math.min(t*2,S)}}close(){this.#n.abort()}tap(e,t){this.#a+=1n;let n=this.prompts.get(e)?.prompt??0n,r=this.line===`lost`,i={seq:this.#a,deviceMs:BigInt(Date.now()),stylus:e,code:t,prompt:n,offline:r};this.#i.push(_(v,i)),this.#u(),this.#m()}get waiting(){return this.#i.length}get#d(){return this.#i[0]?.seq??this.#a+1n}#f({what:e}){switch(e.case){case`welcome`:this.#p(e.value.highest),this.#o=e.value.highest,this.#g(`up`),this.#m();return;case`acknowledged`:this.#p(e.value.highest);break;case`gap`:this.#o=e.value.expected-1n,this.#m();return;case`prompt`:e.value.acknowledged&&this.#p(e.value.acknowledged),this.prompts.set(e.value.stylus,e.value);break;default:return}this.#g(this.line)}#p(e){this.#i=this.#i.filter(({seq:t})=>t>e),e>this.#a&&(this.#a=e),this.#u()}async#m(){if(!(this.#s||this.line!==`up`)){this.#s=!0;try{for(let e=this.#h;e.length;e=this.#h){let t=e.map(e=>({what:{case:`tap`,value:e}})),n=e.at(-1)?.seq??this.#o;await this.#e.gateways.send({epoch:this.#r,messages:t}),n>this.#o&&(this.#o=n)}}catch(e){let t=a(e);t.passing||t.reason===`GATEWAY_NOT_LISTENING`?this.#g(`lost`):this.#_(t)}finally{this.#s=!1}}}get#h(){return this.#i.filter(({seq:e})=>e>this.#o).slice(0,C)}#g(e){this.line=e,this.dispatchEvent(new Event(`change`))}#_(e){this.#n.abort(),this.line=`lost`,this.dispatchEvent(new CustomEvent(`ended`,{detail:e}))}};function T(){let e=globalThis.navigator?.language??``;return e.length<=35&&/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(e)?e:``}var E={[o.UNSPECIFIED]:`out`,[o.OUT]:`out`,[o.BLUE]:`blue`,[o.BLINKING_BLUE]:`blinking`,[o.RED]:`red`},D=[`ᚠ`,`ᚢ`,`ᚦ`,`ᚨ`,`ᚱ`,`ᚲ`],O=[`1`,`2`,`3`,`4`,`5`,`6`,`7`,`8`,`9`,`0`],k=[[`cc army`,`Army`],[`cc ancients`,`Ancients`],[`cc map`,`Map`],[`cc help`,`Help`]],A=[[`match undo`,`Take back`],[`match redo`,`Take up again`],[`match agree`,`Agree`],[`match refuse`,`Refuse`],[`match draw`,`Offer a draw`],[`match dispute`,`Dispute`],[`match resign`,`Resign`]],j=24,M=class extends p{static properties={prompt:{attribute:!1},waiting:{attribute:!1}};createRenderRoot(){return this}render(){let{prompt:e}=this;return g`<section class="stylus-screen" aria-label="Screen of the stylus">
        <p class="row">
          <span class="led ${E[e.led]}" role="img" aria-label="Light: ${E[e.led]}"></span>
          <b>${e.text}</b>
        </p>
        <div aria-live="polite">
          ${e.events.map(({sentence:e})=>g`<p>${e}</p>`)}
          ${e.refusal?g`<p class="trouble">${e.refusal.why}</p>`:l}
        </div>
        ${e.screen?g`<pre tabindex="0">${e.screen}</pre>`:l}
        <p class="note">
          ${e.picked.length?`Picked: ${e.picked.join(`, `)}. `:``}
          ${e.digits?`Typed: ${e.digits}. `:``}
          ${this.waiting?`${this.waiting} on the way.`:``}
        </p>
      </section>
      <div class="row buttons">
        ${e.armed?g`<p class="armed">${e.armed.sentence}${this.#e()}</p>`:l}
        ${this.#r(`button page`,e.pages>1?`Page ${e.page} of ${e.pages}`:`Page`)}
        ${this.#r(`button confirm`,`Confirm`,e.armed?`main`:``)}
      </div>
      ${this.#t()} ${this.#n()}
      <div class="digits" role="group" aria-label="Digits">
        ${O.map(e=>this.#r(`cc digit ${e}`,e))}
      </div>
      <div class="row" role="group" aria-label="Views">
        ${k.map(([e,t])=>this.#r(e,t,`small`))}
      </div>
      <details>
        <summary>Match card</summary>
        <div class="row">${A.map(([e,t])=>this.#r(e,t,`small`))}</div>
      </details>`}#e(){let{armed:e}=this.prompt,t=Object.entries(e?.figures??{}).map(([e,t])=>`${e} ${t}`),n=e?.cost?[e.cost]:[];return[...n,...t].length?` (${[...n,...t].join(`, `)})`:``}#t(){let{runes:e}=this.prompt;return e.length?g`<ol class="runes" aria-label="Runes">
      ${e.map(({sentence:e,label:t,cost:n},r)=>g`<li>
          <button @click=${this.#i(`cc rune ${r+1}`)}>
            <span class="rune" aria-hidden="true">${D[r]??r+1}</span>
            <span>${e||t}${n?` (${n})`:``}</span>
          </button>
        </li>`)}
    </ol>`:l}#n(){let{next:e}=this.prompt;return e.length?g`<details>
      <summary>${e.length===1?`One thing`:`${e.length} things`} may be tapped next</summary>
      <div class="row">${e.slice(0,j).map(e=>this.#r(e,e,`small`))}</div>
    </details>`:l}#r(e,t,n=``){return g`<button class=${n} @click=${this.#i(e)}>${t}</button>`}#i(e){return()=>{this.dispatchEvent(new CustomEvent(`tapped`,{detail:e}))}}};customElements.define(`emeth-stylus-card`,M);var N=`emeth.tables`;function P(){try{let e=JSON.parse(localStorage.getItem(N)??`[]`);return Array.isArray(e)?e:[]}catch{return R}}function F(e){z([e,...P().filter(({tableId:t})=>t!==e.tableId)])}function I(e){z(P().filter(t=>t.tableId!==e))}function L(){let e=crypto.getRandomValues(new Uint8Array(4));return`page-${Array.from(e,e=>e.toString(16).padStart(2,`0`)).join(``)}`}var R=[];function z(e){R=e;try{localStorage.setItem(N,JSON.stringify(e))}catch{}}var B=`0000`,V=`gateway`,H=class extends b{static properties={...b.properties,table:{state:!0},gateway:{state:!0},matchId:{state:!0},seats:{state:!0},svg:{state:!0},known:{state:!0},isGuarded:{state:!0}};#e=``;constructor(){super(),this.isGuarded=!1,this.table=void 0,this.gateway=void 0,this.matchId=``,this.seats=[],this.svg=``,this.known=[]}disconnectedCallback(){super.disconnectedCallback(),this.gateway?.close()}willUpdate(e){if(!e.has(`query`))return;f(`Tables`);let t=new URLSearchParams(location.hash.slice(1)).get(V);t&&this.#t(t);let n=P().find(({tableId:e})=>e===this.asked(`table`));n&&n.key!==this.table?.key?this.attempt(()=>this.#r(n)):n||this.#n()}#t(e){let[t=``]=e.split(`.`);F({name:`Table ${t.slice(0,8)}`,tableId:t,key:e,owner:``,stylus:L()}),s({page:`table`},{table:t}),this.query=new URLSearchParams(location.search)}#n(){this.gateway?.close(),[this.table,this.gateway,this.matchId,this.svg]=[void 0,void 0,``,``]}async#r(e){this.#n(),this.table=e;let{gateways:t}=this.service.with(e.key),n={requestId:c(),stylus:e.stylus,pin:B},{outcome:a}=await r(()=>t.pairStylus(n));if(a.case===`refused`)throw Error(a.value.why);await this.#i();let o=new w(this.service.with(e.key));o.addEventListener(`change`,()=>this.#o(o)),o.addEventListener(`ended`,e=>{this.trouble=e.detail.rawMessage}),this.gateway=o,o.open(),f(e.name);let s=i().map(async e=>(await this.service.matches.getMatch({matchId:e})).match),l=(await Promise.allSettled(s)).flatMap(e=>e.status===`fulfilled`&&e.value&&!e.value.result?[e.value]:[]);this.known=l}async#i(){let{table:e}=this;if(!e)return;let t=await this.service.with(e.key).gateways.listStyluses({});this.matchId=t.matchId,this.seats=t.styluses.find(({stylus:t})=>t===e.stylus)?.seats??[]}get#a(){return this.gateway?.prompts.get(this.table?.stylus??``)}#o(e){if(e!==this.gateway)return;this.requestUpdate();let t=this.#a,n=`${t?.version} ${this.matchId}`;t&&n!==this.#e&&(this.#e=n,this.attempt(()=>this.#s(t)))}async#s(e){let{matchId:n}=this,r=t(n),i=[...e.prompts.map(({seat:e})=>e).filter(e=>this.seats.includes(e)),...this.seats,...h(r)].find(e=>r[e]),a=i&&r[i];if(!n||!a)return;let{svg:o}=await this.service.with(a).view(n,[`svg`],{atLeastVersion:e.version,narrow:matchMedia(`(max-width: 60rem)`).matches,markLegal:!0});n===this.matchId&&(this.svg=o)}#c=({detail:e})=>{this.table&&this.gateway?.tap(this.table.stylus,e)};#l=e=>{let t=y(e.composedPath()[0]??null);if(!t||!this.table)return;let{piece:n,space:r}=t.dataset,i=[n,r].filter(e=>e!==void 0),a=this.#a?.next??[],[o=n===void 0?`space ${r}`:`piece ${n}`]=i.flatMap(e=>a.filter(t=>U(t)===e));this.gateway?.tap(this.table.stylus,o)};render(){let{table:e}=this;return this.framed(e?.name??`Tables`,e?this.#u(e):this.#h(),e?g`<a class="button" href=${n({page:`table`})}>All tables</a>`:l)}#u(e){let t=this.#a,n=this.gateway?.line===`lost`;return g`
      ${n?g`<p class="trouble" role="alert">The line is lost. Taps are kept, and sent when it is back.</p>`:l}
      <div class="table-top">
        <div class="table-board">
          ${this.svg?g`<emeth-still .svg=${this.svg} label="The board"
                  .marked=${(t?.picked??[]).map(U)} @click=${this.#l}></emeth-still>`:g`<p class="note">Put a match on the table: its board is drawn here.</p>`}
        </div>
        <div class="control-card">
          ${t?g`<emeth-stylus-card .prompt=${t} .waiting=${this.gateway?.waiting??0}
                  @tapped=${this.#c}></emeth-stylus-card>`:l}
          ${this.#d()} ${this.#m(e)}
        </div>
      </div>`}#d(){let e=this.seats.length?`For ${this.seats.map(u).join(` and `)}`:`For nobody yet`;return g`<details ?open=${!this.seats.length}>
      <summary>${e}</summary>
      <form class="seating" @submit=${this.#p}>
        ${this.known.length?g`<div class="field">
                  <label for="match">Match</label>
                  <select id="match" name="match" @change=${()=>this.requestUpdate()}>
                    ${this.known.map(({matchId:e,title:t,caption:n})=>g`<option value=${e}
                        ?selected=${e===(this.matchId||this.asked(`match`))}>${t||n} (${e.slice(0,8)})</option>`)}
                  </select>
                </div>
                <div class="field">
                  <label for="for">The stylus acts</label>
                  <select id="for" name="for">
                    <option value="">for all seats that this browser has: it is handed around</option>
                    ${this.#f().map(e=>g`<option value=${e}>for ${u(e)}</option>`)}
                  </select>
                </div>
                <p><button class="main" ?disabled=${this.busy}>Seat it</button></p>`:g`<p class="note">This browser has no match that goes on.
                <a href=${n({})}>Begin one</a>, or open a link to a seat.</p>`}
      </form>
    </details>`}#f(){let e=this.querySelector(`#match`)?.value??this.known[0]?.matchId??``;return h(t(e))}#p=e=>{e.preventDefault();let n=e.target,r=e=>n.elements.namedItem(e).value,{table:i}=this;if(!i)return;let a=t(r(`match`)),o=(this.known.find(({matchId:e})=>e===r(`match`))?.seats??[]).flatMap(({name:e})=>a[e]??[]),[s=``]=Object.values(a),l=a[r(`for`)],u={requestId:c(),stylus:i.stylus,matchId:r(`match`),tokens:l?[l]:o.length?o:[s]};this.attempt(async()=>{let{outcome:e}=await this.service.with(i.key).gateways.seatStylus(u);if(e.case===`refused`)throw Error(e.value.why);this.svg=``,await this.#i(),this.#e=``,this.gateway&&this.#o(this.gateway)})};#m(e){return e.owner?g`<details>
      <summary>Another screen at this table</summary>
      <p class="row"><button @click=${()=>{this.attempt(async()=>{let t={requestId:c(),tableId:e.tableId,name:`Another screen`},i=this.service.with(e.owner),{key:a}=await r(()=>i.gateways.registerGateway(t)),o=new URL(n({page:`table`},{table:e.tableId}),location.href);o.hash=new URLSearchParams({[V]:a}).toString();let s=this.querySelector(`#screen-link`);s&&(s.value=o.href,s.select())})}} ?disabled=${this.busy}>Make a link</button>
        <input id="screen-link" readonly aria-label="Link for another screen" /></p>
      <p class="note">Whoever has the link has a stylus of their own there.</p>
    </details>`:l}#h(){let e=P();return g`
      ${e.length?g`<section aria-label="Your tables"><h2>Your tables</h2><ul class="matches">
              ${e.map(({name:e,tableId:t})=>g`<li class="row">
                  <a href=${n({page:`table`},{table:t})}><b>${e}</b></a>
                  <button class="small" aria-label="Forget ${e}" @click=${()=>{I(t),this.requestUpdate()}}>Forget</button></li>`)}
            </ul></section>`:l}
      <form class="new-table" @submit=${this.#_}>
        <h2>Open a table</h2>
        <p>A table has styluses. Here you get one on the screen, with a Control Card: it plays by taps as those of
          a real table do, and beside them.</p>
        <div class="field">
          <label for="name">Name</label>
          <input id="name" name="name" required maxlength="80" autocomplete="off" />
        </div>
        ${this.isGuarded?g`<div class="field">
                <label for="key">The service's admin key</label>
                <input id="key" name="key" type="password" required autocomplete="off" aria-describedby="key-about" />
                <p class="note" id="key-about">It is in the file admin.key of the service's folder. It is not kept here.</p>
              </div>`:l}
        <p><button class="main" ?disabled=${this.busy}>Open the table</button></p>
      </form>`}async#g(e){try{return await r(e)}catch(e){throw a(e).reason===`TOKEN_MISSING`&&(this.isGuarded=!0),e}}#_=e=>{e.preventDefault();let t=e.target,n=e=>t.elements.namedItem(e)?.value.trim()??``,r={requestId:c(),name:n(`name`)};this.attempt(async()=>{let e=n(`key`),{gateways:t}=e?this.service.with(e):this.service,{tableId:i,key:a,ownerKey:o}=await this.#g(()=>t.registerGateway(r));F({name:r.name,tableId:i,key:a,owner:o,stylus:L()}),s({page:`table`},{table:i}),this.query=new URLSearchParams(location.search)})}};function U(e){return e.slice(e.indexOf(` `)+1)}customElements.define(`emeth-table-page`,H);function W(e,t){return g`<emeth-table-page .service=${e} .query=${t}></emeth-table-page>`}export{W as show};