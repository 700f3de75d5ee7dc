import { createHash } from 'node:crypto';

import type { FastifyRequest } from 'fastify';

import type { Account } from '../account.js';
import { partsIn } from '../form-data.js';
import { bytesOf, headerOf } from '../request-body.js';
import { translate } from '../translate.js';
import { PHRASES } from '../translation/texts-phrases.js';
import { answered, type Deed, type VendorAnswer } from '../vendor-answer.js';
import type { Spoil } from '../vendor-faults.js';
import { refuse } from './chatgpt-error.js';
import { EXTENSIONS, type Recording, recordingIn } from './recording.js';

/** What each model answers in; only the older one says which language it heard. */
const MODELS: Readonly<Record<string, readonly string[]>> = {
  'whisper-1': ['json', 'text', 'verbose_json'],
  'gpt-4o-transcribe': ['json'],
  'gpt-4o-mini-transcribe': ['json'],
};

const MOST_BYTES = 25 * 1024 * 1024;
const LEAST_SECONDS = 0.1;
/** A phrase is said in so much time. */
const PHRASE_SECONDS = 5;
const MOST_PHRASES = 40;

interface Asked {
  readonly format: string;
  /** ISO 639-1; null: to be heard. */
  readonly language: string | null;
  readonly file: Buffer;
  readonly recording: Recording;
}

/** It hears nothing really: the same file always gives the same phrases, in the language that was asked for, else in English. */
export function transcription(request: FastifyRequest, account: Account): Deed {
  const asked = readForm(request);
  return {
    account,
    asked: { call: 'transcribe', texts: [], source: asked.language, target: null },
    answer: (spoils) => answerOf(asked, spoils),
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
  if (file.bytes.length > MOST_BYTES) {
    throw refuse(413, {
      message: `Maximum content size limit (${MOST_BYTES}) exceeded`,
      type: 'server_error',
      code: null,
    });
  }
  const recording = recordingIn(file.filename, file.bytes);
  if (!recording) {
    const message = `Invalid file format. Supported formats: ${JSON.stringify(EXTENSIONS)}`;
    throw refuse(400, { message, param: 'file', code: null });
  }
  if (recording.seconds < LEAST_SECONDS) {
    throw refuse(400, { message: 'Audio file is too short.', param: 'file', code: 'audio_too_short' });
  }
  return { file: file.bytes, recording };
}

function answerOf({ format, language, file, recording }: Asked, spoils: readonly Spoil[]): VendorAnswer {
  const text = recording.silent ? '' : said({ file, seconds: recording.seconds, language: language ?? 'en' }, spoils);
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

interface Heard {
  readonly file: Buffer;
  readonly seconds: number;
  readonly language: string;
}

function said({ file, seconds, language }: Heard, spoils: readonly Spoil[]): string {
  if (spoils.includes('empty')) return '';
  const first = createHash('sha256').update(file).digest().readUInt32BE(0);
  const plain = PHRASES.map(({ en }) => en.split(' | ')[0] ?? '').filter((phrase) => !phrase.includes('#'));
  const count = Math.min(MOST_PHRASES, Math.max(1, Math.ceil(seconds / PHRASE_SECONDS)));
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
