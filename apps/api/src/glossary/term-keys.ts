import { type Term, termKey } from '@yiqiao/domain/glossary';

/** A term with its pair of langCodes. */
export type PairedTerm = Term & { readonly source: string; readonly target: string };

/** The derived columns of a term: its unique key, and the text that the filter searches. */
export const keysOf = ({ term, translation }: Term): { readonly termKey: string; readonly sought: string } => ({
  termKey: termKey(term),
  sought: searchText(`${term}\n${translation}`),
});

export const searchText = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Equal for terms of one pair that match the same places of a text. */
export const keyOf = ({ source, target, term }: Omit<PairedTerm, 'translation'>): string =>
  JSON.stringify([source, target, termKey(term)]);
