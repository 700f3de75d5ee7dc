import { VENDORS, type VendorName } from './account.js';
import { detectLanguage, type DetectedLanguage } from './translation/detection.js';
import { languageOf, type Register } from './translation/language.js';
import { sandboxIn } from './translation/scripts.js';
import type { Corruption } from './vendor-faults.js';
import { tokenize } from './translation/tokenizer.js';
import { sandboxTranslation, type TranslationStyle } from './translation/translator.js';

/** Texts to translate; language codes are the vendor's. Source null: detect each text's language. */
export interface TranslationRequest {
  readonly vendor: VendorName;
  readonly texts: readonly string[];
  readonly source: string | null;
  readonly target: string;
  /** Glossary terms to apply. */
  readonly terms?: readonly Term[];
  readonly register?: Register | null;
}

/** A translated text, with the detected language when no source was given. */
export interface TranslatedText {
  readonly text: string;
  readonly detected: DetectedLanguage | null;
}

/** Translates texts in order and applies the corruptions. */
export function translate(
  { vendor, texts, source, target, terms = [], register = null }: TranslationRequest,
  corruptions: readonly Corruption[],
): readonly TranslatedText[] {
  const into = languageOf(target);
  return texts.slice(0, corruptions.includes('count') ? -1 : undefined).map((text) => {
    const detected = source === null ? detectLanguage(text) : null;
    const from = languageOf(source ?? detected?.tag ?? 'en');
    // A text already in the target language comes back unchanged.
    const unchanged: readonly Corruption[] = detected && from.tag === into.tag ? ['echo'] : [];
    const style = { wording: VENDORS.indexOf(vendor), source: from, target: into, register };
    const made = corruptedTranslation(maskTerms(text, terms), style, [...unchanged, ...corruptions]);
    return { text: unmaskTerms(made, terms), detected };
  });
}

/** Translates one text and applies the corruptions. */
export function corruptedTranslation(
  text: string,
  style: TranslationStyle,
  corruptions: readonly Corruption[],
): string {
  if (corruptions.includes('empty')) return '';
  let made = corruptions.includes('echo') ? text : sandboxTranslation(text, style);
  if (corruptions.includes('script')) made = inOtherScript(text, style);
  if (corruptions.includes('lose')) made = dropVerbatim(made);
  if (corruptions.includes('lines')) made = made.replaceAll(/\s*[\r\n\u2028\u2029]+\s*/g, ' ');
  return made;
}

/** Every word in another script than the target's. */
function inOtherScript(text: string, { target }: TranslationStyle): string {
  const eastern = ['Hans', 'Hant', 'Jpan', 'Kore'].includes(target.script);
  const word = sandboxIn(eastern ? 'Cyrl' : 'Hans');
  return tokenize(text)
    .map((piece) => (piece.kind === 'word' ? word : piece.text))
    .join('');
}

/** Removes masks, placeholders, URLs, numbers, emoji and tags. */
const dropVerbatim = (text: string): string =>
  tokenize(text)
    .filter(({ kind }) => kind !== 'kept')
    .map((piece) => piece.text)
    .join('');

/** A glossary term with its translation. */
export interface Term {
  readonly term: string;
  readonly translation: string;
}

/** Placeholder of term `nth` while its text is translated; the numbers do not collide with the product's placeholders. */
const placeholderFor = (nth: number): string => `{${9000 + nth}}`;

/** Replaces glossary terms with placeholders that the translation keeps. */
export const maskTerms = (text: string, terms: readonly Term[]): string =>
  terms.reduce((hidden, { term }, nth) => hidden.replaceAll(term, placeholderFor(nth)), text);

export const unmaskTerms = (text: string, terms: readonly Term[]): string =>
  terms.reduce((shown, { translation }, nth) => shown.replaceAll(placeholderFor(nth), () => translation), text);
