import{A as e,E as t,j as n,k as r,l as i}from"./index-DS9bmOL9.js";var a=class extends r{static properties={service:{attribute:!1},query:{attribute:!1},trouble:{state:!0},busy:{state:!0}};constructor(){super(),this.trouble=``,this.busy=!1}createRenderRoot(){return this}asked(e){return this.query.get(e)??``}async attempt(e){this.busy=!0;try{let t=await e();return this.trouble=``,t}catch(e){this.trouble=o(e);return}finally{this.busy=!1}}framed(t,r,a=e){return n`
      <header class="page-head">
        <a href=${i({})}>Emeth</a>
        <h1>${t}</h1>
        ${a}
      </header>
      <main class="page">
        ${this.trouble?n`<p class="trouble" role="alert">${this.trouble}</p>`:e}
        ${r}
      </main>
    `}};function o(e){let n=t(e);return Object.entries(n.fields).map(([e,t])=>`${e}: ${t}`).join(`; `)||n.rawMessage}function s(t,r){return n`<nav class="tabs" aria-label=${t}>
    ${r.map(({name:t,href:r,current:i})=>n`<a href=${r} aria-current=${i?`page`:e}>${t}</a>`)}
  </nav>`}function c(e,t,n=`${t}s`){return`${e} ${e===1?t:n}`}function l(e,t=200){let n;return()=>{clearTimeout(n),n=setTimeout(e,t)}}export{s as i,c as n,l as r,a as t};