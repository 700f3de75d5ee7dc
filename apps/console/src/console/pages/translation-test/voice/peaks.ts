/** How many lines a recording is drawn with. */
export const LINES = 72;

/** The loudest of each of `lines` equal parts, from 0 to 1, where 1 is the loudest of all; silence stays 0. */
export function peaksOf(samples: Float32Array, lines = LINES): number[] {
  const peaks = Array.from({ length: lines }, (_, line) => {
    const [from, to] = [line, line + 1].map((n) => Math.floor((n * samples.length) / lines));
    return samples.subarray(from, to).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  });
  const loudest = Math.max(...peaks);
  return loudest < SILENCE ? peaks.map(() => 0) : peaks.map((peak) => peak / loudest);
}
/** Below it nothing but the noise of a microphone is heard. */
const SILENCE = 0.005;

/** Decibels below full scale at which nothing is shown any more. */
const RANGE_DB = 54;

/** How loud a moment is, from 0 to 1 as ears take it; bent a little, so that speech moves in the middle and a whisper still shows. */
export function levelOf(samples: Float32Array): number {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length);
  const share = 1 + (10 * Math.log10(power + 1e-12)) / RANGE_DB;
  return Math.max(0, Math.min(1, share)) ** 1.5;
}
