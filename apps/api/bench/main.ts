/**
 * `npm run bench`: the ledger writer against the best rate that PostgreSQL reaches with one transaction per charge, on the same
 * tables, in alternated rounds. Needs DATABASE_URL (a superuser's) and, for the comparison, PGBENCH or pgbench on PATH.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { LedgerWriter } from '../src/ledger/writer.js';
import { APP_ROLE } from '../src/platform/database.js';
import { prepareGround } from './ground.js';
import { FORMS, pgbenchRunner, type Case, type Load, type Runner } from './pgbench.js';
import { plainCaller, type PlainCaller } from './plain-calls.js';
import { report, type Figures, type Round } from './report.js';
import { translations } from './writer-load.js';

const LOADS: readonly Load[] = ['hot', 'spread'];
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const CALLERS = 256;
const CLIENTS = { hot: [1, 4, 8], spread: [8, 16, 32] };
const SECONDS = 2;
/** One caller's writer and plain calls take turns this often in a round, each for so many seconds. */
const TURNS = 4;
const TURN_SECONDS = 0.3;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** A short try of every form and number of clients; the rounds then repeat the best two of each load. */
async function candidates(pgbench: Runner): Promise<Record<Load, Case[]>> {
  const best = { hot: [] as Case[], spread: [] as Case[] };
  for (const load of LOADS) {
    const tried: { which: Case; rate: number }[] = [];
    for (const form of FORMS)
      for (const clients of CLIENTS[load]) {
        const which = { load, form, clients };
        tried.push({ which, rate: await pgbench.run(which, 1) });
      }
    tried.sort((a, b) => b.rate - a.rate);
    best[load] = tried.slice(0, 2).map(({ which }) => which);
    say(
      `pgbench ${load}: ${tried.map(({ which: w, rate }) => `${w.form}×${w.clients} ${Math.round(rate)}`).join(' · ')}`,
    );
  }
  return best;
}

type Rivals = { writer: LedgerWriter; plain: PlainCaller; pgbench: { runner: Runner; cases: Case[] } | null };

async function measure(load: Load, { writer, plain, pgbench }: Rivals): Promise<Round> {
  const single: number[] = [];
  for (const which of pgbench?.cases ?? []) single.push((await pgbench?.runner.run(which, SECONDS)) ?? 0);
  const pairs = await translations(writer, load, { callers: CALLERS, seconds: SECONDS });
  let [onePair, plainPair] = [0, 0];
  for (let turn = 0; turn < TURNS; turn++) {
    plainPair += (await plain.pairs(load, TURN_SECONDS)) / TURNS;
    onePair += (await translations(writer, load, { callers: 1, seconds: TURN_SECONDS })) / TURNS;
  }
  const oneClient = await pgbench?.runner.run({ load, form: 'function', clients: 1 }, 1);
  return {
    pgbench: single.length > 0 ? Math.max(...single) : null,
    ...{ pairs, onePair, plainPair, oneClient: oneClient ?? null },
  };
}

async function main(): Promise<void> {
  const server = process.env['DATABASE_URL'];
  if (!server) throw new Error('DATABASE_URL is missing: run it with `npm run bench`');
  const ground = await prepareGround(server);
  const writer = new LedgerWriter({ connectionString: ground.url, options: `-c role=${APP_ROLE}` });
  const plain = await plainCaller(ground.url);
  const runner = await pgbenchRunner(process.env['PGBENCH'] ?? 'pgbench', ground.url);
  try {
    if (!runner) say('!! pgbench was not found (set PGBENCH=/path/to/pgbench): the ratios are SKIPPED.');
    const cases = runner ? await candidates(runner) : null;
    const figures: Figures = { hot: [], spread: [] };
    for (const load of LOADS) {
      await translations(writer, load, { callers: CALLERS, seconds: 1 });
      await plain.pairs(load, TURN_SECONDS);
    }
    for (let round = 1; round <= ROUNDS; round++)
      for (const load of LOADS) {
        const pgbench = runner && cases ? { runner, cases: cases[load] } : null;
        const measured = await measure(load, { writer, plain, pgbench });
        figures[load].push(measured);
        say(
          `round ${round} ${load}: pgbench ${Math.round(measured.pgbench ?? 0)} · writer ${Math.round(measured.pairs * 2)} commands/s`,
        );
      }
    const { text, json } = report(figures);
    say(text);
    const file = path.resolve(process.env['BENCH_OUT'] ?? '.data/bench/ledger.json');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(json, null, 2));
    say(`written to ${file}`);
  } finally {
    await writer.close();
    await plain.close();
    await runner?.close();
    await ground.close();
  }
}

await main();
