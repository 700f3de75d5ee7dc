import { MAY_HIDE_LETTERS } from './find-protected.js';
import { protect } from './protect.js';

/** `blank`: the answer is empty; `same`: it equals the source; `script`: it cannot be the target language. */
export type QualityIssue = 'blank' | 'same' | 'script';

/** langCodes; source null when the vendor detects it. */
export type Direction = { readonly source: string | null; readonly target: string };

/**
 * Why `answer` is not a translation of `piece` (as prepared, with its placeholders), or null. In doubt it is one: a name, a brand, a code or
 * a word that both languages share may stay unchanged.
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

/** This many letters do not become a single sign in any language. */
const LONG = 12;

const isBlank = (text: string): boolean => /^[\s\p{Cf}\p{Cc}]*$/u.test(text);
const plainly = (text: string): string => text.normalize('NFC').trim().replace(/\s+/gu, ' ');

/** The words besides the protected pieces. In scripts without spaces a "word" is a run of letters. */
const wordsOf = (text: string): string[] => {
  const bare = text.replace(/\{\d{1,4}\}/g, ' ');
  return (MAY_HIDE_LETTERS.test(bare) ? protect(text).masked : bare).match(/\p{L}[\p{L}\p{M}'’]*/gu) ?? [];
};

const lengthOf = (words: readonly string[]): number => words.reduce((sum, word) => sum + Array.from(word).length, 0);

// iPhone, Nike, USB are names; hello is not, and letters without case cannot show it.
const isOrdinary = (word: string): boolean => !/\p{Lu}|\p{Lt}/u.test(word);
const hasCase = (word: string): boolean => /\p{Ll}/u.test(word);
const isIn = (letters: RegExp, word: string): boolean => Array.from(word).some((letter) => letters.test(letter));

/** Letters without case, which cannot mark a name. */
const CASELESS = /[\p{Lo}\p{Script=Geor}]/u;

/** Whether a text may be only a name: 谷歌 is Google in any script. */
const couldBeName = (asked: readonly string[]): boolean =>
  asked.some((word) => CASELESS.test(word)) && lengthOf(asked) < LONG;

const isName = (answered: readonly string[], answer: string): boolean =>
  answered.length > 0 && !answered.some(isOrdinary) && !/[.!?…]\s*$/u.test(answer);

/** Whether unchanged words should have been translated. */
const isSuspect = (words: readonly string[], letters: RegExp | null, { source, target }: Direction): boolean => {
  const ordinary = words.filter(isOrdinary);
  const near = source !== null && areNear(source, target);
  let foreign = letters === null ? [] : ordinary.filter((word) => !isIn(letters, word));
  // Words that both languages share may stay, and so may foreign words; words in letters that only the source has may not.
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
 * Whether an answer is written in letters that its language does not have. Words of the source count only when there are no others: a
 * translation may keep some of them, but not all without adding anything.
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

// One character of these scripts weighs as much as several letters.
const HEAVY = /[\p{Script=Hani}\p{Script=Hira}\p{Script=Kana}\p{Script=Hang}]/u;

const weigh = (word: string, letters: RegExp): { own: number; foreign: number } => {
  const weights = { own: 0, foreign: 0 };
  for (const letter of word)
    if (/\p{L}/u.test(letter)) weights[letters.test(letter) ? 'own' : 'foreign'] += HEAVY.test(letter) ? 2 : 1;
  return weights;
};

/** Further scripts (ISO 15924) of a language besides CLDR's likely one. */
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
  // CLDR names its own script; the vendors write it with Latin letters.
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

/** Scripts that consist of several others. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  Hans: ['Hani', 'Bopo'],
  Hant: ['Hani', 'Bopo'],
  Jpan: ['Hani', 'Hira', 'Kana'],
  Kore: ['Hang', 'Hani'],
};

const known = new Map<string, RegExp | null>();

/** Matches a letter of the language; null where its letters are unknown, so that nothing can be checked. */
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
    // An unknown tag or script.
    return null;
  }
};

/** Languages so close that a sentence may be the same in both. */
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
