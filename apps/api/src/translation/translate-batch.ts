import { Injectable } from '@nestjs/common';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { translateText } from '@yiqiao/contracts/translation';
import { errorMessage, Refusal } from '@yiqiao/domain/errors';
import { type Item, readText, type Refused, type TranslationRequest } from './channel-requests.js';
import type { Delivered } from './metering.js';
import { warningOf } from './translate-one.js';
import { TranslationMemory } from './memory/translation-memory.js';
import { inFull, resolveLanguages } from './resolve-languages.js';

type ManyTranslated = Extract<Answer<typeof translateText>, { items: unknown }>;
type Row = ManyTranslated['items'][number];

/** Translates several texts under one hold: each is refused and paid on its own, and none fails the others (decisions §9). */
@Injectable()
export class TranslateBatch {
  constructor(private readonly texts: TranslationMemory) {}

  async translate(texts: readonly string[], request: TranslationRequest): Promise<ManyTranslated> {
    const inspected = await Promise.all(texts.map((text) => inspect(text, request)));
    const items = inspected.filter((each): each is Item => typeof each === 'object' && !(each instanceof Refusal));
    const outcomes = items.length > 0 ? await this.texts.translate({ ...request, items }) : [];
    const found = new Map(outcomes.map((outcome) => [outcome.item, rowOf(outcome, request)]));
    const rows = inspected.map((each) => {
      if (typeof each === 'string') return unchanged(each, request.pair.source);
      return each instanceof Refusal ? failed(each, request, request.pair.source) : (found.get(each) ?? lost(each));
    });
    return { items: rows, charged: rows.reduce((sum, { charged }) => sum + charged, 0) };
  }
}

/** The item to translate, or its refusal, before the hold; the text itself when there is nothing to translate in it. */
async function inspect(text: string, { pair, choice, format }: TranslationRequest): Promise<Item | Refusal | string> {
  const read = await readText(text, format);
  if (!read) return text;
  try {
    const found = await resolveLanguages(read, pair, choice.candidates);
    // A gloss among translations would be taken for one.
    const languages = await inFull(found, choice.candidates);
    if (!languages) return new Refusal('PAIR_NOT_SUPPORTED', { data: { source: found.guess, target: pair.target } });
    return { ...read, languages };
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function rowOf(outcome: Delivered | Refused, request: TranslationRequest): Row {
  if ('refusal' in outcome) return failed(outcome.refusal, request, outcome.item.languages.guess);
  const { answer, charged, cached } = outcome;
  const { translated } = answer;
  const source = answer.source === 'auto' ? null : answer.source;
  const msg = warningOf(answer, request);
  return { success: true, translated, charged, code: null, msg, source, ...(cached && { cached }) };
}

/** A blank text comes back unchanged and free (decisions §4). */
const unchanged = (text: string, source: string | null): Row => ({
  success: true,
  translated: text,
  charged: 0,
  code: null,
  msg: null,
  source,
});

/** `guess`: the source as far as it is known without the refusal, which may name the one that was detected. */
const failed = ({ code, details: { data } }: Refusal, { client }: TranslationRequest, guess: string | null): Row => ({
  success: false,
  translated: null,
  charged: 0,
  code,
  msg: errorMessage(code, client.language, data),
  source: typeof data?.source === 'string' ? data.source : guess,
});

const lost = (item: Item): never => {
  throw new Error(`a text of ${item.codePoints} code points was left without an outcome`);
};
