/** What a glossary says of a word. */
export interface Term {
  readonly term: string;
  readonly translation: string;
}

/** What stands for term number `nth` while its text is translated: numbers that nobody else uses for placeholders. */
const standIn = (nth: number): string => `{${9000 + nth}}`;

/** A text with something in place of its terms that translation leaves alone. */
export const hideTerms = (text: string, terms: readonly Term[]): string =>
  terms.reduce((hidden, { term }, nth) => hidden.replaceAll(term, standIn(nth)), text);

export const showTerms = (text: string, terms: readonly Term[]): string =>
  terms.reduce((shown, { translation }, nth) => shown.replaceAll(standIn(nth), () => translation), text);
