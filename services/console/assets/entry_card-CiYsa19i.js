import{ct as e,lt as t}from"./index-B8-rHzQO.js";import{o as n}from"./options-Ce_cx6hq.js";import{n as r}from"./page-DhiWkHXb.js";function i(i,o=e){let{kind:s,name:c,size:l,points:u,factions:d,lines:f,description:p,attributes:m}=i,h=e=>f.some(t=>e.includes(t)||t.endsWith(` ${e}`)),g=Object.entries(m).filter(([e,t])=>t&&!e.endsWith(`:`)&&e!==`source`&&!h(t)).sort(([e],[t])=>e.localeCompare(t)),_=[n(s),l&&n(l),u?r(u,`point`):``];return t`<article class="card">
    <h3>${c}</h3>
    <p class="note">${_.filter(Boolean).join(`, `)}</p>
    ${h(p)?e:t`<p>${p}</p>`}
    ${f.length?t`<ul>${f.map(e=>t`<li>${e}</li>`)}</ul>`:e}
    ${d.length||g.length?t`<dl class="note">
            ${d.length?a(`factions`,d.map(n).join(`, `)):e}
            ${g.map(([e,t])=>a(e,t))}
          </dl>`:e}
    ${o}
  </article>`}function a(e,r){return t`<div><dt>${n(e.replace(/:$/,``))}</dt><dd>${r}</dd></div>`}export{i as t};