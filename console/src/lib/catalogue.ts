export type Product = {
  id: string;
  version: number;
  name: string;
  localName?: string;
  category?: string;
  brand?: string;
  unit: string;
  packSize?: string;
  price: string;
  stockQuantity?: string;
  lowStockThreshold?: string;
  active?: boolean;
  variants?: { sku: string; size: string; price: string; stockQuantity?: string; unit?: string }[];
  subcategory?: string;
  keywords?: string[];
  mrp?: string;
  taxRate?: string;
  hsn?: string;
  imageUrl?: string;
};

/** What a product is sold in. */
export const units =
  'kg g l ml metre foot inch piece dozen bunch packet bottle box jar tube strip coil roll set pair bundle sheet plate portion slice'.split(
    ' ',
  );

/** The columns of the import, and by which words a spreadsheet may name them. */
export const columns: Record<string, string[]> = {
  product_id: ['id', 'code', 'sku', 'item code'],
  name: ['product', 'item', 'product name', 'item name', 'नाम', 'सामान'],
  name_local: ['local name', 'hindi', 'hindi name', 'स्थानीय नाम'],
  category: ['group', 'श्रेणी'],
  brand: ['company', 'ब्रांड'],
  unit: ['uom', 'इकाई'],
  pack_size: ['pack', 'size', 'packing', 'पैक'],
  price: ['rate', 'mrp', 'selling price', 'दाम', 'कीमत', 'भाव'],
  stock: ['qty', 'quantity', 'stock quantity', 'स्टॉक'],
  keywords: ['other names', 'words'],
  tax_rate: ['gst', 'tax', 'gst %', 'gst rate'],
  hsn: ['hsn code'],
};

/** The columns that each line needs. */
export const needed = ['name', 'unit', 'price'];

export type Fault = { line: number; column: string; detail: string };

/** Reads what was copied from a spreadsheet, tab by tab, or a CSV file, whose cells may stand in quotes. */
export function cells(text: string): string[][] {
  const first = text.slice(0, text.indexOf('\n') < 0 ? undefined : text.indexOf('\n'));
  const between = first.includes('\t') ? '\t' : first.includes(';') && !first.includes(',') ? ';' : ',';
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const sign = text[i]!;
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (text[i + 1] === '"') cell += text[++i];
      else quoted = false;
    } else if (sign === '"' && !cell.trim()) [quoted, cell] = [true, ''];
    else if (sign === between || sign === '\n') {
      row.push(cell);
      cell = '';
      if (sign === '\n') row = (rows.push(row), []);
    } else if (sign !== '\r') cell += sign;
  }
  if (cell || row.length) rows.push([...row, cell]);
  return rows
    .map((each) => each.map((one) => one.replace(/\s+/g, ' ').trim()))
    .filter((each) => each.some(Boolean));
}

/** The column of the import that a heading means, or "". */
export function columnOf(heading: string): string {
  const word = heading.toLowerCase().replace(/\s+/g, ' ').trim();
  if (word.replace(/ /g, '_') in columns) return word.replace(/ /g, '_');
  return Object.keys(columns).find((name) => columns[name]!.includes(word)) ?? '';
}

export type Sheet = { columns: string[]; rows: string[][] };

/** A pasted sheet. Without headings, its columns are those of the import in their order, from the name on. */
export function sheetOf(text: string): Sheet {
  const [first = [], ...rest] = cells(text);
  const headings = first.map(columnOf);
  if (headings.includes('name')) return { columns: headings, rows: rest };
  const usual = ['name', 'unit', 'price', 'stock'];
  return { columns: first.map((_, i) => usual[i] ?? ''), rows: first.length ? [first, ...rest] : [] };
}

/** What the page itself sees that is wrong. Line 1 is the heading, as in the API's answer, which knows more. */
export function faultsOf(sheet: Sheet, say: { missing: string; amount: string; twice: string }): Fault[] {
  const all: Fault[] = [];
  const at = (name: string) => sheet.columns.indexOf(name);
  const seen = new Set<string>();
  sheet.rows.forEach((row, i) => {
    const wrong = (column: string, detail: string) => all.push({ line: i + 2, column, detail });
    for (const column of needed) if (!row[at(column)]) wrong(column, say.missing);
    for (const column of ['price', 'stock', 'tax_rate']) {
      const text = plain(row[at(column)] ?? '');
      if (text && !/^\d{1,9}(\.\d+)?$/.test(text)) wrong(column, say.amount);
    }
    const id = row[at('product_id')];
    if (id && seen.has(id)) wrong('product_id', say.twice);
    if (id) seen.add(id);
  });
  return all;
}

/** A number without what shops write around it, as the import reads it. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/^(₹|rs\.?|inr)\s*/, '')
    .replace(/\s*(\/-|\/|₹|rs|%)$/, '')
    .replace(/,/g, '')
    .trim();
}

/** The file that the import takes. Each row is one line. */
export function csvOf(sheet: Sheet): string {
  const taken = sheet.columns.map((name, i) => [name, i] as const).filter(([name]) => name);
  const quoted = (text: string) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = sheet.rows.map((row) =>
    taken.map(([name, i]) => quoted(name === 'tax_rate' ? (row[i] ?? '').replace('%', '').trim() : (row[i] ?? ''))),
  );
  return [taken.map(([name]) => name), ...lines].map((line) => line.join(',') + '\n').join('');
}

/** An id for a product that somebody adds by its name. It is readable, and no two are the same. */
export function newId(name: string): string {
  const word = name
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `${word.slice(0, 24) || 'PROD'}-${crypto.randomUUID().slice(0, 8).toUpperCase()}`;
}
