import { languages } from '../channels/languages.js';
import { baseOf } from './base-language.js';

/** What Whisper was taught, by ISO 639-1: its API takes no other names. */
const TAUGHT = new Set(
  (
    'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha he hi hr ht hu hy id is it ja ka kk km kn ko ' +
    'la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl no oc pa pl ps pt ro ru sa sd si sk sl sn so sq sr su sv sw ta te tg th tk tl tr ' +
    'tt uk ur uz vi yi yo zh jv'
  ).split(' '),
);

/** Where the product calls a language otherwise than ISO 639-1. */
const OWN: Readonly<Record<string, string>> = { fil: 'tl' };

/** The name by which a model is told what is spoken; null when it has not learnt it. */
export function spokenCode(langCode: string): string | null {
  const code = OWN[langCode] ?? baseOf(langCode);
  return TAUGHT.has(code) ? code : null;
}

/** The langCodes that can be named to such a model. */
export const heardLanguages = (): ReadonlySet<string> =>
  new Set(languages().flatMap(({ langCode }) => (spokenCode(langCode) === null ? [] : [langCode])));

/** What models call otherwise than we do, in the variant that most people speak. Chinese is told by its script. */
const NAMES: Readonly<Record<string, string>> = {
  pt: 'pt-BR',
  portuguese: 'pt-BR',
  sr: 'sr-Cyrl',
  serbian: 'sr-Cyrl',
  tl: 'fil',
  tagalog: 'fil',
  nn: 'no',
  nynorsk: 'no',
  cantonese: 'yue',
};

/** The langCode of a language as models name it (`english`, `en`); null for what says too little. */
export function langCodeNamed(said: string | null): string | null {
  const name = said?.trim().toLowerCase() ?? '';
  const own = NAMES[name];
  if (own !== undefined) return own;
  const found = languages().find(
    ({ langCode, englishName }) => langCode.toLowerCase() === name || englishName.toLowerCase() === name,
  );
  return found?.langCode ?? null;
}
