import { Injectable } from '@nestjs/common';
import type { Answer as Answered } from '@yiqiao/contracts/endpoint';
import type { translateText } from '@yiqiao/contracts/translation';
import { Refusal } from '@yiqiao/domain/errors';
import type { Language } from '@yiqiao/contracts/envelope';
import { Ledger } from '../ledger/ledger.js';
import {
  type Answer,
  type Item,
  readText,
  type Refused,
  requestTranslations,
  type TranslationRequest,
} from './channel-requests.js';
import type { TextWarning } from './channels/channel.js';
import { languageOf } from './channels/languages.js';
import { type Delivered, type TextBatch, usageOf } from './metering.js';
import { TranslationMemory } from './memory/translation-memory.js';
import { resolveLanguages } from './resolve-languages.js';
import { Router } from './routing/router.js';

export type OneTranslated = Exclude<Answered<typeof translateText>, { items: unknown }>;

/** Translates a single text. All refusals that need no channel come before the hold (decisions §4). */
@Injectable()
export class TranslateOne {
  constructor(
    private readonly texts: TranslationMemory,
    private readonly ledger: Ledger,
    private readonly router: Router,
  ) {}

  /**
   * Throws what is refused before anything is held. A failure of the channels is returned: the request is over and must not be retried
   * under its id.
   */
  async translate(text: string, request: TranslationRequest): Promise<OneTranslated | Refusal> {
    const read = await readText(text, request.format);
    if (!read) throw new Refusal('TEXT_EMPTY');
    const languages = await resolveLanguages(read, request.pair, request.choice.candidates);
    const item: Item = { ...read, languages };
    const batch: TextBatch = { ...request, items: [item] };
    const outcome = languages.quality === 'gloss' ? await this.#gloss(batch) : await this.#paid(batch);
    if ('refusal' in outcome) return outcome.refusal;
    const { answer, charged, cached } = outcome;
    return {
      translated: answer.translated,
      source: answer.source,
      target: languages.target,
      channelId: answer.channelId,
      charged,
      quality: answer.quality,
      warning: warningOf(answer, request),
      ...(cached && { cached }),
    };
  }

  async #paid(batch: TextBatch): Promise<Delivered | Refused> {
    const [outcome] = await this.texts.translate(batch);
    if (!outcome) throw new Error('a text was left without an outcome');
    return outcome;
  }

  /** A word gloss is free and leaves only a line of the translation log (decisions §4). There is no failover for one. */
  async #gloss(batch: TextBatch): Promise<Delivered | Refused> {
    // Without a hold nothing else detects that the member has changed the channel.
    if (!batch.choice.isCurrent) throw new Refusal('CHANNEL_CHANGED');
    const items = batch.items.map((item) => ({
      ...item,
      languages: { ...item.languages, route: [batch.choice.asked] as const },
    }));
    const [outcome] = await requestTranslations(this.router, batch, items);
    if (!outcome) throw new Error('a text was left without an outcome');
    if ('refusal' in outcome) return outcome;
    const { id, caller } = batch;
    const { userId, familyId } = caller;
    const usage = usageOf(batch, items, [outcome]);
    await this.ledger.note({ id, userId, familyId, codePoints: outcome.item.codePoints, usage, free: 'gloss' });
    return { ...outcome, charged: 0 };
  }
}

/** The warning of an answer, in the language of the request. */
export const warningOf = (answer: Answer, { choice, client }: TranslationRequest): string | null => {
  const servedBy = answer.channelId === choice.asked ? null : choice.nameOf(answer.channelId);
  return warningText({ warning: answer.warning, servedBy, sure: answer.sure }, client.language);
};

/** `servedBy`: the fallback that translated instead of the requested channel, null without one. */
type Remarks = {
  readonly warning: TextWarning | null;
  readonly servedBy: { readonly name: string; readonly enName: string } | null;
  /** The source language was given, or detected beyond doubt. */
  readonly sure: boolean;
};

/** The warning in the reader's language; null without one. */
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
  en: ({ enName }: { enName: string }) => `The chosen channel is unavailable right now; ${enName} translated this.`,
};

const UNSURE = {
  zh: '原文语言由系统推测，可能不准确，请核对。',
  en: 'The source language is a guess; please check it.',
};

const about = (warning: TextWarning, language: Language): string => {
  if (warning.code === 'GLOSS')
    return language === 'zh'
      ? '逐词释义，非正式译文，本次免费。'
      : 'A word-by-word gloss, not a translation; it is free.';
  if (warning.code === 'LOST') return LOST[language](warning.lost);
  if (warning.code === 'STAYED') return STAYED[language](warning.stayed);
  const via = languageOf(warning.via);
  return language === 'zh'
    ? `经${via?.chineseName ?? warning.via}转译，准确度会降低。`
    : `Translated via ${via?.englishName ?? warning.via}; expect less accuracy.`;
};

/** The maximum number of lost pieces to name, and their maximum length: the sentence is shown beside the translation. */
const NAMED = 3;
const NAMED_LENGTH = 40;

const LOST = {
  zh: (lost: readonly string[]) =>
    `部分内容未能原样保留：${named(lost, '换行').join('、')}${lost.length > NAMED ? `等 ${lost.length} 处` : ''}，请核对。`,
  en: (lost: readonly string[]) =>
    `Some content was not kept as it was: ${named(lost, 'line breaks').join(', ')}${
      lost.length > NAMED ? ` and ${lost.length - NAMED} more` : ''
    }; please check.`,
};

const STAYED = {
  zh: (stayed: readonly string[]) =>
    `部分句子未翻译，保留原文：${named(stayed, '换行').join('、')}${stayed.length > NAMED ? `等 ${stayed.length} 处` : ''}。`,
  en: (stayed: readonly string[]) =>
    `Some sentences were not translated and stayed as they are: ${named(stayed, 'line breaks').join(', ')}${
      stayed.length > NAMED ? ` and ${stayed.length - NAMED} more` : ''
    }.`,
};

const named = (lost: readonly string[], lineBreak: string): string[] =>
  lost.slice(0, NAMED).map((piece) => {
    const shown = piece.trim().replace(/\s+/g, ' ');
    if (shown === '') return lineBreak;
    const characters = [...shown];
    return characters.length <= NAMED_LENGTH ? shown : `${characters.slice(0, NAMED_LENGTH).join('')}…`;
  });
