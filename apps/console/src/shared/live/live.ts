/**
 * What the server says by itself, for everything in this tab: one stream, as long as somebody listens and the page can be seen; a
 * visitor's until somebody signs in, then the member's. Where there is none, nothing is said about it: pages that wait for something
 * ask from time to time.
 *
 * A hidden page closes its stream, because a browser allows few connections to one server at a time (HTTP/1.1: six), and opens it
 * again when it is looked at; listeners of `ready` then read afresh what they may have missed.
 */
import { currentSession, sessionSettled, subscribe as onSession } from '../api/session.js';
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
  failures = 0;
  setConnected(true);
  tell('ready', { again: connectedBefore });
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

/** Makes it so: a stream where there should be one, none where not. A pause is waited for, whoever begins to listen meanwhile. */
function follow(): void {
  const sk = currentSession()?.sk;
  const wanted = settled && isListenedTo() && isSeen();
  if (!wanted || connection?.sk !== sk) disconnect();
  if (wanted && !connection && pause === undefined) void connect(sk);
}

function goOn(): void {
  clearTimeout(pause);
  pause = undefined;
  follow();
}

/** At once, however long the last attempts have failed: something has changed. */
function followNow(): void {
  failures = 0;
  goOn();
}

/** With the first listener: where a page is only drawn, on a server, there is neither a window nor anybody who listens. */
function begin(): void {
  if (begun) return;
  begun = true;
  // Told of the member's data, too: they are no reason to come back before the pause is over.
  onSession(() => {
    if (lastSk !== currentSession()?.sk) followNow();
  });
  document.addEventListener('visibilitychange', followNow);
  addEventListener('pagehide', disconnect);
  // A page that was put aside comes back as it was; one that has just been loaded has its stream already.
  addEventListener('pageshow', ({ persisted }) => persisted && followNow());
  addEventListener('online', followNow);
  // A tab that is about to take over a session from another one opens no stream for a visitor first.
  void sessionSettled().then(() => {
    settled = true;
    follow();
  });
}

/** Calls `listener` with every such event. Answers how to stop. */
export function onLive<E extends keyof LiveEvents>(name: E, listener: (data: LiveEvents[E]) => void): () => void {
  listeners[name].add(listener);
  begin();
  follow();
  return () => {
    listeners[name].delete(listener);
    queueMicrotask(follow); // a page that gives way to the next one does not close the stream
  };
}

/** Something that this tab did has changed the account: told here as the stream would, which may be away. */
export const notifyAccountChanged = (): void => tell('account', {});

/** Whether the server can speak now. Who waits for something asks by itself as long as it cannot. */
export const isLive = (): boolean => connected;
export function onLiveChange(listener: () => void): () => void {
  connectionListeners.add(listener);
  return () => connectionListeners.delete(listener);
}
