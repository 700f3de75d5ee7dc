import { useEffect, useState } from 'react';

const TICK_MS = 250;

/**
 * Seconds until a code may be sent again. Counts 60 … 1 and is over at 1, as specification §4 says; the 1 appears when the
 * full time has passed, so that the server agrees. Follows the clock, because hidden tabs tick slowly.
 */
export function useCountdown() {
  const [{ end, most }, setGoal] = useState({ end: 0, most: 0 });
  const [now, setNow] = useState(0);
  const count = Math.min(most, Math.max(0, Math.ceil((end - now) / 1_000)));
  const running = count > 1;
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [running]);
  return {
    count,
    running,
    start: (seconds: number): void => {
      const begin = Date.now();
      setNow(begin);
      setGoal({ end: begin + (seconds + 1) * 1_000, most: seconds });
    },
  };
}
