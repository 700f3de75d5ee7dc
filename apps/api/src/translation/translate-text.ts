import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { translateText } from '@yiqiao/contracts/translation';
import { Refusal } from '@yiqiao/domain/errors';
import type { Caller, ClientInfo } from '../platform/endpoint.js';
import { Idempotency, Unkept } from '../platform/idempotency.js';
import { ChannelChoice, type Choice } from './channel-choice.js';
import { ManyTexts } from './many-texts.js';
import { OneText } from './one-text.js';
import { onPresentChannel } from './present-channel.js';
import { readPair } from './resolve-languages.js';
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

/** A batch that delivered nothing is so many refusals: whoever asks again under its key wants more than to read them again. */
const isKept = (answer: Translated): boolean => !('items' in answer) || answer.items.some(({ success }) => success);

/** Once per key, within the member's limits: a batch counts as one request. */
@CommandHandler(TranslateText)
export class TranslateTextHandler implements ICommandHandler<TranslateText> {
  constructor(
    private readonly choices: ChannelChoice,
    private readonly one: OneText,
    private readonly many: ManyTexts,
    private readonly limits: TranslationLimits,
    private readonly idempotency: Idempotency,
  ) {}

  execute({ input, caller, client }: TranslateText): Promise<Translated> {
    const { text } = input;
    // Beside the limits: what is waited for one after another adds up. Who is over them is told that first.
    const anew = (): Promise<Choice> => this.choices.anew(input, caller, client.language);
    // The texts of a batch are refused one by one, without a hold that would find out that the channel is another one.
    const chosen = typeof text === 'string' ? this.choices.of(input, caller, client.language) : anew();
    chosen.catch(() => undefined);
    const request = { userId: caller.userId, route: '/translation/text', key: client.idempotencyKey, body: input };
    return this.limits.within(caller.userId, () =>
      this.idempotency.once(request, async (id) => {
        const pair = readPair(input);
        const outcome = await onPresentChannel(chosen, anew, async (choice) => {
          const asking = { id, pair, choice, caller, client, fresh: input.fresh === true };
          return typeof text === 'string' ? this.one.translate(text, asking) : this.many.translate(text, asking);
        });
        if (outcome instanceof Refusal) throw outcome;
        return isKept(outcome) ? outcome : new Unkept(outcome);
      }),
    );
  }
}
