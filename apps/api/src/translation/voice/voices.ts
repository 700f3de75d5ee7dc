/**
 * The voice of eSpeak NG for each language that it speaks intelligibly. Without Japanese, of which it cannot read kanji, and without those that
 * its authors call drafts.
 */
const OWN: Readonly<Record<string, string>> = {
  'zh-Hans': 'cmn',
  'zh-Hant': 'cmn',
  en: 'en-us',
  'en-GB': 'en-gb',
  'es-419': 'es-419',
  fr: 'fr-fr',
  'fr-CA': 'fr-fr',
  'pt-BR': 'pt-br',
  'pt-PT': 'pt',
  no: 'nb',
  kmr: 'ku',
};

const SAME = new Set(
  (
    'af an ar az be bg bn bs ca cs cy da de el eo es et eu fa fi ga gd gn gu hi hr hu hy id is it ka kk kn ko ky la lb lt lv mk ml mr ms mt ' +
    'ne nl or pa pl ro ru si sk sl sq sr sv sw ta te tr tt uk ur uz vi yue'
  ).split(' '),
);

/** Null: it cannot be spoken. */
export const voiceOf = (langCode: string): string | null => {
  const base = baseOf(langCode);
  return OWN[langCode] ?? (SAME.has(base) ? base : null);
};

/** The language of a langCode without region and script: `sr` of `sr-Latn`, `pt` of `pt-BR`. */
export const baseOf = (langCode: string): string => langCode.split('-', 1)[0] ?? langCode;
