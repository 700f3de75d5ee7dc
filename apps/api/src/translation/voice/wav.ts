import { SAMPLE_RATE } from './sound.js';

const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;

type Format = {
  readonly isFloat: boolean;
  readonly channels: number;
  readonly rate: number;
  /** The size of one sample of one channel. */
  readonly bytes: number;
};

/**
 * Reads uncompressed WAV, as the console records it, without FFmpeg. Returns one channel of 16-bit samples at SAMPLE_RATE, at most `seconds` of
 * them; null for a damaged, compressed or empty file.
 */
export function samplesOfWav(file: Buffer, seconds: number): Buffer | null {
  const { format, data } = chunksOf(file);
  if (!format || !data) return null;
  const { channels, rate, bytes } = format;
  const frames = Math.floor(data.length / (channels * bytes));
  const read = readerOf(format, data);
  const count = Math.floor((Math.min(frames, rate * seconds) * SAMPLE_RATE) / rate);
  const samples = Buffer.alloc(count * 2);
  for (let nth = 0; nth < count; nth++) {
    // The mean of the input samples in one output sample: simple, and good enough for speech.
    const from = Math.floor((nth * rate) / SAMPLE_RATE);
    const to = Math.min(frames, Math.max(from + 1, Math.floor(((nth + 1) * rate) / SAMPLE_RATE)));
    let sum = 0;
    for (let at = from * channels; at < to * channels; at++) sum += read(at);
    const mean = sum / ((to - from) * channels);
    samples.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(mean * 32_767))), nth * 2);
  }
  return count > 0 ? samples : null;
}

function chunksOf(file: Buffer): { format: Format | null; data: Buffer | null } {
  let format: Format | null = null;
  for (let at = 12; at + 8 <= file.length;) {
    const size = file.readUInt32LE(at + 4);
    // An interrupted recorder wrote no size: the actual length counts.
    const chunk = file.subarray(at + 8, Math.min(file.length, at + 8 + size));
    const id = file.toString('latin1', at, at + 4);
    if (id === 'fmt ') format = formatOf(chunk);
    if (id === 'data') return { format, data: chunk };
    at += 8 + size + (size % 2);
  }
  return { format, data: null };
}

function formatOf(chunk: Buffer): Format | null {
  if (chunk.length < 16) return null;
  const tag =
    chunk.readUInt16LE(0) === EXTENSIBLE && chunk.length >= 26 ? chunk.readUInt16LE(24) : chunk.readUInt16LE(0);
  const [channels, rate, bits] = [chunk.readUInt16LE(2), chunk.readUInt32LE(4), chunk.readUInt16LE(14)];
  const isFloat = tag === FLOAT;
  const isKnown = isFloat ? bits === 32 : tag === PCM && [8, 16, 24, 32].includes(bits);
  if (!isKnown || channels < 1 || channels > 8 || rate < 4_000 || rate > 192_000) return null;
  return { isFloat, channels, rate, bytes: bits / 8 };
}

/** Reads a sample between −1 and 1. */
function readerOf({ isFloat, bytes }: Format, data: Buffer): (at: number) => number {
  if (isFloat) return (at) => finite(data.readFloatLE(at * bytes));
  // Only 8-bit samples are unsigned.
  if (bytes === 1) return (at) => (data.readUInt8(at) - 128) / 128;
  const whole = 2 ** (8 * bytes - 1);
  return (at) => data.readIntLE(at * bytes, bytes) / whole;
}

const finite = (sample: number): number => (Number.isFinite(sample) ? sample : 0);
