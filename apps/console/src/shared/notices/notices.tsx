import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { loadMessages } from '../i18n/messages.js';
import type * as Live from '../live/live.js';
import type { NoticeModalProps } from './notice-modal.js';
import type * as Watch from './watch-notices.js';
import { activeNotices, hiddenIn, hidingCookie } from './active-notices.js';

/** Per page load: a dismissed notice does not return after a navigation. */
const active = activeNotices(() => hiddenIn(document.cookie));
const NONE = active.shown();

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

type Code = [typeof Watch, typeof Live];

function watch(load: () => Promise<Code>): () => void {
  let stop: (() => void) | undefined;
  let stopped = false;
  const start = async (): Promise<void> => {
    const [{ watchNotices, listNotices }, { onLive }] = await load();
    if (!stopped) stop = watchNotices(active, { on: onLive, list: listNotices });
  };
  const cancelIdle = whenIdle(() => void start().catch(() => undefined));
  return () => {
    stopped = true;
    cancelIdle();
    stop?.();
  };
}

/** The operators' notices, on every page with this component; it loads almost no code while there are none. `load`: the live stream. */
export function Notices({ load }: { load: () => Promise<Code> }) {
  useEffect(() => watch(load), [load]);
  const notices = useSyncExternalStore(active.subscribe, active.shown, () => NONE);
  const close = ({ notAgainToday }: { notAgainToday: boolean }): void => {
    const ids = active.close();
    if (notAgainToday) document.cookie = hidingCookie(document.cookie, ids, new Date());
  };
  if (notices.length === 0) return null;
  return (
    <Suspense>
      <Modal notices={notices} onClose={close} />
    </Suspense>
  );
}
