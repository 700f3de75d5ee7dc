import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Account } from '../account.js';
import { bytesOf, headerOf } from '../request-body.js';
import { translate } from '../translate.js';
import { PHRASES } from '../translation/texts-phrases.js';
import { answered, type AcceptedCall, type VendorAnswer } from '../vendor-answer.js';
import type { Corruption } from '../vendor-faults.js';
import { refuse } from './chatgpt-error.js';

/** What each model answers in; only the older one says which language it heard. */
const MODELS: Readonly<Record<string, readonly string[]>> = {
  'whisper-1': ['json', 'text', 'verbose_json'],
  'gpt-4o-transcribe': ['json'],
  'gpt-4o-mini-transcribe': ['json'],
};

const MAX_BYTES = 25 * 1024 * 1024;
const MIN_SECONDS = 0.1;
/** A phrase is said in so much time. */
const PHRASE_SECONDS = 5;
const MAX_PHRASES = 40;

interface Asked {
  readonly format: string;
  /** ISO 639-1; null: to be heard. */
  readonly language: string | null;
  readonly file: Buffer;
  readonly recording: Recording;
}

/** It hears nothing really: the same file always gives the same phrases, in the language that was asked for, else in English. */
export function transcription(request: FastifyRequest, account: Account): AcceptedCall {
  const asked = readForm(request);
  return {
    account,
    asked: { call: 'transcribe', texts: [], source: asked.language, target: null },
    answer: (corruptions) => answerOf(asked, corruptions),
  };
}

/** Reads the form as strictly as the real thing. Throws VendorRefusal. */
function readForm(request: FastifyRequest): Asked {
  const parts = partsIn(bytesOf(request), headerOf(request, 'content-type'));
  if (!parts) throw refuse(400, { message: 'Could not parse multipart form.', code: null });
  const field = (name: string) => parts.find((part) => part.name === name && part.filename === null)?.bytes.toString();
  const model = field('model') ?? '';
  const formats = MODELS[model];
  if (!formats) throw refuse(404, { message: `The model \`${model}\` does not exist.`, code: 'model_not_found' });
  const format = field('response_format') ?? 'json';
  if (!formats.includes(format)) {
    const message = `response_format '${format}' is not compatible with model '${model}'. Use 'json' instead.`;
    throw refuse(400, { message, param: 'response_format', code: 'unsupported_value' });
  }
  const language = field('language') ?? null;
  if (language !== null && !/^[a-z]{2}$/.test(language)) {
    const message = 'Language parameter must be specified in ISO-639-1 format.';
    throw refuse(400, { message, param: 'language', code: 'invalid_language_format' });
  }
  const unknown = parts.find(({ name }) => !FIELDS.has(name));
  if (unknown) throw refuse(400, { message: `Unrecognized request argument supplied: ${unknown.name}`, code: null });
  return { format, language, ...readFile(parts.find(({ name }) => name === 'file')) };
}

const FIELDS = new Set(['file', 'model', 'language', 'prompt', 'response_format', 'temperature']);

function readFile(file: { filename: string | null; bytes: Buffer } | undefined): Pick<Asked, 'file' | 'recording'> {
  if (!file?.filename) throw refuse(400, { message: "'file' is a required property", param: 'file', code: null });
  if (file.bytes.length > MAX_BYTES) {
    throw refuse(413, {
      message: `Maximum content size limit (${MAX_BYTES}) exceeded`,
      type: 'server_error',
      code: null,
    });
  }
  const recording = recordingIn(file.filename, file.bytes);
  if (!recording) {
    const message = `Invalid file format. Supported formats: ${JSON.stringify(EXTENSIONS)}`;
    throw refuse(400, { message, param: 'file', code: null });
  }
  if (recording.seconds < MIN_SECONDS) {
    throw refuse(400, { message: 'Audio file is too short.', param: 'file', code: 'audio_too_short' });
  }
  return { file: file.bytes, recording };
}

function answerOf({ format, language, file, recording }: Asked, corruptions: readonly Corruption[]): VendorAnswer {
  const text = recording.silent
    ? ''
    : said({ file, seconds: recording.seconds, language: language ?? 'en' }, corruptions);
  if (format === 'text') return answered(`${text}\n`, { 'content-type': 'text/plain' });
  if (format === 'json') return answered({ text });
  return answered({
    task: 'transcribe',
    language: nameOf(language ?? 'en'),
    duration: recording.seconds,
    text,
    segments:
      text === '' ? [] : [{ id: 0, start: 0, end: recording.seconds, text, avg_logprob: -0.2, no_speech_prob: 0.01 }],
  });
}

interface Response {
  readonly file: Buffer;
  readonly seconds: number;
  readonly language: string;
}

function said({ file, seconds, language }: Response, corruptions: readonly Corruption[]): string {
  if (corruptions.includes('empty')) return '';
  const first = createHash('sha256').update(file).digest().readUInt32BE(0);
  const plain = PHRASES.map(({ en }) => en.split(' | ')[0] ?? '').filter((phrase) => !phrase.includes('#'));
  const count = Math.min(MAX_PHRASES, Math.max(1, Math.ceil(seconds / PHRASE_SECONDS)));
  const texts = Array.from({ length: count }, (_, nth) => `${plain[(first + nth) % plain.length]}.`);
  const done =
    language === 'en'
      ? texts
      : translate({ vendor: 'chatgpt', texts, source: 'en', target: language }, []).map(({ text }) => text);
  return done.join(' ');
}

const NAMES = new Intl.DisplayNames('en', { type: 'language' });

/** As the real one names it: `spanish`. */
const nameOf = (language: string): string => (NAMES.of(language) ?? language).toLowerCase();

/** What the name of a file may end in, and how such a file begins. */
const KINDS: Readonly<Record<string, RegExp>> = {
  wav: /^RIFF[^]{4}WAVE/,
  flac: /^fLaC/,
  ogg: /^OggS/,
  oga: /^OggS/,
  webm: /^[^]E\xdf\xa3/,
  m4a: /^[^]{4}ftyp/,
  mp4: /^[^]{4}ftyp/,
  mp3: /^ID3|^\xff[\xe2-\xfb]/,
  mpga: /^ID3|^\xff[\xe2-\xfb]/,
  mpeg: /^ID3|^\xff[\xe2-\xfb]/,
};

export const EXTENSIONS = Object.keys(KINDS).sort();

/** Bytes in a second of a recording that is not read: 32 kbit. */
const COMPRESSED = 4_000;

export interface Recording {
  readonly seconds: number;
  /** Nothing in it can be heard. Only known of WAV. */
  readonly silent: boolean;
}

/** What there is to say of a file without decoding it; null when it is not what its name says. */
export function recordingIn(filename: string, bytes: Buffer): Recording | null {
  const kind = /\.(\w+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  if (!KINDS[kind]?.test(bytes.subarray(0, 16).toString('latin1'))) return null;
  return kind === 'wav' ? wavIn(bytes) : { seconds: bytes.length / COMPRESSED, silent: false };
}

const LOUD = 200;

/** Of 16-bit PCM; null for what is none or has no sound at all. */
function wavIn(bytes: Buffer): Recording | null {
  let rate = 0;
  for (let at = 12; at + 8 <= bytes.length;) {
    const [id, size] = [bytes.toString('latin1', at, at + 4), bytes.readUInt32LE(at + 4)];
    const data = bytes.subarray(at + 8, Math.min(at + 8 + size, bytes.length));
    if (id === 'fmt ' && data.length >= 16) rate = data.readUInt32LE(8);
    if (id === 'data')
      return rate > 0 && data.length > 0 ? { seconds: data.length / rate, silent: isSilent(data) } : null;
    at += 8 + size + (size % 2);
  }
  return null;
}

function isSilent(samples: Buffer): boolean {
  for (let at = 0; at + 2 <= samples.length; at += 2) if (Math.abs(samples.readInt16LE(at)) > LOUD) return false;
  return true;
}

/** One field of a form. `filename` null: it is no file. */
export interface FormPart {
  readonly name: string;
  readonly filename: string | null;
  readonly bytes: Buffer;
}

/** The fields of a multipart/form-data body (RFC 7578), or null when it is none. */
export function partsIn(body: Buffer, contentType: string): readonly FormPart[] | null {
  const [, quoted, bare] =
    /^multipart\/form-data;.*\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return null;
  const mark = Buffer.from(`\r\n--${boundary}`);
  const whole = Buffer.concat([Buffer.from('\r\n'), body]);
  const parts: FormPart[] = [];
  for (let at = whole.indexOf(mark); at >= 0;) {
    const from = at + mark.length;
    if (whole.subarray(from, from + 2).toString() === '--') return parts;
    const to = whole.indexOf(mark, from);
    const part = to < 0 ? null : partIn(whole.subarray(from + 2, to));
    if (!part) return null;
    parts.push(part);
    at = to;
  }
  return null;
}

function partIn(bytes: Buffer): FormPart | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const headers = bytes.subarray(0, end).toString('utf8');
  const [, disposition] = /^content-disposition:\s*form-data;(.*)$/im.exec(headers) ?? [];
  const [, name] = /\bname="([^"]*)"/.exec(disposition ?? '') ?? [];
  if (name === undefined) return null;
  const [, filename = null] = /\bfilename="([^"]*)"/.exec(disposition ?? '') ?? [];
  return { name, filename, bytes: bytes.subarray(end + 4) };
}
