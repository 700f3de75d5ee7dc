import { useEffect } from 'react';

/** The width up to which all sections follow one another (specification §9). */
const NARROW = '(max-width: 768px)';

/**
 * On a narrow screen the page holds every section: a section's address leads to where it stands. A frame later, because another page
 * begins at its top (shared/page-frame.ts).
 */
export function useOwnPlace(id: string | undefined): void {
  useEffect(() => {
    if (id === undefined || !matchMedia(NARROW).matches) return;
    const frame = requestAnimationFrame(() => document.getElementById(id)?.scrollIntoView({ behavior: 'instant' }));
    return () => cancelAnimationFrame(frame);
  }, [id]);
}
