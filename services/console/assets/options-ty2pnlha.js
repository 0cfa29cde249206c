import{$ as e,et as t}from"./index-DanQUKbx.js";var n=[`entry`,`choice`,`number`,`check`,`text`,`json`];function r(e,t=[]){let r=e,i=a(r,r),s=Object.entries(i.properties??{}).map(([e,n])=>{let i={...a(n,r),...n},s=t.filter(({kind:t})=>t===e);return{name:e,about:i.description??``,standard:i.default??null,control:s.length?{kind:`entry`,entries:s}:o(i)}}),c=({control:e,name:t})=>`${n.indexOf(e.kind)} ${t}`;return s.sort((e,t)=>c(e).localeCompare(c(t)))}function i(e,t){let n=t&&a(t,t).title,r=e;return Object.entries(a(r,r).properties??{}).find(([,{additionalProperties:e}])=>n!==void 0&&typeof e==`object`&&a(e,r).title===n)?.[0]}function a(e,t){let n=e.$ref?.split(`/`).at(-1);return n&&t.$defs?.[n]||e}function o(e){let t=e.enum??e.anyOf?.find(e=>e.enum)?.enum;if(t)return{kind:`choice`,values:[...e.anyOf?.some(({type:e})=>e===`null`)?[null]:[],...t]};switch(e.type){case`boolean`:return{kind:`check`};case`integer`:case`number`:return{kind:`number`,least:e.minimum??0,most:e.maximum??1e9};case`string`:return{kind:`text`,pattern:e.pattern,most:e.maxLength};default:return{kind:`json`}}}function s(e,n=``,r){let{name:i,about:a,control:o}=e,s=`option-${i}`,u=o.kind===`number`?`${o.least} to ${o.most}`:``;return t`<div class="field ${o.kind===`check`?`checked`:``}">
    <label for=${s}>${f(i)}</label>
    ${l(e,s,!!n,r)}
    <p class="note" id="${s}-about">${[a,u].filter(Boolean).join(`: `)}</p>
    ${c(s,n)}
  </div>`}function c(n,r){return r?t`<p class="trouble fault" id="${n}-fault">${r}</p>`:e}function l(n,r,i,a){let{name:o,control:s,standard:c}=n,l=i?`${r}-fault ${r}-about`:`${r}-about`,u=i?`true`:e;switch(s.kind){case`check`:return t`<input id=${r} name=${o} type="checkbox" aria-describedby=${l}
        aria-invalid=${u} ?checked=${c===!0} />`;case`choice`:return t`<select id=${r} name=${o} aria-describedby=${l} aria-invalid=${u}>
        ${s.values.map(e=>t`<option value=${JSON.stringify(e)} ?selected=${e===c}>
            ${e===null?`As is usual`:f(String(e))}
          </option>`)}
      </select>`;case`entry`:{let n=a||c,i=s.entries.some(e=>e.id===c);return t`<select id=${r} name=${o} aria-describedby=${l} aria-invalid=${u}>
        ${i?e:t`<option value=${JSON.stringify(c)}>None</option>`}
        ${s.entries.map(e=>t`<option value=${JSON.stringify(e.id)} ?selected=${e.id===n}>
            ${e.name}${e.description?`: ${e.description}`:``}
          </option>`)}
      </select>`}case`number`:return t`<input id=${r} name=${o} type="number" step="1" aria-describedby=${l}
        aria-invalid=${u} min=${s.least} max=${s.most}
        value=${String(c)} />`;case`text`:return t`<input id=${r} name=${o} aria-describedby=${l} aria-invalid=${u}
        pattern=${s.pattern??e} maxlength=${s.most??e}
        autocomplete="off" spellcheck="false" value=${String(c??``)} />`;case`json`:return t`<textarea id=${r} name=${o} rows="4" aria-describedby=${l}
        aria-invalid=${u} spellcheck="false">${JSON.stringify(c,null,1)}</textarea>`}}function u(e,t){let n={},r={};for(let i of e){let e=t.elements.namedItem(i.name);if(!(e instanceof HTMLElement))continue;let a=d(e,i.control);`fault`in a?r[i.name]=a.fault:JSON.stringify(a.value)!==JSON.stringify(i.standard)&&(n[i.name]=a.value)}return{values:n,faults:r}}function d(e,t){switch(t.kind){case`check`:return{value:e.checked};case`number`:{let n=Number(e.value),r=n>=t.least&&n<=t.most&&Number.isInteger(n),i=`It is a whole number from ${t.least} to ${t.most}.`;return e.value!==``&&r?{value:n}:{fault:i}}case`text`:return e.validity.patternMismatch?{fault:`It has the form ${t.pattern?.replace(/^\^|\$$/g,``)}.`}:{value:e.value};default:try{return{value:JSON.parse(e.value)}}catch(e){return{fault:`This is no JSON: ${e.message}`}}}}function f(e){return e.replaceAll(/[_-]/g,` `).replace(/^./,e=>e.toUpperCase())}export{r as a,s as i,u as n,a as o,c as r,f as s,i as t};