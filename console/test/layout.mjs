// What is wrong with the layout of a screen, measured rather than compared with a picture: it is the same on every
// machine, whatever fonts it has.

/** How small a control may be, in px: WCAG 2.2, 2.5.8. */
const smallest = 24;

/** Lists what is cut off, what lies beyond the edge, what covers a control, and what is too small to tap. */
export function layout(page) {
  return page.evaluate((smallest) => {
    const faults = new Set();
    const named = (e) => {
      const text = (e.getAttribute('aria-label') || e.textContent || e.getAttribute('placeholder') || '').trim();
      return `<${e.localName}${e.className && typeof e.className === 'string' ? '.' + e.className : ''}> ${text.slice(0, 40)}`;
    };
    const wide = document.documentElement.scrollWidth - innerWidth;
    if (wide > 0) faults.add(`${wide} px are beyond the edge`);

    const styleOf = (e) => getComputedStyle(e);
    const hides = (style) => style.overflowX !== 'visible' || style.overflowY !== 'visible';
    /** The part of a box that can be seen now, and whether scrolling shows the rest of it. */
    function seen(e, box) {
      let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
      let scrolls = false;
      for (let up = e.parentElement; up; up = up.parentElement) {
        const style = styleOf(up);
        if (!hides(style)) continue;
        const at = up.getBoundingClientRect();
        if (/auto|scroll/.test(style.overflowX + style.overflowY)) scrolls = true;
        [left, top] = [Math.max(left, at.left), Math.max(top, at.top)];
        [right, bottom] = [Math.min(right, at.right), Math.min(bottom, at.bottom)];
      }
      [left, top] = [Math.max(left, 0), Math.max(top, 0)];
      [right, bottom] = [Math.min(right, innerWidth), Math.min(bottom, innerHeight)];
      return { left, top, right, bottom, scrolls, there: right - left > 1 && bottom - top > 1 };
    }
    const shown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const unseen = (e) => !!e.closest('.unseen, [hidden], [aria-hidden=true]');

    // Text that is cut off, or runs out of its box.
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const e = node.parentElement;
      if (!node.data.trim() || !shown(e) || unseen(e) || e.closest('option, script, style, svg')) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) {
        if (box.width < 1) continue;
        const scrolled = seen(e, box).scrolls;
        if (!scrolled && (box.right > innerWidth + 1 || box.left < -1)) faults.add(`beyond the edge: ${named(e)}`);
        for (let up = e; up && up !== document.body; up = up.parentElement) {
          const style = styleOf(up);
          const at = up.getBoundingClientRect();
          const clamped = style.webkitLineClamp !== 'none';
          const ends = clamped || style.textOverflow === 'ellipsis';
          if (/hidden|clip/.test(style.overflowX) && !ends && (box.right > at.right + 1 || box.left < at.left - 1))
            faults.add(`cut off at the side: ${named(e)}`);
          if (/hidden|clip/.test(style.overflowY) && !clamped && box.bottom > at.bottom + 3)
            faults.add(`cut off below: ${named(e)}`);
          if (/auto|scroll/.test(style.overflowX + style.overflowY)) break;
          const boxed = style.borderInlineEndWidth !== '0px' && style.display !== 'inline';
          if (boxed && !hides(style) && (box.right > at.right + 1 || box.left < at.left - 1))
            faults.add(`runs out of its box: ${named(e)}`);
        }
      }
    }

    // Controls that are too small, that lie over each other, or under something else.
    const controls = [
      ...document.querySelectorAll(
        'button, a[href], input:not([type=hidden]), select, textarea, summary, [role=menuitem], [role=option]',
      ),
    ].filter((e) => shown(e) && !unseen(e));
    const fixed = (e) => {
      for (let up = e; up; up = up.parentElement)
        if (up.localName === 'dialog' || ['fixed', 'absolute', 'sticky'].includes(styleOf(up).position)) return up;
      return null;
    };
    const boxes = [];
    for (const e of controls) {
      const box = e.getBoundingClientRect();
      const inText = e.localName === 'a' && styleOf(e).display === 'inline';
      const label = e.closest('label')?.getBoundingClientRect();
      const [w, h] = [Math.max(box.width, label?.width ?? 0), Math.max(box.height, label?.height ?? 0)];
      if (!inText && (w < smallest - 0.5 || h < smallest - 0.5))
        faults.add(`${Math.round(w)}×${Math.round(h)} px is too small: ${named(e)}`);
      const part = seen(e, box);
      if (!part.there || e.disabled) continue;
      const [x, y] = [(part.left + part.right) / 2, (part.top + part.bottom) / 2];
      const hit = document.elementFromPoint(x, y);
      const over = hit && fixed(hit);
      const mine = hit && (e.contains(hit) || hit.contains(e) || hit.closest('label')?.contains(e));
      // What is opened on purpose over the page covers what is below it; a control that is half scrolled away is not lost.
      if (hit && !mine && !(over && !over.contains(e))) faults.add(`covered by ${named(hit)}: ${named(e)}`);
      boxes.push({ e, part, over: fixed(e) });
    }
    for (const [i, a] of boxes.entries())
      for (const b of boxes.slice(i + 1)) {
        if (a.over !== b.over || a.e.contains(b.e) || b.e.contains(a.e)) continue;
        const w = Math.min(a.part.right, b.part.right) - Math.max(a.part.left, b.part.left);
        const h = Math.min(a.part.bottom, b.part.bottom) - Math.max(a.part.top, b.part.top);
        if (w > 1 && h > 1) faults.add(`overlap: ${named(a.e)} and ${named(b.e)}`);
      }
    return [...faults].slice(0, 10);
  }, smallest);
}
