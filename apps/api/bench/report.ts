import type { Load } from './pgbench.js';

/** Per second. `pgbench`: charges of the best single-transaction form; `pairs`: hold → settle of 256 callers. */
export type Round = { pgbench: number | null; pairs: number; onePair: number; oneClient: number | null };
export type Figures = Record<Load, Round[]>;

/** What decisions and the plan ask for: commands per second over the best single-transaction rate. */
const TARGETS: Record<Load, number> = { hot: 6, spread: 1.5 };

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
    const range = commands.length > 0 ? ` [${commands.map((n) => n.toFixed(1)).join(' ')}]` : '';
    const met = commands.length === 0 ? '' : median(commands) >= TARGETS[load] ? '  met' : '  MISSED';
    lines.push(
      load === 'hot' ? 'one hot account' : 'spread over 10,000 accounts',
      `  pgbench, best single-transaction form, charges/s     ${rate(median(rounds.flatMap((r) => r.pgbench ?? [])))}`,
      `  writer, 256 callers, commands/s (holds and settles)  ${rate(median(rounds.map((r) => r.pairs * 2)))}`,
      `  writer, 256 callers, translations/s (hold + settle)  ${rate(median(rounds.map((r) => r.pairs)))}`,
      `  commands ÷ pgbench (target ≥ ${TARGETS[load]}×)                   ${times(median(commands))}${range}${met}`,
      `  translations ÷ pgbench                               ${times(median(pairs))}`,
      `  one caller: commands ÷ pgbench function, one client  ${times(median(one))}`,
      '',
    );
    json[load] = {
      rounds,
      target: TARGETS[load],
      commandsRatio: median(commands),
      pairsRatio: median(pairs),
      oneCallerRatio: median(one),
    };
  }
  return { text: lines.join('\n'), json };
}
