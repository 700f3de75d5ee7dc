import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { translateText } from '@yiqiao/contracts/translation';
import { Refusal } from '@yiqiao/domain/errors';
import type { Caller, ClientInfo } from '../platform/endpoint.js';
import { Idempotency, Unstored } from '../platform/idempotency.js';
import { type ChannelView, ChannelViews, withCurrentChannel } from './channel-view.js';
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

/** Runs once per idempotency key, within the member's limits; a batch counts as one request. */
@CommandHandler(TranslateText)
export class TranslateTextHandler implements ICommandHandler<TranslateText> {
  constructor(
    private readonly channels: ChannelViews,
    private readonly one: TranslateOne,
    private readonly many: TranslateBatch,
    private readonly limits: TranslationLimits,
    private readonly idempotency: Idempotency,
  ) {}

  execute({ input, caller, client }: TranslateText): Promise<Translated> {
    const { text } = input;
    const current = (): Promise<ChannelView> => this.channels.current(input, caller, client.language);
    // A batch reads its channel without the cache: its texts are refused one by one, before a hold that would detect a changed channel.
    // In parallel with the limits, whose refusal comes first.
    const view = typeof text === 'string' ? this.channels.of(input, caller, client.language) : current();
    view.catch(() => undefined);
    const keyed = { userId: caller.userId, route: '/translation/text', key: client.idempotencyKey, body: input };
    return this.limits.within(caller.userId, () =>
      this.idempotency.once(keyed, async (id) => {
        const pair = readPair(input);
        const outcome = await withCurrentChannel(view, current, async (choice) => {
          const request = { id, pair, choice, caller, client, fresh: input.fresh === true };
          return typeof text === 'string' ? this.one.translate(text, request) : this.many.translate(text, request);
        });
        if (outcome instanceof Refusal) throw outcome;
        return isKept(outcome) ? outcome : new Unstored(outcome);
      }),
    );
  }
}
