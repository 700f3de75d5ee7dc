import { useEffect, useState } from 'react';

const TICK_MS = 250;

/** Milliseconds left of `ms` since the first render, 0 at the end. Reads the clock, because timers in hidden tabs are throttled. */
export function useTimeLeft(ms: number): number {
  const [end] = useState(() => Date.now() + ms);
  const [now, setNow] = useState(() => Date.now());
  const left = Math.max(0, end - now);
  useEffect(() => {
    if (left === 0) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), TICK_MS);
    return () => clearTimeout(timer);
  }, [left, now]);
  return left;
}
