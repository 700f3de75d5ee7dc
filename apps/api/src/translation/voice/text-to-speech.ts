import { Injectable } from '@nestjs/common';
import { languages } from '../channels/languages.js';
import { Espeak } from './espeak.js';
import { spokenCode } from './speech-to-text.js';
import type { MediaDeadline } from './media-deadline.js';
import { VendorAudio } from './vendor-audio.js';
import { voiceOf } from './voices.js';

/** Speaks translations: with the channel's vendor if it can, else with the local engine. */
@Injectable()
export class TextToSpeech {
  constructor(
    private readonly vendor: VendorAudio,
    private readonly engine: Espeak,
  ) {}

  /** langCodes that can be spoken for this channel. */
  async languages(channelId: number): Promise<string[]> {
    const bySome = [
      ...(this.vendor.speaks(channelId) ? [spokenCode] : []),
      ...((await this.engine.isInstalled()) ? [voiceOf] : []),
    ];
    return languages()
      .map(({ langCode }) => langCode)
      .filter((langCode) => bySome.some((voice) => voice(langCode) !== null));
  }

  /** A data URL, or null on any failure, because the translation is worth the same without it. */
  async speak(
    text: string,
    how: { channelId: number; langCode: string; timeLimit: MediaDeadline },
  ): Promise<string | null> {
    const { channelId, langCode, timeLimit } = how;
    const byVendor = this.vendor.speaks(channelId) && spokenCode(langCode) !== null;
    return (byVendor ? await this.vendor.speak(text, timeLimit) : null) ?? this.engine.speak(text, langCode, timeLimit);
  }
}
