/**
 * Recordings to text and text to speech as OpenAI's audio API does it, and the many servers that imitate it. Nothing but the wire, as in
 * `vendor.ts`; failures are of the same kinds, `unsupported` where a server has no such thing.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { chatErrorIn, failureOf } from './openai-protocol.js';
import { understood, VendorHttp, type VendorReply } from './vendor-http.js';
import { type VendorAccount } from './vendor.js';
import { VendorFailure } from './vendor-failure.js';

/** Null: this is not to be asked for. */
export type AudioModels = {
  readonly transcribe: string | null;
  readonly speech: string | null;
  readonly voice: string;
};

export type TranscriptionRequest = {
  readonly wav: Buffer;
  /** ISO 639-1; null: the model finds out. */
  readonly language: string | null;
  readonly signal: AbortSignal;
};

/** `language`: as the model named it, which is not how we do; null when it does not say. An empty `text`: nothing was said. */
export type Transcription = { readonly text: string; readonly language: string | null };

export type SpeechRequest = { readonly text: string; readonly signal: AbortSignal };

/** Of one request to speak: OpenAI's own bound, in UTF-16 units as the strictest count. */
export const SPEECH_CHARS = 4_096;

const CONNECTIONS = 8;
/** An hour of speech is far below. */
const ANSWER_BYTES = 16 * 1024 * 1024;

const segment = z.object({ no_speech_prob: z.number().optional(), avg_logprob: z.number().optional() });
const transcription = z.object({
  text: z.string(),
  language: z.string().nullish(),
  segments: z.array(segment).nullish(),
});

export class OpenAiAudio {
  readonly #http: VendorHttp;
  /** Only some models say which language they heard; learnt from the first refusal. */
  #detailed = true;

  constructor(
    private readonly account: VendorAccount,
    private readonly models: AudioModels,
  ) {
    this.#http = new VendorHttp(account.baseUrl, { connections: CONNECTIONS, answerBytes: ANSWER_BYTES });
  }

  /** Throws VendorFailure and nothing else. */
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

  /** An MP3 file. Throws VendorFailure and nothing else. */
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
    // Some local servers refuse an empty key, and take any other.
    return { authorization: `Bearer ${this.account.key || 'none'}` };
  }
}

const needed = (model: string | null): string => {
  if (model === null) throw new VendorFailure('unsupported', 'switched off');
  return model;
};

/** Servers tell the format by the name; what the member called the file is nobody's business. */
const FILE_HEAD = 'Content-Disposition: form-data; name="file"; filename="speech.wav"\r\nContent-Type: audio/wav';

function formOf(fields: Record<string, string>, wav: Buffer, boundary: string): Buffer {
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `${texts.join('')}--${boundary}\r\n${FILE_HEAD}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), wav, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

/** What a server has not, or a model that it has not, is no fault of the recording: somebody else has to do it. */
function refusalOf(reply: VendorReply): VendorFailure {
  if (![404, 405, 501].includes(reply.status)) return failureOf(reply);
  return new VendorFailure('unsupported', failureOf(reply).message);
}

function isAbout(parameter: string, reply: VendorReply): boolean {
  const { param, message } = chatErrorIn(reply);
  return param === parameter || message.includes(parameter);
}

/** These models write something for every sound; where they doubt each piece of it themselves, it was no speech. */
const isNoise = (segments: readonly z.infer<typeof segment>[]): boolean =>
  segments.length > 0 &&
  segments.every(({ no_speech_prob: none = 0, avg_logprob: sure = 0 }) => none > 0.6 && sure < -1);

const isMp3 = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 0, 3) === 'ID3' || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0);
