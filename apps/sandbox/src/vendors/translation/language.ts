/** A language of the sandbox. */
export interface Language {
  /** BCP-47: `zh-Hant`, `pt`, `ja`. */
  readonly tag: string;
  /** The language subtag: `pt` of `pt-BR`. */
  readonly base: string;
  /** The ISO 15924 script: `Hant`, `Latn`, `Jpan`. */
  readonly script: string;
}

/** Vendor codes that differ from BCP-47. */
const OWN_CODES: Readonly<Record<string, string>> = {
  zh: 'zh-Hans',
  'zh-cn': 'zh-Hans',
  'zh-chs': 'zh-Hans',
  'zh-tw': 'zh-Hant',
  'zh-cht': 'zh-Hant',
  zt: 'zh-Hant',
  iw: 'he',
  jw: 'jv',
  tl: 'fil',
  jp: 'ja',
  kr: 'ko',
  pb: 'pt-BR',
  no: 'nb',
  hne: 'hne-Deva',
  mww: 'mww-Latn',
  tlh: 'tlh-Latn',
  otq: 'otq-Latn',
  yua: 'yua-Latn',
};

/** Scripts of languages that CLDR does not cover. */
const SCRIPTS: Readonly<Record<string, string>> = { iu: 'Cans', prs: 'Arab', 'pa-arab': 'Arab', ckb: 'Arab' };

const known = new Map<string, Language>();

/** The language of a vendor code, case-insensitive. */
export function languageOf(code: string): Language {
  const key = code.toLowerCase();
  let language = known.get(key);
  if (!language) {
    const tag = OWN_CODES[key] ?? code;
    const locale = new Intl.Locale(tag).maximize();
    const base = new Intl.Locale(tag).language;
    const script = SCRIPTS[key] ?? (locale.language === 'zh' && locale.script === 'Hans' ? 'Hans' : locale.script);
    language = { tag: canonicalTag(tag), base, script: script ?? 'Latn' };
    known.set(key, language);
  }
  return language;
}

function canonicalTag(tag: string): string {
  const { language, script } = new Intl.Locale(tag);
  return script ? `${language}-${script}` : language;
}

/** How a reader is addressed. */
export type Register = 'formal' | 'informal';
