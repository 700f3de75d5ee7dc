import { Injectable } from '@nestjs/common';
import type { Language } from '@yiqiao/contracts/envelope';
import { type ErrorCode, Refusal } from '@yiqiao/domain/errors';
import { VOICE_SECONDS_OFFLINE, VOICE_SECONDS_VENDOR } from '@yiqiao/domain/limits';
import type { Upload } from '../../platform/uploads.js';
import { isChinese, toScript } from '../channels/offline/opencc.js';
import { VendorFailure, type VendorFailureKind } from '../channels/vendor.js';
import { MISSING } from '../engines/engines.js';
import { heardLanguages, langCodeNamed, spokenCode } from './heard-languages.js';
import type { Patience } from './patience.js';
import { PocketSphinx } from './pocketsphinx.js';
import type { Recording } from './recordings.js';
import { wavOf } from './sound.js';
import { VendorAudio } from './vendor-audio.js';

/** Who hears for a channel, and what. */
export type Hearing = {
  readonly by: 'vendor' | 'engine';
  /** langCodes. */
  readonly sources: ReadonlySet<string>;
  readonly maxSeconds: number;
};

export type Heard = {
  readonly text: string;
  /** A langCode, as it was told or found; null when nobody knows. */
  readonly source: string | null;
};

export type HearingRequest = {
  readonly channelId: number;
  readonly recording: Recording;
  readonly upload: Upload;
  /** A langCode among the sources; null: to be found out. */
  readonly source: string | null;
  readonly patience: Patience;
  readonly language: Language;
};

const BY_ENGINE: Hearing = {
  by: 'engine',
  sources: new Set(['en', 'en-GB']),
  maxSeconds: VOICE_SECONDS_OFFLINE,
};

/** Recognises what is said: by the channel's vendor where it can, else by the engine of this machine. */
@Injectable()
export class Hearings {
  readonly #byVendor: Hearing = { by: 'vendor', sources: heardLanguages(), maxSeconds: VOICE_SECONDS_VENDOR };

  constructor(
    private readonly vendor: VendorAudio,
    private readonly engine: PocketSphinx,
  ) {}

  /** Null when nobody hears for this channel. */
  async of(channelId: number): Promise<Hearing | null> {
    if (this.vendor.hears(channelId)) return this.#byVendor;
    return (await this.engine.isInstalled()) ? BY_ENGINE : null;
  }

  /**
   * The same for a recording of this length in this language. Throws ENGINE_MISSING with the reason in `language`,
   * MEDIA_LANGUAGE_NOT_SUPPORTED or VOICE_TOO_LONG: all that is known before anybody listens.
   */
  async needed({ channelId, recording, source, language }: HearingRequest): Promise<Hearing> {
    const hearing = await this.of(channelId);
    if (hearing === null) throw missing(language);
    const { sources, maxSeconds } = hearing;
    if (source !== null && !sources.has(source))
      throw new Refusal('MEDIA_LANGUAGE_NOT_SUPPORTED', { data: { source, sources: [...sources] } });
    checkLength(recording, maxSeconds);
    return hearing;
  }

  /** The bound stays where a recording comes with its transcript. Throws VOICE_TOO_LONG. */
  async checkLength({ channelId, recording }: HearingRequest): Promise<void> {
    checkLength(recording, (await this.of(channelId))?.maxSeconds ?? VOICE_SECONDS_OFFLINE);
  }

  /** Throws what {@link needed} throws, NO_SPEECH_FOUND, or how the recogniser failed. */
  async hear(request: HearingRequest): Promise<Heard> {
    const { by } = await this.needed(request);
    if (by === 'vendor') {
      const heard = await this.#byVendorOf(request);
      // Its server turned out to have no such thing, which is remembered: now it is as for a channel without.
      return heard ?? this.hear(request);
    }
    const { recording, upload, patience } = request;
    const text = await this.engine.transcribe(recording, { upload, turn: patience });
    return { text, source: request.source ?? 'en' };
  }

  /** Null when no account of the vendor offers it. */
  async #byVendorOf({ recording, source, patience }: HearingRequest): Promise<Heard | null> {
    const code = source === null ? null : spokenCode(source);
    try {
      const { text, language } = await this.vendor.transcribe(wavOf(recording.samples), code, patience);
      if (text === '') throw new Refusal('NO_SPEECH_FOUND');
      if (source === null) return { text, source: langCodeNamed(language) };
      return { text: isChinese(source) ? await toScript(source, text) : text, source };
    } catch (error) {
      if (!(error instanceof VendorFailure)) throw error;
      if (error.kind === 'unsupported') return null;
      throw new Refusal(REFUSALS[error.kind]);
    }
  }
}

function checkLength({ seconds }: Recording, maxSeconds: number): void {
  if (seconds > maxSeconds) throw new Refusal('VOICE_TOO_LONG', { data: { maxSeconds } });
}

const missing = (language: Language): Refusal =>
  new Refusal('ENGINE_MISSING', { data: { reason: MISSING.voice[language] } });

const REFUSALS = {
  auth: 'UPSTREAM_FAILED',
  quota: 'UPSTREAM_FAILED',
  rate: 'UPSTREAM_FAILED',
  transient: 'UPSTREAM_FAILED',
  timeout: 'UPSTREAM_TIMEOUT',
  'too-long': 'VOICE_TOO_LONG',
  blocked: 'CONTENT_REFUSED',
  'bad-request': 'UPSTREAM_FAILED',
  'bad-answer': 'UPSTREAM_FAILED',
} as const satisfies Record<Exclude<VendorFailureKind, 'unsupported'>, ErrorCode>;
