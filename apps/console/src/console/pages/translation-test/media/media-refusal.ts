import { readRefusal, type NextStep, type RefusalReading } from '../refusal.js';

/** The steps after a refused file: those of a text, another file, or the doubtful transcript to be corrected. */
export type MediaStep = Exclude<NextStep, 'text'> | 'file' | 'transcript';

const READINGS: Readonly<Record<string, RefusalReading<MediaStep>>> = {
  NOT_AN_IMAGE: { next: ['file'], charged: 'no' },
  IMAGE_TOO_LARGE: { next: ['file'], charged: 'no' },
  NO_TEXT_FOUND: { next: ['file', 'language'], charged: 'said' },
  NOT_AUDIO: { next: ['file'], charged: 'no' },
  VOICE_TOO_LONG: { next: ['file'], charged: 'no' },
  NO_SPEECH_FOUND: { next: ['file', 'language'], charged: 'said' },
  SPEECH_UNCLEAR: { next: ['file', 'transcript', 'channel'], charged: 'said' },
  FILE_TOO_LARGE: { next: ['file'], charged: 'no' },
  MALFORMED_UPLOAD: { next: ['retry', 'file'], charged: 'no' },
  ENGINE_MISSING: { next: ['channel', 'language'], charged: 'said' },
  MEDIA_LANGUAGE_NOT_SUPPORTED: { next: ['language', 'channel'], charged: 'no' },
  ONLY_GLOSS: { next: ['language', 'channel'], charged: 'no' },
  CONTENT_REFUSED: { next: ['file', 'channel'], charged: 'said' },
  VALIDATION_FAILED: { next: ['file'], charged: 'no' },
  // The member stopped waiting; the request may have succeeded.
  ABORTED: { next: ['retry'], charged: 'unknown' },
};

/** The next steps after a picture or a recording was refused with `code`. */
export const readMediaRefusal = (code: string): RefusalReading<MediaStep> => {
  const own = READINGS[code];
  if (own) return own;
  const { next, charged } = readRefusal(code);
  const steps = next.map((step): MediaStep => (step === 'text' ? 'file' : step));
  return { next: [steps[0] ?? 'retry', ...steps.slice(1)], charged };
};
