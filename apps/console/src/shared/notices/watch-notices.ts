/** Synchronizes the notices with the server: a list request once the stream is ready, then live events. */
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import type { ShownNotice } from '@yiqiao/contracts/notices';
import { CLIENT_TIMEOUT_MS } from '@yiqiao/domain/limits';
import { acceptLanguage } from '../i18n/language.js';
import { fieldsOf, readNotice, type LiveEvents } from '../live/live-events.js';
import { ROUTES } from '../live/notice-routes.js';
import { oneAtATime } from '../live/one-at-a-time.js';
import type { ActiveNotices } from './active-notices.js';

type Source = {
  on: <E extends keyof LiveEvents>(name: E, listener: (data: LiveEvents[E]) => void) => () => void;
  list: () => Promise<readonly ShownNotice[] | null>;
};
type Change = (notices: ActiveNotices) => void;

/** If the stream is not ready by then, the list is requested without it. */
const READY_TIMEOUT_MS = 1_500;

/** Returns a function that stops it. */
export function watchNotices(notices: ActiveNotices, { on, list }: Source): () => void {
  let changes: Change[] = [];
  const read = oneAtATime(async () => {
    changes = [];
    const all = await list();
    // A list requested before may be older than events received since.
    if (all) [(each: ActiveNotices) => each.set(all), ...changes].forEach((change) => change(notices));
  });
  const apply = (change: Change): void => {
    changes.push(change);
    change(notices);
  };
  const timeout = setTimeout(read, READY_TIMEOUT_MS);
  const stops = [
    on('ready', () => {
      clearTimeout(timeout);
      read(); // later changes arrive as events; earlier ones may have been missed
    }),
    on('notice', (notice) => apply((each) => each.put(notice))),
    on('notice-removed', ({ id }) => apply((each) => each.remove(id))),
  ];
  return () => {
    clearTimeout(timeout);
    stops.forEach((stop) => stop());
  };
}

const isPresent = (notice: ShownNotice | null): notice is ShownNotice => notice !== null;

/** The current notices, the newest first; null on failure. Silent: it was not requested by the user. */
export async function listNotices(): Promise<readonly ShownNotice[] | null> {
  try {
    const response = await fetch(BASE_PATH + ROUTES.list.path, {
      headers: { 'Accept-Language': acceptLanguage },
      signal: AbortSignal.timeout(CLIENT_TIMEOUT_MS),
      credentials: 'omit',
      cache: 'no-store',
    });
    const rows = fieldsOf(await response.json())?.['data'];
    if (!response.ok || !Array.isArray(rows)) return null;
    return rows.map((row: unknown) => readNotice(fieldsOf(row) ?? {})).filter(isPresent);
  } catch {
    return null;
  }
}
