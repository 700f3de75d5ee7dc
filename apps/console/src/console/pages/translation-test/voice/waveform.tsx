import { LINES } from './peaks.js';

type WaveformProps = {
  /** From 0 to 1; fewer than there is room for stand at the right. Null: nothing is known of it. */
  peaks: readonly number[] | null;
  /** How much of it was played, from 0 to 1. */
  played?: number;
};

/** A recording as lines. Decorative: what can be done with it stands beside it. */
export function Waveform({ peaks, played = 0 }: WaveformProps) {
  const known = peaks ?? [];
  const lines = [...Array.from({ length: Math.max(0, LINES - known.length) }, () => 0), ...known];
  return (
    <span className="vo-wave" aria-hidden="true">
      {lines.map((peak, line) => (
        <i key={line} style={{ height: `${Math.max(6, peak * 100)}%` }} data-played={line < played * LINES} />
      ))}
    </span>
  );
}
