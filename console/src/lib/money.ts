/** An amount, which the API gives as a decimal text, with its currency. It is never a float: no digit is lost. */
export function amount(text: string | undefined, currency: string, language: string): string {
  if (!text) return '';
  const whole = /^-?\d+(\.0+)?$/.test(text);
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: whole ? 0 : 2,
  });
  return format.format((whole ? text.replace(/\..*/, '') : text) as `${number}`);
}

/** Below 0, 0, or above it. */
export function sign(text: string): -1 | 0 | 1 {
  if (!/[1-9]/.test(text)) return 0;
  return text.startsWith('-') ? -1 : 1;
}

/** The amount without its sign. */
export const positive = (text: string): string => text.replace(/^-/, '');

/** The sum of amounts, exactly. */
export function sum(texts: string[]): string {
  const places = Math.max(0, ...texts.map((text) => text.split('.')[1]?.length ?? 0));
  const of = (text: string) => {
    const [whole = '0', part = ''] = text.split('.');
    return BigInt(whole + part.padEnd(places, '0'));
  };
  const all = texts.reduce((total, text) => total + of(text), 0n);
  const digits = String(all < 0n ? -all : all).padStart(places + 1, '0');
  const cut = digits.length - places;
  return (all < 0n ? '-' : '') + digits.slice(0, cut) + (places ? '.' + digits.slice(cut) : '');
}

/** What somebody has typed as an amount, as the API takes it: without spaces and commas between the digits. */
export const typed = (text: string): string => text.replace(/[\s,₹]/g, '');
