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
