/**
 * The ledger writer against the best rate that PostgreSQL reaches with one transaction per charge, on the same tables, in alternated
 * rounds; and one caller of it against one caller of stored functions.
 */
import { LedgerWriter } from '../src/ledger/writer/writer.js';
import { APP_ROLE } from '../src/platform/database.js';
import { prepareGround } from './ground.js';
import { pgbenchOf, type Load, type Runner } from './pgbench.js';
import { plainCaller, type PlainCaller } from './plain-calls.js';
import type { Findings, Setting } from './verdicts.js';
import { translations } from './writer-load.js';
import { reportWriter, type WriterFigures, type WriterRound } from './writer-report.js';
import { yardstickOf, type Yardstick } from './yardstick.js';

const LOADS: readonly Load[] = ['hot', 'spread'];
const CALLERS = 256;
const SECONDS = 2;
/** One caller's writer and plain calls take turns this often in a round, each for so many seconds. */
const TURNS = 8;
const TURN_SECONDS = 0.3;

type Rivals = { writer: LedgerWriter; plain: PlainCaller; runner: Runner | null; yardstick: Yardstick };

async function measure(load: Load, scale: number, { writer, plain, runner, yardstick }: Rivals): Promise<WriterRound> {
  const pgbench = await yardstick.best(SECONDS * scale);
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

export async function benchWriter(setting: Setting): Promise<Findings> {
  const { server, rounds, scale, say } = setting;
  const ground = await prepareGround(server);
  const writer = new LedgerWriter({ connectionString: ground.url, options: `-c role=${APP_ROLE}` });
  const plain = await plainCaller(ground.url);
  const runner = await pgbenchOf(ground.url);
  try {
    const yardsticks = {
      hot: await yardstickOf(runner, 'hot', setting),
      spread: await yardstickOf(runner, 'spread', setting),
    };
    for (const load of LOADS) {
      await translations(writer, load, { callers: CALLERS, seconds: scale });
      await plain.pairs(load, TURN_SECONDS * scale);
    }
    const figures: WriterFigures = { hot: [], spread: [] };
    for (let round = 1; round <= rounds; round++)
      for (const load of LOADS) {
        const found = await measure(load, scale, { writer, plain, runner, yardstick: yardsticks[load] });
        figures[load].push(found);
        say(
          `round ${round} ${load}: pgbench ${Math.round(found.pgbench ?? 0)} charges/s · writer ${Math.round(found.pairs * 2)} commands/s`,
        );
      }
    return reportWriter(figures);
  } finally {
    await writer.close();
    await plain.close();
    await runner?.close();
    await ground.close();
  }
}
