/** The server's events for this tab: one stream while something listens (operators §7). */
import type { LiveProvider } from '@refinedev/core';
import { OPERATOR_BASE_PATH } from '@yiqiao/contracts/operator/endpoint';
import { openOperatorStream, operatorEvents, type OperatorEvents } from '@yiqiao/contracts/operator/stream';
import { isPresent, onPresence } from './presence.js';

type EventName = Exclude<keyof OperatorEvents, 'ready'>;
type Listener = () => void;

const listeners = new Map<EventName, Set<Listener>>();
const names = Object.keys(operatorEvents).filter((name): name is EventName => name !== 'ready');
let source: EventSource | null = null;
let connectedBefore = false;

/** What happened while nobody sat at the page: read again when somebody comes back. */
const missed = new Set<EventName>();
let stopWatching: (() => void) | undefined;

function tell(name: EventName): void {
  if (isPresent()) listeners.get(name)?.forEach((listener) => listener());
  else missed.add(name);
}

function tellMissed(): void {
  if (!isPresent()) return;
  const names = [...missed];
  missed.clear();
  names.forEach(tell);
}

/** The browser reconnects by itself; what may have been missed is read again then. */
function open(): EventSource {
  const opened = new EventSource(OPERATOR_BASE_PATH + openOperatorStream.path);
  opened.addEventListener('ready', () => {
    if (connectedBefore) names.forEach(tell);
    connectedBefore = true;
  });
  for (const name of names) opened.addEventListener(name, () => tell(name));
  return opened;
}

function follow(): void {
  const isWanted = [...listeners.values()].some((set) => set.size > 0);
  if (!isWanted) {
    source?.close();
    source = null;
    stopWatching?.();
    stopWatching = undefined;
    return;
  }
  stopWatching ??= onPresence(tellMissed);
  if (source === null || source.readyState === EventSource.CLOSED) source = open();
}

/** Calls `listener` after every such event. Returns how to stop. */
export function onOperatorEvent(name: EventName, listener: Listener): () => void {
  const set = listeners.get(name) ?? new Set();
  listeners.set(name, set.add(listener));
  follow();
  return () => {
    set.delete(listener);
    queueMicrotask(follow); // a navigation between pages keeps the stream open
  };
}

/** The events that make each resource's queries read again. */
const EVENTS: Readonly<Record<string, readonly EventName[]>> = { 'audit-runs': ['audit'], requests: ['requests'] };

/** Frequent events read again at once, then at most once per pause; the last event always leads to a read. */
const PAUSE_MS = 1_000;

function paced(work: () => void): { ask: () => void; stop: () => void } {
  let pause: ReturnType<typeof setTimeout> | undefined;
  let again = false;
  const ask = (): void => {
    again = pause !== undefined;
    if (again) return;
    work();
    pause = setTimeout(() => {
      pause = undefined;
      if (again) ask();
    }, PAUSE_MS);
  };
  return { ask, stop: () => clearTimeout(pause) };
}

type Stop = () => void;

/** Refine's live lists and records over the stream. */
export const liveProvider: LiveProvider = {
  subscribe: ({ channel, callback }): Stop => {
    const { ask, stop } = paced(() => callback({ channel, type: '*', payload: {}, date: new Date() }));
    const events = EVENTS[channel.replace(/^resources\//, '')] ?? [];
    const stops = [...events.map((name) => onOperatorEvent(name, ask)), stop];
    return () => stops.forEach((end) => end());
  },
  unsubscribe: (stop: Stop) => stop(),
};
