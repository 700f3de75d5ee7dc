/** Keeps a board as the server's is: its list, asked for when the stream stands, and from then on what the stream tells. */
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import type { ShownNotice } from '@yiqiao/contracts/notices';
import { CLIENT_TIMEOUT_MS } from '@yiqiao/domain/limits';
import { acceptLanguage } from '../i18n/language.js';
import { fieldsOf, readNotice, type LiveEvents } from '../live/live-events.js';
import { ROUTES } from '../live/notice-routes.js';
import { oneAtATime } from '../live/one-at-a-time.js';
import type { NoticeBoard } from './notice-board.js';

type Source = {
  on: <E extends keyof LiveEvents>(name: E, listener: (data: LiveEvents[E]) => void) => () => void;
  list: () => Promise<readonly ShownNotice[] | null>;
};
type Move = (board: NoticeBoard) => void;

/** A stream that does not stand by then is not waited for: the list is worth having without it. */
const PATIENCE_MS = 1_500;

/** Answers how to stop. */
export function watchNotices(board: NoticeBoard, { on, list }: Source): () => void {
  let missed: Move[] = [];
  const read = oneAtATime(async () => {
    missed = [];
    const all = await list();
    // A list that was on its way may be older than what the stream has told meanwhile.
    if (all) [(b: NoticeBoard) => b.set(all), ...missed].forEach((move) => move(board));
  });
  const make = (move: Move): void => {
    missed.push(move);
    move(board);
  };
  const late = setTimeout(read, PATIENCE_MS);
  const stops = [
    on('ready', () => {
      clearTimeout(late);
      read(); // from here on everything is told; what was before may have been missed
    }),
    on('notice', (notice) => make((b) => b.put(notice))),
    on('notice-removed', ({ id }) => make((b) => b.remove(id))),
  ];
  return () => {
    clearTimeout(late);
    stops.forEach((stop) => stop());
  };
}

const isThere = (notice: ShownNotice | null): notice is ShownNotice => notice !== null;

/** What is shown now, the newest first; null when it cannot be known. Silent: nobody asked, and the page works without. */
export async function listNotices(): Promise<readonly ShownNotice[] | null> {
  try {
    const answer = await fetch(BASE_PATH + ROUTES.list.path, {
      headers: { 'Accept-Language': acceptLanguage },
      signal: AbortSignal.timeout(CLIENT_TIMEOUT_MS),
      credentials: 'omit',
      cache: 'no-store',
    });
    const rows = fieldsOf(await answer.json())?.['data'];
    if (!answer.ok || !Array.isArray(rows)) return null;
    return rows.map((row: unknown) => readNotice(fieldsOf(row) ?? {})).filter(isThere);
  } catch {
    return null;
  }
}
