import type { Load } from './pgbench.js';

/**
 * Per second. `pgbench`: charges of the best single-transaction form; `pairs`: hold → settle of 256 callers; `onePair`, `plainPair`:
 * of one caller through the writer, and without it; `oneClient`: pgbench's charges with one client.
 */
export type Round = {
  pgbench: number | null;
  pairs: number;
  onePair: number;
  plainPair: number;
  oneClient: number | null;
};
export type Figures = Record<Load, Round[]>;

/** What decisions and the plan ask for: commands per second over the best single-transaction rate. */
const TARGETS: Record<Load, { gate: number; aim: number }> = {
  hot: { gate: 8, aim: 12 },
  spread: { gate: 2, aim: 3 },
};
/** One command of one caller over one plain function call. */
const ONE_CALLER = 0.6;

const median = (numbers: number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
};

const ratios = (rounds: Round[], of: (round: Round) => number, to: (round: Round) => number | null): number[] =>
  rounds.flatMap((round) => {
    const base = to(round);
    return base ? [of(round) / base] : [];
  });

const times = (n: number): string => (Number.isNaN(n) ? 'skipped' : `${n.toFixed(2)}×`);
const rate = (n: number): string => (Number.isNaN(n) ? 'skipped' : Math.round(n).toLocaleString('en-US'));

/** The table for people and the same as data. A ratio is the median of the rounds' ratios, not a ratio of medians. */
export function report(figures: Figures): { text: string; json: unknown } {
  const lines = [''];
  const json: Record<string, unknown> = {};
  for (const load of ['hot', 'spread'] as const) {
    const rounds = figures[load];
    const commands = ratios(
      rounds,
      (r) => r.pairs * 2,
      (r) => r.pgbench,
    );
    const pairs = ratios(
      rounds,
      (r) => r.pairs,
      (r) => r.pgbench,
    );
    const one = ratios(
      rounds,
      (r) => r.onePair * 2,
      (r) => r.oneClient,
    );
    const plain = ratios(
      rounds,
      (r) => r.onePair,
      (r) => r.plainPair,
    );
    const { gate, aim } = TARGETS[load];
    lines.push(
      load === 'hot' ? 'one hot account' : 'spread over 10,000 accounts',
      `  pgbench, best single-transaction form, charges/s     ${rate(median(rounds.flatMap((r) => r.pgbench ?? [])))}`,
      `  writer, 256 callers, commands/s (holds and settles)  ${rate(median(rounds.map((r) => r.pairs * 2)))}`,
      `  writer, 256 callers, translations/s (hold + settle)  ${rate(median(rounds.map((r) => r.pairs)))}`,
      `  commands ÷ pgbench (target ≥ ${gate}×, aim ${aim}×)            ${judged(commands, gate)}`,
      `  translations ÷ pgbench                               ${times(median(pairs))}`,
      `  one caller: plain function calls/s                   ${rate(median(rounds.map((r) => r.plainPair * 2)))}`,
      `  one caller: writer, commands/s                       ${rate(median(rounds.map((r) => r.onePair * 2)))}`,
      `  one command ÷ one plain call (target ≥ ${ONE_CALLER}×)         ${judged(plain, ONE_CALLER)}`,
      `  one caller: commands ÷ pgbench charge, one client    ${times(median(one))}`,
      '',
    );
    json[load] = {
      rounds,
      ...{ target: gate, aim, oneCallerTarget: ONE_CALLER },
      commandsRatio: median(commands),
      pairsRatio: median(pairs),
      oneCallerRatio: median(plain),
      onePgbenchRatio: median(one),
    };
  }
  lines.push(...MEANINGS, '');
  return { text: lines.join('\n'), json };
}

/** The median with the rounds behind it, and whether it is what was asked for. */
function judged(found: number[], target: number): string {
  if (found.length === 0) return times(Number.NaN);
  const rounds = found.map((n) => n.toFixed(n < 2 ? 2 : 1)).join(' ');
  return `${times(median(found))} [${rounds}]  ${median(found) >= target ? 'met' : 'MISSED'}`;
}

const MEANINGS = [
  'pgbench charge: one transaction that updates the balance and inserts an entry (without hash) and a log line.',
  'plain call: from this process over one connection, a prepared call of a stored function that does in one transaction what the',
  'writer does to the same rows for a hold, or for a settlement (without hash and without knowing a command that comes again).',
  'The writer and the plain calls take turns several times in each round, each on accounts of its own.',
];
