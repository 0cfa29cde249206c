// What a program can see of how a page looks: what is wider than the window, too small to touch, or cut off.
() => {
  const found = [];
  const everything = (root) =>
    [...root.querySelectorAll("*")].flatMap((each) => [each, ...(each.shadowRoot ? everything(each.shadowRoot) : [])]);
  const above = (element) => element.parentElement ?? element.getRootNode().host;
  const named = (element) => {
    const id = element.id ? `#${element.id}` : "";
    return `${element.localName}${id} ${element.textContent.trim().replace(/\s+/g, " ").slice(0, 30)}`;
  };
  const scrolls = (element) => {
    for (let at = above(element); at; at = above(at)) {
      if (/auto|scroll|hidden|clip/.test(getComputedStyle(at).overflowX)) return true;
    }
    return false;
  };
  if (document.documentElement.scrollWidth > innerWidth + 1) found.push("the page scrolls sideways");
  for (const element of everything(document)) {
    if (element.closest("svg") || element.closest(".unseen")) continue;
    if (!element.checkVisibility({ checkVisibilityCSS: true })) continue;
    const box = element.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    const style = getComputedStyle(element);
    if (box.right > innerWidth + 1 && !scrolls(element)) found.push(`outside: ${named(element)}`);
    if (element.matches("button, a[href], input, select, textarea, summary")) {
      const label = element.closest("label")?.getBoundingClientRect() ?? box;
      const [width, height] = [Math.max(box.width, label.width), Math.max(box.height, label.height)];
      // A link in a sentence is as high as its line.
      if (style.display !== "inline" && Math.min(width, height) < 24) found.push(`small: ${named(element)}`);
      if (element.matches(".main") && height < 44) found.push(`small for a main control: ${named(element)}`);
    }
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    const cut = hasText && /hidden|clip/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
    if (cut) found.push(`cut off: ${named(element)}`);
  }
  return found;
}
