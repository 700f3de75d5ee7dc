import type { Language } from '@yiqiao/contracts/envelope';
import type { TextWarning } from './channels/channel.js';
import { languageOf } from './channels/languages.js';

/** What there is to say about one answer. `servedBy`: the channel that took over from the one that was asked, null when none did. */
export type Remarks = {
  readonly warning: TextWarning | null;
  readonly servedBy: { readonly name: string; readonly enName: string } | null;
  /** Whether the source language was told or found beyond doubt. */
  readonly sure: boolean;
};

/** What the reader must be told about an answer, in their language; null when there is nothing to say. */
export function warningText({ warning, servedBy, sure }: Remarks, language: Language): string | null {
  const sentences = [
    servedBy ? TOOK_OVER[language](servedBy) : null,
    warning ? about(warning, language) : null,
    sure ? null : UNSURE[language],
  ];
  return sentences.filter((sentence) => sentence !== null).join(language === 'zh' ? '' : ' ') || null;
}

const TOOK_OVER = {
  zh: ({ name }: { name: string }) => `所选通道暂不可用，本次由「${name}」通道翻译。`,
  en: ({ enName }: { enName: string }) => `The channel that was asked did not deliver; ${enName} translated this.`,
};

const UNSURE = {
  zh: '源语言由系统推测，可能不准确，请核对。',
  en: 'The source language is a guess; please check it.',
};

const about = (warning: TextWarning, language: Language): string => {
  if (warning.code === 'GLOSS')
    return language === 'zh'
      ? '逐词释义，非正式译文，本次免费。'
      : 'A word-by-word gloss, not a translation; it is free.';
  if (warning.code === 'LOST') return LOST[language](warning.lost);
  const via = languageOf(warning.via);
  return language === 'zh'
    ? `经${via?.chineseName ?? warning.via}转译，准确度会降低。`
    : `Translated via ${via?.englishName ?? warning.via}; expect less accuracy.`;
};

/** So many of the lost pieces are named, each so long at most: the sentence stands beside the translation. */
const NAMED = 3;
const NAMED_LENGTH = 40;

const LOST = {
  zh: (lost: readonly string[]) =>
    `部分内容未能原样保留：${named(lost, '换行').join('、')}${lost.length > NAMED ? `等 ${lost.length} 处` : ''}，请核对。`,
  en: (lost: readonly string[]) =>
    `Not everything came out as it was: ${named(lost, 'line breaks').join(', ')}${
      lost.length > NAMED ? ` and ${lost.length - NAMED} more` : ''
    }; please check.`,
};

const named = (lost: readonly string[], lineBreak: string): string[] =>
  lost.slice(0, NAMED).map((piece) => {
    const shown = piece.trim().replace(/\s+/g, ' ');
    if (shown === '') return lineBreak;
    const characters = [...shown];
    return characters.length <= NAMED_LENGTH ? shown : `${characters.slice(0, NAMED_LENGTH).join('')}…`;
  });
