// Where the parts of a screen stand, in twelfths of its width: as skeleton.json remembers it, whatever the language, the
// colours and the fonts. UPDATE=1 writes it anew.
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('./skeleton.json', import.meta.url);
const known = JSON.parse(readFileSync(file, 'utf8'));
const seen = {};
const parts =
  '.pages .list .talk .timeline .composer .filling .side .page .head .board .panel .grid .sheet .adding .charts .palette .alone';

/** What fills a screen from its top to its bottom, or lies over it. How far others are below differs with the fonts. */
const docked = '.pages .list .talk .composer .side .panel .palette .alone'.split(' ');

/** Lists the parts of a screen that do not stand where they did. A part may be wider or narrower by a twelfth. */
export async function skeleton(page, what) {
  const now = await page.evaluate((parts) => {
    const all = {};
    for (const part of parts.split(' ')) {
      const box = [...document.querySelectorAll(part)]
        .filter((e) => e.checkVisibility())
        .map((e) => e.getBoundingClientRect())
        .find((b) => b.width > 1 && b.right > 1 && b.left < innerWidth - 1);
      if (!box) continue;
      const of = (px) => Math.round((px / innerWidth) * 12);
      const edge = (box.top <= 1 ? 'top' : '') + (box.bottom >= innerHeight - 1 ? 'bottom' : '');
      all[part] = [
        of(box.left),
        of(box.right),
        ...(['.pages', '.panel', '.side', '.composer'].includes(part) ? [edge] : []),
      ];
    }
    return all;
  }, parts);
  seen[what] ??= now;
  if (process.env.UPDATE) return [];
  const was = known[what];
  if (!was) return ['it is not in skeleton.json: UPDATE=1 writes it'];
  return [...new Set([...Object.keys(was), ...Object.keys(now)])].flatMap((part) => {
    const [a, b] = [was[part], now[part]];
    if (!b) return [`${part} is gone`];
    if (!a) return docked.includes(part) ? [`${part} was not there`] : [];
    const moved = [0, 1].some((i) => Math.abs(a[i] - b[i]) > 1) || a[2] !== b[2];
    return moved ? [`${part} stood at ${a}, and stands at ${b}`] : [];
  });
}

/** Writes what was seen, beside what other tests have seen. */
export function remember() {
  if (!process.env.UPDATE) return;
  const all = Object.entries({ ...JSON.parse(readFileSync(file, 'utf8')), ...seen });
  all.sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = all.map(([what, is]) => `  ${JSON.stringify(what)}: ${JSON.stringify(is)}`);
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
}
