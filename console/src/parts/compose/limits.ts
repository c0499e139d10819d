/** How many characters a text has, as WhatsApp counts them. */
export const long = (text: string): number => [...text.trim()].length;

/** The problems that are there. */
export function found(...each: [boolean, string][]): string[] {
  return [...new Set(each.filter(([is]) => is).map(([, what]) => what))];
}

/** Whether two are the same. */
export const same = (texts: string[]): boolean => {
  const said = texts.map((text) => text.trim()).filter(Boolean);
  return new Set(said).size < said.length;
};

/** An id for each, which the answer brings back: its text, or more where two say the same. */
export function ids(texts: string[]): string[] {
  const seen = new Map<string, number>();
  return texts.map((text) => {
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    return times > 1 ? `${text} (${times})` : text;
  });
}

/** What is left out where nothing is written. */
export const given = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, text]) => (text.trim() ? [[name, text.trim()]] : [])));
