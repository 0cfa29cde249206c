/** The page's title: what the page is, and before it how many matches wait for whoever looks at it. */

let text = "Emeth";
let waiting = 0;

/** What the page is. */
export function title(what: string): void {
  text = what;
  show();
}

/** So many other matches wait. */
export function waitingElsewhere(count: number): void {
  waiting = count;
  show();
}

function show(): void {
  const whole = waiting ? `(${waiting}) ${text}` : text;
  if (document.title !== whole) document.title = whole;
}
