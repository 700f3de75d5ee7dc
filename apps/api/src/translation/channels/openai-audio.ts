/**
 * Speech to text and text to speech with OpenAI's audio API, which many servers imitate. Only the protocol, as in `vendor.ts`, with the same
 * kinds of failures; `unsupported` when a server lacks the feature.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { chatErrorIn, failureOf } from './openai-protocol.js';
import { understood, VendorHttp, type VendorReply } from './vendor-http.js';
import { type VendorAccount } from './vendor.js';
import { VendorFailure } from './vendor-failure.js';

/** Null: the feature is switched off. */
export type AudioModels = {
  readonly transcribe: string | null;
  readonly speech: string | null;
  readonly voice: string;
};

export type TranscriptionRequest = {
  readonly wav: Buffer;
  /** ISO 639-1; null: the model detects it. */
  readonly language: string | null;
  readonly signal: AbortSignal;
};

/** `language`: the model's own name of it; null if unknown. An empty `text`: no speech. */
export type Transcription = { readonly text: string; readonly language: string | null };

export type SpeechRequest = { readonly text: string; readonly signal: AbortSignal };

/** OpenAI's limit of one text to speak, in UTF-16 units as the strictest count. */
export const SPEECH_CHARS = 4_096;

const CONNECTIONS = 8;
/** Far more than an hour of speech. */
const ANSWER_BYTES = 16 * 1024 * 1024;

const segment = z.object({ no_speech_prob: z.number().optional(), avg_logprob: z.number().optional() });
const transcription = z.object({
  text: z.string(),
  language: z.string().nullish(),
  segments: z.array(segment).nullish(),
});

export class OpenAiAudio {
  readonly #http: VendorHttp;
  /** Only some models report the language; learnt from the first refusal. */
  #detailed = true;

  constructor(
    private readonly account: VendorAccount,
    private readonly models: AudioModels,
  ) {
    this.#http = new VendorHttp(account.baseUrl, { connections: CONNECTIONS, answerBytes: ANSWER_BYTES });
  }

  /** Throws only VendorFailure. */
  async transcribe(request: TranscriptionRequest): Promise<Transcription> {
    const model = needed(this.models.transcribe);
    const ask = (format: string): Promise<VendorReply> => this.#post(request, { model, response_format: format });
    let reply = await ask(this.#detailed ? 'verbose_json' : 'json');
    if (reply.status === 400 && this.#detailed && isAbout('response_format', reply)) {
      reply = await ask('json');
      if (reply.status === 200) this.#detailed = false;
    }
    if (reply.status !== 200) throw refusalOf(reply);
    const { text, language, segments } = understood(transcription, reply);
    return { text: isNoise(segments ?? []) ? '' : text.trim(), language: language ?? null };
  }

  /** Returns an MP3 file. Throws only VendorFailure. */
  async speak({ text, signal }: SpeechRequest): Promise<Buffer> {
    const body = { model: needed(this.models.speech), input: text, voice: this.models.voice, response_format: 'mp3' };
    const reply = await this.#http.postForBytes({
      path: this.#http.path('/audio/speech'),
      headers: { ...this.#key(), accept: 'audio/mpeg', 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
    if (reply.status !== 200) throw refusalOf(reply);
    if (!isMp3(reply.bytes)) throw new VendorFailure('bad-answer', 'no MP3');
    return reply.bytes;
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  #post({ wav, language, signal }: TranscriptionRequest, fields: Record<string, string>): Promise<VendorReply> {
    const boundary = `----${randomUUID()}`;
    const all = { ...fields, ...(language !== null && { language }) };
    return this.#http.post({
      path: this.#http.path('/audio/transcriptions'),
      headers: { ...this.#key(), 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: formOf(all, wav, boundary),
      signal,
    });
  }

  #key(): Record<string, string> {
    // Some local servers refuse an empty key and accept any other.
    return { authorization: `Bearer ${this.account.key || 'none'}` };
  }
}

const needed = (model: string | null): string => {
  if (model === null) throw new VendorFailure('unsupported', 'switched off');
  return model;
};

/** Servers detect the format by the file name; the member's file name is not sent. */
const FILE_HEAD = 'Content-Disposition: form-data; name="file"; filename="speech.wav"\r\nContent-Type: audio/wav';

function formOf(fields: Record<string, string>, wav: Buffer, boundary: string): Buffer {
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `${texts.join('')}--${boundary}\r\n${FILE_HEAD}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), wav, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

/** A missing feature or model is not the recording's fault: another recogniser takes over. */
function refusalOf(reply: VendorReply): VendorFailure {
  if (![404, 405, 501].includes(reply.status)) return failureOf(reply);
  return new VendorFailure('unsupported', failureOf(reply).message);
}

function isAbout(parameter: string, reply: VendorReply): boolean {
  const { param, message } = chatErrorIn(reply);
  return param === parameter || message.includes(parameter);
}

/** These models write words for any sound; when they doubt each segment themselves, it was not speech. */
const isNoise = (segments: readonly z.infer<typeof segment>[]): boolean =>
  segments.length > 0 &&
  segments.every(({ no_speech_prob: none = 0, avg_logprob: sure = 0 }) => none > 0.6 && sure < -1);

const isMp3 = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 0, 3) === 'ID3' || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0);
