import { Injectable } from '@nestjs/common';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { translateText } from '@yiqiao/contracts/translation';
import { errors, Refusal } from '@yiqiao/domain/errors';
import { codePoints, hasVisible } from '@yiqiao/domain/members';
import type { Item, Refused } from './ask-channels.js';
import type { Asking } from './asking.js';
import type { Delivered } from './metered-texts.js';
import { remarksOn } from './one-text.js';
import { RememberedTexts } from './remembered-texts.js';
import { inFull, resolveLanguages } from './resolve-languages.js';

type ManyTranslated = Extract<Answer<typeof translateText>, { items: unknown }>;
type Row = ManyTranslated['items'][number];

/** Several texts under one hold: each is translated, refused and paid on its own, and none fails the others (decisions §9). */
@Injectable()
export class ManyTexts {
  constructor(private readonly texts: RememberedTexts) {}

  async translate(texts: readonly string[], asking: Asking): Promise<ManyTranslated> {
    const looked = await Promise.all(texts.map((text) => lookAt(text, asking)));
    const items = looked.filter((each): each is Item => typeof each === 'object' && !(each instanceof Refusal));
    const outcomes = items.length > 0 ? await this.texts.translate({ ...asking, items }) : [];
    const found = new Map(outcomes.map((outcome) => [outcome.item, rowOf(outcome, asking)]));
    const rows = looked.map((each) => {
      if (typeof each === 'string') return asItIs(each);
      return each instanceof Refusal ? failed(each, asking.client.language) : (found.get(each) ?? lost(each));
    });
    return { items: rows, charged: rows.reduce((sum, { charged }) => sum + charged, 0) };
  }
}

/** What can be asked of this text, or why it cannot: found before anything is held. The text itself when there is nothing to see in it. */
async function lookAt(text: string, { pair, choice }: Asking): Promise<Item | Refusal | string> {
  if (!hasVisible(text)) return text;
  try {
    const found = await resolveLanguages(text, pair, choice.candidates);
    // Whoever sends many wants translations: a gloss in their midst would be taken for one.
    const languages = await inFull(found, choice.candidates);
    if (!languages) return new Refusal('PAIR_NOT_SUPPORTED', { data: { source: found.guess, target: pair.target } });
    return { text, codePoints: codePoints(text), languages };
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function rowOf(outcome: Delivered | Refused, asking: Asking): Row {
  if ('refusal' in outcome) return failed(outcome.refusal, asking.client.language);
  const { answer, charged, cached } = outcome;
  const { translated } = answer;
  return { success: true, translated, charged, code: null, msg: remarksOn(answer, asking), ...(cached && { cached }) };
}

/** A blank text comes back as it is, for nothing (decisions §4). */
const asItIs = (text: string): Row => ({ success: true, translated: text, charged: 0, code: null, msg: null });

const failed = ({ code }: Refusal, language: Language): Row => ({
  ...{ success: false, translated: null, charged: 0 },
  ...{ code, msg: errors[code][language] },
});

const lost = (item: Item): never => {
  throw new Error(`a text of ${item.codePoints} code points was left without an outcome`);
};
