import { Injectable, Logger } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { type Balance, Ledger } from '../ledger/ledger.js';
import { Clock } from '../platform/clock.js';
import { commandIdOf } from '../platform/command-id.js';
import { plainly } from '../platform/logger.js';
import { type Answer, type Answered, type Item, judge, type Refused } from './ask-channels.js';
import { Savings } from './cache/savings.js';
import { TranslationCache } from './cache/translation-cache.js';
import type { TextAnswer } from './channels/channel.js';
import { type Delivered, MeteredTexts, type Order, usageOf } from './metered-texts.js';

type Outcome = Delivered | Refused;
/** What of an order is remembered, and under which keys the rest of it will be. */
type Known = { readonly answers: ReadonlyMap<Item, Answered>; readonly keys: ReadonlyMap<Item, string> };

/** Texts of one request: free out of what the family remembers, where the member wants that, else through the channels. */
@Injectable()
export class RememberedTexts {
  readonly #log = new Logger('Translation');

  constructor(
    private readonly metered: MeteredTexts,
    private readonly cache: TranslationCache,
    private readonly savings: Savings,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
  ) {}

  /** One outcome per item, in their order. Throws like {@link MeteredTexts}. */
  async translate(order: Order): Promise<readonly Outcome[]> {
    if (!order.choice.remembers) return this.metered.translate(order);
    const known = await this.#known(order);
    if (known.answers.size === 0) return this.#anew(order, known);
    try {
      return await (known.answers.size === order.items.length ? this.#all(order, known) : this.#some(order, known));
    } catch (error) {
      // This id was paid, or held, for more than is asked now: a try that was cut off did not know yet what is remembered since.
      if (error instanceof Refusal && error.code === 'IDEMPOTENCY_KEY_REUSED') return this.#anew(order, known);
      throw error;
    }
  }

  async #known(order: Order): Promise<Known> {
    const keys = new Map(order.items.map((item) => [item, this.#keyOf(order, item)]));
    const found = order.fresh ? new Map<string, TextAnswer>() : await this.cache.find(order.caller, [...keys.values()]);
    const answers = new Map<Item, Answered>();
    for (const [item, key] of keys) {
      const answer = found.get(key);
      const outcome = answer && judge(item, { ...answer, channelId: order.choice.asked });
      if (outcome && 'answer' in outcome) answers.set(item, outcome);
    }
    return { answers, keys };
  }

  /** Nothing is held: like a gloss, it leaves a line of the log and no entry. */
  async #all(order: Order, known: Known): Promise<readonly Outcome[]> {
    const { answers } = known;
    const balance = await this.ledger.balanceOf(order.caller.userId);
    // For the hold to refuse, unless this very request was paid while the package lasted.
    if (balance.expireAt === null || balance.expireAt <= this.clock.now()) return this.#anew(order, known);
    // Without a hold nothing else would find out that the member has left this channel.
    if (!order.choice.present && (balance.tranChannelId ?? order.choice.own) !== order.choice.own)
      throw new Refusal('CHANNEL_CHANGED');
    await this.#note(order, { id: order.id, served: [...answers.values()] });
    await this.#count(order, answers, balance);
    return order.items.flatMap((item) => free(answers.get(item)) ?? []);
  }

  async #some(order: Order, known: Known): Promise<readonly Outcome[]> {
    const { answers } = known;
    const balance = await this.ledger.balanceOf(order.caller.userId);
    const outcomes = await this.#anew({ ...order, items: order.items.filter((item) => !answers.has(item)) }, known);
    const found = new Map(outcomes.map((outcome) => [outcome.item, outcome]));
    const line = { id: commandIdOf(`remembered:${order.id}`), served: [...answers.values()] };
    // The rest is paid and goes out, line or not.
    await this.#note(order, line).catch((error: unknown) => this.#log.warn({ rememberedLine: plainly(error) }));
    await this.#count(order, answers, balance);
    return order.items.flatMap((item) => free(answers.get(item)) ?? found.get(item) ?? []);
  }

  /** Through the channels; what they did well is remembered once it is paid. */
  async #anew(order: Order, { keys }: Known): Promise<readonly Outcome[]> {
    const outcomes = await this.metered.translate(order);
    const good = new Map<string, TextAnswer>();
    for (const outcome of outcomes) {
      const key = keys.get(outcome.item);
      if (key === undefined || !('answer' in outcome) || !isGood(outcome.answer, order)) continue;
      const { translated, quality, warning, detected } = outcome.answer;
      good.set(key, { translated, quality, warning, detected });
    }
    await this.cache.keep(order.caller, good);
    return outcomes;
  }

  #keyOf({ caller, choice }: Order, { text, languages: { source, target } }: Item): string {
    const channel = `${choice.asked} ${choice.nameOf(choice.asked).enName} ${choice.servedBy}`;
    return this.cache.keyOf(caller, { channel, source, target, glossaryVersion: choice.glossary.version, text });
  }

  #note(order: Order, { id, served }: { id: string; served: readonly Answered[] }): Promise<void> {
    const items = served.map(({ item }) => item);
    const { userId, familyId } = order.caller;
    const codePoints = items.reduce((sum, item) => sum + item.codePoints, 0);
    return this.ledger.note({ id, userId, familyId, codePoints, usage: usageOf(order, items, served), free: 'memory' });
  }

  /** In time mode characters cost nothing, so none are saved. */
  #count({ caller, choice }: Order, answers: Known['answers'], { billingMode }: Balance): Promise<void> {
    const costs = [...answers.keys()].map(({ codePoints }) => choice.cost(codePoints, choice.asked));
    const charNum = billingMode === 'time' ? 0 : costs.reduce((sum, cost) => sum + cost, 0);
    return this.savings.count(caller, { texts: answers.size, charNum });
  }
}

/** Worth being given again: a whole translation by the channel that was asked. */
const isGood = ({ channelId, quality, warning }: Answer, { choice }: Order): boolean =>
  channelId === choice.asked && quality === 'translation' && warning?.code !== 'LOST';

const free = (answered: Answered | undefined): Delivered | null =>
  answered ? { ...answered, charged: 0, cached: true } : null;
