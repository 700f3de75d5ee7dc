import { useSyncExternalStore } from 'react';

const QUESTION = '(prefers-reduced-motion: reduce)';

function follow(tell: () => void): () => void {
  const answer = matchMedia(QUESTION);
  answer.addEventListener('change', tell);
  return () => answer.removeEventListener('change', tell);
}

/** Whether the person asks for less motion. The server cannot know, and says no. */
export const useCalm = (): boolean =>
  useSyncExternalStore(
    follow,
    () => matchMedia(QUESTION).matches,
    () => false,
  );
