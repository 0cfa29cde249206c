// The button that checks the match, and what it shows.
const SIGNS = {
  holds: ["\u2713", "holds"],
  fails: ["\u2717", "does not hold"],
  open: ["\u2013", "not checked"],
  nothing: ["\u2013", "nothing to check"],
};
const [report, verdict] = [by("report"), by("verdict")];

function element(tag, className, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

/** A line of what was found; one about an event leads to it. */
function findingLine({ version, why }) {
  const place = frames.findIndex((frame) => frame.version === version);
  if (place < 0) return element("p", "", version ? `Event ${version}: ${why}.` : `${why}.`);
  const line = element("button", "", `Event ${version}: ${why}.`);
  line.addEventListener("click", () => {
    report.close();
    stop();
    go(place);
  });
  return line;
}

function checkLine(check) {
  const [sign, words] = SIGNS[check.state];
  const mark = element("span", `sign ${check.state}`, sign);
  mark.setAttribute("role", "img");
  mark.setAttribute("aria-label", words);
  const text = element("p", "");
  text.append(element("strong", "", `${check.name}. `), check.findings.length ? "" : check.text);
  const found = element("div", "found");
  const most = 20; // a file that is wrong throughout says so in as many lines
  found.append(...check.findings.slice(0, most).map(findingLine));
  if (check.findings.length > most) found.append(`and ${check.findings.length - most} more`);
  const line = element("li", "");
  line.append(mark, text, found);
  return line;
}

function concluded(checks) {
  const count = (state) => checks.filter((check) => check.state === state).length;
  const made = checks.length - count("nothing");
  if (count("fails")) return `No: ${count("fails")} of ${made} checks found something wrong.`;
  if (!count("open")) return `Yes: all ${made} checks hold.`;
  return `Nothing is wrong, but not all can be checked here: ${count("holds")} of ${made} checks hold.`;
}

async function checked() {
  report.showModal();
  by("checks").replaceChildren();
  if (!globalThis.crypto?.subtle) {
    verdict.textContent = "This browser computes no digests for a page from a disk: nothing is checked.";
    return;
  }
  let raw;
  try {
    raw = await proofs.unpacked(match.file);
  } catch {
    verdict.textContent = "No: the file in this page is damaged, or this browser is too old to unpack it.";
    return;
  }
  const checks = await proofs.checkMatch({ raw, shown: frames, proof: match.proof }, (done, all) => {
    verdict.textContent = `Checking event ${done} of ${all} \u2026`;
  });
  verdict.textContent = concluded(checks);
  by("checks").replaceChildren(...checks.map(checkLine));
}

async function saved() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([await proofs.unpacked(match.file)]));
  link.download = "match.emeth";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

by("check").hidden = false;
by("check").addEventListener("click", checked);
by("save").addEventListener("click", saved);
// So that a link can lead there.
if (location.hash === "#check") checked();
