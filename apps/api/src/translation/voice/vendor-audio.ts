import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { channelCodeOf } from '@yiqiao/domain/channels';
import { Config } from '../../platform/config.js';
import { VendorAccounts } from '../channels/vendor-accounts.js';
import { OpenAiAudio, SPEECH_CHARS, type Transcription } from '../channels/openai-audio.js';
import { chatgpt } from '../channels/chatgpt.js';
import { VendorFailure } from '../channels/vendor-failure.js';
import { type MediaAnswer, MediaUpstreams } from '../routing/media-upstreams.js';
import { mediaClients, type PerAccount, type WithClient } from '../routing/per-account.js';
import { SharedCaps } from '../routing/shared-caps.js';
import { realTime } from '../routing/time.js';
import { split } from '../text/split.js';
import { dataUrl } from './data-url.js';
import type { MediaDeadline } from './media-deadline.js';

const MB = 1024 * 1024;
/** A longer speech would be too large for the response, which is also stored for retries. */
const SPEECH_BYTES = 6 * MB;

/** The vendor with speech recognition and synthesis: one with OpenAI's API, and its accounts. */
@Injectable()
export class VendorAudio implements OnApplicationShutdown {
  readonly #clients: PerAccount<WithClient<OpenAiAudio>>;
  readonly #hearing: MediaUpstreams<OpenAiAudio>;
  readonly #speaking: MediaUpstreams<OpenAiAudio>;
  readonly #models;

  constructor(config: Config, accounts: VendorAccounts, shared: SharedCaps) {
    const { OPENAI_TRANSCRIBE_MODEL, OPENAI_SPEECH_MODEL, OPENAI_VOICE } = config.read(chatgpt);
    const named = (model: string): string | null => (model === 'off' ? null : model);
    const models = {
      transcribe: named(OPENAI_TRANSCRIBE_MODEL),
      speech: named(OPENAI_SPEECH_MODEL),
      voice: OPENAI_VOICE,
    };
    this.#models = models;
    this.#clients = mediaClients((account) => new OpenAiAudio(account, models));
    const surroundings = { time: realTime, shared };
    this.#hearing = new MediaUpstreams([], { name: 'transcription', inFlight: 8, requestMs: 40_000 }, surroundings);
    this.#speaking = new MediaUpstreams([], { name: 'speech', inFlight: 8, requestMs: 20_000 }, surroundings);
    accounts.onChange((all) => {
      const clients = this.#clients.update(all.filter(({ code }) => code === 'chatgpt'));
      this.#hearing.replace(clients);
      this.#speaking.replace(clients);
    });
  }

  hears(channelId: number): boolean {
    return channelCodeOf(channelId) === 'chatgpt' && this.#models.transcribe !== null && this.#hearing.isOffered;
  }

  speaks(channelId: number): boolean {
    return channelCodeOf(channelId) === 'chatgpt' && this.#models.speech !== null && this.#speaking.isOffered;
  }

  /** Throws VendorFailure. */
  transcribe(wav: Buffer, language: string | null, timeLimit: MediaDeadline): Promise<MediaAnswer<Transcription>> {
    return this.#hearing.ask({ ...timeLimit, work: (client, signal) => client.transcribe({ wav, language, signal }) });
  }

  /** A data URL; null on failure. Never throws. */
  async speak(text: string, timeLimit: MediaDeadline): Promise<string | null> {
    const limits = { charsPerRequest: SPEECH_CHARS / 2, bytesPerRequest: null, textsPerRequest: 1 };
    const parts = split(text, limits, []).filter(({ asked }) => asked);
    const spoken: Buffer[] = [];
    try {
      // Concatenated MP3 files are one MP3 file.
      for (const part of parts)
        spoken.push(
          (
            await this.#speaking.ask({
              ...timeLimit,
              work: (client, signal) => client.speak({ text: part.text, signal }),
            })
          ).value,
        );
    } catch (error) {
      if (error instanceof VendorFailure) return null;
      throw error;
    }
    const whole = Buffer.concat(spoken);
    return whole.length > 0 && whole.length <= SPEECH_BYTES ? dataUrl('audio/mpeg', whole) : null;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.#clients.values.map(({ client }) => client.close()));
  }
}
