import { Injectable } from '@nestjs/common';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { listMediaAbilities } from '@yiqiao/contracts/media';
import { VOICE_SECONDS_OFFLINE } from '@yiqiao/domain/limits';
import { MISSING } from '../engines/engines.js';
import { SpeechToText } from './speech-to-text.js';
import { TextToSpeech } from './text-to-speech.js';

export type VoiceAbility = Pick<Answer<typeof listMediaAbilities>[number], 'voice' | 'speech'>;

/** A channel's current abilities with recordings, for members. */
@Injectable()
export class VoiceAbilities {
  constructor(
    private readonly hearings: SpeechToText,
    private readonly speaker: TextToSpeech,
  ) {}

  async of(channelId: number, language: Language): Promise<VoiceAbility> {
    const [hearing, speech] = await Promise.all([this.hearings.of(channelId), this.speaker.languages(channelId)]);
    const experimental = hearing?.by === 'engine';
    const reason = hearing === null ? MISSING.voice[language] : experimental ? EXPERIMENTAL[language] : null;
    return {
      voice: {
        available: hearing !== null,
        reason,
        sources: [...(hearing?.sources ?? [])],
        // The engine takes everything for English, which is no detection.
        auto: hearing?.by === 'vendor',
        maxSeconds: hearing?.maxSeconds ?? VOICE_SECONDS_OFFLINE,
        experimental,
      },
      speech,
    };
  }
}

const EXPERIMENTAL = {
  zh: '离线语音识别为实验功能，仅支持英语：发音标准、没有杂音时，十个词大约能听对八个；听不清的录音不会翻译，也不扣费。翻译前请核对识别文本。',
  en: 'Offline recognition is experimental and knows English only: about four words in five are right when the speech is clear and native. An unclear recording is refused, free of charge. Check the transcript before you translate it.',
} as const;
