/** What somebody writes in, and where they are in it. */
export type Writing = { text: string; start: number; end: number };
export type Mark = 'bold' | 'italic' | 'strike' | 'mono' | 'quote' | 'bullets' | 'numbers';

const around: Partial<Record<Mark, string>> = { bold: '*', italic: '_', strike: '~', mono: '```' };
const before: Partial<Record<Mark, RegExp>> = { quote: /^> ?/, bullets: /^[*-] +/, numbers: /^\d+\. +/ };

/** Sets WhatsApp's marks around what is chosen, or before its lines, or takes them away where they are. */
export function marked(of: Writing, mark: Mark): Writing {
  const sign = around[mark];
  return sign ? wrapped(of, sign) : lined(of, before[mark]!, mark);
}

function wrapped({ text, start, end }: Writing, sign: string): Writing {
  while (start < end && /\s/.test(text[start]!)) start++; // a mark counts at a word only
  while (end > start && /\s/.test(text[end - 1]!)) end--;
  const wide = sign.length;
  const inner = text.slice(start, end);
  if (text.slice(start - wide, start) === sign && text.slice(end, end + wide) === sign)
    return {
      text: text.slice(0, start - wide) + inner + text.slice(end + wide),
      start: start - wide,
      end: end - wide,
    };
  return {
    text: text.slice(0, start) + sign + inner + sign + text.slice(end),
    start: start + wide,
    end: end + wide,
  };
}

function lined({ text, start, end }: Writing, begin: RegExp, mark: Mark): Writing {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const to = next < 0 ? text.length : next;
  const lines = text.slice(from, to).split('\n');
  const off = lines.every((line) => begin.test(line));
  const sign = (i: number) => (mark === 'quote' ? '> ' : mark === 'bullets' ? '- ' : `${i + 1}. `);
  const plain = (line: string) => Object.values(before).reduce((left, one) => left.replace(one, ''), line);
  const now = lines.map((line, i) => (off ? line.replace(begin, '') : sign(i) + plain(line))).join('\n');
  return { text: text.slice(0, from) + now + text.slice(to), start: from, end: from + now.length };
}

/** Which mark a key sets, as in WhatsApp's own programs. */
export function keyed(event: KeyboardEvent): Mark | undefined {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return undefined;
  const key = (event.shiftKey ? 'shift ' : '') + event.key.toLowerCase();
  return ({ b: 'bold', i: 'italic', 'shift x': 'strike', 'shift m': 'mono' } as Record<string, Mark>)[key];
}

/** Sets a mark in a field, so that undoing works. */
export function set(field: HTMLTextAreaElement, mark: Mark): void {
  const old = field.value;
  const now = marked({ text: old, start: field.selectionStart, end: field.selectionEnd }, mark);
  field.focus();
  // The part that differs is what is replaced.
  let from = 0;
  while (from < Math.min(old.length, now.text.length) && old[from] === now.text[from]) from++;
  let tail = 0;
  while (tail < Math.min(old.length, now.text.length) - from && old.at(-1 - tail) === now.text.at(-1 - tail))
    tail++;
  field.setSelectionRange(from, old.length - tail);
  const put = now.text.slice(from, now.text.length - tail);
  // There is no other way to change a field that undoing knows of.
  if (!document.execCommand(put ? 'insertText' : 'delete', false, put)) {
    field.setRangeText(put);
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
  field.setSelectionRange(now.start, now.end);
}
