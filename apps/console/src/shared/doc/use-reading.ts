import { useEffect, useState } from 'react';

/** The part that is being read, of those with these ids: the last one that begins in the upper third of the window or above it. */
export function useReading(ids: readonly string[]): string | undefined {
  const key = ids.join(' ');
  const [reading, setReading] = useState<string>();
  useEffect(() => {
    const all = key.split(' ').flatMap((id) => document.getElementById(id) ?? []);
    const begun = new Set<Element>();
    const watcher = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) begun[isIntersecting ? 'add' : 'delete'](target);
        setReading(all.findLast((part) => begun.has(part))?.id);
      },
      // Everything above the line counts, however far: whoever leaps to the top has begun nothing.
      { rootMargin: '1000000px 0px -70% 0px' },
    );
    all.forEach((part) => watcher.observe(part));
    return () => {
      watcher.disconnect();
      setReading(undefined);
    };
  }, [key]);
  return reading ?? ids[0];
}
