import { readRefusal, type NextStep } from '../refusal.js';

/** What can be done about it: as for a text, or with another file. */
export type MediaStep = Exclude<NextStep, 'text'> | 'file';
type MediaReading = {
  next: readonly [MediaStep, ...MediaStep[]];
  charged: 'no' | 'said' | 'unknown';
};

const READINGS: Readonly<Record<string, MediaReading>> = {
  NOT_AN_IMAGE: { next: ['file'], charged: 'no' },
  IMAGE_TOO_LARGE: { next: ['file'], charged: 'no' },
  NO_TEXT_FOUND: { next: ['file', 'language'], charged: 'said' },
  NOT_AUDIO: { next: ['file'], charged: 'no' },
  VOICE_TOO_LONG: { next: ['file'], charged: 'no' },
  NO_SPEECH_FOUND: { next: ['file', 'language'], charged: 'said' },
  FILE_TOO_LARGE: { next: ['file'], charged: 'no' },
  MALFORMED_UPLOAD: { next: ['retry', 'file'], charged: 'no' },
  ENGINE_MISSING: { next: ['channel', 'language'], charged: 'said' },
  MEDIA_LANGUAGE_NOT_SUPPORTED: { next: ['language', 'channel'], charged: 'no' },
  ONLY_GLOSS: { next: ['language', 'channel'], charged: 'no' },
  CONTENT_REFUSED: { next: ['file', 'channel'], charged: 'said' },
  VALIDATION_FAILED: { next: ['file'], charged: 'no' },
  // Given up by the person: it may have been done all the same.
  ABORTED: { next: ['retry'], charged: 'unknown' },
};

/** How to go on after a picture or a recording was refused with `code`. */
export const readMediaRefusal = (code: string): MediaReading => {
  const own = READINGS[code];
  if (own) return own;
  const { next, charged } = readRefusal(code);
  const steps = next.map((step): MediaStep => (step === 'text' ? 'file' : step));
  return { next: [steps[0] ?? 'retry', ...steps.slice(1)], charged };
};

/** A sub-account has its main account's channel: it is left out where something else can be done. */
export const mediaSteps = ({ next }: MediaReading, main: boolean): readonly MediaStep[] => {
  const own = main ? next : next.filter((step) => step !== 'channel');
  return own.length > 0 ? own : next;
};
