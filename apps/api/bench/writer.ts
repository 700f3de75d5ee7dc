/**
 * Compares the ledger writer with the best rate of PostgreSQL at one transaction per charge, on the same tables in alternating rounds, and a
 * single caller of it with a single caller of stored functions.
 */
import { LedgerWriter } from '../src/ledger/writer/ledger-writer.js';
import { APP_ROLE } from '../src/platform/database.js';
import { createFixture } from './fixture.js';
import { type Baseline, baselineOf, type Load, pgbenchOf, type Runner } from './pgbench.js';
import {
  type Report,
  type Settings,
  median,
  overRounds,
  rate,
  ratios,
  targetLine,
  times,
  type Target,
} from './targets.js';
import { plainCaller, type PlainCaller, translations } from './writer-load.js';

const LOADS: readonly Load[] = ['hot', 'spread'];
const CALLERS = 256;
const SECONDS = 2;
/** Turns per round between one caller of the writer and plain calls, and the seconds of each. */
const TURNS = 8;
const TURN_SECONDS = 0.3;

type Contenders = { writer: LedgerWriter; plain: PlainCaller; runner: Runner | null; baseline: Baseline };

async function measure(
  load: Load,
  scale: number,
  { writer, plain, runner, baseline }: Contenders,
): Promise<WriterRound> {
  const pgbench = await baseline.best(SECONDS * scale);
  const pairs = await translations(writer, load, { callers: CALLERS, seconds: SECONDS * scale });
  let [onePair, plainPair] = [0, 0];
  const seconds = TURN_SECONDS * scale;
  for (let turn = 0; turn < TURNS; turn++) {
    plainPair += (await plain.pairs(load, seconds)) / TURNS;
    onePair += (await translations(writer, load, { callers: 1, seconds })) / TURNS;
  }
  const oneClient = (await runner?.run({ load, form: 'function', clients: 1 }, scale)) ?? null;
  return { pgbench, pairs, onePair, plainPair, oneClient };
}

export async function benchWriter(settings: Settings): Promise<Report> {
  const { server, rounds, scale, log } = settings;
  const fixture = await createFixture(server);
  const writer = new LedgerWriter({ connectionString: fixture.url, options: `-c role=${APP_ROLE}` });
  const plain = await plainCaller(fixture.url);
  const runner = await pgbenchOf(fixture.url);
  try {
    const baselines = {
      hot: await baselineOf(runner, 'hot', settings),
      spread: await baselineOf(runner, 'spread', settings),
    };
    for (const load of LOADS) {
      await translations(writer, load, { callers: CALLERS, seconds: scale });
      await plain.pairs(load, TURN_SECONDS * scale);
    }
    const figures: WriterFigures = { hot: [], spread: [] };
    for (let round = 1; round <= rounds; round++)
      for (const load of LOADS) {
        const found = await measure(load, scale, { writer, plain, runner, baseline: baselines[load] });
        figures[load].push(found);
        log(
          `round ${round} ${load}: pgbench ${Math.round(found.pgbench ?? 0)} charges/s · writer ${Math.round(found.pairs * 2)} commands/s`,
        );
      }
    return reportWriter(figures);
  } finally {
    await writer.close();
    await plain.close();
    await runner?.close();
    await fixture.close();
  }
}

/**
 * Rates per second. `pgbench`: charges of the best single-transaction form; `pairs`: hold → settle of 256 callers; `onePair`, `plainPair`:
 * of one caller with and without the writer; `oneClient`: pgbench charges with one client.
 */
type WriterRound = {
  pgbench: number | null;
  pairs: number;
  onePair: number;
  plainPair: number;
  oneClient: number | null;
};
type WriterFigures = Record<Load, WriterRound[]>;

/** Commands per second over the best single-transaction rate. */
const TARGETS: Record<Load, { gate: number; aim: number }> = {
  hot: { gate: 8, aim: 12 },
  spread: { gate: 2, aim: 3 },
};
/** One command of one caller over one plain function call. */
const ONE_CALLER = 0.7;

function reportWriter(figures: WriterFigures): Report {
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
