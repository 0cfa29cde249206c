import{$ as e,_ as t,et as n,g as r,tt as i}from"./index-Dn-nqMsl.js";var a=class extends e{static properties={service:{attribute:!1},query:{attribute:!1},trouble:{state:!0},busy:{state:!0}};constructor(){super(),this.trouble=``,this.busy=!1}createRenderRoot(){return this}connectedCallback(){super.connectedCallback(),t()?.look(``)}asked(e){return this.query.get(e)??``}async attempt(e){this.busy=!0;try{let t=await e();return this.trouble=``,t}catch(e){this.trouble=r(e);return}finally{this.busy=!1}}framed(e,t,r=n){return i`
      <header class="page-head">
        <emeth-home-link></emeth-home-link>
        <h1>${e}</h1>
        ${r}
      </header>
      <main class="page">
        ${this.trouble?i`<p class="trouble" role="alert">${this.trouble}</p>`:n}
        ${t}
      </main>
    `}};function o(e,t){return i`<nav class="tabs" aria-label=${e}>
    ${t.map(({name:e,href:t,current:r})=>i`<a href=${t} aria-current=${r?`page`:n}>${e}</a>`)}
  </nav>`}function s(e,t,n=`${t}s`){return`${e} ${e===1?t:n}`}function c(e,t=200){let n;return()=>{clearTimeout(n),n=setTimeout(e,t)}}export{o as i,s as n,c as r,a as t};