/**
 * Plays on a page as a person would, from within it: a test says in one call what is to be done, and
 * no click waits for the way to the browser and back. What is clicked is what lies on top there.
 */

const LIMIT_MS = 300_000;

/** What `true_` gives as soon as it gives something. */
async function until(what, true_) {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    const found = true_();
    if (found) return found;
    if (performance.now() > end) throw new Error(`it did not come to pass: ${what}`);
    await new Promise((done) => setTimeout(done, 4));
  }
}

const board = () => document.querySelector("emeth-board").shadowRoot;
const drawing = () => board().querySelector("emeth-drawing").shadowRoot;
const panel = () => board().querySelector("emeth-panel");
const inPanel = (selector) => panel().shadowRoot.querySelector(selector);
const ways = () => inPanel("emeth-ways")?.shadowRoot;
const recorded = () => document.querySelectorAll(".events li").length;
const inView = () => inPanel(".preview .chosen")?.textContent.trim();

/** All that was clicked is drawn in the panel. */
async function drawn() {
  await panel().updateComplete;
  await inPanel("emeth-ways")?.updateComplete;
}

/** The innermost element at a point, as the browser finds it for a click. */
function onTop(x, y) {
  let root = document;
  for (;;) {
    const found = root.elementFromPoint(x, y);
    const inner = found?.shadowRoot;
    if (!inner || inner.elementFromPoint(x, y) === found) return found;
    root = inner;
  }
}

function click(element) {
  element.scrollIntoView({ block: "nearest" });
  const { x, y, width, height } = element.getBoundingClientRect();
  const at = { clientX: x + width / 2, clientY: y + height / 2, bubbles: true, composed: true };
  const pointer = { ...at, pointerId: 1, pointerType: "mouse", isPrimary: true };
  const target = onTop(at.clientX, at.clientY) ?? element;
  target.dispatchEvent(new PointerEvent("pointerdown", pointer));
  target.dispatchEvent(new PointerEvent("pointerup", pointer));
  target.dispatchEvent(new MouseEvent("click", at));
}

/** The button that says this. */
function button(root, selector, text) {
  return [...root.querySelectorAll(selector)].find((each) => {
    const said = each.querySelector("span") ?? each;
    return said.textContent.trim() === text;
  });
}

async function press(selector, text) {
  const found = await until(text, () => button(panel().shadowRoot, selector, text));
  click(found);
  await drawn();
}

function standsOn(piece, space) {
  const [on, ground] = [piece, space].map((each) => each.getBoundingClientRect());
  const [x, y] = [on.x + on.width / 2, on.y + on.height / 2];
  return x > ground.x && x < ground.right && y > ground.y && y < ground.bottom;
}

const part = (kind, id) => drawing().querySelector(`svg [data-${kind}="${CSS.escape(id)}"]`);

/** Point at the parts of an action until one is in view, and else choose it by its sentence. */
async function pointAt({ pieces = [], spaces = [], sentence }) {
  const places = [part("piece", pieces[0] ?? ""), ...spaces.map((id) => part("space", id))];
  if (places[0] && places[1] && standsOn(places[0], places[1])) places.splice(1, 1);
  for (const place of places) {
    if (!place || inView()) continue;
    click(place);
    await drawn();
  }
  if (inView() === sentence) return;
  if (inView()) {
    click(inPanel("#cancel"));
    await drawn();
  }
  await press(".actions li button", sentence);
}

/** Tell what dice showed, by buttons or by typing. */
async function tell(choices) {
  for (const [place, value] of choices.entries()) {
    const row = ways().querySelectorAll("fieldset")[place];
    const field = row.querySelector("input");
    if (field) {
      field.value = value;
      field.dispatchEvent(new Event("change"));
    } else {
      click(button(row, "button", value));
    }
    await drawn();
  }
}

/** A way's sentence without the words with which its group ends too. */
function ownOf(sentence, group) {
  const [words, others] = [sentence.split(" "), group.split(" ")];
  while (words.length && words.at(-1) === others.pop()) words.pop();
  return words.join(" ");
}

/** Choose one way of a group, from the list or by the form for amounts. */
async function chooseWay({ group, sentence }) {
  await press(".actions li button", `${group} …`);
  await until(group, () => inPanel("section.actions b"));
  if (!ways()) return press("section.actions li button", sentence);
  const own = ownOf(sentence, group);
  for (const row of ways().querySelectorAll("fieldset")) {
    const name = row.querySelector("legend").textContent.trim().toLowerCase();
    const amount = new RegExp(`(\\d+) ${name}`).exec(own);
    for (let n = Number(amount?.[1] ?? 0); n > 0; n -= 1) {
      click(row.querySelector("button[aria-label^=More]"));
      await drawn();
    }
  }
  const choose = ways().querySelector(".main");
  if (choose.textContent.trim() !== sentence) throw new Error(choose.textContent);
  click(choose);
  await drawn();
}

/** Take actions by clicks, each when so many are recorded. */
window.playByClicks = async (actions) => {
  for (const action of actions) {
    await until(`action ${action.version}`, () => recorded() >= action.version);
    if (recorded() !== action.version) throw new Error(`more was recorded than ${action.version}`);
    await until("a turn", () => /Your turn|Enter/.test(inPanel(".turn").textContent));
    // The last action may be on the board before it is answered; until then clicks do nothing.
    await until("an answer", () => !document.querySelector("emeth-board").view.busy);
    await until("something to do", () => inPanel(".actions"));
    await drawn();
    if (action.group) await chooseWay(action);
    else if (ways()) await tell(action.choices);
    else await pointAt(action);
    await until(action.sentence, () => inView() === action.sentence);
    click(inPanel("#confirm"));
    await until(`${action.sentence}, recorded`, () => recorded() > action.version && !inView());
  }
};
