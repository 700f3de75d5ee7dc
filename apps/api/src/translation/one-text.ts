import { Injectable } from '@nestjs/common';
import type { Answer as Answered } from '@yiqiao/contracts/endpoint';
import type { translateText } from '@yiqiao/contracts/translation';
import { Refusal } from '@yiqiao/domain/errors';
import { codePoints, hasVisible } from '@yiqiao/domain/members';
import { Ledger } from '../ledger/ledger.js';
import { type Answer, askChannels, type Item, type Refused } from './ask-channels.js';
import type { Asking } from './asking.js';
import { type Delivered, type Order, usageOf } from './metered-texts.js';
import { RememberedTexts } from './remembered-texts.js';
import { resolveLanguages } from './resolve-languages.js';
import { Router } from './routing/router.js';
import { warningText } from './warning-text.js';

export type OneTranslated = Exclude<Answered<typeof translateText>, { items: unknown }>;

/** A single text: whatever can be refused is refused before the hold (decisions §4). */
@Injectable()
export class OneText {
  constructor(
    private readonly texts: RememberedTexts,
    private readonly ledger: Ledger,
    private readonly router: Router,
  ) {}

  /**
   * Throws what is refused before anything is held. What the channels failed with is answered: the request is over then, and must not
   * be tried again under its id.
   */
  async translate(text: string, asking: Asking): Promise<OneTranslated | Refusal> {
    if (!hasVisible(text)) throw new Refusal('TEXT_EMPTY');
    const languages = await resolveLanguages(text, asking.pair, asking.choice.candidates);
    const item: Item = { text, codePoints: codePoints(text), languages };
    const order: Order = { ...asking, items: [item] };
    const outcome = languages.quality === 'gloss' ? await this.#gloss(order) : await this.#paid(order);
    if ('refusal' in outcome) return outcome.refusal;
    const { answer, charged, cached } = outcome;
    return {
      translated: answer.translated,
      source: answer.source,
      target: languages.target,
      channelId: answer.channelId,
      charged,
      quality: answer.quality,
      warning: remarksOn(answer, asking),
      ...(cached && { cached }),
    };
  }

  async #paid(order: Order): Promise<Delivered | Refused> {
    const [outcome] = await this.texts.translate(order);
    if (!outcome) throw new Error('a text was left without an outcome');
    return outcome;
  }

  /** A word gloss is free and makes no entry, only a line of the translation log (decisions §4). Nobody takes over for one. */
  async #gloss(order: Order): Promise<Delivered | Refused> {
    // Without a hold nothing would find out that the member has left this channel.
    if (!order.choice.present) throw new Refusal('CHANNEL_CHANGED');
    const items = order.items.map((item) => ({
      ...item,
      languages: { ...item.languages, route: [order.choice.asked] as const },
    }));
    const [outcome] = await askChannels(this.router, order, items);
    if (!outcome) throw new Error('a text was left without an outcome');
    if ('refusal' in outcome) return outcome;
    const { id, caller } = order;
    const { userId, familyId } = caller;
    const usage = usageOf(order, items, [outcome]);
    await this.ledger.note({ id, userId, familyId, codePoints: outcome.item.codePoints, usage, free: 'gloss' });
    return { ...outcome, charged: 0 };
  }
}

/** What the reader must know of an answer, in the language of the request. */
export const remarksOn = (answer: Answer, { choice, client }: Asking): string | null => {
  const servedBy = answer.channelId === choice.asked ? null : choice.nameOf(answer.channelId);
  return warningText({ warning: answer.warning, servedBy, sure: answer.sure }, client.language);
};
