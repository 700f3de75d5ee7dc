import type { Load } from './pgbench.js';
import { median, overRounds, rate, ratios, targetLine, times, type Report, type Target } from './targets.js';

/**
 * Rates per second. `pgbench`: charges of the best single-transaction form; `pairs`: hold → settle of 256 callers; `onePair`, `plainPair`:
 * of one caller with and without the writer; `oneClient`: pgbench charges with one client.
 */
export type WriterRound = {
  pgbench: number | null;
  pairs: number;
  onePair: number;
  plainPair: number;
  oneClient: number | null;
};
export type WriterFigures = Record<Load, WriterRound[]>;

/** Commands per second over the best single-transaction rate. */
const TARGETS: Record<Load, { gate: number; aim: number }> = {
  hot: { gate: 8, aim: 12 },
  spread: { gate: 2, aim: 3 },
};
/** One command of one caller over one plain function call. */
const ONE_CALLER = 0.7;

export function reportWriter(figures: WriterFigures): Report {
  const lines = [''];
  const json: Record<string, unknown> = {};
  const targets: Target[] = [];
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
    const shared = overRounds(commands, {
      name: `writer ÷ pgbench, ${load}, 256 callers`,
      kind: 'at least',
      ...TARGETS[load],
      unit: '×',
    });
    const alone = overRounds(plain, {
      name: `writer ÷ plain function call, ${load}, one caller`,
      kind: 'at least',
      gate: ONE_CALLER,
      unit: '×',
    });
    lines.push(
      load === 'hot' ? 'ledger writer, one hot account' : 'ledger writer, spread over 10,000 accounts',
      `  pgbench, best single-transaction form, charges/s       ${rate(median(rounds.flatMap((r) => r.pgbench ?? [])))}`,
      `  writer, 256 callers, commands/s (holds and settles)    ${rate(median(rounds.map((r) => r.pairs * 2)))}`,
      `  writer, 256 callers, translations/s (hold + settle)    ${rate(median(rounds.map((r) => r.pairs)))}`,
      `  translations ÷ pgbench                                 ${times(median(pairs))}`,
      `  one caller: plain function calls/s                     ${rate(median(rounds.map((r) => r.plainPair * 2)))}`,
      `  one caller: writer, commands/s                         ${rate(median(rounds.map((r) => r.onePair * 2)))}`,
      `  one caller: commands ÷ pgbench charge, one client      ${times(median(one))}`,
      targetLine(shared),
      targetLine(alone),
      '',
    );
    targets.push(shared, alone);
    json[load] = {
      rounds,
      commandsRatio: median(commands),
      pairsRatio: median(pairs),
      oneCallerRatio: median(plain),
      onePgbenchRatio: median(one),
    };
  }
  lines.push(...MEANINGS);
  return { text: lines.join('\n'), json, targets };
}

const MEANINGS = [
  'pgbench charge: one transaction that updates the balance and inserts an entry (without hash) and a log line.',
  'plain call: from this process over one connection, a prepared call of a stored function that does in one transaction what the',
  'writer does to the same rows for a hold, or for a settlement (without hash and without knowing a command that comes again).',
  'The writer and the plain calls take turns several times in each round, each on accounts of its own.',
];
