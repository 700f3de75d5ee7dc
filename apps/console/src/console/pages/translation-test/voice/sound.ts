import { VOICE_BYTES } from '@yiqiao/domain/limits';

/** The number of lines of a waveform. */
export const LINES = 72;

/** The peak of each of `lines` equal parts, normalised to 0–1; silence stays 0. */
export function peaksOf(samples: Float32Array, lines = LINES): number[] {
  const peaks = Array.from({ length: lines }, (_, line) => {
    const [from, to] = [line, line + 1].map((n) => Math.floor((n * samples.length) / lines));
    return samples.subarray(from, to).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  });
  const loudest = Math.max(...peaks);
  return loudest < SILENCE ? peaks.map(() => 0) : peaks.map((peak) => peak / loudest);
}
/** Below this level there is only microphone noise. */
const SILENCE = 0.005;

/** The lower end of the scale, in decibels below full scale. */
const RANGE_DB = 54;

/** Perceived loudness from 0 to 1, on a curve that puts speech in the middle and still shows a whisper. */
export function levelOf(samples: Float32Array): number {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length);
  const share = 1 + (10 * Math.log10(power + 1e-12)) / RANGE_DB;
  return Math.max(0, Math.min(1, share)) ** 1.5;
}

const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;

/** Mono samples from −1 to 1 as a WAV file of 16-bit PCM. */
export function wavOf(samples: Float32Array, rate: number): ArrayBuffer {
  const bytes = samples.length * BYTES_PER_SAMPLE;
  const view = new DataView(new ArrayBuffer(HEADER_BYTES + bytes));
  const word = (at: number, text: string): void => [...text].forEach((c, i) => view.setUint8(at + i, c.charCodeAt(0)));
  word(0, 'RIFF');
  view.setUint32(4, HEADER_BYTES - 8 + bytes, true);
  word(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true); // PCM
  view.setUint16(22, 1, true); // mono
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * BYTES_PER_SAMPLE, true);
  view.setUint16(32, BYTES_PER_SAMPLE, true);
  view.setUint16(34, BYTES_PER_SAMPLE * 8, true);
  word(36, 'data');
  view.setUint32(40, bytes, true);
  samples.forEach((sample, i) => {
    const clipped = Math.max(-1, Math.min(1, sample));
    view.setInt16(HEADER_BYTES + i * BYTES_PER_SAMPLE, Math.round(clipped * 32_767), true);
  });
  return view.buffer;
}

/** The sample rate of speech recognition: a higher one does not help. */
const RATE = 16_000;
/** A file of unknown length is decoded only if it is small, because its decoded size is unknown, too. */
const DECODED_BLIND_BYTES = 1024 * 1024;
const HEAD_BYTES = 12;

/** A playable sound. `name`: null for a recording made here. Seconds and peaks are null where this browser cannot decode it. */
export type Sound = {
  file: Blob;
  name: string | null;
  url: string;
  seconds: number | null;
  peaks: readonly number[] | null;
};

/** Why a file cannot be sent as a recording. The server checks as well. */
export type NoSound = 'notSound' | 'tooManyBytes' | 'tooLong';

const decode = async (file: Blob): Promise<AudioBuffer | null> => {
  try {
    return await new OfflineAudioContext(1, 1, RATE).decodeAudioData(await file.arrayBuffer());
  } catch {
    return null; // a format that this browser does not play
  }
};

const soundOf = (file: Blob, name: string | null, heard: AudioBuffer | null, seconds: number | null): Sound => ({
  file,
  name,
  url: URL.createObjectURL(file),
  seconds: heard ? heard.duration : seconds,
  peaks: heard ? peaksOf(heard.getChannelData(0)) : null,
});

/** A recording as a mono WAV of 16,000 samples a second. The caller revokes the url. */
export async function recordedSound(samples: Float32Array<ArrayBuffer>, rate: number): Promise<Sound> {
  const length = Math.max(1, Math.round((samples.length / rate) * RATE));
  const context = new OfflineAudioContext(1, length, RATE);
  const given = context.createBuffer(1, Math.max(1, samples.length), rate);
  given.copyToChannel(samples, 0);
  const source = context.createBufferSource();
  source.buffer = given;
  source.connect(context.destination);
  source.start();
  const heard = await context.startRendering();
  const file = new Blob([wavOf(heard.getChannelData(0), RATE)], { type: 'audio/wav' });
  return soundOf(file, null, heard, null);
}

/** Speech from an answer. */
export const spokenSound = async (file: Blob, name: string): Promise<Sound> =>
  soundOf(file, name, await decode(file), null);

const lengthOf = (file: Blob): Promise<number | null> =>
  new Promise((resolve) => {
    const url = URL.createObjectURL(file);
    const audio = new Audio();
    const answer = (seconds: number | null): void => {
      URL.revokeObjectURL(url);
      resolve(seconds);
    };
    audio.preload = 'metadata';
    audio.onloadedmetadata = () => answer(Number.isFinite(audio.duration) ? audio.duration : null);
    audio.onerror = () => answer(null);
    audio.src = url;
  });

const text = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));

/** Whether a file has the signature of WAV, MP3, M4A, OGG, WebM or FLAC; its name does not matter. */
export const isSound = (head: Uint8Array): boolean =>
  (text(head, 0, 4) === 'RIFF' && text(head, 8, 12) === 'WAVE') ||
  text(head, 4, 8) === 'ftyp' ||
  ['OggS', 'fLaC', '\x1a\x45\xdf\xa3'].includes(text(head, 0, 4)) ||
  text(head, 0, 3) === 'ID3' ||
  (head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0);

/** Reads a chosen file, of `maxSeconds` at most where its length can be known. The caller revokes the url. */
export async function readSound(file: File, maxSeconds: number): Promise<Sound | NoSound> {
  if (file.size > VOICE_BYTES) return 'tooManyBytes';
  if (!isSound(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()))) return 'notSound';
  const told = await lengthOf(file);
  if (told !== null && told > maxSeconds) return 'tooLong';
  const heard = told !== null || file.size <= DECODED_BLIND_BYTES ? await decode(file) : null;
  if (heard && heard.duration > maxSeconds) return 'tooLong';
  return soundOf(file, file.name, heard, told);
}
