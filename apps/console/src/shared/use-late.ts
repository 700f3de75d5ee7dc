import { useEffect, useState } from 'react';

/** Quicker answers than this need no sign that one waits (DESIGN §4). */
const LATE_MS = 200;

/** Whether the component has been there for a while. */
export function useLate(): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return late;
}
