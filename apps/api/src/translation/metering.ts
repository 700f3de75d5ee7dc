import { Injectable, Logger } from '@nestjs/common';
import { channelCodeOf } from '@yiqiao/domain/channels';
import { type ErrorCode, Refusal } from '@yiqiao/domain/errors';
import { splitCharge } from '@yiqiao/domain/quotes';
import type { Ask } from '@yiqiao/domain/ledger';
import { type Held, Ledger, type Usage, type VendorUse } from '../ledger/ledger.js';
import { commandIdOf } from '../platform/command-id.js';
import { serializeError } from '../platform/logger.js';
import { count } from '../platform/telemetry/instruments.js';
import {
  type Answered,
  type Item,
  type Refused,
  requestTranslations,
  type TranslationRequest,
} from './channel-requests.js';
import { TextTraffic } from './engines/text-traffic.js';
import { Router } from './routing/router.js';
import { joinUses } from './vendor-use.js';

/** The texts of one request that are translated and paid together. */
export type TextBatch = TranslationRequest & { readonly items: readonly Item[] };

/** Served and paid: `charged` in characters of the member's own channel, 0 for a cached translation (`cached`). */
export type Delivered = Answered & { readonly charged: number; readonly cached?: true };

/** Holds the price of the texts, translates them, and settles for the delivered ones (decisions §4). */
@Injectable()
export class TextMetering {
  readonly #log = new Logger('Translation');

  constructor(
    private readonly ledger: Ledger,
    private readonly router: Router,
    private readonly traffic: TextTraffic,
  ) {}

  /**
   * One outcome per item, in order. Throws what the hold or the settlement refuses: nothing was charged then, or, with SERVICE_BUSY, a
   * retry under the same id finds out.
   */
  async translate(batch: TextBatch): Promise<readonly (Delivered | Refused)[]> {
    this.traffic.note();
    const { items, choice } = batch;
    const codePoints = sum(items.map((item) => item.codePoints));
    const charNum = sum(items.map((item) => choice.cost(item.codePoints, choice.asked)));
    const ask = { kind: 'text', codePoints, charNum } as const;
    const held = await this.ledger.hold({
      ...commandOf(batch),
      ask,
      ownChannelId: choice.own,
      apiKeyId: batch.caller.apiKey?.id ?? null,
    });
    const outcomes = await requestTranslations(this.router, batch, items);
    const served = outcomes.filter((outcome) => 'answer' in outcome);
    const refused = outcomes.filter((outcome) => 'refusal' in outcome);
    if (served.length === 0) {
      await this.#release(batch, refused);
      if (refused.some(isFailure)) measure('text', batch, null);
      return refused;
    }
    const paid = await this.#settle(batch, { held, served, refused, quote: charNum });
    return outcomes.map((outcome) =>
      'refusal' in outcome ? outcome : { ...outcome, charged: paid.get(outcome.item) ?? 0 },
    );
  }

  async #release(batch: TextBatch, refused: readonly Refused[]): Promise<void> {
    const usage = refused.some(isFailure) ? usageOf(batch, batch.items, []) : null;
    // If this fails too, the sweep releases the hold within two minutes.
    const { state } = await this.ledger.release({ ...commandOf(batch), usage });
    // Paid before a crash: the key must keep this command id, or the next try would pay again.
    if (state === 'settled') throw busy();
  }

  /** The charge of each item that was served. */
  async #settle(
    batch: TextBatch,
    { held, served, refused, quote }: { held: Held; served: Answered[]; refused: Refused[]; quote: number },
  ): Promise<ReadonlyMap<Item, number>> {
    const items = served.map(({ item }) => item);
    const codePoints = sum(items.map((item) => item.codePoints));
    // Paid for more before a crash: another try may deliver all of it.
    if (held.state === 'settled' && codePoints < held.codePoints) throw busy();
    const costs = served.map(({ item, answer }) => batch.choice.cost(item.codePoints, answer.channelId));
    const delivered = { codePoints, charNum: sum(costs), of: quote };
    const usage = usageOf(batch, items, served);
    const settling = this.ledger.settle({
      ...commandOf(batch),
      usage,
      ...(delivered.charNum < quote && { delivered }),
    });
    const [{ charged }] = await Promise.all([settling, this.#noteFailed(batch, refused.filter(isFailure))]);
    measure('text', batch, charged, usage);
    const paid = splitCharge(charged, costs);
    return new Map(items.map((item, at) => [item, paid[at] ?? 0]));
  }

  /** Logs the texts that the channels failed. The delivered ones are paid and go out even if this line cannot be written. */
  async #noteFailed(batch: TextBatch, failed: readonly Refused[]): Promise<void> {
    if (failed.length === 0) return;
    const items = failed.map(({ item }) => item);
    const command = { ...commandOf(batch), id: commandIdOf(`failed:${batch.id}`) };
    const codePoints = sum(items.map((item) => item.codePoints));
    const note = { ...command, codePoints, usage: usageOf(batch, items, []), free: null };
    await this.ledger.note(note).catch((error: unknown) => this.#log.warn({ failedLine: serializeError(error) }));
  }
}

const busy = (): Refusal => new Refusal('SERVICE_BUSY', { retryAfterSeconds: 2 });

const sum = (list: readonly number[]): number => list.reduce((total, n) => total + n, 0);

type CommandKey = { readonly id: string; readonly userId: number; readonly familyId: number };

const commandOf = ({ id, caller: { userId, familyId } }: TranslationRequest): CommandKey => ({ id, userId, familyId });

/**
 * Refusals that leave no line in the log: a source detected to be the target is refused like one that was given, and with a full queue
 * no channel was asked.
 */
const isFailure = ({ refusal }: Refused): boolean => !['SAME_LANGUAGE', 'SERVICE_BUSY'].includes(refusal.code);

/** The log line for `items`: the channel that served the most of them, and `auto` when there are several sources. */
export function usageOf(
  { pair, choice, caller, client }: TextBatch,
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
    apiKeyId: caller.apiKey?.id ?? null,
    vendor: joinUses(
      [...(most?.[1] ?? []), ...served.filter(({ answer }) => answer.channelId !== most?.[0])].map(
        ({ answer }) => answer.vendor,
      ),
    ),
  };
}

/** The outcome of a picture or a recording; channel and source language go into the log. */
export type Served<T> = {
  readonly channelId: number;
  readonly source: string;
  readonly vendor?: VendorUse | null;
  readonly answer: T;
};

type MediaAsk = Exclude<Ask, { kind: 'text' }>;

/** `charged`: pictures or voice minutes. */
type Paid<T> = { readonly answer: T; readonly charged: number };

/** Holds the price of a picture or a recording, runs the job, and settles or releases (decisions §4). */
@Injectable()
export class MediaMetering {
  constructor(private readonly ledger: Ledger) {}

  /**
   * Throws what the hold or the settlement refuses: nothing was charged then, or, with SERVICE_BUSY, a retry under the same id finds out.
   * A Refusal that `work` throws is returned, free of charge: the request is over and must not be retried under its id.
   */
  async serve<T>(
    request: TranslationRequest,
    ask: MediaAsk,
    work: () => Promise<Served<T>>,
  ): Promise<Paid<T> | Refusal> {
    await this.ledger.hold({ ...commandOf(request), ask, ownChannelId: request.choice.own });
    let served: Served<T>;
    try {
      served = await work();
    } catch (error) {
      await this.#release(request, ask.kind, error);
      if (error instanceof Refusal) return error;
      throw error;
    }
    const usage = mediaUsageOf(request, served);
    const { charged } = await this.ledger.settle({ ...commandOf(request), usage });
    measure(ask.kind, request, charged, usage);
    return { answer: served.answer, charged };
  }

  async #release(request: TranslationRequest, kind: MediaAsk['kind'], error: unknown): Promise<void> {
    const isFailure = !(error instanceof Refusal) || !NO_FAILURE.has(error.code);
    const { choice, pair } = request;
    const usage = isFailure ? mediaUsageOf(request, { channelId: choice.asked, source: pair.source ?? 'auto' }) : null;
    // If this fails too, the sweep releases the hold within two minutes.
    const { state } = await this.ledger.release({ ...commandOf(request), usage });
    if (isFailure) measure(kind, request, null);
    // Paid before a crash: the key must keep this command id, or the next try would pay again.
    if (state === 'settled') throw new Refusal('SERVICE_BUSY', { retryAfterSeconds: 2 });
  }
}

/** `charged` null: it failed, and nothing was. `usage`: of what was delivered. */
function measure(kind: Ask['kind'], { choice }: TranslationRequest, charged: number | null, usage?: Usage): void {
  const channel = channelCodeOf(choice.asked) ?? 'unknown';
  count('yiqiao.translation.requests', 1, { kind, channel, outcome: charged === null ? 'failed' : 'delivered' });
  if (charged) count('yiqiao.translation.charged', charged, { kind, channel });
  if (usage?.vendor) {
    const served = channelCodeOf(usage.tranChannelId) ?? 'unknown';
    count('yiqiao.vendor.cost.microyuan', usage.vendor.cost, { kind, channel: served });
  }
}

/** Refusals without a log line: nothing to read, nothing to translate, or no engine available. */
const NO_FAILURE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'NO_TEXT_FOUND',
  'NO_SPEECH_FOUND',
  'SPEECH_UNCLEAR',
  'SAME_LANGUAGE',
  'PAIR_NOT_SUPPORTED',
  'ONLY_GLOSS',
  'LANGUAGE_NOT_DETECTED',
  'MEDIA_LANGUAGE_NOT_SUPPORTED',
  'ENGINE_MISSING',
  'VOICE_TOO_LONG',
  'SERVICE_BUSY',
]);

const mediaUsageOf = (
  { pair, caller, client }: TranslationRequest,
  { channelId, source, vendor }: Pick<Served<unknown>, 'channelId' | 'source' | 'vendor'>,
): Usage => ({
  tranChannelId: channelId,
  ip: client.ip,
  clientType: caller.clientType,
  source,
  target: pair.target,
  vendor,
});
