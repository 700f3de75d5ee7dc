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
