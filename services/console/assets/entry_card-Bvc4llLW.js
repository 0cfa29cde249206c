import{ct as e,st as t}from"./index-C_j_PLuY.js";import{o as n}from"./options-BRWJ7Xhp.js";import{n as r}from"./page-DaewPilv.js";function i(i,o=t){let{kind:s,name:c,size:l,points:u,factions:d,lines:f,description:p,attributes:m}=i,h=e=>f.some(t=>e.includes(t)||t.endsWith(` ${e}`)),g=Object.entries(m).filter(([e,t])=>t&&!e.endsWith(`:`)&&e!==`source`&&!h(t)).sort(([e],[t])=>e.localeCompare(t)),_=[n(s),l&&n(l),u?r(u,`point`):``];return e`<article class="card">
    <h3>${c}</h3>
    <p class="note">${_.filter(Boolean).join(`, `)}</p>
    ${h(p)?t:e`<p>${p}</p>`}
    ${f.length?e`<ul>${f.map(t=>e`<li>${t}</li>`)}</ul>`:t}
    ${d.length||g.length?e`<dl class="note">
            ${d.length?a(`factions`,d.map(n).join(`, `)):t}
            ${g.map(([e,t])=>a(e,t))}
          </dl>`:t}
    ${o}
  </article>`}function a(t,r){return e`<div><dt>${n(t.replace(/:$/,``))}</dt><dd>${r}</dd></div>`}export{i as t};