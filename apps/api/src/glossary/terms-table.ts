/** A glossary as a table for spreadsheets: the columns of an export are what an import reads. */
import type { Column } from '../platform/csv.js';
import type { PairedTerm } from './term-rows.js';

export const FIELDS = ['source', 'target', 'term', 'translation'] as const;
export type Field = (typeof FIELDS)[number];

const HEADINGS: Readonly<Record<Field, { readonly zh: string; readonly en: string }>> = {
  source: { zh: '源语言', en: 'source' },
  target: { zh: '目标语言', en: 'target' },
  term: { zh: '术语', en: 'term' },
  translation: { zh: '译文', en: 'translation' },
};

/** What exports mark with an apostrophe, lest a spreadsheet takes it for a formula (platform/csv.ts), or has one of its own before that. */
const MARKED = /^'+(?:[=+\-@＝＋－＠\t\r\n]|[\s\p{C}]+[=+\-@＝＋－＠])/u;

export const marked = (text: string): string => (MARKED.test(text) ? `'${text}` : text);
/** The text of a cell that an export wrote, whatever was marked in it. */
export const unmarked = (cell: string): string => (MARKED.test(cell) ? cell.slice(1) : cell);

export const columns: readonly Column<PairedTerm>[] = FIELDS.map((field) => ({
  ...HEADINGS[field],
  value: (row) => marked(row[field]),
}));

/** Which column holds which field, by its headings in either language; null when one is missing or twice. */
export function placesOf(headings: readonly string[]): Readonly<Record<Field, number>> | null {
  const said = headings.map((heading) => heading.trim().toLowerCase());
  const places = FIELDS.map((field) => {
    const names: readonly string[] = Object.values(HEADINGS[field]);
    const found = [...said.keys()].filter((at) => names.includes(said[at] ?? ''));
    return found.length === 1 ? found[0] : undefined;
  });
  const [source, target, term, translation] = places;
  if (source === undefined || target === undefined || term === undefined || translation === undefined) return null;
  return { source, target, term, translation };
}
