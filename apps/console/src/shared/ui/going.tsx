import { useLate } from '../use-late.js';

/** The next page is loading, and takes its time. */
export function Going() {
  return useLate() ? <div className="going" aria-hidden="true" /> : null;
}
