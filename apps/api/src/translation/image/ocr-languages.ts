/** Tesseract's names of the languages that the product knows. Installed they are read, whoever installs them. */
const NAMES: Readonly<Record<string, string>> = {
  'zh-Hans': 'chi_sim',
  'zh-Hant': 'chi_tra',
  en: 'eng',
  ja: 'jpn',
  ko: 'kor',
  es: 'spa',
  'pt-BR': 'por',
  'pt-PT': 'por',
  fr: 'fra',
  it: 'ita',
  ca: 'cat',
  de: 'deu',
  ru: 'rus',
  nl: 'nld',
  pl: 'pol',
  sv: 'swe',
  da: 'dan',
  nb: 'nor',
  fi: 'fin',
  cs: 'ces',
  sk: 'slk',
  hu: 'hun',
  ro: 'ron',
  bg: 'bul',
  uk: 'ukr',
  el: 'ell',
  tr: 'tur',
  vi: 'vie',
  id: 'ind',
  ms: 'msa',
  th: 'tha',
  hi: 'hin',
  bn: 'ben',
  ta: 'tam',
  ar: 'ara',
  fa: 'fas',
  he: 'heb',
  gl: 'glg',
  eo: 'epo',
  eu: 'eus',
};

/** What comes along with the service, whatever is installed. */
export const BUILT_IN: ReadonlySet<string> = new Set(['eng', 'chi_sim']);

/** The langCodes that can be read with these languages of Tesseract. */
export const readable = (installed: ReadonlySet<string>): readonly string[] =>
  Object.entries(NAMES).flatMap(([langCode, name]) => (installed.has(name) ? [langCode] : []));

/** Null for a language that Tesseract has no name for here. */
export const ocrName = (langCode: string): string | null => NAMES[langCode] ?? null;

/** When nobody says which language it is: the two that most pictures of this product are in. */
export const UNTOLD: readonly string[] = ['chi_sim', 'eng'];
