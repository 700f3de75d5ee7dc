/** Keeps a board as the server's is: its list, asked for when the stream stands, and from then on what the stream tells. */
import type { ShownNotice } from '@yiqiao/contracts/notices';
import type { LiveEvents } from '../live/live-events.js';
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
