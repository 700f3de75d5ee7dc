/** The metered translation over HTTP on one hot account: ÷ pgbench's best single transaction, and ÷ the same route without metering. */
import { prepareGround } from './ground.js';
import { httpBench, type HttpRound } from './http.js';
import { pgbenchOf } from './pgbench.js';
import { median, overRounds, rate, ratios, targetLine, type Findings, type Setting } from './verdicts.js';
import { yardstickOf } from './yardstick.js';

/** Per second. `pgbench`: charges of the best single-transaction form. */
type MeteredRound = HttpRound & { pgbench: number | null };

const PGBENCH_SECONDS = 2;
const HTTP_SECONDS = 4;

export async function benchMetered(setting: Setting): Promise<Findings> {
  const { server, rounds, scale, say } = setting;
  const ground = await prepareGround(server);
  const runner = await pgbenchOf(ground.url);
  try {
    const yardstick = await yardstickOf(runner, 'hot', setting);
    const http = await httpBench(ground, scale);
    const figures: MeteredRound[] = [];
    try {
      for (let round = 1; round <= rounds; round++) {
        const found = {
          pgbench: await yardstick.best(PGBENCH_SECONDS * scale),
          ...(await http.round(HTTP_SECONDS * scale)),
        };
        figures.push(found);
        const { pgbench, metered, unmetered } = found;
        say(
          `round ${round}: pgbench ${Math.round(pgbench ?? 0)} charges/s · metered ${Math.round(metered)} · unmetered ${Math.round(unmetered)} translations/s`,
        );
      }
    } finally {
      await http.close();
    }
    return reportMetered(figures);
  } finally {
    await runner?.close();
    await ground.close();
  }
}

function reportMetered(rounds: MeteredRound[]): Findings {
  const toPgbench = overRounds(
    ratios(
      rounds,
      (r) => r.metered,
      (r) => r.pgbench,
    ),
    { name: 'metered HTTP ÷ pgbench, hot', kind: 'at least', gate: 2, aim: 4, unit: '×' },
  );
  const toUnmetered = overRounds(
    ratios(
      rounds,
      (r) => r.metered,
      (r) => r.unmetered,
    ),
    { name: 'metered HTTP ÷ the same route unmetered', kind: 'at least', gate: 0.25, aim: 0.4, unit: '×' },
  );
  const text = [
    '',
    'metered translation over HTTP, one hot account, an instant engine',
    `  pgbench, best single-transaction form, charges/s       ${rate(median(rounds.flatMap((r) => r.pgbench ?? [])))}`,
    `  metered, translations/s (hold + settle)                ${rate(median(rounds.map((r) => r.metered)))}`,
    `  unmetered, translations/s                              ${rate(median(rounds.map((r) => r.unmetered)))}`,
    targetLine(toPgbench),
    targetLine(toUnmetered),
  ].join('\n');
  const json = { rounds, pgbenchRatio: toPgbench.found, unmeteredRatio: toUnmetered.found };
  return { text, json, targets: [toPgbench, toUnmetered] };
}
