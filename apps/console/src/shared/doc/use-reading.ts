import { useEffect, useState } from 'react';

/** The part that is being read: the first one below the upper fifth of the window, of those with these ids. */
export function useReading(ids: readonly string[]): string | undefined {
  const key = ids.join(' ');
  const [reading, setReading] = useState<string>();
  useEffect(() => {
    const all = key.split(' ').flatMap((id) => document.getElementById(id) ?? []);
    const watcher = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) if (isIntersecting) setReading(target.id);
      },
      { rootMargin: '-20% 0px -70% 0px' },
    );
    all.forEach((part) => watcher.observe(part));
    return () => {
      watcher.disconnect();
      setReading(undefined);
    };
  }, [key]);
  return reading ?? ids[0];
}
