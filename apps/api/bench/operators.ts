/**
 * What the operators' console reads from a ledger of BENCH_ROWS entries over two years (ten million; one account has a tenth), and the audit
 * and the what-if that it starts. Needs DATABASE_URL (a superuser's) and REDIS_URL. BENCH_DATABASE as for part logs.
 */
import { generateKeyPairSync } from 'node:crypto';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { EntityManager } from '@mikro-orm/postgresql';
import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus, type Query } from '@nestjs/cqrs';
import { DAY_MS } from '@yiqiao/domain/limits';
import pg from 'pg';
import { CloseLedger } from '../src/ledger/closes/close-ledger.js';
import { BuildAccountBlocks } from '../src/ledger/time-machine/account-blocks.js';
import { GetAccountState } from '../src/ledger/time-machine/get-account-state.js';
import { GetDifference } from '../src/ledger/time-machine/get-difference.js';
import { GetTimeline } from '../src/ledger/time-machine/get-timeline.js';
import { ListEntries } from '../src/ledger/time-machine/list-entries.js';
import { RollUpLedgerDays } from '../src/ledger/trial-balance/ledger-days.js';
import { GetTrialBalance } from '../src/ledger/trial-balance/trial-balance.js';
import { withApp } from '../src/operator/operator-app.js';
import { StartAuditRun } from '../src/operators/audits/audit-runs.js';
import { Clock } from '../src/platform/clock.js';
import { loadConfig } from '../src/platform/config.js';
import { startChild } from './child.js';
import { type Figure, figureLine, figureTargets, measure, targetsOf } from './figures.js';
import { LARGEST_MEMBER, YEAR_DAYS } from './history.js';
import { withHistory } from './history-fixture.js';
import { measureSearch } from './member-search.js';
import { random } from './random.js';
import { apiEnv } from './sign-in.js';
import { overRounds, ratios, rate, some, targetLine, type Report, type Settings, type Target } from './targets.js';
import { measureWhatIf } from './what-if.js';

const DAYS = 2 * YEAR_DAYS;
const POINTS = 500;
const PAGE = 50;
const CLOSED_ACCOUNTS = 100_000;

type AuditRound = { commandLine: number; console: number };

export function benchOperators(settings: Settings): Promise<Report> {
  const rows = Number(process.env['BENCH_ROWS'] ?? 10_000_000);
  return withHistory(settings, { rows, days: DAYS }, async (url) => {
    const env = apiEnv(url, { AUDIT_AT: 'off', LOG_LEVEL: 'warn' });
    return withApp(loadConfig(env), async (app) => {
      const { blocks, figures } = await measureReads(app, settings);
      const search = await measureSearch(settings);
      settings.log(figureLine(search));
      const close = await measureClose(settings);
      const audits = await measureAudits(app, { url, env }, settings);
      const whatIf = await measureWhatIf(settings);
      return report(rows, { blocks, figures: [...figures, search], audits, more: [close, whatIf] });
    });
  });
}

/** The first close takes all accounts, with ten entries each, as the one after a restore would. */
function measureClose(settings: Settings): Promise<Target> {
  const size = { rows: some(10 * CLOSED_ACCOUNTS, settings.scale), days: DAYS, entriesEach: 10 };
  const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const close = (url: string): Promise<Target> =>
    withApp(loadConfig(apiEnv(url, { CLOSE_SIGNING_KEY: key, LOG_LEVEL: 'warn' })), async (app) => {
      const begun = performance.now();
      await app.get(CommandBus).execute(new CloseLedger({ actor: 'bench' }));
      const found = (performance.now() - begun) / 1_000;
      const accounts = rate(some(CLOSED_ACCOUNTS, settings.scale));
      const target: Target = { name: `close of ${accounts} accounts`, kind: 'below', gate: 60, unit: ' s', found };
      settings.log(targetLine(target));
      return target;
    });
  return withHistory(settings, size, close, '');
}

async function measureReads(
  app: INestApplicationContext,
  { scale, log }: Settings,
): Promise<{ blocks: number; figures: Figure[] }> {
  const [queries, clock] = [app.get(QueryBus), app.get(Clock)];
  log('blocks of the time machine …');
  const started = performance.now();
  await app.get(CommandBus).execute(new BuildAccountBlocks());
  const blocks = performance.now() - started;
  log('days of the trial balance …');
  await app.get(CommandBus).execute(new RollUpLedgerDays());
  // Raw SQL: `member_account` belongs to the ledger and has no entity.
  const [all] = await app
    .get(EntityManager)
    .fork()
    .execute<{ accounts: number }[]>('SELECT count(*) AS accounts FROM member_account WHERE entry_seq > 0');
  const accounts = Number(all?.accounts);
  const next = random(19);
  const now = clock.now().getTime();
  /** The account with a tenth of all entries, or any other one. */
  const account = (i: number): number => (i % 2 === 0 ? LARGEST_MEMBER : 1 + Math.floor(next() * accounts));
  const ago = (days: number): string => clock.toWire(new Date(now - days * DAY_MS));
  const moment = (): string => ago(next() * DAYS);
  const read = async (
    name: string,
    [count, gates]: [number, Figure['gates']],
    query: (userId: number) => Query<unknown>,
  ): Promise<Figure> => {
    const settings = { name, count, scale, gates };
    const figure = await measure(
      settings,
      (i) => query(account(i)),
      (asked) => queries.execute(asked),
    );
    log(figureLine(figure));
    return figure;
  };
  const yearApart = (userId: number): Query<unknown> => {
    const from = YEAR_DAYS + next() * YEAR_DAYS;
    return new GetDifference({ userId, from: ago(from), to: ago(from - YEAR_DAYS) }, 'zh');
  };
  return {
    blocks,
    figures: [
      await read(
        'state at any moment',
        [1_000, { median: 10, p95: 50 }],
        (userId) => new GetAccountState({ userId, at: moment() }, 'zh'),
      ),
      await read(
        `timeline of ${POINTS} points over two years`,
        [100, { p95: 100 }],
        (userId) => new GetTimeline({ userId, from: ago(DAYS), to: ago(0), points: POINTS }),
      ),
      await read('difference of two moments a year apart', [100, { p95: 300 }], yearApart),
      await read('page of entries', [500, { p95: 20 }], (userId) => {
        const toSeq = userId === LARGEST_MEMBER ? 1 + Math.floor(next() * 10_000) * 100 : undefined;
        return new ListEntries({ userId, limit: PAGE, ...(toSeq !== undefined && { toSeq }) }, 'zh');
      }),
      await read('trial balance now', [50, { p95: 200 }], () => new GetTrialBalance({})),
    ],
  };
}

/** Rounds of a whole audit from the command line and one from the console: the milliseconds that each recorded itself. */
async function measureAudits(
  app: INestApplicationContext,
  { url, env }: { url: string; env: NodeJS.ProcessEnv },
  { rounds, log }: Settings,
): Promise<AuditRound[]> {
  const db = new pg.Client(url);
  await db.connect();
  const worker = startChild('../src/worker', env);
  try {
    const works = { commandLine: () => auditByCommand(db, env), console: () => auditByWorker(db, app) };
    const found: AuditRound[] = [];
    for (let i = 0; i < rounds; i++) {
      const names = ['commandLine', 'console'] as const;
      const round: AuditRound = { commandLine: 0, console: 0 };
      // Alternate the order, because the second run finds warmer caches.
      for (const name of i % 2 === 0 ? names : names.toReversed()) round[name] = await works[name]();
      found.push(round);
      log(`audit ${i + 1}: command line ${seconds(round.commandLine)}, console ${seconds(round.console)}`);
    }
    return found;
  } finally {
    await worker.stop();
    await db.end();
  }
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const program = path.join(import.meta.dirname, '../src/operator.js');

async function auditByCommand(db: pg.Client, env: NodeJS.ProcessEnv): Promise<number> {
  const flags = process.env['OPERATOR_FLAGS']?.split(' ') ?? [];
  const surroundings = { PATH: process.env['PATH'], ...env };
  await promisify(execFile)(process.execPath, [...flags, program, 'ledger', 'audit'], { env: surroundings });
  const { rows } = await db.query<Run>(`${RUN} WHERE started_by LIKE 'cli:%' ORDER BY id DESC LIMIT 1`);
  return timeOf(rows[0]);
}

async function auditByWorker(db: pg.Client, app: INestApplicationContext): Promise<number> {
  const { id } = await app
    .get(CommandBus)
    .execute(new StartAuditRun({ scope: 'all', depth: 'full' }, { actor: 'bench' }));
  for (;;) {
    const { rows } = await db.query<Run>(`${RUN} WHERE id = $1`, [id]);
    if (rows[0]?.over) return timeOf(rows[0]);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

type Run = { state: string; over: boolean; ms: string };
const RUN = 'SELECT state, finished_at IS NOT NULL AS over, active_ms AS ms FROM audit_run';

function timeOf(run: Run | undefined): number {
  if (run?.state !== 'whole') throw new Error(`the bench's own audit ended as ${run?.state ?? 'nothing'}`);
  return Number(run.ms);
}

function report(
  rows: number,
  { blocks, figures, audits, more }: { blocks: number; figures: Figure[]; audits: AuditRound[]; more: Target[] },
): Report {
  const ratio = overRounds(
    ratios(
      audits,
      (round) => round.console,
      (round) => round.commandLine,
    ),
    { name: 'audit from the console ÷ from the command line', kind: 'at most', gate: 1.05, unit: '×' },
  );
  const text = [
    '',
    `operators on a ledger of ${rate(rows)} entries over two years, one account with a tenth of them`,
    `  blocks of the time machine, all at once                ${seconds(blocks)}`,
    ...figures.map(figureLine),
    ...figureTargets(figures),
    ...more.map(targetLine),
    targetLine(ratio),
  ].join('\n');
  return {
    text,
    json: { rows, blocksMs: blocks, figures, audits },
    targets: [...figures.flatMap(targetsOf), ...more, ratio],
  };
}
