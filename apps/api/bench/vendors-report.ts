import { shownUse, type Used } from './cpu-time.js';
import { median, overRounds, rate, targetLine, type Report, type Target } from './targets.js';

/** Response times of one stream, in ms. */
export type Times = { median: number; p95: number; p99: number; perSecond: number };

/** Arrivals per second (open loop). */
export const PACES = [100, 200, 400] as const;
/** The pace at which processor time and the third-party gateway are compared. */
const COMPARED = 200;

/** Results at one pace. `gateway`: null if not installed. `cost`: processor time per translation, µs, by process. */
export type PacedRound = { proxy: Times; service: Times; gateway: Times | null; cost: Used; gatewayCost: number };
/** Results at full load. `refused`: the number of refused requests. */
export type FullRound = { service: Times; refused: number; cost: Used };
/** `commit`: one durable commit by a single caller, ms; a translation waits for two. */
export type AddedRound = { paced: Record<number, PacedRound>; full: FullRound; commit: number };
/** Response times of another channel while all vendors respond (`live`), and while `code` never does (`dead`). */
export type DeadRound = { code: string; live: Times; dead: Times };

type Part = 'median' | 'p95' | 'p99';
const PARTS: readonly Part[] = ['median', 'p95', 'p99'];

/** Limits of the added latency, ms. */
const ADDED: readonly [pace: number, part: Part, gate: number][] = [
  [200, 'median', 3],
  [200, 'p95', 8],
  [400, 'median', 4],
  [400, 'p95', 10],
  [400, 'p99', 25],
];
const LEAST_PER_SECOND = 1_000;
/** Limits of processor time per translation, ms: at `COMPARED` per second, and at full load. */
const COSTS = { api: [1, 0.4], PostgreSQL: [0.5, 0.15] } as const;
/** Limits of the delay compared with the third-party gateway, ms. */
const BEHIND: Record<Part, Pick<Target, 'kind' | 'gate'>> = {
  median: { kind: 'at most', gate: 1 },
  p95: { kind: 'below', gate: 0 },
  p99: { kind: 'below', gate: 0 },
};

/** Differences and ratios are per round, so that a slow minute affects all streams alike. */
export function reportVendors({ added, dead }: { added: AddedRound[]; dead: DeadRound[] }): Report {
  const paced = (pace: number): PacedRound[] => added.flatMap((round) => round.paced[pace] ?? []);
  const over = (pace: number, part: Part): number[] =>
    paced(pace).map(({ proxy, service }) => service[part] - proxy[part]);
  const behind = (part: Part): number[] =>
    paced(COMPARED).flatMap(({ service, gateway }) => (gateway ? [service[part] - gateway[part]] : []));
  const times = (part: Part): number[] => dead.map((round) => round.dead[part] / round.live[part]);
  const costs = (name: string): [number[], number[]] => [
    paced(COMPARED).map(({ cost }) => (cost[name] ?? Number.NaN) / 1000),
    added.map(({ full }) => (full.cost[name] ?? Number.NaN) / 1000),
  ];
  const targets = [
    ...ADDED.map(([pace, part, gate]) =>
      overRounds(over(pace, part), {
        name: `added to a vendor of 100 ms, ${pace}/s, ${part}`,
        kind: 'at most',
        gate,
        unit: ' ms',
      }),
    ),
    overRounds(
      added.map(({ full }) => full.service.perSecond),
      { name: 'translations a second, as many as it takes', kind: 'at least', gate: LEAST_PER_SECOND, unit: '/s' },
    ),
    ...Object.entries(COSTS).flatMap(([name, gates]) =>
      costs(name).map((found, at) =>
        overRounds(found, {
          name: `processor time of ${name}, ${at === 0 ? `${COMPARED}/s` : 'as many as it takes'}`,
          kind: 'at most',
          gate: gates[at] ?? Number.NaN,
          unit: ' ms',
        }),
      ),
    ),
    ...PARTS.map((part) =>
      overRounds(behind(part), {
        name: `behind @portkey-ai/gateway, ${COMPARED}/s, ${part}`,
        ...BEHIND[part],
        unit: ' ms',
      }),
    ),
    overRounds(times('median'), { name: 'one vendor dead: the others, median', kind: 'at most', gate: 1.2, unit: '×' }),
    overRounds(times('p95'), { name: 'one vendor dead: the others, p95', kind: 'at most', gate: 1.2, unit: '×' }),
  ];
  const text = [
    '',
    'a vendor that answers in 100 ms                median       p95       p99 per second',
    ...PACES.flatMap((pace) => {
      const rounds = paced(pace);
      return [
        line(
          `bare proxy, ${pace}/s`,
          rounds.map(({ proxy }) => proxy),
        ),
        line(
          `the service, ${pace}/s`,
          rounds.map(({ service }) => service),
        ),
        line(
          `@portkey-ai/gateway, ${pace}/s`,
          rounds.flatMap(({ gateway }) => gateway ?? []),
        ),
        `  processor time of a translation, ms: ${shownUse(medians(rounds.map(({ cost }) => cost)))}; the gateway's ${(median(rounds.map(({ gatewayCost }) => gatewayCost)) / 1000).toFixed(2)}`,
      ];
    }),
    line(
      'the service, as many as it takes',
      added.map(({ full }) => full.service),
    ),
    `  processor time of a translation, ms: ${shownUse(medians(added.map(({ full }) => full.cost)))}`,
    `  a single durable commit meanwhile          ${ms(median(added.map(({ commit }) => commit)))}`,
    line(
      'the service, 50 in flight, all vendors alive',
      dead.map((round) => round.live),
    ),
    line(
      'the same, another vendor dead',
      dead.map((round) => round.dead),
    ),
    '',
    ...targets.map(targetLine),
  ].join('\n');
  return { text, json: { added, dead }, targets };
}

const medians = (all: readonly Used[]): Used =>
  Object.fromEntries(
    Object.keys(all[0] ?? {}).map((name) => [name, median(all.map((one) => one[name] ?? Number.NaN))]),
  );

const ms = (n: number): string => (Number.isNaN(n) ? '–' : `${n.toFixed(1)} ms`).padStart(9);

const line = (name: string, all: readonly Times[]): string => {
  const of = (part: keyof Times): number => median(all.map((each) => each[part]));
  return `  ${name.padEnd(42)} ${PARTS.map((part) => ms(of(part))).join(' ')} ${rate(of('perSecond')).padStart(8)}`;
};
