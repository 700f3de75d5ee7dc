import { IMAGE_BYTES, TEXT_MAX_CODE_POINTS, VOICE_BYTES } from '@yiqiao/domain/limits';
import { codePoints, hasVisible } from '@yiqiao/domain/members';
import { z } from 'zod';
import { endpoint, nothing } from './endpoint.js';
import { queryId } from './fields.js';
import { langCode } from './translation.js';

/** Through this channel for this request; by default the member's own. Refused like that of a text. Not in the specification. */
const channelId = queryId.optional();

/** Left, top, width, height in pixels of the picture as it is seen (its EXIF orientation applied). */
const box = z.tuple([z.int(), z.int(), z.int(), z.int()]);

/**
 * The text of a picture, translated, and the picture redrawn with it. Costs one image on any channel (decisions §4, §7, §9).
 * `source` may be `auto`. Free and without a trace when refused: ENGINE_MISSING, MEDIA_LANGUAGE_NOT_SUPPORTED, PAIR_NOT_SUPPORTED,
 * ONLY_GLOSS, NOT_AN_IMAGE, IMAGE_TOO_LARGE before anything is held, NO_TEXT_FOUND, NOT_TRANSLATED (every text stays as it is) after.
 */
export const translateImage = endpoint({
  method: 'POST',
  path: '/translation/image',
  access: 'member',
  upload: { maxBytes: IMAGE_BYTES },
  request: z.strictObject({ source: langCode, target: langCode, channelId }),
  response: z.object({
    text: z.string(),
    translated: z.string(),
    blocks: z.array(z.object({ box, text: z.string(), translated: z.string() })),
    /** A data URL. */
    image: z.string(),
    charged: z.int(),
  }),
});

/** `true` or `false` as form text. */
const formFlag = z.enum(['true', 'false'], { error: 'WRONG_VALUE' });

/** The transcript as edited by the member before translation. */
const transcript = z
  .string({ error: 'WRONG_TYPE' })
  .refine(hasVisible, { error: 'TEXT_REQUIRED', abort: true })
  .refine((s) => s.isWellFormed(), { error: 'UNSAFE_TEXT', abort: true })
  .refine((s) => codePoints(s) <= TEXT_MAX_CODE_POINTS, { error: 'TEXT_MAX' });

/**
 * Transcribes and translates a recording, and speaks the translation unless `speech` is `false` or no voice for the target exists. Costs one
 * voice use per started minute, whatever its text (decisions §4). With `transcript`, which the member has read and corrected, the recording is
 * only measured.
 */
export const translateVoice = endpoint({
  method: 'POST',
  path: '/translation/voice',
  access: 'member',
  upload: { maxBytes: VOICE_BYTES },
  request: z.strictObject({
    source: langCode,
    target: langCode,
    channelId,
    transcript: transcript.optional(),
    speech: formFlag.optional(),
  }),
  response: z.object({
    transcript: z.string(),
    translated: z.string(),
    /** A data URL. */
    speech: z.string().nullable(),
    /** Of the recording, rounded up. */
    seconds: z.int(),
    charged: z.int(),
  }),
});

/**
 * Only the transcript, to be read and corrected before translation: free, but requires the quota for the translation and is limited per hour.
 * SPEECH_UNCLEAR has the unreliable transcript as `data.transcript`.
 * Not in the specification (docs/decisions/0018).
 */
export const transcribe = endpoint({
  method: 'POST',
  path: '/translation/transcript',
  access: 'member',
  upload: { maxBytes: VOICE_BYTES },
  request: z.strictObject({ source: langCode, channelId }),
  response: z.object({ transcript: z.string(), seconds: z.int() }),
});

const ability = {
  available: z.boolean(),
  /** In the language of the request: the reason, or a note. */
  reason: z.string().nullable(),
  /** langCodes that can be recognised. */
  sources: z.array(z.string()),
  /** `auto` works as a source. */
  auto: z.boolean(),
};

/** The current picture and recording capabilities of each available channel. Not in the specification (docs/decisions/0007). */
export const listMediaAbilities = endpoint({
  method: 'GET',
  path: '/tranChannel/media',
  access: 'member',
  request: nothing,
  response: z.array(
    z.object({
      channelId: z.int(),
      image: z.object(ability),
      voice: z.object({
        ...ability,
        maxSeconds: z.int(),
        /** Unreliable; the screen shows a hint. */
        experimental: z.boolean(),
      }),
      /** langCodes that can be spoken. */
      speech: z.array(z.string()),
    }),
  ),
});
