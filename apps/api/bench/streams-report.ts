import { median, overRounds, targetLine, type Report, type Target } from './targets.js';

/** Figures of one crowd of streams; times in ms, memory in bytes. `half`, `all`: from publishing until half of them, and all, had the notice. */
export type CrowdFigures = {
  count: number;
  opened: number;
  half: number[];
  all: number[];
  /** Resident: before the first stream, with all of them open, and after the notices. */
  memory: { before: number; idle: number; busy: number };
  /** µs of the API's processor time per stream: to open it, and to send it one event. */
  cost: { open: number; notice: number };
  /** Response times of other requests meanwhile. */
  others: number[];
};

/** After all streams are closed; memory in bytes, `outside` the heap. */
export type Leftovers = { streams: number; channels: number; heap: number; outside: number; resident: number };
/** `left`: after the first crowd of many; `leftAgain`: after the second. */
export type StreamsRound = { few: CrowdFigures; many: CrowdFigures; left: Leftovers; leftAgain: Leftovers };

const [KB, MB] = [1_024, 1_000_000];

const slowest = ({ all }: CrowdFigures): number => Math.max(...all);
const p99 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
const each = ({ memory, count }: CrowdFigures, part: 'idle' | 'busy'): number =>
  (memory[part] - memory.before) / count / KB;
/** Bytes left behind per stream. */
const leftBehind = ({ many, left, leftAgain }: StreamsRound): number =>
  (leftAgain.heap + leftAgain.outside - left.heap - left.outside) / many.count;

const ms = (n: number): string => `${n.toFixed(0)} ms`;

export const roundLine = (round: number, { few, many, left, leftAgain }: StreamsRound): string =>
  [
    `round ${round}: all have it after ${ms(median(few.all))} (${few.count}), ${ms(median(many.all))} (${many.count}), slowest ${ms(slowest(many))}`,
    `${each(many, 'idle').toFixed(1)} kB each, ${each(many, 'busy').toFixed(1)} kB after the notices`,
    `resident ${[many.memory.before, many.memory.busy, left.resident, leftAgain.resident].map((n) => (n / MB).toFixed(0)).join(' → ')} MB`,
    `opened in ${ms(many.opened)} (${many.cost.open.toFixed(0)} µs of processor each), others' p99 ${ms(p99(many.others))}`,
  ].join(' · ');

/** `crowds`: the numbers of streams in `many` and `few`, and of notices. */
export function reportStreams(rounds: StreamsRound[], crowds: { many: number; few: number; notices: number }): Report {
  const { many: streams, notices } = crowds;
  const over = (of: (round: StreamsRound) => number, target: Omit<Target, 'found' | 'rounds'>): Target =>
    overRounds(rounds.map(of), target);
  const targets = [
    over(({ many }) => slowest(many), {
      name: `a notice is with ${streams} streams, slowest of ${notices}`,
      kind: 'at most',
      gate: 1_000,
      unit: ' ms',
    }),
    over(({ many }) => each(many, 'busy'), {
      name: 'resident memory of an idle stream',
      kind: 'below',
      gate: 40,
      unit: ' kB',
    }),
    over(leftBehind, { name: 'memory that a stream leaves behind', kind: 'at most', gate: 100, unit: ' B' }),
    over(({ left, leftAgain }) => left.streams + left.channels + leftAgain.streams + leftAgain.channels, {
      name: 'streams and subscriptions left behind',
      kind: 'at most',
      gate: 0,
      unit: '',
    }),
  ];
  const figures = (of: (round: StreamsRound) => number, digits = 0): string =>
    median(rounds.map(of)).toFixed(digits).padStart(9);
  const line = (name: string, of: (heard: CrowdFigures) => number): string =>
    `  ${name.padEnd(52)} ${figures(({ few }) => of(few))} ${figures(({ many }) => of(many))}`;
  const text = [
    '',
    `a notice, from publishing it (outbox, worker, Redis)   ${[crowds.few, streams].map((n) => String(n).padStart(9)).join(' ')} streams`,
    line('half of the streams have it, ms', ({ half }) => median(half)),
    line('all have it, ms', ({ all }) => median(all)),
    line(`all have it, the slowest of ${notices} notices, ms`, slowest),
    line('another request meanwhile, median, ms', ({ others }) => median(others)),
    line('another request meanwhile, p99, ms', ({ others }) => p99(others)),
    line('processor time of opening one, µs', ({ cost }) => cost.open),
    line('processor time of telling one, µs', ({ cost }) => cost.notice),
    line('opened within, ms', ({ opened }) => opened),
    `  resident memory, MB: before ${figures(({ many }) => many.memory.before / MB)}, with ${streams} idle ${figures(({ many }) => many.memory.idle / MB)}, after ${notices} notices ${figures(({ many }) => many.memory.busy / MB)}, when all have gone ${figures(({ left }) => left.resident / MB)}, the same again ${figures(({ leftAgain }) => leftAgain.resident / MB)}`,
    `  each: idle ${figures(({ many }) => each(many, 'idle'), 1)} kB, after ${notices} notices ${figures(({ many }) => each(many, 'busy'), 1)} kB`,
    '',
    ...targets.map(targetLine),
  ].join('\n');
  return { text, json: { rounds }, targets };
}
