import{B as e,C as t,E as n,F as r,H as i,M as a,N as o,P as s,T as c,V as l,at as u,ct as d,et as f,h as p,j as m,lt as h,nt as g,o as _,ot as v,st as y,tt as b,y as x}from"./index-B8-rHzQO.js";import{t as S}from"./page-DhiWkHXb.js";import"./still-mcrVTgNF.js";var C=250,w=4e3,T=100,E=class extends EventTarget{prompts=new Map;line=`opening`;#e;#t;#n=new AbortController;#r=i();#i=[];#a=0;#o=0;#s=!1;#c;constructor(e){super(),this.#e=e,this.#t=(e.options.token??``).split(`.`).slice(0,-1).join(`.`),this.#c=new s(`gateway ${this.#t}`),this.#l(this.#c.text)}#l(e){if(e===void 0)return;let{epoch:t,taps:n}=JSON.parse(e);this.#r=t,this.#i=n.map(e=>b(l,e)),this.#a=this.#i.at(-1)?.seq??0}#u(){let e=this.#i.map(e=>g(l,e)),t=JSON.stringify({epoch:this.#r,taps:e});this.#c.text=e.length?t:void 0}async open(){let{signal:e}=this.#n,t=C;for(;!e.aborted;){try{let n={gatewayId:this.#t,epoch:this.#r,firstKeptSeq:this.#d,locale:D()},r=this.#e.gateways.listen({hello:n},{signal:e});for await(let{response:e}of r)t=C,e&&this.#f(e)}catch(t){let n=f(t);if(e.aborted)return;let r=this.line===`up`&&n.reason===``;if(!n.passing&&!r){this.#_(n);return}}this.#g(`lost`),await new Promise(e=>setTimeout(e,t)),t=Math.min(t*2,w)}}close(){this.#n.abort()}tap(e,t){this.#a+=1;let n=this.prompts.get(e)?.promptNumber??0,r=this.line===`lost`,i=u(),a={seq:this.#a,deviceTime:i,stylusId:e,code:t,promptNumber:n,offline:r};this.#i.push(v(l,a)),this.#u(),this.#m()}get waiting(){return this.#i.length}get#d(){return this.#i[0]?.seq??this.#a+1}#f({message:e}){switch(e.case){case`welcome`:this.#p(e.value.highestSeq),this.#o=e.value.highestSeq,this.#g(`up`),this.#m();return;case`acknowledgement`:this.#p(e.value.highestSeq);break;case`gap`:this.#o=e.value.expectedSeq-1,this.#m();return;case`prompt`:e.value.acknowledgedSeq&&this.#p(e.value.acknowledgedSeq),this.prompts.set(e.value.stylusId,e.value);break;default:return}this.#g(this.line)}#p(e){this.#i=this.#i.filter(({seq:t})=>t>e),e>this.#a&&(this.#a=e),this.#u()}async#m(){if(!(this.#s||this.line!==`up`)){this.#s=!0;try{for(let e=this.#h;e.length;e=this.#h){let t=e.map(e=>({message:{case:`tap`,value:e}})),n=e.at(-1)?.seq??this.#o;await this.#e.gateways.send({epoch:this.#r,messages:t}),n>this.#o&&(this.#o=n)}}catch(e){let t=f(e);t.passing||t.reason===`GATEWAY_NOT_LISTENING`?this.#g(`lost`):this.#_(t)}finally{this.#s=!1}}}get#h(){return this.#i.filter(({seq:e})=>e>this.#o).slice(0,T)}#g(e){this.line=e,this.dispatchEvent(new Event(`change`))}#_(e){this.#n.abort(),this.line=`lost`,this.dispatchEvent(new CustomEvent(`ended`,{detail:e}))}};function D(){let e=globalThis.navigator?.language??``;return e.length<=35&&/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(e)?e:``}var O={[e.UNSPECIFIED]:`off`,[e.OFF]:`off`,[e.BLUE]:`blue`,[e.BLUE_BLINKING]:`blinking`,[e.RED]:`red`},k=[`ᚠ`,`ᚢ`,`ᚦ`,`ᚨ`,`ᚱ`,`ᚲ`],A=[`1`,`2`,`3`,`4`,`5`,`6`,`7`,`8`,`9`,`0`],j=[[`cc army`,`Army`],[`cc ancients`,`Ancients`],[`cc map`,`Map`],[`cc help`,`Help`]],M=[[`match undo`,`Request takeback`],[`match redo`,`Redo`],[`match agree`,`Accept`],[`match refuse`,`Decline`],[`match draw`,`Offer draw`],[`match dispute`,`Dispute`],[`match resign`,`Resign`]],N=24,P=class extends y{static properties={prompt:{attribute:!1},waiting:{attribute:!1}};createRenderRoot(){return this}render(){let{prompt:e}=this;return h`<section class="stylus-screen" aria-label="Screen of the stylus">
        <p class="row">
          <span class="led ${O[e.led]}" role="img" aria-label="Light: ${O[e.led]}"></span>
          <b>${e.text}</b>
        </p>
        <div aria-live="polite">
          ${e.events.map(({sentence:e})=>h`<p>${e}</p>`)}
          ${e.refusal?h`<p class="trouble">${e.refusal.why}</p>`:d}
        </div>
        ${e.screen?h`<pre tabindex="0">${e.screen}</pre>`:d}
        <p class="note">
          ${e.selected.length?`Picked: ${e.selected.join(`, `)}. `:``}
          ${e.digits?`Typed: ${e.digits}. `:``}
          ${this.waiting?`${this.waiting} on the way.`:``}
        </p>
      </section>
      <div class="row buttons">
        ${e.armed?h`<p class="armed">${e.armed.sentence}${this.#e()}</p>`:d}
        ${this.#r(`button page`,e.pageCount>1?`Page ${e.page} of ${e.pageCount}`:`Page`)}
        ${this.#r(`button confirm`,`Confirm`,e.armed?`main`:``)}
      </div>
      ${this.#t()} ${this.#n()}
      <div class="digits" role="group" aria-label="Digits">
        ${A.map(e=>this.#r(`cc digit ${e}`,e))}
      </div>
      <div class="row" role="group" aria-label="Views">
        ${j.map(([e,t])=>this.#r(e,t,`small`))}
      </div>
      <details>
        <summary>Match card</summary>
        <div class="row">${M.map(([e,t])=>this.#r(e,t,`small`))}</div>
      </details>`}#e(){let{armed:e}=this.prompt,t=Object.entries(e?.figures??{}).map(([e,t])=>`${e} ${t}`),n=e?.cost?[e.cost]:[];return[...n,...t].length?` (${[...n,...t].join(`, `)})`:``}#t(){let{runes:e}=this.prompt;return e.length?h`<ol class="runes" aria-label="Runes">
      ${e.map(({sentence:e,label:t,cost:n},r)=>h`<li>
          <button @click=${this.#i(`cc rune ${r+1}`)}>
            <span class="rune" aria-hidden="true">${k[r]??r+1}</span>
            <span>${e||t}${n?` (${n})`:``}</span>
          </button>
        </li>`)}
    </ol>`:d}#n(){let{nextTargets:e}=this.prompt;return e.length?h`<details>
      <summary>${e.length===1?`One selection`:`${e.length} things`} may be tapped next</summary>
      <div class="row">${e.slice(0,N).map(e=>this.#r(e,e,`small`))}</div>
    </details>`:d}#r(e,t,n=``){return h`<button class=${n} @click=${this.#i(e)}>${t}</button>`}#i(e){return()=>{this.dispatchEvent(new CustomEvent(`tapped`,{detail:e}))}}};customElements.define(`emeth-stylus-card`,P);var F=`emeth.tables`;function I(){try{let e=JSON.parse(localStorage.getItem(F)??`[]`);return Array.isArray(e)?e:[]}catch{return B}}function L(e){V([e,...I().filter(({tableId:t})=>t!==e.tableId)])}function R(e){V(I().filter(t=>t.tableId!==e))}function z(){let e=crypto.getRandomValues(new Uint8Array(4));return`page-${Array.from(e,e=>e.toString(16).padStart(2,`0`)).join(``)}`}var B=[];function V(e){B=e;try{localStorage.setItem(F,JSON.stringify(e))}catch{}}var H=`0000`,U=`gateway`,W=class extends S{static properties={...S.properties,table:{state:!0},gateway:{state:!0},matchId:{state:!0},seats:{state:!0},svg:{state:!0},known:{state:!0},isGuarded:{state:!0}};#e=``;constructor(){super(),this.isGuarded=!1,this.table=void 0,this.gateway=void 0,this.matchId=``,this.seats=[],this.svg=``,this.known=[]}disconnectedCallback(){super.disconnectedCallback(),this.gateway?.close()}willUpdate(e){if(!e.has(`query`))return;p(`Tables`);let t=new URLSearchParams(location.hash.slice(1)).get(U);t&&this.#t(t);let n=I().find(({tableId:e})=>e===this.asked(`table`));n&&n.key!==this.table?.key?this.attempt(()=>this.#r(n)):n||this.#n()}#t(e){let[t=``]=e.split(`.`);L({name:`Table ${t.slice(0,8)}`,tableId:t,key:e,owner:``,stylus:z()}),c({page:`table`},{table:t}),this.query=new URLSearchParams(location.search)}#n(){this.gateway?.close(),[this.table,this.gateway,this.matchId,this.svg]=[void 0,void 0,``,``]}async#r(e){this.#n(),this.table=e;let{styluses:t}=this.service.with(e.key),n={requestId:i(),stylusId:e.stylus,pin:H},{outcome:a}=await r(()=>t.pairStylus(n));if(a.case===`refusal`)throw Error(a.value.why);await this.#i();let o=new E(this.service.with(e.key));o.addEventListener(`change`,()=>this.#o(o)),o.addEventListener(`ended`,e=>{this.trouble=e.detail.rawMessage}),this.gateway=o,o.open(),p(e.name);let s=m().map(async e=>(await x(this.service,e).matches.getMatch({matchId:e})).match),c=(await Promise.allSettled(s)).flatMap(e=>e.status===`fulfilled`&&e.value&&!e.value.result?[e.value]:[]);this.known=c}async#i(){let{table:e}=this;if(!e)return;let{tables:t}=await this.service.with(e.key).gateways.listDevices({});this.matchId=t[0]?.matchId??``,this.seats=t[0]?.styluses.find(({stylusId:t})=>t===e.stylus)?.seats??[]}get#a(){return this.gateway?.prompts.get(this.table?.stylus??``)}#o(e){if(e!==this.gateway)return;this.requestUpdate();let t=this.#a,n=`${t?.matchVersion} ${this.matchId}`;t&&n!==this.#e&&(this.#e=n,this.attempt(()=>this.#s(t)))}async#s(e){let{matchId:t}=this,n=o(t),r=[...e.prompts.map(({seat:e})=>e).filter(e=>this.seats.includes(e)),...this.seats,...a(n)].find(e=>n[e]),i=r&&n[r];if(!t||!i)return;let{svg:s}=await this.service.with(i).view(t,[`svg`],{atLeastVersion:e.matchVersion,narrow:matchMedia(`(max-width: 60rem)`).matches,markLegal:!0});t===this.matchId&&(this.svg=s)}#c=({detail:e})=>{this.table&&this.gateway?.tap(this.table.stylus,e)};#l=e=>{let t=_(e.composedPath()[0]??null);if(!t||!this.table)return;let{piece:n,space:r}=t.dataset,i=[n,r].filter(e=>e!==void 0),a=this.#a?.nextTargets??[],[o=n===void 0?`space ${r}`:`piece ${n}`]=i.flatMap(e=>a.filter(t=>G(t)===e));this.gateway?.tap(this.table.stylus,o)};render(){let{table:e}=this;return this.framed(e?.name??`Tables`,e?this.#u(e):this.#h(),e?h`<a class="button" href=${n({page:`table`})}>All tables</a>`:d)}#u(e){let t=this.#a,n=this.gateway?.line===`lost`;return h`
      ${n?h`<p class="trouble" role="alert">Connection lost. Taps are stored and sent after reconnecting.</p>`:d}
      <div class="table-top">
        <div class="table-board">
          ${this.svg?h`<emeth-still .svg=${this.svg} label="The board"
                  .marked=${(t?.selected??[]).map(G)} @click=${this.#l}></emeth-still>`:h`<p class="note">Choose a match for this table to show its board here.</p>`}
        </div>
        <div class="control-card">
          ${t?h`<emeth-stylus-card .prompt=${t} .waiting=${this.gateway?.waiting??0}
                  @tapped=${this.#c}></emeth-stylus-card>`:d}
          ${this.#d()} ${this.#m(e)}
        </div>
      </div>`}#d(){let e=this.seats.length?`Plays for ${this.seats.map(t).join(` and `)}`:`No seat chosen yet`;return h`<details ?open=${!this.seats.length}>
      <summary>${e}</summary>
      <form class="seating" @submit=${this.#p}>
        ${this.known.length?h`<div class="field">
                  <label for="match">Match</label>
                  <select id="match" name="match" @change=${()=>this.requestUpdate()}>
                    ${this.known.map(({matchId:e,title:t,caption:n})=>h`<option value=${e}
                        ?selected=${e===(this.matchId||this.asked(`match`))}>${t||n} (${e.slice(0,8)})</option>`)}
                  </select>
                </div>
                <div class="field">
                  <label for="for">Stylus plays</label>
                  <select id="for" name="for">
                    <option value="">for all seats of this browser (shared by the players)</option>
                    ${this.#f().map(e=>h`<option value=${e}>for ${t(e)}</option>`)}
                  </select>
                </div>
                <p><button class="main" ?disabled=${this.busy}>Use stylus for this match</button></p>`:h`<p class="note">This browser has no match in progress.
                <a href=${n({})}>Start a new game</a>, or open the link of a seat.</p>`}
      </form>
    </details>`}#f(){let e=this.querySelector(`#match`)?.value??this.known[0]?.matchId??``;return a(o(e))}#p=e=>{e.preventDefault();let t=e.target,n=e=>t.elements.namedItem(e).value,{table:r}=this;if(!r)return;let a=o(n(`match`)),s=(this.known.find(({matchId:e})=>e===n(`match`))?.seats??[]).flatMap(({name:e})=>a[e]??[]),[c=``]=Object.values(a),l=a[n(`for`)],u={requestId:i(),stylusId:r.stylus,seating:{matchId:n(`match`),tokens:l?[l]:s.length?s:[c]}};this.attempt(async()=>{let{outcome:e}=await this.service.with(r.key).styluses.updateStylus(u);if(e.case===`refusal`)throw Error(e.value.why);this.svg=``,await this.#i(),this.#e=``,this.gateway&&this.#o(this.gateway)})};#m(e){return e.owner?h`<details>
      <summary>Add another screen to this table</summary>
      <p class="row"><button @click=${()=>{this.attempt(async()=>{let t={requestId:i(),tableId:e.tableId,name:`Another screen`},a=this.service.with(e.owner),{gatewayKey:o}=await r(()=>a.gateways.createGateway(t)),s=new URL(n({page:`table`},{table:e.tableId}),location.href);s.hash=new URLSearchParams({[U]:o}).toString();let c=this.querySelector(`#screen-link`);c&&(c.value=s.href,c.select())})}} ?disabled=${this.busy}>Create link</button>
        <input id="screen-link" readonly aria-label="Link for another screen" /></p>
      <p class="note">Anybody with the link gets a stylus of their own at this table.</p>
    </details>`:d}#h(){let e=I();return h`
      ${e.length?h`<section aria-label="Your tables"><h2>Your tables</h2><ul class="matches">
              ${e.map(({name:e,tableId:t})=>h`<li class="row">
                  <a href=${n({page:`table`},{table:t})}><b>${e}</b></a>
                  <button class="small" aria-label="Forget ${e}" @click=${()=>{R(t),this.requestUpdate()}}>Forget</button></li>`)}
            </ul></section>`:d}
      <form class="new-table" @submit=${this.#_}>
        <h2>New table</h2>
        <p>A table has styluses. Here you get one on the screen, with a Control Card: it plays by taps as those of
          a real table do, and beside them.</p>
        <div class="field">
          <label for="name">Name</label>
          <input id="name" name="name" required maxlength="80" autocomplete="off" />
        </div>
        ${this.isGuarded?h`<div class="field">
                <label for="key">Admin key of the service</label>
                <input id="key" name="key" type="password" required autocomplete="off" aria-describedby="key-about" />
                <p class="note" id="key-about">It is in the file admin.key of the service's folder. It is not kept here.</p>
              </div>`:d}
        <p><button class="main" ?disabled=${this.busy}>Create table</button></p>
      </form>`}async#g(e){try{return await r(e)}catch(e){throw f(e).reason===`TOKEN_MISSING`&&(this.isGuarded=!0),e}}#_=e=>{e.preventDefault();let t=e.target,n=e=>t.elements.namedItem(e)?.value.trim()??``,r={requestId:i(),name:n(`name`)};this.attempt(async()=>{let e=n(`key`),{gateways:t}=e?this.service.with(e):this.service,{tableId:i,gatewayKey:a,ownerKey:o}=await this.#g(()=>t.createGateway(r));L({name:r.name,tableId:i,key:a,owner:o,stylus:z()}),c({page:`table`},{table:i}),this.query=new URLSearchParams(location.search)})}};function G(e){return e.slice(e.indexOf(` `)+1)}customElements.define(`emeth-table-page`,W);function K(e,t){return h`<emeth-table-page .service=${e} .query=${t}></emeth-table-page>`}export{K as show};