/**
 * The session of this browser tab (specification §3: exactly `sk`, `userId`, `userInfo` in session storage).
 *
 * Session storage belongs to one tab. So that a link opened in a second tab is signed in too, an empty tab asks the others
 * over a BroadcastChannel and takes the session over from whichever answers; signing out in one tab ends it in all of
 * them, because they share one secret (decisions §2).
 */
import { inBrowser } from '../in-browser.js';

export type Session = { sk: string; userId: number };

/** An operator's look at the account, read-only until `endsAt` (ms); `until` on the server's clock. It stays in its tab. */
export type View = { viewedBy: string; until: string; endsAt: number };
const VIEW = 'view';
/** A link of an operator, which opens such a view (console/view-link.tsx). */
export const VIEW_LINK = /^#view=([\w-]+)$/;

/** How a session ended: the person left, or the server has refused it. */
export type Ending = 'left' | 'expired';

type Message =
  | { kind: 'ask'; from: string }
  | { kind: 'offer'; to: string; session: Session; userInfo: string | null }
  | { kind: 'ended'; sk: string; why: Ending };

/** How long an empty tab waits for one that says it is signed in, and where tabs cannot say so, for any. */
const PATIENCE_MS = 2_000;
const BLIND_PATIENCE_MS = 300;
/** The lock that a tab holds while it is signed in, so that a new tab knows whether waiting makes sense. */
const SIGNED_IN = 'signed-in';
const locks = inBrowser && 'locks' in navigator ? navigator.locks : null; // none outside secure contexts

const listeners = new Set<() => void>();
const farListeners = new Set<(why: Ending) => void>();
const channel = inBrowser && typeof BroadcastChannel !== 'undefined' ? new BroadcastChannel('session') : null;
const announce = (): void => listeners.forEach((listener) => listener());

/** Calls `listener` after every sign-in, sign-out and change of `userInfo`. Answers how to stop. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls `listener` when another tab has ended the session of this one, with the reason. Answers how to stop. */
export function onEndedElsewhere(listener: (why: Ending) => void): () => void {
  farListeners.add(listener);
  return () => farListeners.delete(listener);
}

export function currentSession(): Session | null {
  const sk = sessionStorage.getItem('sk');
  const userId = Number(sessionStorage.getItem('userId'));
  return sk && Number.isSafeInteger(userId) && userId > 0 ? { sk, userId } : null;
}

/** The operator's view in this tab; null for a member's own session. */
export function currentView(): View | null {
  const text = inBrowser ? sessionStorage.getItem(VIEW) : null;
  return text === null ? null : (JSON.parse(text) as View);
}

/** The stored `userInfo` as text, so that snapshots can be compared by identity. */
export const storedUserInfo = (): string | null => sessionStorage.getItem('userInfo');

export function storeUserInfo(userInfo: string): void {
  if (!currentSession() || storedUserInfo() === userInfo) return;
  sessionStorage.setItem('userInfo', userInfo);
  announce();
}

/** Holds the lock until the session is over. */
function showSignedIn(): void {
  if (currentView()) return;
  const untilOver = (): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (currentSession()) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      look();
    });
  void locks?.request(SIGNED_IN, { mode: 'shared' }, untilOver);
}

export function startSession({ sk, userId }: Session, view?: View): void {
  for (const key of ['userInfo', VIEW]) sessionStorage.removeItem(key);
  if (view) sessionStorage.setItem(VIEW, JSON.stringify(view));
  sessionStorage.setItem('sk', sk);
  sessionStorage.setItem('userId', String(userId));
  showSignedIn();
  announce();
}

const forget = (): void => {
  for (const key of ['sk', 'userId', 'userInfo', VIEW]) sessionStorage.removeItem(key);
  announce();
};

/** Ends the session in this tab and in every tab that shares it. Does not notify the server. */
export function endSession(why: Ending = 'left'): void {
  const session = currentSession();
  forget();
  if (session) channel?.postMessage({ kind: 'ended', sk: session.sk, why } satisfies Message);
}

const me = Math.random().toString(36).slice(2);
let settle: () => void = () => undefined;
const settled = new Promise<void>((resolve) => {
  settle = resolve;
});

channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  const session = currentSession();
  if (data.kind === 'ask' && session && !currentView())
    channel.postMessage({ kind: 'offer', to: data.from, session, userInfo: storedUserInfo() } satisfies Message);
  if (data.kind === 'offer' && data.to === me && !session) {
    startSession(data.session);
    if (data.userInfo) storeUserInfo(data.userInfo);
    settle();
  }
  if (data.kind === 'ended' && session?.sk === data.sk) {
    forget();
    farListeners.forEach((listener) => listener(data.why));
  }
});

const isHeld = ({ held }: LockManagerSnapshot): boolean => held?.some(({ name }) => name === SIGNED_IN) ?? false;

async function takeOver(): Promise<void> {
  if (locks && !isHeld(await locks.query())) return settle();
  channel?.postMessage({ kind: 'ask', from: me } satisfies Message);
  setTimeout(settle, locks ? PATIENCE_MS : BLIND_PATIENCE_MS);
}

if (inBrowser) {
  if (currentSession()) {
    showSignedIn();
    settle();
  } else if (VIEW_LINK.test(location.hash)) settle();
  else void takeOver();
}

/** Resolves when it is known whether this tab has a session: at once, or after the other tabs had their chance. */
export const sessionSettled = (): Promise<void> => settled;
