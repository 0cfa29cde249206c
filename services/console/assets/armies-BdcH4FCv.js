<<<<<<<< HEAD:services/console/assets/armies-jSfqOCIg.js
import"./index-BNK7hlr4.js";var e=`emeth.armies`;function t(){try{return localStorage.getItem(e)??r}catch{return r}}function n(t){r=t;try{localStorage.setItem(e,t)}catch{}}var r=``;function i(e){let n=t();return n?e.with(n):e}async function a(e,n){if(!t())return[];let{armies:r}=await i(e).armies.listArmies({game:n,pageSize:200});return r}export{n,a as r,i as t};
========
import"./index-DMHJy6BN.js";var e=`emeth.armies`;function t(){try{return localStorage.getItem(e)??r}catch{return r}}function n(t){r=t;try{localStorage.setItem(e,t)}catch{}}var r=``;function i(e){let n=t();return n?e.with(n):e}async function a(e,n){if(!t())return[];let{armies:r}=await i(e).armies.listArmies({game:n,pageSize:200});return r}export{n,a as r,i as t};
>>>>>>>> main:services/console/assets/armies-BdcH4FCv.js
