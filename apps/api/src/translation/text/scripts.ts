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
