/**
 * Server events for this tab: one stream while the page is visible and has listeners, a visitor's before sign-in and the member's
 * after it. Without a stream, pages that wait for a change poll.
 *
 * A hidden page closes its stream, because a browser allows few connections per server (HTTP/1.1: six), and reopens it when it is
 * visible again; listeners of `ready` then refetch what they may have missed.
 */
import { currentSession, currentView, sessionSettled, subscribe as onSession } from '../api/session.js';
import { freshKey } from '../api/fresh-key.js';
import type { StreamEvent } from './read-stream.js';
import { parseLiveEvent, type LiveEvents } from './live-events.js';
import { closeStream, followStream } from './stream.js';

/** Specification §9: a closed stream reconnects after a second. */
const RECONNECT_MS = 1_000;
const LONGEST_MS = 30_000;

/** The delay after `failures` failed attempts in a row: a second, doubled each time up to half a minute. */
export const pauseAfter = (failures: number): number => Math.min(RECONNECT_MS * 2 ** failures, LONGEST_MS);

type Listeners = { [E in keyof LiveEvents]: Set<(data: LiveEvents[E]) => void> };
/** `sk` is undefined for a visitor. */
type Connection = { clientId: string; sk: string | undefined; abort: AbortController };

const listeners: Listeners = {
  ready: new Set(),
  notice: new Set(),
  'notice-removed': new Set(),
  account: new Set(),
  order: new Set(),
};
const connectionListeners = new Set<() => void>();

let begun = false;
let settled = false;
let connection: Connection | null = null;
/** Whose stream the last one is or was. */
let lastSk: string | undefined;
let connected = false;
let connectedBefore = false;
let failures = 0;
let pause: ReturnType<typeof setTimeout> | undefined;

const tell = <E extends keyof LiveEvents>(name: E, data: LiveEvents[E]): void =>
  listeners[name].forEach((listener) => listener(data));

function setConnected(value: boolean): void {
  if (connected === value) return;
  connected = value;
  connectionListeners.forEach((listener) => listener());
}

function take(event: StreamEvent): void {
  const told = parseLiveEvent(event);
  if (!told) return;
  if (told.name !== 'ready') return tell(told.name, told.data as never);
  const { accountVersion } = told.data;
  failures = 0;
  setConnected(true);
  tell('ready', { again: connectedBefore, accountVersion });
  connectedBefore = true;
}

const isListenedTo = (): boolean => Object.values(listeners).some((set) => set.size > 0);
const isSeen = (): boolean => document.visibilityState === 'visible';

async function connect(sk: string | undefined): Promise<void> {
  const mine: Connection = { clientId: freshKey(), sk, abort: new AbortController() };
  connection = mine;
  lastSk = sk;
  const onEvent = (event: StreamEvent): void => {
    if (connection === mine) take(event);
  };
  await followStream({ clientId: mine.clientId, signal: mine.abort.signal, onEvent });
  if (connection !== mine) return;
  connection = null;
  const wasConnected = connected;
  setConnected(false);
  clearTimeout(pause);
  pause = setTimeout(goOn, pauseAfter(wasConnected ? 0 : failures++));
}

function disconnect(): void {
  if (!connection) return;
  const { clientId, sk, abort } = connection;
  connection = null;
  setConnected(false);
  // Another session, or none, could not close a member's.
  if (sk === undefined || currentSession()?.sk === sk) closeStream(clientId);
  abort.abort();
}

/** Opens or closes the stream as the state requires. A new listener does not shorten a reconnect delay. */
function follow(): void {
  const sk = currentSession()?.sk;
  // An operator's look at the account has no stream.
  const wanted = settled && isListenedTo() && isSeen() && !currentView();
  if (!wanted || connection?.sk !== sk) disconnect();
  if (wanted && !connection && pause === undefined) void connect(sk);
}

function goOn(): void {
  clearTimeout(pause);
  pause = undefined;
  follow();
}

/** Reconnects without delay, because the session, the network or the visibility has changed. */
function followNow(): void {
  failures = 0;
  goOn();
}

/** Runs with the first listener: a prerender has neither a window nor listeners. */
function begin(): void {
  if (begun) return;
  begun = true;
  // Also called for changed member data, which must not end a reconnect delay.
  onSession(() => {
    if (lastSk !== currentSession()?.sk) followNow();
  });
  document.addEventListener('visibilitychange', followNow);
  addEventListener('pagehide', disconnect);
  // A page restored from the back/forward cache has lost its stream; a freshly loaded one has it.
  addEventListener('pageshow', ({ persisted }) => persisted && followNow());
  addEventListener('online', followNow);
  // A tab that is about to take over a session from another one opens no stream for a visitor first.
  void sessionSettled().then(() => {
    settled = true;
    follow();
  });
}

/** Calls `listener` with every such event. Returns how to stop. */
export function onLive<E extends keyof LiveEvents>(name: E, listener: (data: LiveEvents[E]) => void): () => void {
  listeners[name].add(listener);
  begin();
  follow();
  return () => {
    listeners[name].delete(listener);
    queueMicrotask(follow); // a navigation between pages keeps the stream open
  };
}

/** Emits `account` after a change made in this tab, as the stream may be down. */
export const notifyAccountChanged = (): void => tell('account', {});

/** Whether the stream is connected. Without it, components that wait for a change poll. */
export const isLive = (): boolean => connected;
export function onLiveChange(listener: () => void): () => void {
  connectionListeners.add(listener);
  return () => connectionListeners.delete(listener);
}
