/**
 * The allowed pairs of Apertium by langCode. Every mode here was tried on sentences; other modes are not used even when they are
 * installed. Left out on purpose: hbs-*, *-hbs, ro-es, swe-isl, afr-nld, nld-afr (print `#`, `@` or `*` marks), ca-eo and
 * es-eo (shipped without their data), mkd-eng and eu-* (word salad). Norwegian is Bokmål. Where the target has a regional mode it is
 * preferred.
 */
const MODES: readonly (readonly [source: string, target: string, mode: string])[] = [
  ['en', 'es', 'eng-spa'],
  ['es', 'en', 'spa-eng_US'],
  ['es', 'en', 'spa-eng'],
  ['es', 'en-GB', 'spa-eng'],
  ['en', 'ca', 'eng-cat'],
  ['ca', 'en', 'cat-eng_US'],
  ['ca', 'en', 'cat-eng'],
  ['ca', 'en-GB', 'cat-eng'],
  ['en', 'eo', 'en-eo'],
  ['eo', 'en', 'eo-en'],
  ['en', 'gl', 'en-gl'],
  ['gl', 'en', 'gl-en'],
  ['es', 'fr', 'es-fr'],
  ['fr', 'es', 'fr-es'],
  ['es', 'pt-BR', 'es-pt_BR'],
  ['es', 'pt-PT', 'es-pt'],
  ['pt-PT', 'es', 'pt-es'],
  ['es', 'it', 'spa-ita'],
  ['it', 'es', 'ita-spa'],
  ['es', 'ca', 'spa-cat'],
  ['ca', 'es', 'cat-spa'],
  ['es', 'gl', 'es-gl'],
  ['gl', 'es', 'gl-es'],
  ['es', 'oc', 'es-oc'],
  ['oc', 'es', 'oc-es'],
  ['ca', 'fr', 'cat-fra'],
  ['fr', 'ca', 'fra-cat'],
  ['ca', 'it', 'cat-ita'],
  ['it', 'ca', 'ita-cat'],
  ['ca', 'pt-BR', 'cat-por_BR'],
  ['ca', 'pt-PT', 'cat-por'],
  ['pt-PT', 'ca', 'por-cat'],
  ['ca', 'oc', 'ca-oc'],
  ['oc', 'ca', 'oc-ca'],
  ['gl', 'pt-PT', 'gl-pt'],
  ['pt-PT', 'gl', 'pt-gl'],
  ['fr', 'eo', 'fr-eo'],
  ['br', 'fr', 'br-fr'],
  ['sv', 'da', 'swe-dan'],
  ['da', 'sv', 'dan-swe'],
  ['sv', 'no', 'swe-nob'],
  ['no', 'sv', 'nob-swe'],
  ['da', 'no', 'dan-nob'],
  ['no', 'da', 'nob-dan'],
  ['is', 'en', 'isl-eng'],
  ['is', 'sv', 'isl-swe'],
  ['be', 'ru', 'bel-rus'],
  ['ru', 'be', 'rus-bel'],
  ['uk', 'ru', 'ukr-rus'],
  ['ru', 'uk', 'rus-ukr'],
  ['bg', 'mk', 'bul-mkd'],
  ['mk', 'bg', 'mkd-bul'],
  ['pl', 'szl', 'pol-szl'],
  ['szl', 'pl', 'szl-pol'],
  ['id', 'ms', 'ind-zlm'],
  ['ms', 'id', 'zlm-ind'],
  ['ur', 'hi', 'urd-hin'],
  ['hi', 'ur', 'hin-urd'],
];

/** Varieties that an engine reads as well as its own. Only as a source, because it writes its own variety. */
const READ_AS: Readonly<Record<string, string>> = { 'en-GB': 'en', 'es-419': 'es', 'fr-CA': 'fr', 'pt-BR': 'pt-PT' };

/** Intermediate languages for pairs without a direct mode, best first. */
const PIVOTS = ['es', 'ca', 'en', 'fr', 'pt-PT', 'gl', 'ru', 'sv', 'da', 'no'];

/** One or two modes with the langCode between them. */
export type Route = { readonly modes: readonly string[]; readonly via: string | null };

export const MODE_NAMES: readonly string[] = [...new Set(MODES.map(([, , mode]) => mode))];

export const LANG_CODES: readonly string[] = [
  ...new Set([...MODES.flatMap(([source, target]) => [source, target]), ...Object.keys(READ_AS)]),
];

const language = (langCode: string): string => langCode.split('-')[0] ?? langCode;

/** The route between two langCodes with the installed modes: direct, else in two steps, else null. */
export const routeOf = (installed: ReadonlySet<string>, source: string, target: string): Route | null => {
  // Two varieties of one language are not a pair: translating there and back would only lose.
  if (language(source) === language(target)) return null;
  const from = READ_AS[source] ?? source;
  const direct = modeOf(installed, from, target);
  if (direct !== null) return { modes: [direct], via: null };
  for (const via of PIVOTS) {
    if (language(via) === language(from) || language(via) === language(target)) continue;
    const first = modeOf(installed, from, via);
    const second = modeOf(installed, READ_AS[via] ?? via, target);
    if (first !== null && second !== null) return { modes: [first, second], via };
  }
  return null;
};

const modeOf = (installed: ReadonlySet<string>, source: string, target: string): string | null =>
  MODES.find(([from, to, mode]) => from === source && to === target && installed.has(mode))?.[2] ?? null;
