import type { FastifyRequest } from 'fastify';

import type { Account } from '../account.js';
import { bytesOf, isObject, isOfType, jsonIn } from '../request-body.js';
import { answered, type AcceptedCall } from '../vendor-answer.js';
import { refuse } from './chatgpt-error.js';

const MODELS = ['tts-1', 'tts-1-hd', 'gpt-4o-mini-tts'];
const VOICES = ['alloy', 'ash', 'ballad', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer', 'verse'];
const MAX_CHARS = 4_096;

/** Spoken in a second. */
const CHARS_PER_SECOND = 15;

/** It says everything without a sound: an MP3 file of the length that the words would take. */
export function speech(request: FastifyRequest, account: Account): AcceptedCall {
  const body = isOfType(request, 'application/json') ? jsonIn(bytesOf(request)) : undefined;
  if (!isObject(body)) throw refuse(400, { message: 'We could not parse the JSON body of your request.', code: null });
  const { model, input, voice, response_format: format = 'mp3' } = body;
  const wrong = (param: string, code: string) => refuse(400, { message: `Invalid value for '${param}'.`, param, code });
  if (typeof model !== 'string' || !MODELS.includes(model)) {
    throw refuse(404, { message: `The model \`${String(model)}\` does not exist.`, code: 'model_not_found' });
  }
  if (typeof voice !== 'string' || !VOICES.includes(voice)) throw wrong('voice', 'invalid_value');
  if (typeof input !== 'string' || input === '') throw wrong('input', 'invalid_type');
  if (input.length > MAX_CHARS) throw wrong('input', 'string_above_max_length');
  if (format !== 'mp3') throw wrong('response_format', 'unsupported_value');
  return {
    account,
    asked: { call: 'speak', texts: [input], source: null, target: null },
    answer: (corruptions) => {
      const seconds = corruptions.includes('empty') ? 0 : Math.ceil(input.length / CHARS_PER_SECOND);
      return answered(silentMp3(seconds), { 'content-type': 'audio/mpeg' });
    },
  };
}

/** A frame of MPEG-2 layer III, 24 kHz, mono, 64 kbit/s: 192 bytes for 576 samples. Nothing after the header is silence. */
const HEADER = Buffer.from([0xff, 0xf3, 0x84, 0xc4]);
const FRAME_BYTES = 192;
const FRAMES_PER_SECOND = 24_000 / 576;

function silentMp3(seconds: number): Buffer {
  const frame = Buffer.concat([HEADER, Buffer.alloc(FRAME_BYTES - HEADER.length)]);
  return Buffer.concat(Array.from({ length: Math.ceil(seconds * FRAMES_PER_SECOND) }, () => frame));
}
