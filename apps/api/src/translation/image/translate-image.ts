import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { translateImage } from '@yiqiao/contracts/media';
import { Refusal } from '@yiqiao/domain/errors';
import type { Caller, ClientInfo } from '../../platform/endpoint.js';
import { Idempotency } from '../../platform/idempotency.js';
import type { Upload } from '../../platform/uploads.js';
import { type ChannelView, ChannelViews, withCurrentChannel } from '../channel-view.js';
import { readPair } from '../resolve-languages.js';
import { TranslationLimits } from '../translation-limits.js';
import { mediaDeadlineFor } from '../voice/media-deadline.js';
import { ImageJobs } from './image-job.js';
import { Pictures } from './pictures.js';

type Shown = Answer<typeof translateImage>;

export class TranslateImage extends Command<Shown> {
  constructor(
    readonly input: Input<typeof translateImage>,
    readonly upload: Upload,
    readonly who: { readonly caller: Caller; readonly client: ClientInfo },
  ) {
    super();
  }
}

/** Runs once per idempotency key, within the member's limits, through the requested channel or the member's own. */
@CommandHandler(TranslateImage)
export class TranslateImageHandler implements ICommandHandler<TranslateImage> {
  constructor(
    private readonly choices: ChannelViews,
    private readonly pictures: Pictures,
    private readonly orders: ImageJobs,
    private readonly limits: TranslationLimits,
    private readonly idempotency: Idempotency,
  ) {}

  execute({ input, upload, who: { caller, client } }: TranslateImage): Promise<Shown> {
    const body = { ...input, file: upload.sha256 };
    const key = client.idempotencyKey;
    const request = { userId: caller.userId, route: '/translation/image', key, body, beginsAnew: true };
    return this.limits.within(caller.userId, () =>
      this.idempotency.once(request, async (id) => {
        const pair = readPair(input);
        if (pair.source === pair.target) throw new Refusal('SAME_LANGUAGE', { data: { source: pair.target } });
        const timeLimit = mediaDeadlineFor(caller.familyId);
        const order = { picture: await this.pictures.open(upload, timeLimit), timeLimit };
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
