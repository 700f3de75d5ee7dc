import { VENDORS, type VendorName } from './account.js';
import { detected, type Detected } from './translation/detection.js';
import { languageOf } from './translation/language.js';
import type { Corruption } from './vendor-faults.js';
import { piecesOf } from './translation/pieces.js';
import { pseudoTranslation, type TranslationStyle } from './translation/translator.js';

/** Texts to translate, in the vendor's own codes. Source null: each text's own language is found out. */
export interface Job {
  readonly vendor: VendorName;
  readonly texts: readonly string[];
  readonly source: string | null;
  readonly target: string;
  /** What is to be called how. */
  readonly terms?: readonly Term[];
}

/** A translated text, with the language that was found where none was named. */
export interface Done {
  readonly text: string;
  readonly found: Detected | null;
}

/** What a vendor makes of its texts: as many, in their order, unless a switch has it otherwise. */
export function translate(
  { vendor, texts, source, target, terms = [] }: Job,
  corruptions: readonly Corruption[],
): readonly Done[] {
  const into = languageOf(target);
  return texts.slice(0, corruptions.includes('count') ? -1 : undefined).map((text) => {
    const found = source === null ? detected(text) : null;
    const from = languageOf(source ?? found?.tag ?? 'en');
    // What is in the target's language already comes back as it is.
    const asIs: readonly Corruption[] = found && from.tag === into.tag ? ['echo'] : [];
    const style = { vendor, wording: VENDORS.indexOf(vendor), source: from, target: into };
    const made = corruptedTranslation(hideTerms(text, terms), style, [...asIs, ...corruptions]);
    return { text: showTerms(made, terms), found };
  });
}

/** One text translated as the switches of its account want it. */
export function corruptedTranslation(
  text: string,
  style: TranslationStyle,
  corruptions: readonly Corruption[],
): string {
  if (corruptions.includes('empty')) return '';
  const wrong = corruptions.includes('script');
  let made = corruptions.includes('echo') ? text : pseudoTranslation(text, wrong ? otherScript(style) : style);
  if (corruptions.includes('lose')) made = withoutKept(made);
  if (corruptions.includes('lines')) made = made.replaceAll(/\s*[\r\n\u2028\u2029]+\s*/g, ' ');
  return made;
}

/** A language that is written quite differently from the one asked for. */
function otherScript(style: TranslationStyle): TranslationStyle {
  const eastern = ['Hans', 'Hant', 'Jpan', 'Kore'].includes(style.target.script);
  return { ...style, target: languageOf(eastern ? 'ru' : 'zh-Hans') };
}

/** Without masks, placeholders, addresses, numbers, emoji and tags. */
const withoutKept = (text: string): string =>
  piecesOf(text)
    .filter(({ kind }) => kind !== 'kept')
    .map((piece) => piece.text)
    .join('');

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
