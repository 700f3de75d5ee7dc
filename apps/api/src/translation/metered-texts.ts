import { Injectable, Logger } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { splitCharge } from '@yiqiao/domain/quotes';
import { type Held, Ledger, type Usage } from '../ledger/ledger.js';
import { commandIdOf } from '../platform/command-id.js';
import { plainly } from '../platform/logger.js';
import { type Answered, askChannels, type Item, type Refused } from './ask-channels.js';
import type { Asking } from './asking.js';
import { TextTraffic } from './engines/text-traffic.js';
import { Router } from './routing/router.js';

/** Texts of one request that are translated and paid together. */
export type Order = Asking & { readonly items: readonly Item[] };

/** Served and paid: `charged` in characters of the member's own channel; nothing for what was remembered (`cached`). */
export type Delivered = Answered & { readonly charged: number; readonly cached?: true };

/** Holds what texts cost, asks the channels, and settles for what they delivered (decisions §4). */
@Injectable()
export class MeteredTexts {
  readonly #log = new Logger('Translation');

  constructor(
    private readonly ledger: Ledger,
    private readonly router: Router,
    private readonly traffic: TextTraffic,
  ) {}

  /**
   * One outcome per item, in their order. Throws what a hold or a settlement refuses: then nothing was charged, or, with SERVICE_BUSY,
   * asking again under the same id finds out.
   */
  async translate(order: Order): Promise<readonly (Delivered | Refused)[]> {
    this.traffic.note();
    const { items, choice } = order;
    const codePoints = sum(items.map((item) => item.codePoints));
    const charNum = sum(items.map((item) => choice.cost(item.codePoints, choice.asked)));
    const ask = { kind: 'text', codePoints, charNum } as const;
    const held = await this.ledger.hold({ ...commandOf(order), ask, ownChannelId: choice.own });
    const outcomes = await askChannels(this.router, order, items);
    const served = outcomes.filter((outcome) => 'answer' in outcome);
    const refused = outcomes.filter((outcome) => 'refusal' in outcome);
    if (served.length === 0) {
      await this.#giveBack(order, refused);
      return refused;
    }
    const paid = await this.#settle(order, { held, served, refused, quote: charNum });
    return outcomes.map((outcome) =>
      'refusal' in outcome ? outcome : { ...outcome, charged: paid.get(outcome.item) ?? 0 },
    );
  }

  async #giveBack(order: Order, refused: readonly Refused[]): Promise<void> {
    const usage = refused.some(isFailure) ? usageOf(order, order.items, []) : null;
    // If even this fails, the sweep gives the hold back within two minutes.
    const { state } = await this.ledger.release({ ...commandOf(order), usage });
    // Paid before a crash: the key must keep this command id, or the next try would pay again.
    if (state === 'settled') throw busy();
  }

  /** Answers what each item that was served has paid. */
  async #settle(
    order: Order,
    { held, served, refused, quote }: { held: Held; served: Answered[]; refused: Refused[]; quote: number },
  ): Promise<ReadonlyMap<Item, number>> {
    const items = served.map(({ item }) => item);
    const codePoints = sum(items.map((item) => item.codePoints));
    // Paid for more before a crash: another try may deliver all of it.
    if (held.state === 'settled' && codePoints < held.codePoints) throw busy();
    const costs = served.map(({ item, answer }) => order.choice.cost(item.codePoints, answer.channelId));
    const delivered = { codePoints, charNum: sum(costs), of: quote };
    const usage = usageOf(order, items, served);
    const settling = this.ledger.settle({
      ...{ ...commandOf(order), usage },
      ...(delivered.charNum < quote && { delivered }),
    });
    const [{ charged }] = await Promise.all([settling, this.#noteFailed(order, refused.filter(isFailure))]);
    const paid = splitCharge(charged, costs);
    return new Map(items.map((item, at) => [item, paid[at] ?? 0]));
  }

  /** The failed line of what the channels were asked for and did not deliver. What was delivered is paid and goes out, line or not. */
  async #noteFailed(order: Order, failed: readonly Refused[]): Promise<void> {
    if (failed.length === 0) return;
    const items = failed.map(({ item }) => item);
    const command = { ...commandOf(order), id: commandIdOf(`failed:${order.id}`) };
    const codePoints = sum(items.map((item) => item.codePoints));
    const note = { ...command, codePoints, usage: usageOf(order, items, []), free: null };
    await this.ledger.note(note).catch((error: unknown) => this.#log.warn({ failedLine: plainly(error) }));
  }
}

const busy = (): Refusal => new Refusal('SERVICE_BUSY', { retryAfterSeconds: 2 });

const sum = (list: readonly number[]): number => list.reduce((total, n) => total + n, 0);

const commandOf = ({ id, caller: { userId, familyId } }: Order): { id: string; userId: number; familyId: number } => ({
  ...{ id, userId, familyId },
});

/**
 * A source that turned out to be the target is refused like one that was known before, and nobody was asked for what came while too many
 * waited: neither leaves a line.
 */
const isFailure = ({ refusal }: Refused): boolean => !['SAME_LANGUAGE', 'SERVICE_BUSY'].includes(refusal.code);

/** The line of the log about `items`: through the channel that served the most, out of `auto` when there are several sources. */
export function usageOf(
  { pair, choice, caller, client }: Order,
  items: readonly Item[],
  served: readonly Answered[],
): Usage {
  const through = Map.groupBy(served, ({ answer }) => answer.channelId);
  const weight = (answers: readonly Answered[]): number => sum(answers.map(({ item }) => item.codePoints));
  const [most] = [...through].sort(([, a], [, b]) => weight(b) - weight(a));
  const sources = new Set(
    served.length > 0 ? served.map(({ answer }) => answer.source) : items.map((item) => item.languages.guess),
  );
  const [source] = sources;
  return {
    tranChannelId: most?.[0] ?? choice.asked,
    ip: client.ip,
    clientType: caller.clientType,
    source: (sources.size === 1 ? source : null) ?? 'auto',
    target: pair.target,
  };
}
