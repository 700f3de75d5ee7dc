import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

import type { Account } from '../account.js';
import { bytesOf, headerOf, isObject, isOfType, jsonIn } from '../request-body.js';
import { translate } from '../translate.js';
import { PHRASES } from '../translation/texts-phrases.js';
import { type AcceptedCall, ok, type VendorReply } from '../vendor-answer.js';
import type { Corruption } from '../vendor-faults.js';
import { refuse } from './chatgpt-error.js';

/** Response formats of each model; only the older one reports the detected language. */
const TRANSCRIPTION_MODELS: Readonly<Record<string, readonly string[]>> = {
  'whisper-1': ['json', 'text', 'verbose_json'],
  'gpt-4o-transcribe': ['json'],
  'gpt-4o-mini-transcribe': ['json'],
};

const MAX_BYTES = 25 * 1024 * 1024;
const MIN_SECONDS = 0.1;
/** Duration of one phrase. */
const PHRASE_SECONDS = 5;
const MAX_PHRASES = 40;

interface TranscriptionRequest {
  readonly format: string;
  /** ISO 639-1; null: detect it. */
  readonly language: string | null;
  readonly file: Buffer;
  readonly recording: Recording;
}

/** Does not recognise speech: the same file always gives the same phrases, in the requested language or English. */
export function transcription(request: FastifyRequest, account: Account): AcceptedCall {
  const form = readForm(request);
  return {
    account,
    details: { call: 'transcribe', texts: [], source: form.language, target: null },
    respond: (corruptions) => transcriptionReply(form, corruptions),
  };
}

/** Validates the form as strictly as the real API. Throws VendorRefusal. */
function readForm(request: FastifyRequest): TranscriptionRequest {
  const parts = partsIn(bytesOf(request), headerOf(request, 'content-type'));
  if (!parts) throw refuse(400, { message: 'Could not parse multipart form.', code: null });
  const field = (name: string) => parts.find((part) => part.name === name && part.filename === null)?.bytes.toString();
  const model = field('model') ?? '';
  const formats = TRANSCRIPTION_MODELS[model];
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

function readFile(
  file: { filename: string | null; bytes: Buffer } | undefined,
): Pick<TranscriptionRequest, 'file' | 'recording'> {
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

function transcriptionReply(
  { format, language, file, recording }: TranscriptionRequest,
  corruptions: readonly Corruption[],
): VendorReply {
  const text = recording.silent
    ? ''
    : transcriptOf({ file, seconds: recording.seconds, language: language ?? 'en' }, corruptions);
  if (format === 'text') return ok(`${text}\n`, { 'content-type': 'text/plain' });
  if (format === 'json') return ok({ text });
  return ok({
    task: 'transcribe',
    language: nameOf(language ?? 'en'),
    duration: recording.seconds,
    text,
    segments:
      text === '' ? [] : [{ id: 0, start: 0, end: recording.seconds, text, avg_logprob: -0.2, no_speech_prob: 0.01 }],
  });
}

interface SpokenFile {
  readonly file: Buffer;
  readonly seconds: number;
  readonly language: string;
}

function transcriptOf({ file, seconds, language }: SpokenFile, corruptions: readonly Corruption[]): string {
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

/** The language name the real API reports: `spanish`. */
const nameOf = (language: string): string => (NAMES.of(language) ?? language).toLowerCase();

/** Supported file extensions with their magic bytes. */
const FILE_SIGNATURES: Readonly<Record<string, RegExp>> = {
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

export const EXTENSIONS = Object.keys(FILE_SIGNATURES).sort();

/** Assumed bit rate of compressed files, 32 kbit/s. */
const COMPRESSED_BYTES_PER_SECOND = 4_000;

export interface Recording {
  readonly seconds: number;
  /** True for silence. Only detected in WAV files. */
  readonly silent: boolean;
}

/** Duration of a file without decoding it; null when its content does not match its name. */
export function recordingIn(filename: string, bytes: Buffer): Recording | null {
  const kind = /\.(\w+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  if (!FILE_SIGNATURES[kind]?.test(bytes.subarray(0, 16).toString('latin1'))) return null;
  return kind === 'wav' ? wavIn(bytes) : { seconds: bytes.length / COMPRESSED_BYTES_PER_SECOND, silent: false };
}

const SILENT_BELOW = 200;

/** Reads 16-bit PCM; null for anything else and for a file without samples. */
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
  for (let at = 0; at + 2 <= samples.length; at += 2)
    if (Math.abs(samples.readInt16LE(at)) > SILENT_BELOW) return false;
  return true;
}

/** One field of a form. `filename` null: not a file. */
export interface FormPart {
  readonly name: string;
  readonly filename: string | null;
  readonly bytes: Buffer;
}

/** Parses a multipart/form-data body (RFC 7578); null when it is invalid. */
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

const SPEECH_MODELS = ['tts-1', 'tts-1-hd', 'gpt-4o-mini-tts'];
const VOICES = ['alloy', 'ash', 'ballad', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer', 'verse'];
const MAX_SPEECH_CHARS = 4_096;

/** Speaking rate. */
const CHARS_PER_SECOND = 15;

/** Returns a silent MP3 file as long as the spoken text would be. */
export function speech(request: FastifyRequest, account: Account): AcceptedCall {
  const body = isOfType(request, 'application/json') ? jsonIn(bytesOf(request)) : undefined;
  if (!isObject(body)) throw refuse(400, { message: 'We could not parse the JSON body of your request.', code: null });
  const { model, input, voice, response_format: format = 'mp3' } = body;
  const wrong = (param: string, code: string) => refuse(400, { message: `Invalid value for '${param}'.`, param, code });
  if (typeof model !== 'string' || !SPEECH_MODELS.includes(model)) {
    throw refuse(404, { message: `The model \`${String(model)}\` does not exist.`, code: 'model_not_found' });
  }
  if (typeof voice !== 'string' || !VOICES.includes(voice)) throw wrong('voice', 'invalid_value');
  if (typeof input !== 'string' || input === '') throw wrong('input', 'invalid_type');
  if (input.length > MAX_SPEECH_CHARS) throw wrong('input', 'string_above_max_length');
  if (format !== 'mp3') throw wrong('response_format', 'unsupported_value');
  return {
    account,
    details: { call: 'speak', texts: [input], source: null, target: null },
    respond: (corruptions) => {
      const seconds = corruptions.includes('empty') ? 0 : Math.ceil(input.length / CHARS_PER_SECOND);
      return ok(silentMp3(seconds), { 'content-type': 'audio/mpeg' });
    },
  };
}

/** A frame of MPEG-2 layer III, 24 kHz, mono, 64 kbit/s: 192 bytes for 576 samples. A frame of zeros after the header is silence. */
const HEADER = Buffer.from([0xff, 0xf3, 0x84, 0xc4]);
const FRAME_BYTES = 192;
const FRAMES_PER_SECOND = 24_000 / 576;

function silentMp3(seconds: number): Buffer {
  const frame = Buffer.concat([HEADER, Buffer.alloc(FRAME_BYTES - HEADER.length)]);
  return Buffer.concat(Array.from({ length: Math.ceil(seconds * FRAMES_PER_SECOND) }, () => frame));
}
