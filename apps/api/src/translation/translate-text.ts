import { Logger } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { translateText } from '@yiqiao/contracts/translation';
import { type ErrorCode, Refusal } from '@yiqiao/domain/errors';
import { isFormalityRequired, registerOf } from '@yiqiao/domain/formality';
import { API_KEY_REPEAT_SECONDS } from '@yiqiao/domain/limits';
import { ApiKeyReader } from '../platform/api-key-reader.js';
import type { Caller, ClientInfo, UsedKey } from '../platform/endpoint.js';
import { Idempotency, Unstored } from '../platform/idempotency.js';
import { serializeError } from '../platform/logger.js';
import { type ChannelView, ChannelViews, withCurrentChannel, withRegisters } from './channel-view.js';
import { readPair } from './resolve-languages.js';
import { TranslateBatch } from './translate-batch.js';
import { TranslateOne } from './translate-one.js';
import { TranslationLimits } from './translation-limits.js';

type Translated = Answer<typeof translateText>;

/** One text, or several under one hold (decisions §4, §9). */
export class TranslateText extends Command<Translated> {
  constructor(
    readonly input: Input<typeof translateText>,
    readonly caller: Caller,
    readonly client: ClientInfo,
  ) {
    super();
  }
}

/** A batch that delivered nothing is not kept under its idempotency key: a retry is meant to translate it. */
const isKept = (answer: Translated): boolean => !('items' in answer) || answer.items.some(({ success }) => success);

type Texts = Input<typeof translateText>['text'];

/** Failures that another try may not meet again. */
export const TRANSIENT: ReadonlySet<string | null> = new Set<ErrorCode>([
  'UPSTREAM_FAILED',
  'UPSTREAM_TIMEOUT',
  'NOT_TRANSLATED',
  'TOO_MANY_REQUESTS',
  'SERVICE_BUSY',
]);

/**
 * A repeated answer, whose texts are paid, with those that failed for the moment translated by a command of their own. When that is refused
 * the failures stay.
 */
async function withoutFailures(
  answer: Translated,
  texts: readonly string[],
  once: (texts: string[]) => Promise<Translated>,
): Promise<Translated> {
  if (!('items' in answer)) return answer;
  const failed = [...answer.items.keys()].filter((at) => TRANSIENT.has(answer.items[at]?.code ?? null));
  if (failed.length === 0) return answer;
  try {
    const again = await once(failed.map((at) => texts[at] ?? ''));
    if (!('items' in again)) return answer;
    const items = answer.items.map((item, at) => again.items[failed.indexOf(at)] ?? item);
    return { items, charged: answer.charged + again.charged };
  } catch (error) {
    if (error instanceof Refusal) return answer;
    throw error;
  }
}

type CapData = { apiKeyId: number; period: 'day' | 'month'; cap: number; renewsAt: string };

/** The requested channel, or the key's. Throws API_KEY_CHANNEL where the key may use only another one. */
function channelOf({ channelId }: { channelId?: number | undefined }, apiKey: UsedKey | undefined): number | undefined {
  const own = apiKey?.channelId ?? undefined;
  if (own !== undefined && channelId !== undefined && channelId !== own)
    throw new Refusal('API_KEY_CHANNEL', { data: { channelId: own } });
  return channelId ?? own;
}

/** Runs once per idempotency key, within the member's limits; a batch counts as one request. */
@CommandHandler(TranslateText)
export class TranslateTextHandler implements ICommandHandler<TranslateText> {
  readonly #log = new Logger('Translation');

  constructor(
    private readonly channels: ChannelViews,
    private readonly one: TranslateOne,
    private readonly many: TranslateBatch,
    private readonly limits: TranslationLimits,
    private readonly idempotency: Idempotency,
    private readonly apiKeys: ApiKeyReader,
  ) {}

  execute({ input, caller, client }: TranslateText): Promise<Translated> {
    const { text } = input;
    const { apiKey } = caller;
    const wish = { ...input, channelId: channelOf(input, apiKey) };
    const current = (): Promise<ChannelView> => this.channels.current(wish, caller, client.language);
    // A batch reads its channel without the cache: its texts are refused one by one, before a hold that would detect a changed channel.
    // In parallel with the limits, whose refusal comes first.
    const view = typeof text === 'string' ? this.channels.of(wish, caller, client.language) : current();
    view.catch(() => undefined);
    const keyed = {
      userId: caller.userId,
      // Keys do not share answers: each is charged by itself.
      route: apiKey ? `/translation/text#${apiKey.id}` : '/translation/text',
      key: client.idempotencyKey,
      beginsAnew: true,
      // Clients of other services repeat after a time-out, without a key of idempotency.
      ...(apiKey && { repeatSeconds: API_KEY_REPEAT_SECONDS }),
    };
    const repeats = apiKey !== undefined && client.idempotencyKey === undefined;
    const once = async (text: Texts): Promise<Translated> => {
      let isRepeated = true;
      const request = { ...keyed, body: { ...input, text } };
      const answer = await this.idempotency.once(request, async (id) => {
        isRepeated = false;
        const pair = readPair(input);
        const outcome = await withCurrentChannel(view, current, async (offered) => {
          const choice = isFormalityRequired(input.formality) ? withRegisters(offered, pair.target) : offered;
          const asked = { fresh: input.fresh === true, format: input.format, register: registerOf(input.formality) };
          const wanted = { id, pair, choice, caller, client, ...asked };
          return typeof text === 'string' ? this.one.translate(text, wanted) : this.many.translate(text, wanted);
        });
        if (outcome instanceof Refusal) throw outcome;
        return isKept(outcome) ? outcome : new Unstored(outcome);
      });
      if (!repeats || !isRepeated || typeof text === 'string') return answer;
      return withoutFailures(answer, text, async (failed) => {
        const again = await once(failed).catch((error: unknown) => this.#noteCap(error));
        // Or the list would be another command, and charged again, while what it was completed with is repeated.
        await this.idempotency.prolong(request);
        return again;
      });
    };
    const translated = this.limits.within(caller.userId, () => once(text));
    return apiKey ? translated.catch((error: unknown) => this.#noteCap(error)) : translated;
  }

  /** Tells the owner of a key that it has reached its cap. */
  async #noteCap(error: unknown): Promise<never> {
    if (error instanceof Refusal && error.code === 'API_KEY_CAP_REACHED') {
      const { apiKeyId, period, cap, renewsAt } = error.details.data as CapData;
      // Whoever is told or not: the caller gets the refusal.
      await this.apiKeys.reached(apiKeyId, period, cap, renewsAt).catch((failure: unknown) => {
        this.#log.warn({ msg: 'a reached cap was not told', apiKeyId, error: serializeError(failure) });
      });
    }
    throw error;
  }
}
