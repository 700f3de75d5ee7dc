/** The table of a glossary for spreadsheets: imports read the columns of exports. */
import type { Column } from '../platform/csv.js';
import type { PairedTerm } from './term-keys.js';

export const FIELDS = ['source', 'target', 'term', 'translation'] as const;
export type Field = (typeof FIELDS)[number];

const HEADINGS: Readonly<Record<Field, { readonly zh: string; readonly en: string }>> = {
  source: { zh: '原文语言', en: 'source' },
  target: { zh: '译文语言', en: 'target' },
  term: { zh: '术语', en: 'term' },
  translation: { zh: '译文', en: 'translation' },
};
/** Headings of earlier exports. */
const FORMER_HEADINGS: Partial<Record<Field, string>> = { source: '源语言', target: '目标语言' };

/** Cells that exports escape with an apostrophe so that spreadsheets do not read them as formulas (platform/csv.ts). */
const FORMULA = /^'+(?:[=+\-@＝＋－＠\t\r\n]|[\s\p{C}]+[=+\-@＝＋－＠])/u;

export const escaped = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);
/** The original text of an exported cell. */
export const unescaped = (cell: string): string => (FORMULA.test(cell) ? cell.slice(1) : cell);

export const columns: readonly Column<PairedTerm>[] = FIELDS.map((field) => ({
  ...HEADINGS[field],
  value: (row) => escaped(row[field]),
}));

/** The column of each field, by its heading in either language; null when one is missing or repeated. */
export function columnPositions(headings: readonly string[]): Readonly<Record<Field, number>> | null {
  const names = headings.map((heading) => heading.trim().toLowerCase());
  const positions = FIELDS.map((field) => {
    const known = [...Object.values(HEADINGS[field]), FORMER_HEADINGS[field]];
    const found = [...names.keys()].filter((at) => known.includes(names[at]));
    return found.length === 1 ? found[0] : undefined;
  });
  const [source, target, term, translation] = positions;
  if (source === undefined || target === undefined || term === undefined || translation === undefined) return null;
  return { source, target, term, translation };
}
