/** Refine's live lists over our stream (decisions §9): which event means that which list is to be read again. */
import type { LiveProvider } from '@refinedev/core';
import type { LiveEvents } from '../shared/live/live-events.js';

type EventName = Exclude<keyof LiveEvents, 'ready'>;

/** By resource. */
const EVENTS: Readonly<Record<string, EventName>> = {
  accountLogs: 'account',
  translationLogs: 'account',
  childUsers: 'account',
  orders: 'order',
};
/** Changing these from here moves the account, too: deleting a sub-account returns what it held. */
const MOVES_ACCOUNT: readonly string[] = ['childUsers'];

/** A list that is told of often is read at once, and then once in so long: the last event is never passed over. */
const PAUSE_MS = 1_000;

/** `work`, at once and then at most once in `PAUSE_MS`; `stop` forgets what is still to come. */
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
        if (again) ask(); // in the gap anything may have happened
      }),
    ];
    return () => [...stops, stop].forEach((end) => end());
  },
  unsubscribe: (stop: Stop) => stop(),
  publish: ({ channel }) => {
    if (MOVES_ACCOUNT.includes(resourceOf(channel))) notifyAccountChanged();
  },
});
