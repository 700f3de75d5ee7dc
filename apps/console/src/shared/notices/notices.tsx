import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { loadMessages } from '../i18n/messages.js';
import { activeNotices } from './active-notices.js';
import type { NoticeModalProps } from './notice-modal.js';
import { hiddenIn, hidingCookie } from './hidden-cookie.js';

/** Per page load: a dismissed notice does not return after a navigation. */
const board = activeNotices(() => hiddenIn(document.cookie));
const NONE = board.shown();

/** A failure to load notices must not break the page. */
const Modal = lazy<(props: NoticeModalProps) => React.ReactNode>(async () => {
  try {
    const [file] = await Promise.all([import('./notice-modal.js'), loadMessages('notices')]);
    return file;
  } catch {
    return { default: () => null };
  }
});

/** Runs `work` when the browser is idle, after the page is rendered and interactive. Returns a cancel function. */
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

/** The operators' notices, on every page with this component; it loads almost no code while there are none. */
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
