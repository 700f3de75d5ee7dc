import { Injectable, Logger } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { type Balance, Ledger } from '../../ledger/ledger.js';
import { Clock } from '../../platform/clock.js';
import { commandIdOf } from '../../platform/command-id.js';
import { serializeError } from '../../platform/logger.js';
import { type Answer, type Answered, type Item, outcomeOf, type Refused } from '../channel-requests.js';
import { Savings } from './savings.js';
import { TranslationCache } from './translation-cache.js';
import type { TextAnswer } from '../channels/channel.js';
import { type Delivered, TextMetering, type TextBatch, usageOf } from '../metering.js';

type Outcome = Delivered | Refused;
/** What the memory holds of a batch, and the keys under which the rest will be kept. */
type Known = { readonly answers: ReadonlyMap<Item, Answered>; readonly keys: ReadonlyMap<Item, string> };

/** Answers texts for free from the family's translation memory where the member uses it, and the rest through the channels. */
@Injectable()
export class TranslationMemory {
  readonly #log = new Logger('Translation');

  constructor(
    private readonly metered: TextMetering,
    private readonly cache: TranslationCache,
    private readonly savings: Savings,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
  ) {}

  /** One outcome per item, in order. Throws like {@link TextMetering}. */
  async translate(batch: TextBatch): Promise<readonly Outcome[]> {
    if (!batch.choice.remembers) return this.metered.translate(batch);
    const known = await this.#known(batch);
    if (known.answers.size === 0) return this.#translate(batch, known);
    try {
      return await (known.answers.size === batch.items.length ? this.#all(batch, known) : this.#some(batch, known));
    } catch (error) {
      // This id was held or paid for more than is open now: an attempt that was cut off did not have what is in the memory since.
      if (error instanceof Refusal && error.code === 'IDEMPOTENCY_KEY_REUSED') return this.#translate(batch, known);
      throw error;
    }
  }

  async #known(batch: TextBatch): Promise<Known> {
    const keys = new Map(batch.items.map((item) => [item, this.#keyOf(batch, item)]));
    const found = batch.fresh ? new Map<string, TextAnswer>() : await this.cache.find(batch.caller, [...keys.values()]);
    const answers = new Map<Item, Answered>();
    for (const [item, key] of keys) {
      const answer = found.get(key);
      const outcome = answer && outcomeOf(item, { ...answer, channelId: batch.choice.asked });
      if (outcome && 'answer' in outcome) answers.set(item, outcome);
    }
    return { answers, keys };
  }

  /** Without a hold: like a gloss, it leaves a line of the log and no entry. */
  async #all(batch: TextBatch, known: Known): Promise<readonly Outcome[]> {
    const { answers } = known;
    const balance = await this.ledger.balanceOf(batch.caller.userId);
    // The hold refuses this, unless the same request was paid while the package lasted.
    if (balance.expireAt === null || balance.expireAt <= this.clock.now()) return this.#translate(batch, known);
    // Without a hold nothing else would find out that the member has left this channel.
    if (!batch.choice.isCurrent && (balance.tranChannelId ?? batch.choice.own) !== batch.choice.own)
      throw new Refusal('CHANNEL_CHANGED');
    await this.#note(batch, { id: batch.id, served: [...answers.values()] });
    await this.#count(batch, answers, balance);
    return batch.items.flatMap((item) => free(answers.get(item)) ?? []);
  }

  async #some(batch: TextBatch, known: Known): Promise<readonly Outcome[]> {
    const { answers } = known;
    const balance = await this.ledger.balanceOf(batch.caller.userId);
    const outcomes = await this.#translate(
      { ...batch, items: batch.items.filter((item) => !answers.has(item)) },
      known,
    );
    const found = new Map(outcomes.map((outcome) => [outcome.item, outcome]));
    const line = { id: commandIdOf(`remembered:${batch.id}`), served: [...answers.values()] };
    // The rest is paid and goes out even if this line cannot be written.
    await this.#note(batch, line).catch((error: unknown) => this.#log.warn({ rememberedLine: serializeError(error) }));
    await this.#count(batch, answers, balance);
    return batch.items.flatMap((item) => free(answers.get(item)) ?? found.get(item) ?? []);
  }

  /** Through the channels; good answers are kept once they are paid. */
  async #translate(batch: TextBatch, { keys }: Known): Promise<readonly Outcome[]> {
    const outcomes = await this.metered.translate(batch);
    const good = new Map<string, TextAnswer>();
    for (const outcome of outcomes) {
      const key = keys.get(outcome.item);
      if (key === undefined || !('answer' in outcome) || !isGood(outcome.answer, batch)) continue;
      const { translated, quality, warning, detected } = outcome.answer;
      good.set(key, { translated, quality, warning, detected });
    }
    await this.cache.keep(batch.caller, good);
    return outcomes;
  }

  #keyOf({ caller, choice, format, register }: TextBatch, { text, languages: { source, target } }: Item): string {
    const channel = `${choice.asked} ${choice.nameOf(choice.asked).enName} ${choice.servedBy}`;
    return this.cache.keyOf(caller, {
      channel,
      source,
      target,
      glossaryVersion: choice.glossary.version,
      text,
      format,
      register,
    });
  }

  #note(batch: TextBatch, { id, served }: { id: string; served: readonly Answered[] }): Promise<void> {
    const items = served.map(({ item }) => item);
    const { userId, familyId } = batch.caller;
    const codePoints = items.reduce((sum, item) => sum + item.codePoints, 0);
    return this.ledger.note({ id, userId, familyId, codePoints, usage: usageOf(batch, items, served), free: 'memory' });
  }

  /** In time mode characters cost nothing, so none are saved. */
  #count({ caller, choice }: TextBatch, answers: Known['answers'], { billingMode }: Balance): Promise<void> {
    const costs = [...answers.keys()].map(({ codePoints }) => choice.cost(codePoints, choice.asked));
    const charNum = billingMode === 'time' ? 0 : costs.reduce((sum, cost) => sum + cost, 0);
    return this.savings.count(caller, { texts: answers.size, charNum });
  }
}

/** Worth keeping: a complete translation by the channel that was asked. */
const isGood = ({ channelId, quality, warning }: Answer, { choice }: TextBatch): boolean =>
  channelId === choice.asked && quality === 'translation' && warning?.code !== 'LOST' && warning?.code !== 'STAYED';

const free = (answered: Answered | undefined): Delivered | null =>
  answered ? { ...answered, charged: 0, cached: true } : null;
