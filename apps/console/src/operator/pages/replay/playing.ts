import { useEffect, useRef } from 'react';
import { limitOf } from './replay-store.js';
import { entryAt, type Replay } from './use-replay.js';

/** Entries per second, and how often a clock of minutes or hours moves on. */
const PACE_MS = 400;
const PER_SECOND = { minute: 60_000, hour: 3_600_000 } as const;

/** Goes on by itself while the store plays: by entries, or by a clock that runs faster than the world's. */
export function usePlaying({ state, dispatch, picture }: Replay): void {
  const latest = useRef({ state, picture, time: 0 });
  useEffect(() => {
    latest.current.state = state;
    latest.current.picture = picture;
  });
  const { playing, speed } = state;
  useEffect(() => {
    if (!playing) return;
    latest.current.time = latest.current.state.moment ?? latest.current.state.life?.from ?? 0;
    const timer = setInterval(() => {
      const now = latest.current;
      if (speed === 'entry') return dispatch({ do: 'stepped', by: 1 });
      now.time = Math.max(now.time, now.state.moment ?? 0) + (PER_SECOND[speed] * PACE_MS) / 1000;
      const { window, seq } = now.state;
      // At the end of a window the next entry opens the next one.
      const found = window && now.time > window.to ? (seq ?? 0) + 1 : entryAt(now.picture, now.time);
      if (found !== null && found > (seq ?? 0)) dispatch({ do: 'went', seq: found });
      else if ((seq ?? 0) >= limitOf(now.state)) dispatch({ do: 'played', playing: false });
    }, PACE_MS);
    return () => clearInterval(timer);
  }, [playing, speed, dispatch]);
}
