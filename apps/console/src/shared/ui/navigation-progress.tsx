import { useEffect, useState } from 'react';

/** Responses faster than this need no loading indicator (DESIGN §4). */
const LATE_MS = 200;

/** Whether the component has been mounted for longer than that. */
export function useDelayed(): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return late;
}

/** A progress bar for a navigation that takes long. */
export function NavigationProgress() {
  return useDelayed() ? <div className="navigation-progress" aria-hidden="true" /> : null;
}
