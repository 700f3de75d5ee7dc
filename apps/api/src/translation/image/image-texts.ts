import { Injectable } from '@nestjs/common';
import { type ErrorCode, Refusal } from '@yiqiao/domain/errors';
import { TEXT_MAX_CODE_POINTS, TEXTS_AT_ONCE } from '@yiqiao/domain/limits';
import { codePoints } from '@yiqiao/domain/members';
import {
  type Answered,
  type Item,
  type Refused,
  requestTranslations,
  type TranslationRequest,
} from '../channel-requests.js';
import type { Languages } from '../resolve-languages.js';
import { Router } from '../routing/router.js';

/** The texts of a picture in another language, in their order. `channelId`: who served most of them. */
export type Rendered = { readonly texts: readonly string[]; readonly channelId: number; readonly source: string };

/** What says of one text only that it is none to translate: a name, a trade mark, a word of the target language. It stays as it is. */
const STAYS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['NOT_TRANSLATED', 'SAME_LANGUAGE']);

/** Translates all that is written in a picture, so many texts at once as one request of text may carry. */
@Injectable()
export class ImageTexts {
  constructor(private readonly router: Router) {}

  /** Throws how the channels failed, or that nothing of it could be translated. */
  async translate(texts: readonly string[], languages: Languages, asking: TranslationRequest): Promise<Rendered> {
    const items = texts.map((text): Item => ({ text, codePoints: codePoints(text), languages }));
    const outcomes: (Answered | Refused)[] = [];
    for (const batch of batchesOf(items)) outcomes.push(...(await requestTranslations(this.router, asking, batch)));
    const refused = outcomes.filter((outcome) => 'refusal' in outcome);
    const served = outcomes.filter((outcome) => 'answer' in outcome);
    const failed = refused.find(({ refusal }) => !STAYS.has(refusal.code)) ?? (served.length === 0 ? refused[0] : null);
    if (failed) throw failed.refusal;
    const [most] = [...Map.groupBy(served, ({ answer }) => answer.channelId)].sort(
      ([, a], [, b]) => b.length - a.length,
    );
    const [first] = most?.[1] ?? [];
    if (!most || !first) throw new Refusal('NO_TEXT_FOUND');
    return {
      texts: outcomes.map((outcome) => ('answer' in outcome ? outcome.answer.translated.trim() : outcome.item.text)),
      channelId: most[0],
      source: first.answer.source,
    };
  }
}

function batchesOf(items: readonly Item[]): Item[][] {
  const batches: Item[][] = [];
  let room = 0;
  for (const item of items) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= TEXTS_AT_ONCE || item.codePoints > room) {
      batches.push([item]);
      room = TEXT_MAX_CODE_POINTS - item.codePoints;
    } else {
      last.push(item);
      room -= item.codePoints;
    }
  }
  return batches;
}
