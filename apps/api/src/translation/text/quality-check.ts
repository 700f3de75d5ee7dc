import { MAY_HIDE_LETTERS } from './find-protected.js';
import { protect } from './protect.js';

/** `blank`: nothing came back; `same`: the source did; `script`: something that cannot be the target language. */
export type QualityIssue = 'blank' | 'same' | 'script';

/** langCodes; source null when the vendor was to find out. */
export type Direction = { readonly source: string | null; readonly target: string };

/**
 * Why `answer` is no translation of `piece` (a piece as prepared, with its masks), or null. In doubt it is one: a name, a brand, a code
 * or a word that both languages have may come back as it is.
 */
export const qualityIssueOf = (piece: string, answer: string, direction: Direction): QualityIssue | null => {
  const asked = wordsOf(piece);
  const answered = wordsOf(answer);
  if (isBlank(answer) || (answered.length === 0 && lengthOf(asked) >= LONG)) return 'blank';
  const letters = lettersOf(direction.target);
  if (plainly(piece) === plainly(answer)) return isSuspect(asked, letters, direction) ? 'same' : null;
  if (letters === null || (couldBeName(asked) && isName(answered, answer))) return null;
  return isForeign(asked, answered, letters) ? 'script' : null;
};

/** So many letters do not become a mere sign in any language. */
const LONG = 12;

const isBlank = (text: string): boolean => /^[\s\p{Cf}\p{Cc}]*$/u.test(text);
const plainly = (text: string): string => text.normalize('NFC').trim().replace(/\s+/gu, ' ');

/** The words around what is protected. In scripts without blanks a "word" is all that stands together. */
const wordsOf = (text: string): string[] => {
  const bare = text.replace(/\{\d{1,4}\}/g, ' ');
  return (MAY_HIDE_LETTERS.test(bare) ? protect(text).masked : bare).match(/\p{L}[\p{L}\p{M}'’]*/gu) ?? [];
};

const lengthOf = (words: readonly string[]): number => words.reduce((sum, word) => sum + Array.from(word).length, 0);

// iPhone, Nike, USB are names; hello is not, and letters without case have no way to say so.
const isOrdinary = (word: string): boolean => !/\p{Lu}|\p{Lt}/u.test(word);
const hasCase = (word: string): boolean => /\p{Ll}/u.test(word);
const isIn = (letters: RegExp, word: string): boolean => Array.from(word).some((letter) => letters.test(letter));

/** Letters that cannot say what is a name. */
const CASELESS = /[\p{Lo}\p{Script=Geor}]/u;

/** Whether a text may be nothing but a name: 谷歌 is Google in any script. */
const couldBeName = (asked: readonly string[]): boolean =>
  asked.some((word) => CASELESS.test(word)) && lengthOf(asked) < LONG;

const isName = (answered: readonly string[], answer: string): boolean =>
  answered.length > 0 && !answered.some(isOrdinary) && !/[.!?…]\s*$/u.test(answer);

/** Whether words that came back as they went really should have changed. */
const isSuspect = (words: readonly string[], letters: RegExp | null, { source, target }: Direction): boolean => {
  const ordinary = words.filter(isOrdinary);
  const near = source !== null && areNear(source, target);
  let foreign = letters === null ? [] : ordinary.filter((word) => !isIn(letters, word));
  // What both languages write alike may stay, and strangers in it do; not what stands in letters that only the source has.
  const home = near && letters !== null && words.some((word) => isIn(letters, word)) ? lettersOf(source) : null;
  if (home !== null) foreign = foreign.filter((word) => isIn(home, word));
  const certain = foreign.some((word) => !hasCase(word)) || lengthOf(foreign) >= 5;
  if (certain) return true;
  if (source === null || near) return false;
  return (
    ordinary.filter((word) => hasCase(word) && word.length > 1).length >= 3 ||
    lengthOf(ordinary.filter((word) => !hasCase(word))) >= LONG
  );
};

/**
 * Whether an answer is written in letters that its language does not have. Words of the source in it count only when nothing else is there:
 * a translation may keep what it likes of them, but not all of them and add nothing.
 */
const isForeign = (asked: readonly string[], answered: readonly string[], letters: RegExp): boolean => {
  const foreign = foreignTo(letters);
  if (!answered.some((word) => foreign.test(word))) return false;
  const kept = new Set(asked);
  let own = 0;
  let added = 0;
  let ordinary = 0;
  for (const word of answered) {
    const weights = weigh(word, letters);
    own += weights.own;
    if (!kept.has(word)) added += weights.foreign;
    else if (isOrdinary(word)) ordinary += weights.foreign;
  }
  return own === 0 ? added >= 2 || ordinary >= 5 : added >= 8 && added > own * 4;
};

// A sign of these says as much as several letters.
const HEAVY = /[\p{Script=Hani}\p{Script=Hira}\p{Script=Kana}\p{Script=Hang}]/u;

const weigh = (word: string, letters: RegExp): { own: number; foreign: number } => {
  const weights = { own: 0, foreign: 0 };
  for (const letter of word)
    if (/\p{L}/u.test(letter)) weights[letters.test(letter) ? 'own' : 'foreign'] += HEAVY.test(letter) ? 2 : 1;
  return weights;
};

/** The scripts (ISO 15924) that text in a language may be written in, where CLDR's likely one is not all of it. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  az: ['Cyrl', 'Arab'],
  ber: ['Latn', 'Arab'],
  bjn: ['Arab'],
  bs: ['Cyrl'],
  ckb: ['Latn'],
  crh: ['Latn'],
  doi: ['Arab'],
  ff: ['Adlm', 'Arab'],
  gom: ['Latn'],
  ha: ['Arab'],
  ikt: ['Cans'],
  iu: ['Latn'],
  jv: ['Arab', 'Java'],
  kk: ['Latn', 'Arab'],
  kmr: ['Arab', 'Cyrl'],
  ks: ['Deva'],
  ku: ['Arab', 'Cyrl'],
  ky: ['Arab', 'Latn'],
  lad: ['Hebr'],
  mn: ['Mong'],
  mni: ['Beng', 'Mtei', 'Latn'],
  ms: ['Arab'],
  // CLDR names a script of its own; the vendors write it with Latin letters.
  mww: ['Latn'],
  pa: ['Arab'],
  sat: ['Latn', 'Beng', 'Deva'],
  sd: ['Deva'],
  su: ['Sund', 'Arab'],
  tg: ['Arab', 'Latn'],
  tk: ['Cyrl', 'Arab'],
  tt: ['Latn'],
  ug: ['Latn', 'Cyrl'],
  uz: ['Cyrl', 'Arab'],
  zgh: ['Latn', 'Arab'],
};

/** Scripts that stand for several others. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  Hans: ['Hani', 'Bopo'],
  Hant: ['Hani', 'Bopo'],
  Jpan: ['Hani', 'Hira', 'Kana'],
  Kore: ['Hang', 'Hani'],
};

const known = new Map<string, RegExp | null>();

/** Matches one letter that a text in `langCode` may be written with. Null where that cannot be said: then nothing can be held against it. */
export const lettersOf = (langCode: string): RegExp | null => {
  let pattern = known.get(langCode);
  if (pattern === undefined) known.set(langCode, (pattern = patternOf(langCode)));
  return pattern;
};

const foreign = new Map<RegExp, RegExp>();

/** Matches a letter that is none of `letters`. */
export const foreignTo = (letters: RegExp): RegExp => {
  const pattern = foreign.get(letters) ?? new RegExp(`(?!${letters.source})\\p{L}`, 'u');
  foreign.set(letters, pattern);
  return pattern;
};

const patternOf = (langCode: string): RegExp | null => {
  try {
    const { language, script } = new Intl.Locale(langCode).maximize();
    if (script === undefined) return null;
    const told = new Intl.Locale(langCode).script !== undefined && language !== 'mni';
    const scripts = [script, ...(told ? [] : (ALSO[language] ?? []))].flatMap((code) => PARTS[code] ?? [code]);
    return new RegExp(
      `[${scripts.map((code) => `\\p{Script_Extensions=${code}}`).join('')}\\p{Script=Zyyy}\\p{Script=Zinh}]`,
      'u',
    );
  } catch {
    // A tag or a script that this platform does not know.
    return null;
  }
};

/** Languages so near to one another that a sentence may well read the same in both. */
const NEAR: readonly ReadonlySet<string>[] = [
  new Set(['zh', 'yue', 'lzh']),
  new Set(['id', 'ms', 'bjn', 'min', 'jv', 'su']),
  new Set(['no', 'nb', 'nn', 'da', 'sv']),
  new Set(['es', 'gl', 'pt', 'ca', 'oc', 'an', 'ast', 'it']),
  new Set(['hr', 'bs', 'sr', 'sh', 'sl', 'mk', 'bg']),
  new Set(['cs', 'sk']),
  new Set(['ru', 'uk', 'be', 'bg']),
  new Set(['tr', 'az', 'crh', 'tk', 'gag']),
  new Set(['tt', 'ba', 'kk', 'ky']),
  new Set(['hi', 'mr', 'ne', 'bho', 'mai', 'doi', 'gom', 'sa', 'awa', 'hne']),
  new Set(['fa', 'prs', 'tg']),
  new Set(['de', 'lb', 'nds', 'gsw', 'hrx', 'bar']),
  new Set(['nl', 'af', 'fy', 'li']),
  new Set(['zu', 'xh', 'nr', 'ss']),
  new Set(['st', 'tn', 'nso']),
  new Set(['fr', 'ht', 'oc', 'wa']),
  new Set(['fi', 'et']),
  new Set(['lv', 'ltg']),
  new Set(['it', 'scn', 'vec', 'lmo', 'lij', 'fur']),
];

export const areNear = (one: string, other: string): boolean => {
  const [a, b] = [baseOf(one), baseOf(other)];
  return a === b || NEAR.some((family) => family.has(a) && family.has(b));
};

const baseOf = (langCode: string): string => langCode.split('-', 1)[0] ?? langCode;
