import type { MachineActs } from './machine-keys.js';
import { limitOf } from './replay-store.js';
import { entryAt, type Replay } from './use-replay.js';
import { wire } from './window.js';

const DAY = 86_400_000;

/** What the keys do in the time machine of one account. */
export function actsOf(
  { state, dispatch, picture }: Replay,
  elsewhere: Pick<MachineActs, 'compare' | 'goTo'>,
): MachineActs {
  const { seq, moment, playing } = state;
  return {
    ...elsewhere,
    play: () => dispatch({ do: 'played', playing: !playing }),
    step: (by) => dispatch({ do: 'stepped', by }),
    day: (by) => {
      if (moment === null || seq === null) return;
      const found = entryAt(picture, moment + by * DAY);
      // Outside of the window, or without an entry in that day: the next entry in that direction.
      dispatch({ do: 'went', seq: found === null || found === seq ? seq + by : found });
    },
    first: () => dispatch({ do: 'went', seq: 1 }),
    last: () => dispatch({ do: 'went', seq: limitOf(state) }),
    zoom: (by) => dispatch({ do: 'zoomedBy', by }),
    mark: (which) => {
      if (moment !== null) dispatch({ do: 'marked', which, at: wire(moment) });
    },
  };
}
