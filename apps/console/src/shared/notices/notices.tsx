import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { loadMessages } from '../i18n/messages.js';
import { noticeBoard } from './notice-board.js';
import type { NoticeModalProps } from './notice-modal.js';
import { hiddenIn, hidingCookie } from './seen-cookie.js';

/** Of this load of the page: one that was closed does not come again on the next page that is gone to. */
const board = noticeBoard(() => hiddenIn(document.cookie));
const NONE = board.shown();

/** The page is worth more than its notices: what cannot be loaded is not shown. */
const Modal = lazy<(props: NoticeModalProps) => React.ReactNode>(async () => {
  try {
    const [file] = await Promise.all([import('./notice-modal.js'), loadMessages('notices')]);
    return file;
  } catch {
    return { default: () => null };
  }
});

/** Begins when the page has nothing better to do: it has been drawn, and answers to the person. Answers how to stop. */
function whenIdle(work: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, 200);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: 1_000 });
  return () => cancelIdleCallback(handle);
}

function watch(): () => void {
  let stop: (() => void) | undefined;
  let left = false;
  const begin = async (): Promise<void> => {
    const [{ watchNotices, listNotices }, { onLive }] = await Promise.all([
      import('./watch-notices.js'),
      import('../live/live.js'),
    ]);
    if (!left) stop = watchNotices(board, { on: onLive, list: listNotices });
  };
  const stopWaiting = whenIdle(() => void begin().catch(() => undefined));
  return () => {
    left = true;
    stopWaiting();
    stop?.();
  };
}

/** What operators tell everybody, on every page around which this stands; nothing, and next to no code, while there is none. */
export function Notices() {
  useEffect(watch, []);
  const notices = useSyncExternalStore(board.subscribe, board.shown, () => NONE);
  const close = ({ notAgainToday }: { notAgainToday: boolean }): void => {
    const ids = board.close();
    if (notAgainToday) document.cookie = hidingCookie(document.cookie, ids, new Date());
  };
  if (notices.length === 0) return null;
  return (
    <Suspense>
      <Modal notices={notices} onClose={close} />
    </Suspense>
  );
}
