/** A language as the pseudo-translation knows it. */
export interface Language {
  /** BCP-47: `zh-Hant`, `pt`, `ja`. */
  readonly tag: string;
  /** Its language alone: `pt` of `pt-BR`. */
  readonly base: string;
  /** Its script by ISO 15924: `Hant`, `Latn`, `Jpan`. */
  readonly script: string;
}

/** Vendors' own codes that BCP-47 reads otherwise or not at all. */
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

/** Scripts that CLDR does not know of a language that vendors translate into. */
const SCRIPTS: Readonly<Record<string, string>> = { iu: 'Cans', prs: 'Arab', 'pa-arab': 'Arab', ckb: 'Arab' };

const known = new Map<string, Language>();

/** The language behind a vendor's code, whatever its case. */
export function languageOf(code: string): Language {
  const asked = code.toLowerCase();
  let language = known.get(asked);
  if (!language) {
    const tag = OWN_CODES[asked] ?? code;
    const locale = new Intl.Locale(tag).maximize();
    const base = new Intl.Locale(tag).language;
    const script = SCRIPTS[asked] ?? (locale.language === 'zh' && locale.script === 'Hans' ? 'Hans' : locale.script);
    language = { tag: canonicalTag(tag), base, script: script ?? 'Latn' };
    known.set(asked, language);
  }
  return language;
}

function canonicalTag(tag: string): string {
  const { language, script } = new Intl.Locale(tag);
  return script ? `${language}-${script}` : language;
}
