import{L as e,P as t,R as n,h as r,z as i}from"./index-BY_yMFqV.js";var a=class extends e{static properties={service:{attribute:!1},query:{attribute:!1},trouble:{state:!0},busy:{state:!0}};constructor(){super(),this.trouble=``,this.busy=!1}createRenderRoot(){return this}asked(e){return this.query.get(e)??``}async attempt(e){this.busy=!0;try{let t=await e();return this.trouble=``,t}catch(e){this.trouble=o(e);return}finally{this.busy=!1}}framed(e,t,a=n){return i`
      <header class="page-head">
        <a href=${r({})}>Emeth</a>
        <h1>${e}</h1>
        ${a}
      </header>
      <main class="page">
        ${this.trouble?i`<p class="trouble" role="alert">${this.trouble}</p>`:n}
        ${t}
      </main>
    `}};function o(e){let n=t(e);return Object.entries(n.fields).map(([e,t])=>`${e}: ${t}`).join(`; `)||n.rawMessage}function s(e,t){return i`<nav class="tabs" aria-label=${e}>
    ${t.map(({name:e,href:t,current:r})=>i`<a href=${t} aria-current=${r?`page`:n}>${e}</a>`)}
  </nav>`}function c(e,t,n=`${t}s`){return`${e} ${e===1?t:n}`}function l(e,t=200){let n;return()=>{clearTimeout(n),n=setTimeout(e,t)}}export{s as i,c as n,l as r,a as t};