import { shownUse, type Used } from './processor.js';
import { median, overRounds, rate, type Findings } from './verdicts.js';

/** Of the answers of one stream, in ms. */
export type Times = { median: number; p95: number; perSecond: number };

/** `commit`: one durable commit by a single caller, ms. A translation waits for two. `cost`: processor time of one translation, µs. */
export type AddedRound = { proxy: Times; service: Times; commit: number; cost: Used };
/** Another channel's times: while all vendors answer, and while `code` never does. */
export type DeadRound = { code: string; live: Times; dead: Times };

/** Differences and ratios are those of the rounds: a machine that is slow for a minute is slow for both. */
export function reportVendors({ added, dead }: { added: AddedRound[]; dead: DeadRound[] }): Findings {
  const over = (of: 'median' | 'p95'): number[] => added.map(({ proxy, service }) => service[of] - proxy[of]);
  const times = (of: 'median' | 'p95'): number[] => dead.map((round) => round.dead[of] / round.live[of]);
  const targets = [
    overRounds(over('median'), { name: 'added to a vendor of 100 ms, median', kind: 'below', gate: 10, unit: ' ms' }),
    overRounds(over('p95'), { name: 'added to a vendor of 100 ms, p95', kind: 'below', gate: 25, unit: ' ms' }),
    overRounds(times('median'), { name: 'one vendor dead: the others, median', kind: 'at most', gate: 1.2, unit: '×' }),
    overRounds(times('p95'), { name: 'one vendor dead: the others, p95', kind: 'at most', gate: 1.2, unit: '×' }),
  ];
  const line = (name: string, all: readonly Times[]): string =>
    `  ${name.padEnd(42)} ${ms(median(all.map((t) => t.median)))} ${ms(median(all.map((t) => t.p95)))} ${rate(median(all.map((t) => t.perSecond))).padStart(8)}`;
  const text = [
    '',
    'a vendor that answers in 100 ms                median      p95      per second',
    line(
      'bare proxy, 100 in flight',
      added.map((round) => round.proxy),
    ),
    line(
      'the service, 100 in flight',
      added.map((round) => round.service),
    ),
    `  a single durable commit meanwhile          ${ms(median(added.map((round) => round.commit)))}`,
    `  processor time of a translation, ms: ${shownUse(medians(added.map((round) => round.cost)))}`,
    line(
      'the service, 50 in flight, all vendors alive',
      dead.map((round) => round.live),
    ),
    line(
      'the same, another vendor dead',
      dead.map((round) => round.dead),
    ),
  ].join('\n');
  return { text, json: { added, dead }, targets };
}

const medians = (all: readonly Used[]): Used =>
  Object.fromEntries(
    Object.keys(all[0] ?? {}).map((name) => [name, median(all.map((one) => one[name] ?? Number.NaN))]),
  );

const ms = (n: number): string => `${n.toFixed(1)} ms`.padStart(9);
