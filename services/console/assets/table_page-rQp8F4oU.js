import{$ as e,A as t,B as n,M as r,N as i,P as a,S as o,T as s,V as c,at as l,ct as u,et as d,j as f,l as p,lt as m,nt as h,ot as g,st as _,tt as v,v as y,w as b}from"./index-C6A5yDTe.js";import{t as x}from"./page-ItPi5Hhj.js";import"./still-BPs166Lg.js";var S=250,C=4e3,w=100,T=class extends EventTarget{prompts=new Map;line=`opening`;#e;#t;#n=new AbortController;#r=e();#i=[];#a=0;#o=0;#s=!1;#c;constructor(e){super(),this.#e=e,this.#t=(e.options.token??``).split(`.`).slice(0,-1).join(`.`),this.#c=new i(`gateway ${this.#t}`),this.#l(this.#c.text)}#l(e){if(e===void 0)return;let{epoch:t,taps:n}=JSON.parse(e);this.#r=t,this.#i=n.map(e=>v(c,e)),this.#a=this.#i.at(-1)?.seq??0}#u(){let e=this.#i.map(e=>h(c,e)),t=JSON.stringify({epoch:this.#r,taps:e});this.#c.text=e.length?t:void 0}async open(){let{signal:e}=this.#n,t=S;for(;!e.aborted;){try{let n={gatewayId:this.#t,epoch:this.#r,firstKeptSeq:this.#d,locale:E()},r=this.#e.gateways.listen({hello:n},{signal:e});for await(let{response:e}of r)t=S,e&&this.#f(e)}catch(t){let n=d(t);if(e.aborted)return;let r=this.line===`up`&&n.reason===``;if(!n.passing&&!r){this.#_(n);return}}this.#g(`lost`),await new Promise(e=>setTimeout(e,t)),t=Math.min(t*2,C)}}close(){this.#n.abort()}tap(e,t){this.#a+=1;let n=this.prompts.get(e)?.promptNumber??0,r=this.line===`lost`,i=l(),a={seq:this.#a,deviceTime:i,stylusId:e,code:t,promptNumber:n,offline:r};this.#i.push(g(c,a)),this.#u(),this.#m()}get waiting(){return this.#i.length}get#d(){return this.#i[0]?.seq??this.#a+1}#f({message:e}){switch(e.case){case`welcome`:this.#p(e.value.highestSeq),this.#o=e.value.highestSeq,this.#g(`up`),this.#m();return;case`acknowledgement`:this.#p(e.value.highestSeq);break;case`gap`:this.#o=e.value.expectedSeq-1,this.#m();return;case`prompt`:e.value.acknowledgedSeq&&this.#p(e.value.acknowledgedSeq),this.prompts.set(e.value.stylusId,e.value);break;default:return}this.#g(this.line)}#p(e){this.#i=this.#i.filter(({seq:t})=>t>e),e>this.#a&&(this.#a=e),this.#u()}async#m(){if(!(this.#s||this.line!==`up`)){this.#s=!0;try{for(let e=this.#h;e.length;e=this.#h){let t=e.map(e=>({message:{case:`tap`,value:e}})),n=e.at(-1)?.seq??this.#o;await this.#e.gateways.send({epoch:this.#r,messages:t}),n>this.#o&&(this.#o=n)}}catch(e){let t=d(e);t.passing||t.reason===`GATEWAY_NOT_LISTENING`?this.#g(`lost`):this.#_(t)}finally{this.#s=!1}}}get#h(){return this.#i.filter(({seq:e})=>e>this.#o).slice(0,w)}#g(e){this.line=e,this.dispatchEvent(new Event(`change`))}#_(e){this.#n.abort(),this.line=`lost`,this.dispatchEvent(new CustomEvent(`ended`,{detail:e}))}};function E(){let e=globalThis.navigator?.language??``;return e.length<=35&&/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(e)?e:``}var D={[n.UNSPECIFIED]:`off`,[n.OFF]:`off`,[n.BLUE]:`blue`,[n.BLUE_BLINKING]:`blinking`,[n.RED]:`red`},O=[`ᚠ`,`ᚢ`,`ᚦ`,`ᚨ`,`ᚱ`,`ᚲ`],k=[`1`,`2`,`3`,`4`,`5`,`6`,`7`,`8`,`9`,`0`],A=[[`cc army`,`Army`],[`cc ancients`,`Ancients`],[`cc map`,`Map`],[`cc help`,`Help`]],j=[[`match undo`,`Take back`],[`match redo`,`Take up again`],[`match agree`,`Agree`],[`match refuse`,`Refuse`],[`match draw`,`Offer a draw`],[`match dispute`,`Dispute`],[`match resign`,`Resign`]],M=24,N=class extends _{static properties={prompt:{attribute:!1},waiting:{attribute:!1}};createRenderRoot(){return this}render(){let{prompt:e}=this;return m`<section class="stylus-screen" aria-label="Screen of the stylus">
        <p class="row">
          <span class="led ${D[e.led]}" role="img" aria-label="Light: ${D[e.led]}"></span>
          <b>${e.text}</b>
        </p>
        <div aria-live="polite">
          ${e.events.map(({sentence:e})=>m`<p>${e}</p>`)}
          ${e.refusal?m`<p class="trouble">${e.refusal.why}</p>`:u}
        </div>
        ${e.screen?m`<pre tabindex="0">${e.screen}</pre>`:u}
        <p class="note">
          ${e.selected.length?`Picked: ${e.selected.join(`, `)}. `:``}
          ${e.digits?`Typed: ${e.digits}. `:``}
          ${this.waiting?`${this.waiting} on the way.`:``}
        </p>
      </section>
      <div class="row buttons">
        ${e.armed?m`<p class="armed">${e.armed.sentence}${this.#e()}</p>`:u}
        ${this.#r(`button page`,e.pageCount>1?`Page ${e.page} of ${e.pageCount}`:`Page`)}
        ${this.#r(`button confirm`,`Confirm`,e.armed?`main`:``)}
      </div>
      ${this.#t()} ${this.#n()}
      <div class="digits" role="group" aria-label="Digits">
        ${k.map(e=>this.#r(`cc digit ${e}`,e))}
      </div>
      <div class="row" role="group" aria-label="Views">
        ${A.map(([e,t])=>this.#r(e,t,`small`))}
      </div>
      <details>
        <summary>Match card</summary>
        <div class="row">${j.map(([e,t])=>this.#r(e,t,`small`))}</div>
      </details>`}#e(){let{armed:e}=this.prompt,t=Object.entries(e?.figures??{}).map(([e,t])=>`${e} ${t}`),n=e?.cost?[e.cost]:[];return[...n,...t].length?` (${[...n,...t].join(`, `)})`:``}#t(){let{runes:e}=this.prompt;return e.length?m`<ol class="runes" aria-label="Runes">
      ${e.map(({sentence:e,label:t,cost:n},r)=>m`<li>
          <button @click=${this.#i(`cc rune ${r+1}`)}>
            <span class="rune" aria-hidden="true">${O[r]??r+1}</span>
            <span>${e||t}${n?` (${n})`:``}</span>
          </button>
        </li>`)}
    </ol>`:u}#n(){let{nextTargets:e}=this.prompt;return e.length?m`<details>
      <summary>${e.length===1?`One thing`:`${e.length} things`} may be tapped next</summary>
      <div class="row">${e.slice(0,M).map(e=>this.#r(e,e,`small`))}</div>
    </details>`:u}#r(e,t,n=``){return m`<button class=${n} @click=${this.#i(e)}>${t}</button>`}#i(e){return()=>{this.dispatchEvent(new CustomEvent(`tapped`,{detail:e}))}}};customElements.define(`emeth-stylus-card`,N);var P=`emeth.tables`;function F(){try{let e=JSON.parse(localStorage.getItem(P)??`[]`);return Array.isArray(e)?e:[]}catch{return z}}function I(e){B([e,...F().filter(({tableId:t})=>t!==e.tableId)])}function L(e){B(F().filter(t=>t.tableId!==e))}function R(){let e=crypto.getRandomValues(new Uint8Array(4));return`page-${Array.from(e,e=>e.toString(16).padStart(2,`0`)).join(``)}`}var z=[];function B(e){z=e;try{localStorage.setItem(P,JSON.stringify(e))}catch{}}var V=`0000`,H=`gateway`,U=class extends x{static properties={...x.properties,table:{state:!0},gateway:{state:!0},matchId:{state:!0},seats:{state:!0},svg:{state:!0},known:{state:!0},isGuarded:{state:!0}};#e=``;constructor(){super(),this.isGuarded=!1,this.table=void 0,this.gateway=void 0,this.matchId=``,this.seats=[],this.svg=``,this.known=[]}disconnectedCallback(){super.disconnectedCallback(),this.gateway?.close()}willUpdate(e){if(!e.has(`query`))return;y(`Tables`);let t=new URLSearchParams(location.hash.slice(1)).get(H);t&&this.#t(t);let n=F().find(({tableId:e})=>e===this.asked(`table`));n&&n.key!==this.table?.key?this.attempt(()=>this.#r(n)):n||this.#n()}#t(e){let[t=``]=e.split(`.`);I({name:`Table ${t.slice(0,8)}`,tableId:t,key:e,owner:``,stylus:R()}),b({page:`table`},{table:t}),this.query=new URLSearchParams(location.search)}#n(){this.gateway?.close(),[this.table,this.gateway,this.matchId,this.svg]=[void 0,void 0,``,``]}async#r(n){this.#n(),this.table=n;let{styluses:r}=this.service.with(n.key),i={requestId:e(),stylusId:n.stylus,pin:V},{outcome:o}=await a(()=>r.pairStylus(i));if(o.case===`refusal`)throw Error(o.value.why);await this.#i();let s=new T(this.service.with(n.key));s.addEventListener(`change`,()=>this.#o(s)),s.addEventListener(`ended`,e=>{this.trouble=e.detail.rawMessage}),this.gateway=s,s.open(),y(n.name);let c=t().map(async e=>(await this.service.matches.getMatch({matchId:e})).match),l=(await Promise.allSettled(c)).flatMap(e=>e.status===`fulfilled`&&e.value&&!e.value.result?[e.value]:[]);this.known=l}async#i(){let{table:e}=this;if(!e)return;let{tables:t}=await this.service.with(e.key).gateways.listDevices({});this.matchId=t[0]?.matchId??``,this.seats=t[0]?.styluses.find(({stylusId:t})=>t===e.stylus)?.seats??[]}get#a(){return this.gateway?.prompts.get(this.table?.stylus??``)}#o(e){if(e!==this.gateway)return;this.requestUpdate();let t=this.#a,n=`${t?.matchVersion} ${this.matchId}`;t&&n!==this.#e&&(this.#e=n,this.attempt(()=>this.#s(t)))}async#s(e){let{matchId:t}=this,n=r(t),i=[...e.prompts.map(({seat:e})=>e).filter(e=>this.seats.includes(e)),...this.seats,...f(n)].find(e=>n[e]),a=i&&n[i];if(!t||!a)return;let{svg:o}=await this.service.with(a).view(t,[`svg`],{atLeastVersion:e.matchVersion,narrow:matchMedia(`(max-width: 60rem)`).matches,markLegal:!0});t===this.matchId&&(this.svg=o)}#c=({detail:e})=>{this.table&&this.gateway?.tap(this.table.stylus,e)};#l=e=>{let t=p(e.composedPath()[0]??null);if(!t||!this.table)return;let{piece:n,space:r}=t.dataset,i=[n,r].filter(e=>e!==void 0),a=this.#a?.nextTargets??[],[o=n===void 0?`space ${r}`:`piece ${n}`]=i.flatMap(e=>a.filter(t=>W(t)===e));this.gateway?.tap(this.table.stylus,o)};render(){let{table:e}=this;return this.framed(e?.name??`Tables`,e?this.#u(e):this.#h(),e?m`<a class="button" href=${s({page:`table`})}>All tables</a>`:u)}#u(e){let t=this.#a,n=this.gateway?.line===`lost`;return m`
      ${n?m`<p class="trouble" role="alert">The line is lost. Taps are kept, and sent when it is back.</p>`:u}
      <div class="table-top">
        <div class="table-board">
          ${this.svg?m`<emeth-still .svg=${this.svg} label="The board"
                  .marked=${(t?.selected??[]).map(W)} @click=${this.#l}></emeth-still>`:m`<p class="note">Put a match on the table: its board is drawn here.</p>`}
        </div>
        <div class="control-card">
          ${t?m`<emeth-stylus-card .prompt=${t} .waiting=${this.gateway?.waiting??0}
                  @tapped=${this.#c}></emeth-stylus-card>`:u}
          ${this.#d()} ${this.#m(e)}
        </div>
      </div>`}#d(){let e=this.seats.length?`For ${this.seats.map(o).join(` and `)}`:`For nobody yet`;return m`<details ?open=${!this.seats.length}>
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
                    ${this.#f().map(e=>m`<option value=${e}>for ${o(e)}</option>`)}
                  </select>
                </div>
                <p><button class="main" ?disabled=${this.busy}>Seat it</button></p>`:m`<p class="note">This browser has no match that goes on.
                <a href=${s({})}>Begin one</a>, or open a link to a seat.</p>`}
      </form>
    </details>`}#f(){let e=this.querySelector(`#match`)?.value??this.known[0]?.matchId??``;return f(r(e))}#p=t=>{t.preventDefault();let n=t.target,i=e=>n.elements.namedItem(e).value,{table:a}=this;if(!a)return;let o=r(i(`match`)),s=(this.known.find(({matchId:e})=>e===i(`match`))?.seats??[]).flatMap(({name:e})=>o[e]??[]),[c=``]=Object.values(o),l=o[i(`for`)],u={requestId:e(),stylusId:a.stylus,seating:{matchId:i(`match`),tokens:l?[l]:s.length?s:[c]}};this.attempt(async()=>{let{outcome:e}=await this.service.with(a.key).styluses.updateStylus(u);if(e.case===`refusal`)throw Error(e.value.why);this.svg=``,await this.#i(),this.#e=``,this.gateway&&this.#o(this.gateway)})};#m(t){return t.owner?m`<details>
      <summary>Another screen at this table</summary>
      <p class="row"><button @click=${()=>{this.attempt(async()=>{let n={requestId:e(),tableId:t.tableId,name:`Another screen`},r=this.service.with(t.owner),{gatewayKey:i}=await a(()=>r.gateways.createGateway(n)),o=new URL(s({page:`table`},{table:t.tableId}),location.href);o.hash=new URLSearchParams({[H]:i}).toString();let c=this.querySelector(`#screen-link`);c&&(c.value=o.href,c.select())})}} ?disabled=${this.busy}>Make a link</button>
        <input id="screen-link" readonly aria-label="Link for another screen" /></p>
      <p class="note">Whoever has the link has a stylus of their own there.</p>
    </details>`:u}#h(){let e=F();return m`
      ${e.length?m`<section aria-label="Your tables"><h2>Your tables</h2><ul class="matches">
              ${e.map(({name:e,tableId:t})=>m`<li class="row">
                  <a href=${s({page:`table`},{table:t})}><b>${e}</b></a>
                  <button class="small" aria-label="Forget ${e}" @click=${()=>{L(t),this.requestUpdate()}}>Forget</button></li>`)}
            </ul></section>`:u}
      <form class="new-table" @submit=${this.#_}>
        <h2>Open a table</h2>
        <p>A table has styluses. Here you get one on the screen, with a Control Card: it plays by taps as those of
          a real table do, and beside them.</p>
        <div class="field">
          <label for="name">Name</label>
          <input id="name" name="name" required maxlength="80" autocomplete="off" />
        </div>
        ${this.isGuarded?m`<div class="field">
                <label for="key">The service's admin key</label>
                <input id="key" name="key" type="password" required autocomplete="off" aria-describedby="key-about" />
                <p class="note" id="key-about">It is in the file admin.key of the service's folder. It is not kept here.</p>
              </div>`:u}
        <p><button class="main" ?disabled=${this.busy}>Open the table</button></p>
      </form>`}async#g(e){try{return await a(e)}catch(e){throw d(e).reason===`TOKEN_MISSING`&&(this.isGuarded=!0),e}}#_=t=>{t.preventDefault();let n=t.target,r=e=>n.elements.namedItem(e)?.value.trim()??``,i={requestId:e(),name:r(`name`)};this.attempt(async()=>{let e=r(`key`),{gateways:t}=e?this.service.with(e):this.service,{tableId:n,gatewayKey:a,ownerKey:o}=await this.#g(()=>t.createGateway(i));I({name:i.name,tableId:n,key:a,owner:o,stylus:R()}),b({page:`table`},{table:n}),this.query=new URLSearchParams(location.search)})}};function W(e){return e.slice(e.indexOf(` `)+1)}customElements.define(`emeth-table-page`,U);function G(e,t){return m`<emeth-table-page .service=${e} .query=${t}></emeth-table-page>`}export{G as show};