import{I as e,L as t,N as n,R as r,m as i}from"./index-HUDWQX_8.js";var a=class extends e{static properties={service:{attribute:!1},query:{attribute:!1},trouble:{state:!0},busy:{state:!0}};constructor(){super(),this.trouble=``,this.busy=!1}createRenderRoot(){return this}asked(e){return this.query.get(e)??``}async attempt(e){this.busy=!0;try{let t=await e();return this.trouble=``,t}catch(e){this.trouble=o(e);return}finally{this.busy=!1}}framed(e,n,a=t){return r`
      <header class="page-head">
        <a href=${i({})}>Emeth</a>
        <h1>${e}</h1>
        ${a}
      </header>
      <main class="page">
        ${this.trouble?r`<p class="trouble" role="alert">${this.trouble}</p>`:t}
        ${n}
      </main>
    `}};function o(e){let t=n(e);return Object.entries(t.fields).map(([e,t])=>`${e}: ${t}`).join(`; `)||t.rawMessage}function s(e,n){return r`<nav class="tabs" aria-label=${e}>
    ${n.map(({name:e,href:n,current:i})=>r`<a href=${n} aria-current=${i?`page`:t}>${e}</a>`)}
  </nav>`}function c(e,t,n=`${t}s`){return`${e} ${e===1?t:n}`}function l(e,t=200){let n;return()=>{clearTimeout(n),n=setTimeout(e,t)}}export{s as i,c as n,l as r,a as t};