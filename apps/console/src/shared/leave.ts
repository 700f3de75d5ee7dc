import { keepMessage } from './ui/flash-message.js';

/**
 * Loads another document and carries the newest toast over. Resolves only when the page is restored from the back/forward cache: callers
 * stay busy until then.
 */
export function leaveFor(path: string, { replace = false } = {}): Promise<void> {
  keepMessage();
  if (replace) location.replace(path);
  else location.assign(path);
  return new Promise((resolve) => addEventListener('pageshow', () => resolve(), { once: true }));
}
