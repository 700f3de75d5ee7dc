import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { transcribe } from '@yiqiao/contracts/media';
import type { Caller, ClientInfo } from '../../platform/endpoint.js';
import type { Upload } from '../../platform/uploads.js';
import { readSource } from '../resolve-languages.js';
import { TranslationLimits } from '../translation-limits.js';
import { Hearings } from './hearings.js';
import { patienceFor, within } from './patience.js';
import { Recordings } from './recordings.js';
import { TranscriptAllowance } from './transcript-allowance.js';

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

/** Free, for who could pay for the translation that it is made for (docs/decisions/0018). Writes nothing. */
@CommandHandler(Transcribe)
export class TranscribeHandler implements ICommandHandler<Transcribe> {
  constructor(
    private readonly recordings: Recordings,
    private readonly hearings: Hearings,
    private readonly allowance: TranscriptAllowance,
    private readonly limits: TranslationLimits,
  ) {}

  execute({ input, upload, who: { caller, client } }: Transcribe): Promise<Transcript> {
    const { language } = client;
    return this.limits.within(caller.userId, async () => {
      const source = readSource(input.source);
      const patience = patienceFor(caller.familyId);
      const recording = await this.recordings.read(upload, patience, language);
      const channelId = await this.allowance.channelOf(caller, language);
      const request = { channelId, recording, upload, source, patience, language };
      await this.hearings.needed(request);
      await this.allowance.take(caller, recording.minutes);
      const { text } = await within(patience, this.hearings.hear(request));
      return { transcript: text, seconds: recording.seconds };
    });
  }
}
