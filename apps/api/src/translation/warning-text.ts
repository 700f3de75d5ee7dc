import type { Language } from '@yiqiao/contracts/envelope';
import type { TextWarning } from './channels/channel.js';
import { languageOf } from './channels/languages.js';
import type { Languages } from './resolve-languages.js';

/** What the reader must be told about an answer, in their language; null when there is nothing to say. */
export function warningText(warning: TextWarning | null, languages: Languages, language: Language): string | null {
  const sentences = [warning ? about(warning, language) : null, languages.sure ? null : UNSURE[language]];
  return sentences.filter((sentence) => sentence !== null).join(language === 'zh' ? '' : ' ') || null;
}

const UNSURE = {
  zh: '源语言由系统推测，可能不准确，请核对。',
  en: 'The source language is a guess; please check it.',
};

const about = (warning: TextWarning, language: Language): string => {
  if (warning.code === 'GLOSS')
    return language === 'zh'
      ? '逐词释义，非正式译文，本次免费。'
      : 'A word-by-word gloss, not a translation; it is free.';
  const via = languageOf(warning.via);
  return language === 'zh'
    ? `经${via?.chineseName ?? warning.via}转译，准确度会降低。`
    : `Translated via ${via?.englishName ?? warning.via}; expect less accuracy.`;
};
