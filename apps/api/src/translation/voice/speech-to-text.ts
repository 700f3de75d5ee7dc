import { Injectable } from '@nestjs/common';
import type { Language } from '@yiqiao/contracts/envelope';
import { type ErrorCode, Refusal } from '@yiqiao/domain/errors';
import { VOICE_SECONDS_OFFLINE, VOICE_SECONDS_VENDOR } from '@yiqiao/domain/limits';
import type { VendorUse } from '../../ledger/ledger.js';
import type { Upload } from '../../platform/uploads.js';
import { languages } from '../channels/languages.js';
import { isChinese, toScript } from '../channels/offline/opencc.js';
import { VendorFailure, type VendorFailureKind } from '../channels/vendor-failure.js';
import { MISSING } from '../engines/engines.js';
import type { MediaDeadline } from './media-deadline.js';
import { PocketSphinx } from './pocketsphinx.js';
import type { Recording } from './recordings.js';
import { wavOf } from './sound.js';
import { VendorAudio } from './vendor-audio.js';
import { baseOf } from './voices.js';

/** Whisper's languages by ISO 639-1: its API accepts no other names. */
const TAUGHT = new Set(
  (
    'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha he hi hr ht hu hy id is it ja ka kk km kn ko ' +
    'la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl no oc pa pl ps pt ro ru sa sd si sk sl sn so sq sr su sv sw ta te tg th tk tl tr ' +
    'tt uk ur uz vi yi yo zh jv'
  ).split(' '),
);

/** Languages that the product names differently from ISO 639-1. */
const OWN: Readonly<Record<string, string>> = { fil: 'tl' };

/** The model's code of a language; null when it does not support it. */
export function spokenCode(langCode: string): string | null {
  const code = OWN[langCode] ?? baseOf(langCode);
  return TAUGHT.has(code) ? code : null;
}

/** The langCodes that such a model supports. */
export const heardLanguages = (): ReadonlySet<string> =>
  new Set(languages().flatMap(({ langCode }) => (spokenCode(langCode) === null ? [] : [langCode])));

/** Languages that models name differently, in the variant with the most speakers. Chinese is distinguished by its script. */
const NAMES: Readonly<Record<string, string>> = {
  pt: 'pt-BR',
  portuguese: 'pt-BR',
  sr: 'sr-Cyrl',
  serbian: 'sr-Cyrl',
  tl: 'fil',
  tagalog: 'fil',
  nn: 'no',
  nynorsk: 'no',
  cantonese: 'yue',
};

/** The langCode of a model's language name (`english`, `en`); null for an ambiguous one. */
export function langCodeNamed(said: string | null): string | null {
  const name = said?.trim().toLowerCase() ?? '';
  const own = NAMES[name];
  if (own !== undefined) return own;
  const found = languages().find(
    ({ langCode, englishName }) => langCode.toLowerCase() === name || englishName.toLowerCase() === name,
  );
  return found?.langCode ?? null;
}

/** The recogniser of a channel and its languages. */
export type Hearing = {
  readonly by: 'vendor' | 'engine';
  /** langCodes. */
  readonly sources: ReadonlySet<string>;
  readonly maxSeconds: number;
};

export type Heard = {
  readonly text: string;
  /** The given or detected langCode; null if unknown. */
  readonly source: string | null;
  readonly vendor?: VendorUse | null;
};

export type HearingRequest = {
  readonly channelId: number;
  readonly recording: Recording;
  readonly upload: Upload;
  /** A langCode among the sources; null: to be detected. */
  readonly source: string | null;
  readonly timeLimit: MediaDeadline;
  readonly language: Language;
};

const BY_ENGINE: Hearing = {
  by: 'engine',
  sources: new Set(['en', 'en-GB']),
  maxSeconds: VOICE_SECONDS_OFFLINE,
};

/** Recognises speech: by the channel's vendor if it can, else by the local engine. */
@Injectable()
export class SpeechToText {
  readonly #byVendor: Hearing = { by: 'vendor', sources: heardLanguages(), maxSeconds: VOICE_SECONDS_VENDOR };

  constructor(
    private readonly vendor: VendorAudio,
    private readonly engine: PocketSphinx,
  ) {}

  /** Null when this channel has no recogniser. */
  async of(channelId: number): Promise<Hearing | null> {
    if (this.vendor.hears(channelId)) return this.#byVendor;
    return (await this.engine.isInstalled()) ? BY_ENGINE : null;
  }

  /**
   * The same for a recording of this length in this language. Throws ENGINE_MISSING with the reason in `language`,
   * MEDIA_LANGUAGE_NOT_SUPPORTED or VOICE_TOO_LONG, before recognition.
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

  /** The limit also applies to a recording with a transcript. Throws VOICE_TOO_LONG. */
  async checkLength({ channelId, recording }: HearingRequest): Promise<void> {
    checkLength(recording, (await this.of(channelId))?.maxSeconds ?? VOICE_SECONDS_OFFLINE);
  }

  /** Throws like {@link needed}, NO_SPEECH_FOUND, SPEECH_UNCLEAR, or the recogniser's failure. */
  async hear(request: HearingRequest): Promise<Heard> {
    const { by } = await this.needed(request);
    if (by === 'vendor') {
      const heard = await this.#byVendorOf(request);
      // Its server turned out to lack the feature, which is cached: the second call uses the local engine.
      return heard ?? this.hear(request);
    }
    const { recording, upload, timeLimit } = request;
    const text = await this.engine.transcribe(recording, { upload, turn: timeLimit });
    return { text, source: request.source ?? 'en' };
  }

  /** Null when no account of the vendor has the feature. */
  async #byVendorOf({ recording, source, timeLimit }: HearingRequest): Promise<Heard | null> {
    const code = source === null ? null : spokenCode(source);
    try {
      const { value, by } = await this.vendor.transcribe(wavOf(recording.samples), code, timeLimit);
      const { text, language } = value;
      const vendor = by ? { accountId: by.id, cost: by.voiceCost * recording.minutes } : null;
      if (text === '') throw new Refusal('NO_SPEECH_FOUND');
      if (source === null) return { text, source: langCodeNamed(language), vendor };
      return { text: isChinese(source) ? await toScript(source, text) : text, source, vendor };
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
