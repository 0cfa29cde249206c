import{$ as e,Q as t,et as n,g as r,h as i}from"./index-Cw-8fnBb.js";var a=class extends t{static properties={service:{attribute:!1},query:{attribute:!1},trouble:{state:!0},busy:{state:!0}};constructor(){super(),this.trouble=``,this.busy=!1}createRenderRoot(){return this}connectedCallback(){super.connectedCallback(),r()?.look(``)}asked(e){return this.query.get(e)??``}async attempt(e){this.busy=!0;try{let t=await e();return this.trouble=``,t}catch(e){this.trouble=i(e);return}finally{this.busy=!1}}framed(t,r,i=e){return n`
      <header class="page-head">
        <emeth-home-link></emeth-home-link>
        <h1>${t}</h1>
        ${i}
      </header>
      <main class="page">
        ${this.trouble?n`<p class="trouble" role="alert">${this.trouble}</p>`:e}
        ${r}
      </main>
    `}};function o(t,r){return n`<nav class="tabs" aria-label=${t}>
    ${r.map(({name:t,href:r,current:i})=>n`<a href=${r} aria-current=${i?`page`:e}>${t}</a>`)}
  </nav>`}function s(e,t,n=`${t}s`){return`${e} ${e===1?t:n}`}function c(e,t=200){let n;return()=>{clearTimeout(n),n=setTimeout(e,t)}}export{o as i,s as n,c as r,a as t};