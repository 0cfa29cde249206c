<<<<<<<< HEAD:services/console/assets/precedents-CfmGcdXs.js
import{A as e,T as t,ot as n}from"./index-FnYwRBpT.js";function r(r){let[i=``,a=``]=r.split(`-`),o=e().find(e=>e.replaceAll(`-`,``).startsWith(i));return o?n`<a href=${t({page:`disputes`,match:o},{verdict:a})}><code>${r}</code></a> `:n`<code>${r}</code> `}export{r as t};
========
import{A as e,T as t,ct as n}from"./index-C_j_PLuY.js";function r(r){let[i=``,a=``]=r.split(`-`),o=e().find(e=>e.replaceAll(`-`,``).startsWith(i));return o?n`<a href=${t({page:`disputes`,match:o},{verdict:a})}><code>${r}</code></a> `:n`<code>${r}</code> `}export{r as t};
>>>>>>>> 39b030419820f7d540ed4fb9c4d69b7686a2d728:services/console/assets/precedents-BuFicTnd.js
