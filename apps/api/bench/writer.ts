/**
 * Compares the ledger writer with the best rate of PostgreSQL at one transaction per charge, on the same tables in alternating rounds, and a
 * single caller of it with a single caller of stored functions.
 */
import { LedgerWriter } from '../src/ledger/writer/ledger-writer.js';
import { APP_ROLE } from '../src/platform/database.js';
import { createFixture } from './fixture.js';
import { type Baseline, baselineOf, type Load, pgbenchOf, type Runner } from './pgbench.js';
import type { Report, Settings } from './targets.js';
import { plainCaller, type PlainCaller, translations } from './writer-load.js';
import { reportWriter, type WriterFigures, type WriterRound } from './writer-report.js';

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
