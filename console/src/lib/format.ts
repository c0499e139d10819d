/** A piece of a text with the formatting that WhatsApp shows. */
export type Piece = { text: string; style: '' | 'bold' | 'italic' | 'strike' | 'mono' | 'link' };

type Style = Piece['style'];

// A mark counts as in WhatsApp: at the border of a word, around a text without spaces at its ends, within a line.
const between = (style: Style, mark: string) =>
  `(?<![\\p{L}\\p{N}${mark}])${mark}(?=\\S)(?<${style}>[^${mark}\\n]*[^\\s${mark}])${mark}(?![\\p{L}\\p{N}${mark}])`;

const marked = new RegExp(
  [
    '```(?<mono>[^`]+)```',
    '`(?<code>[^`\\n]+)`',
    '(?<link>https?://[^\\s<>"]+[^\\s<>".,;:!?)])',
    between('bold', '\\*'),
    between('italic', '_'),
    between('strike', '~'),
  ].join('|'),
  'gu',
);

/** Splits a text into its pieces. Nothing of it is ever taken for HTML. */
export function pieces(text: string): Piece[] {
  const all: Piece[] = [];
  let end = 0;
  for (const found of text.matchAll(marked)) {
    if (found.index > end) all.push({ text: text.slice(end, found.index), style: '' });
    for (const [style, piece] of Object.entries(found.groups ?? {})) {
      if (piece !== undefined) all.push({ text: piece, style: style === 'code' ? 'mono' : (style as Style) });
    }
    end = found.index + found[0].length;
  }
  if (end < text.length) all.push({ text: text.slice(end), style: '' });
  return all;
}

/** What stands below each other in a text: lines, a quote, or the items of a list as WhatsApp shows them. */
export type Block = { kind: 'lines' | 'quote' | 'bullets' | 'numbers'; lines: string[]; from?: number };

const begins = { quote: /^> ?(?=.)/, bullets: /^[*-] +(?=\S)/, numbers: /^(\d{1,3})\. +(?=\S)/ } as const;

/** Splits a text into its blocks. What stands between three backticks belongs together over its lines. */
export function blocks(text: string): Block[] {
  const all: Block[] = [];
  let inside = false;
  for (const line of text.split('\n')) {
    const kinds = inside ? [] : (Object.keys(begins) as (keyof typeof begins)[]);
    const kind = kinds.find((one) => begins[one].test(line)) ?? 'lines';
    const found = kind === 'lines' ? null : begins[kind].exec(line);
    const last = all.at(-1);
    const rest = line.slice(found?.[0].length ?? 0);
    if (last?.kind === kind) last.lines.push(rest);
    else all.push({ kind, lines: [rest], from: found?.[1] ? Number(found[1]) : undefined });
    if ((line.match(/```/g)?.length ?? 0) % 2) inside = !inside;
  }
  return all;
}

/** An address of a customer as people read it: +91 98765 43210 for a number, as it is for anything else. */
export function address(id: string): string {
  if (!/^\d{7,15}$/.test(id)) return id;
  return id.startsWith('91') && id.length === 12 ? `+91 ${id.slice(2, 7)} ${id.slice(7)}` : `+${id}`;
}

/** The time of today, the weekday of this week, or the date. */
export function when(at: string, language: string, now = new Date()): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return '';
  const days = Math.floor((startOfDay(now) - startOfDay(time)) / 86_400_000);
  if (days <= 0) return clock(at, language);
  if (days < 7) return time.toLocaleDateString(language, { weekday: 'short' });
  const year = days > 300 ? '2-digit' : undefined;
  return time.toLocaleDateString(language, { day: 'numeric', month: 'short', year });
}

export function clock(at: string, language: string): string {
  return new Date(at).toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' });
}

export function day(at: string, language: string): string {
  return new Date(at).toLocaleDateString(language, { weekday: 'long', day: 'numeric', month: 'long' });
}

function startOfDay(t: Date): number {
  return new Date(t.getFullYear(), t.getMonth(), t.getDate()).getTime();
}

/** How long a time is still to come, as 23 h or 40 min; "" once it has passed. */
export function left(until: string | undefined, now: number): string {
  const minutes = until ? Math.floor((Date.parse(until) - now) / 60_000) : 0;
  if (!(minutes > 0)) return '';
  return minutes >= 60 ? `${Math.floor(minutes / 60)} h` : `${minutes} min`;
}

export function money(amount: string, currency: string, language: string): string {
  return Number(amount).toLocaleString(language, { style: 'currency', currency, minimumFractionDigits: 0 });
}

/** How long sound lasts, in minutes and seconds. */
export function duration(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** How large a file is. */
export function bytes(size: number, language: string): string {
  const mega = size >= 1_000_000;
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: mega ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: mega ? 1 : 0,
  }).format(Math.max(size, 1000) / (mega ? 1e6 : 1e3));
}
