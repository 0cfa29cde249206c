import{L as e,ct as t,lt as n,nt as r,rt as i}from"./index-B8-rHzQO.js";function a(e,t=[]){return e.map(e=>({name:e.name,title:e.title,about:e.description,standard:c(e.defaultValue),control:s(e,t)}))}function o(t){return t.find(({type:t})=>t===e.ARMIES)?.name}function s(t,n){switch(t.type){case e.BOOLEAN:return{kind:`check`};case e.INTEGER:return{kind:`number`,least:t.minValue??0,most:t.maxValue??1e9};case e.CHOICE:return{kind:`choice`,choices:t.choices.map(({value:e,title:t})=>({value:c(e),title:t}))};case e.CONTENT:return{kind:`entry`,entries:n.filter(({kind:e})=>e===t.contentKind)};case e.PACK:return{kind:`text`,pattern:`^[0-9a-f]{64}$`,most:64};case e.TEXT:return{kind:`text`,pattern:void 0,most:t.maxLength||void 0};default:return{kind:`json`}}}function c(e){return e?r(i,e):null}function l(e,t=``,r){let{name:i,title:a,about:o,control:s}=e,c=`option-${i}`,l=s.kind===`number`?`${s.least} to ${s.most}`:``;return n`<div class="field ${s.kind===`check`?`checked`:``}">
    <label for=${c}>${a}</label>
    ${d(e,c,!!t,r)}
    <p class="note" id="${c}-about">${[o,l].filter(Boolean).join(`: `)}</p>
    ${u(c,t)}
  </div>`}function u(e,r){return r?n`<p class="trouble fault" id="${e}-fault">${r}</p>`:t}function d(e,r,i,a){let{name:o,control:s,standard:c}=e,l=i?`${r}-fault ${r}-about`:`${r}-about`,u=i?`true`:t;switch(s.kind){case`check`:return n`<input id=${r} name=${o} type="checkbox" aria-describedby=${l}
        aria-invalid=${u} ?checked=${c===!0} />`;case`choice`:return n`<select id=${r} name=${o} aria-describedby=${l} aria-invalid=${u}>
        ${s.choices.map(({value:e,title:t})=>n`<option value=${JSON.stringify(e)} ?selected=${e===c}>
            ${t}
          </option>`)}
      </select>`;case`entry`:{let e=a||c,i=s.entries.some(e=>e.id===c);return n`<select id=${r} name=${o} aria-describedby=${l} aria-invalid=${u}>
        ${i?t:n`<option value=${JSON.stringify(c)}>None</option>`}
        ${s.entries.map(t=>n`<option value=${JSON.stringify(t.id)} ?selected=${t.id===e}>
            ${t.name}${t.description?`: ${t.description}`:``}
          </option>`)}
      </select>`}case`number`:return n`<input id=${r} name=${o} type="number" step="1" aria-describedby=${l}
        aria-invalid=${u} min=${s.least} max=${s.most}
        value=${String(c)} />`;case`text`:return n`<input id=${r} name=${o} aria-describedby=${l} aria-invalid=${u}
        pattern=${s.pattern??t} maxlength=${s.most??t}
        autocomplete="off" spellcheck="false" value=${String(c??``)} />`;case`json`:return n`<textarea id=${r} name=${o} rows="4" aria-describedby=${l}
        aria-invalid=${u} spellcheck="false">${JSON.stringify(c,null,1)}</textarea>`}}function f(e,t){let n={},r={};for(let i of e){let e=t.elements.namedItem(i.name);if(!(e instanceof HTMLElement))continue;let a=p(e,i.control);`fault`in a?r[i.name]=a.fault:JSON.stringify(a.value)!==JSON.stringify(i.standard)&&(n[i.name]=a.value)}return{values:n,faults:r}}function p(e,t){switch(t.kind){case`check`:return{value:e.checked};case`number`:{let n=Number(e.value),r=n>=t.least&&n<=t.most&&Number.isInteger(n),i=`Enter a whole number from ${t.least} to ${t.most}.`;return e.value!==``&&r?{value:n}:{fault:i}}case`text`:return e.validity.patternMismatch?{fault:`Enter text of the form ${t.pattern?.replace(/^\^|\$$/g,``)}.`}:{value:e.value};default:try{return{value:JSON.parse(e.value)}}catch(e){return{fault:`Invalid JSON: ${e.message}`}}}}function m(e){return e.replaceAll(/[_-]/g,` `).replace(/^./,e=>e.toUpperCase())}export{a,l as i,f as n,m as o,u as r,o as t};