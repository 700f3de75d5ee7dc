import { keepMessage } from './ui/flash-message.js';

/**
 * Loads another document, with the newest message on screen. Resolves only if the browser brings this document back as it was: whoever waits
 * for the next page stays busy until then.
 */
export function leaveFor(path: string, { replace = false } = {}): Promise<void> {
  keepMessage();
  if (replace) location.replace(path);
  else location.assign(path);
  return new Promise((resolve) => addEventListener('pageshow', () => resolve(), { once: true }));
}
