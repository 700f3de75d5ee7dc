/** The sample rate of decoded recordings: one channel of signed 16-bit samples. */
export const SAMPLE_RATE = 16_000;
const SAMPLE_BYTES = 2;

/** Encoders add up to 0.2 s of silence: a recording of exactly a minute still counts as one (decisions §4). */
const PADDING_SAMPLES = SAMPLE_RATE / 5;

/** The length of a recording in whole seconds and in started minutes; each at least 1. */
export type Length = { readonly seconds: number; readonly minutes: number };

export const lengthOf = (samples: Buffer): Length => {
  const exact = (samples.length / SAMPLE_BYTES - PADDING_SAMPLES) / SAMPLE_RATE;
  return { seconds: Math.max(1, Math.ceil(exact)), minutes: Math.max(1, Math.ceil(exact / 60)) };
};

/** The samples of one measurement of loudness. */
const FRAME = SAMPLE_RATE / 50;
/** Root mean square out of 32,768: about −50 dB, below any recorded voice. */
const AUDIBLE = 100;
/** How many frames must be audible. */
const LEAST_FRAMES = 5;

/** Whether anything can be heard at all. */
export const isAudible = (samples: Buffer): boolean =>
  loudnesses(samples).filter((one) => one > AUDIBLE).length >= LEAST_FRAMES;

/** Speech alternates between loud and quiet within syllables, by at least this factor. */
const LEAST_CHANGE = 2;

/** Whether it may contain speech: a steady noise or tone does not, and makes a recogniser invent words. */
export function mayBeSpeech(samples: Buffer): boolean {
  const sorted = loudnesses(samples).sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return isAudible(samples) && at(0.95) > LEAST_CHANGE * at(0.1);
}

function loudnesses(samples: Buffer): number[] {
  const count = Math.floor(samples.length / SAMPLE_BYTES / FRAME);
  return Array.from({ length: count }, (_, nth) => {
    let sum = 0;
    for (let at = nth * FRAME; at < (nth + 1) * FRAME; at++) sum += samples.readInt16LE(at * SAMPLE_BYTES) ** 2;
    return Math.sqrt(sum / FRAME);
  });
}

/** A WAV file of the samples, without the metadata of the recording. */
export function wavOf(samples: Buffer): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(SAMPLE_RATE, 24);
  head.writeUInt32LE(SAMPLE_RATE * SAMPLE_BYTES, 28);
  head.writeUInt16LE(SAMPLE_BYTES, 32);
  head.writeUInt16LE(8 * SAMPLE_BYTES, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}
