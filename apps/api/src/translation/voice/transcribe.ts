import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { transcribe } from '@yiqiao/contracts/media';
import { Injectable } from '@nestjs/common';
import type { Language } from '@yiqiao/contracts/envelope';
import { Refusal } from '@yiqiao/domain/errors';
import { Ledger } from '../../ledger/ledger.js';
import { Clock } from '../../platform/clock.js';
import type { Caller, ClientInfo } from '../../platform/endpoint.js';
import { RateLimits } from '../../platform/rate-limits.js';
import type { Upload } from '../../platform/uploads.js';
import { ChannelViews } from '../channel-view.js';
import { readSource } from '../resolve-languages.js';
import { TranslationLimits } from '../translation-limits.js';
import { mediaDeadlineFor, within } from './media-deadline.js';
import { Recordings } from './recordings.js';
import { SpeechToText } from './speech-to-text.js';

/** The limits of free transcripts. */
@Injectable()
export class TranscriptAllowance {
  constructor(
    private readonly choices: ChannelViews,
    private readonly ledger: Ledger,
    private readonly rates: RateLimits,
    private readonly clock: Clock,
  ) {}

  /** The requested channel, or the member's own as it is now. Throws like `ChannelViews.of`. */
  async channelOf(channelId: number | undefined, caller: Caller, language: Language): Promise<number> {
    return (await this.choices.current({ channelId }, caller, language)).asked;
  }

  /** Throws PACKAGE_EXPIRED or QUOTA_NOT_ENOUGH when the member could not pay for these minutes, TOO_MANY_REQUESTS after too many. */
  async take({ userId }: Caller, minutes: number): Promise<void> {
    const { expireAt, usableVoiceNum } = await this.ledger.balanceOf(userId);
    if (expireAt === null || expireAt.getTime() <= this.clock.now().getTime()) throw new Refusal('PACKAGE_EXPIRED');
    if (usableVoiceNum < minutes) throw new Refusal('QUOTA_NOT_ENOUGH');
    await this.rates.take('transcripts', String(userId));
  }
}

type Transcript = Answer<typeof transcribe>;

export class Transcribe extends Command<Transcript> {
  constructor(
    readonly input: Input<typeof transcribe>,
    readonly upload: Upload,
    readonly who: { readonly caller: Caller; readonly client: ClientInfo },
  ) {
    super();
  }
}

/** Free for members who could pay for the translation (docs/decisions/0018). Writes nothing. */
@CommandHandler(Transcribe)
export class TranscribeHandler implements ICommandHandler<Transcribe> {
  constructor(
    private readonly recordings: Recordings,
    private readonly hearings: SpeechToText,
    private readonly allowance: TranscriptAllowance,
    private readonly limits: TranslationLimits,
  ) {}

  execute({ input, upload, who: { caller, client } }: Transcribe): Promise<Transcript> {
    const { language } = client;
    return this.limits.within(caller.userId, async () => {
      const source = readSource(input.source);
      const timeLimit = mediaDeadlineFor(caller.familyId);
      const recording = await this.recordings.read(upload, timeLimit, language);
      const channelId = await this.allowance.channelOf(input.channelId, caller, language);
      const request = { channelId, recording, upload, source, timeLimit, language };
      await this.hearings.needed(request);
      await this.allowance.take(caller, recording.minutes);
      const { text } = await within(timeLimit, this.hearings.hear(request));
      return { transcript: text, seconds: recording.seconds };
    });
  }
}
