/** Refine's live lists over our stream (decisions §9): the event that makes each list refetch. */
import type { LiveProvider } from '@refinedev/core';
import type { LiveEvents } from '../shared/live/live-events.js';

type EventName = Exclude<keyof LiveEvents, 'ready'>;

/** By resource. */
const EVENTS: Readonly<Record<string, EventName>> = {
  accountLogs: 'account',
  translationLogs: 'account',
  childUsers: 'account',
  orders: 'order',
  apiKeys: 'account', // what a key has used
};
/** Changing these also changes the account: deleting a sub-account returns its quota. */
const MOVES_ACCOUNT: readonly string[] = ['childUsers'];

/** Frequent events refetch at once, then at most once per pause; the last event always leads to a refetch. */
const PAUSE_MS = 1_000;

/** Throttles `work`: at once, then at most once per `PAUSE_MS`. `stop` cancels a pending call. */
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

type Stream = {
  on: <E extends keyof LiveEvents>(name: E, listener: (data: LiveEvents[E]) => void) => () => void;
  notifyAccountChanged: () => void;
};
type Stop = () => void;

const resourceOf = (channel: string): string => channel.replace(/^resources\//, '');

export const createLiveProvider = ({ on, notifyAccountChanged }: Stream): LiveProvider => ({
  subscribe: ({ channel, callback }): Stop => {
    const name = EVENTS[resourceOf(channel)];
    if (!name) return () => undefined;
    const { ask, stop } = paced(() => callback({ channel, type: '*', payload: {}, date: new Date() }));
    const stops = [
      on(name, ask),
      on('ready', ({ again }) => {
        if (again) ask(); // events may have been missed in the gap
      }),
    ];
    return () => [...stops, stop].forEach((end) => end());
  },
  unsubscribe: (stop: Stop) => stop(),
  publish: ({ channel }) => {
    if (MOVES_ACCOUNT.includes(resourceOf(channel))) notifyAccountChanged();
  },
});
