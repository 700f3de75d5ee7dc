import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { translateVoice } from '@yiqiao/contracts/media';
import { Refusal } from '@yiqiao/domain/errors';
import type { Caller, ClientInfo } from '../../platform/endpoint.js';
import { Idempotency } from '../../platform/idempotency.js';
import type { Upload } from '../../platform/uploads.js';
import { type ChannelView, ChannelViews, withCurrentChannel } from '../channel-view.js';
import { readPair } from '../resolve-languages.js';
import { TranslationLimits } from '../translation-limits.js';
import { mediaDeadlineFor } from './media-deadline.js';
import { Recordings } from './recordings.js';
import { VoiceJobs } from './voice-job.js';

type Spoken = Answer<typeof translateVoice>;

export class TranslateVoice extends Command<Spoken> {
  constructor(
    readonly input: Input<typeof translateVoice>,
    readonly upload: Upload,
    readonly who: { readonly caller: Caller; readonly client: ClientInfo },
  ) {
    super();
  }
}

/** Runs once per idempotency key, within the member's limits, through the requested channel or the member's own. */
@CommandHandler(TranslateVoice)
export class TranslateVoiceHandler implements ICommandHandler<TranslateVoice> {
  constructor(
    private readonly choices: ChannelViews,
    private readonly recordings: Recordings,
    private readonly orders: VoiceJobs,
    private readonly limits: TranslationLimits,
    private readonly idempotency: Idempotency,
  ) {}

  execute({ input, upload, who: { caller, client } }: TranslateVoice): Promise<Spoken> {
    const body = { ...input, file: upload.sha256 };
    const key = client.idempotencyKey;
    const request = { userId: caller.userId, route: '/translation/voice', key, body, beginsAnew: true };
    return this.limits.within(caller.userId, () =>
      this.idempotency.once(request, async (id) => {
        const pair = readPair(input);
        if (pair.source === pair.target) throw new Refusal('SAME_LANGUAGE', { data: { source: pair.target } });
        const timeLimit = mediaDeadlineFor(caller.familyId);
        const recording = await this.recordings.read(upload, timeLimit, client.language);
        const speech = input.speech === 'false' ? 'unwanted' : 'wanted';
        const order = { recording, upload, timeLimit, transcript: input.transcript ?? null, speech } as const;
        const anew = (): Promise<ChannelView> =>
          this.choices.current({ channelId: input.channelId }, caller, client.language);
        const outcome = await withCurrentChannel(anew(), anew, (choice) =>
          this.orders.translate(order, { id, pair, choice, caller, client }),
        );
        if (outcome instanceof Refusal) throw outcome;
        return outcome;
      }),
    );
  }
}
