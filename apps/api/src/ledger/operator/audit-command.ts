import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import {
  type AuditProgress,
  type AuditResult,
  auditLedger,
  type Depth,
  type Finding,
  FINDINGS_DEFAULT,
  type LedgerDifference,
  NO_PROGRESS,
  type Proven,
  type Scope,
} from '../audit/audit.js';
import { CAP_COUNTER } from '../audit/audit-caps.js';
import { RecordedRun, RunEnded, type RunScope, unchanged } from '../audit-runs/recorded-run.js';
import { CloseKeys } from '../closes/close-keys.js';
import { CommandError, type Language, UsageError } from '../../platform/cli-messages.js';
import { OPERATOR_ROLE } from '../../platform/database.js';
import { StandbyServer } from '../../platform/standby-server.js';
import { systemUser } from '../../platform/system-user.js';
import { type CommandContext, Interrupted, interruptible, parseCommandLine, print } from './command-line.js';
import { familyOf, findAccount } from './find-account.js';
import { grouped, Progress } from './progress.js';
import { MESSAGES } from './messages.js';

const OPTIONS = {
  user: { type: 'string' },
  family: { type: 'string' },
  resume: { type: 'boolean' },
  state: { type: 'string' },
  limit: { type: 'string' },
  all: { type: 'boolean' },
  'since-anchors': { type: 'boolean' },
} as const;

/** `operator ledger audit`: exit code 0 if everything adds up, else 1 with a list of up to `--limit` differences. */
export async function auditCommand(args: string[], { pool, config, language }: CommandContext): Promise<number> {
  const { values, positionals } = parseCommandLine(args, OPTIONS);
  if (positionals.length > 0 || (values.user !== undefined && values.family !== undefined))
    throw new UsageError({
      zh: 'ledger audit 只接受 --user 或 --family 之一，或都不写',
      en: 'ledger audit accepts either --user or --family, not both',
    });
  const limit = values.all ? Number.POSITIVE_INFINITY : limitOf(values.limit);
  const messages = MESSAGES[language];
  const { scope, name, run: runScope } = await scopeOf(pool, values);
  const file = stateFile(values.state);
  const depth: Depth = values['since-anchors'] ? 'anchors' : 'full';
  const keys = new CloseKeys(config);
  const of = `${await databaseOf(pool)}: ${name}${depth === 'full' ? '' : ' since the anchors'}`;
  const before = values.resume ? await resumable(pool, { file, of, language }) : null;
  const begun = before?.begun ?? new Date().toISOString();
  if (before) scope.after = before.last.userId;
  const progress = new Progress(await entriesIn(pool, scope, depth), before?.entries ?? 0, language);
  const stateAt = ({ last }: AuditProgress): AuditState | null =>
    last && {
      of,
      begun,
      accounts: last.accounts + (before?.accounts ?? 0),
      entries: last.entries + (before?.entries ?? 0),
      last,
    };

  let latest = NO_PROGRESS;
  let saving: Promise<void> = Promise.resolve();
  const save = (): void => {
    const state = stateAt(latest);
    if (state) saving = saving.then(() => writeState(file, state));
  };
  const onProgress = (now: AuditProgress): void => {
    latest = now;
    if (progress.report(now.entries)) save();
  };
  const run = await record(pool, { scope: runScope, depth }, language);
  const standby = new StandbyServer(
    config,
    OPERATOR_ROLE,
    async <T>(sql: string) => (await pool.query(sql)).rows as T[],
  );
  const there = await standby.pool('yiqiao-ledger-audit', READERS);
  try {
    const timeZone = config.env.APP_TIMEZONE;
    const earlier = before && { ...before.last, accounts: before.accounts, entries: before.entries };
    // What cannot be recorded cannot write anchors either.
    const unrecorded = { scope, depth, anchors: { keys, store: null } };
    const audit =
      (reading: pg.Pool) =>
      (signal: AbortSignal): Promise<AuditResult> =>
        run
          ? run.audit({ reading, timeZone, keys, limit, before: earlier, onProgress, signal })
          : auditLedger(reading, { ...unrecorded, limit, timeZone, onProgress, signal });
    const result = await interruptible(audit(there ?? pool)).catch((error: unknown) => {
      if (!there || error instanceof Interrupted || error instanceof RunEnded) throw error;
      process.stderr.write(`${messages.fromPrimary}\n`);
      return interruptible(audit(pool));
    });
    latest = result;
    const accounts = result.accounts + (before?.accounts ?? 0);
    const entries = result.entries + (before?.entries ?? 0);
    const counted = { entries: grouped(entries), accounts: grouped(accounts), took: took(progress) };
    if (result.findings.length > 0) {
      save();
      for (const finding of result.findings) printFinding(finding, language);
      const found = { ...counted, findings: grouped(result.findings.length) };
      print(result.findings.length < limit ? messages.differences(found) : messages.firstDifferences(found));
      return 1;
    }
    await saving;
    await dropState(file);
    print(messages.whole({ ...counted, one: entries === 1 }));
    if (depth === 'anchors') print(messages.sinceAnchors(grouped(result.anchored + (before?.last.anchored ?? 0))));
    if (result.orders > 0) print(messages.orders(grouped(result.orders)));
    return 0;
  } catch (error) {
    await run?.end(error instanceof Interrupted ? 'cancelled' : 'failed').catch(() => undefined);
    if (error instanceof RunEnded)
      throw new CommandError({ zh: '核对已在运营台停止', en: 'The audit was stopped in the operator console.' });
    if (error instanceof Interrupted) {
      save();
      const state = stateAt(latest);
      print(state ? messages.interruptedAfter(state.last.userId) : messages.interrupted);
      if (state)
        print(messages.goOn(`ledger audit ${[...args.filter((a) => a !== '--resume'), '--resume'].join(' ')}`));
    }
    throw error;
  } finally {
    await there?.end();
    await standby.close();
    await saving;
  }
}

/** Connections that share the audit's snapshot. */
const READERS = 5;

/**
 * The record of this run, which the console shows; null, after printing why, where nothing can be written: in a copy that can only be read,
 * or under a schema that differs, which the audit itself reports.
 */
async function record(
  pool: pg.Pool,
  what: { scope: RunScope; depth: Depth },
  language: Language,
): Promise<RecordedRun | null> {
  let run: RecordedRun | null;
  try {
    run = await RecordedRun.begin(pool, what, { actor: `cli:${systemUser()}` });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && UNWRITABLE.has(String(error.code)))) throw error;
    process.stderr.write(`${MESSAGES[language].notRecorded(error.message)}\n`);
    return null;
  }
  if (run) return run;
  throw new CommandError({
    zh: '正在核对全库，同一时间只能有一次。请等它结束，或在运营台停止它。',
    en: 'The whole ledger is being audited already, one run at a time. Wait until it ends, or stop it in the operator console.',
  });
}

/** Undefined table, column or function, missing right, read-only transaction. */
const UNWRITABLE = new Set(['42P01', '42703', '42883', '42501', '25006']);

const took = ({ seconds }: Progress): string => `${seconds.toFixed(1)} s`;

function limitOf(given: string | undefined): number {
  if (given === undefined) return FINDINGS_DEFAULT;
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given);
  throw new UsageError({ zh: '--limit 应为正整数', en: '--limit must be a number, 1 or more.' });
}

/** A finding with its consequences indented below it. */
export function printFinding({ consequences, ...finding }: Finding, language: Language): void {
  printDifference(finding, language);
  const messages = MESSAGES[language];
  for (const { field, expected, found, userId, seq } of consequences)
    print(messages.consequence({ userId, seq, field, expected: String(expected), found: String(found) }));
}

export function printDifference({ expected, found, ...where }: LedgerDifference, language: Language): void {
  const messages = MESSAGES[language];
  print(messages.differenceAt(where));
  print(messages.expected(String(expected)));
  print(messages.found(String(found)));
  if (where.field.startsWith(CAP_COUNTER)) print(messages.capCounter);
}

/** The accounts that the options select, and a name for them. Throws CommandError if there is no such account. */
export async function scopeOf(
  pool: pg.Pool,
  { user, family }: { user?: string | undefined; family?: string | undefined },
): Promise<{ scope: Scope; name: string; run: RunScope }> {
  const who = user ?? family;
  if (who === undefined) return { scope: {}, name: 'all accounts', run: { scope: 'all' } };
  const account = await findAccount(pool, who);
  const { userId, familyId } = account;
  if (user !== undefined)
    return { scope: { userIds: [userId] }, name: `account ${userId}`, run: { scope: 'account', userId } };
  const userIds = await familyOf(pool, familyId);
  return { scope: { userIds }, name: `family ${familyId}`, run: { scope: 'family', userId: familyId } };
}

async function databaseOf(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT datname || '/' || oid AS name FROM pg_database WHERE datname = current_database()`,
  );
  return rows[0]?.name ?? '';
}

/** The number of entries to read in scope, including those before `after`. */
async function entriesIn(pool: pg.Pool, { userIds }: Scope, depth: Depth): Promise<number> {
  const anchored =
    depth === 'anchors' ? 'LEFT JOIN account_anchor n USING (user_id)' : 'LEFT JOIN account_archive n USING (user_id)';
  const { rows } = await pool.query<{ n: string }>(
    `SELECT coalesce(sum(entry_seq - coalesce(n.seq, 0)), 0) AS n FROM member_account ${anchored}
     WHERE $1::bigint[] IS NULL OR user_id = ANY ($1)`,
    [userIds ?? null],
  );
  return Number(rows[0]?.n ?? 0);
}

/** The state of an earlier run; null, after printing why, if there is nothing to resume. */
async function resumable(
  pool: pg.Pool,
  { file, of, language }: { file: string; of: string; language: Language },
): Promise<AuditState | null> {
  const messages = MESSAGES[language];
  const state = await readState(file, of);
  if (!state) {
    print(messages.nothingToResume(file));
    return null;
  }
  if (!(await unchanged(pool, state.last))) {
    print(messages.rewritten(state.last.userId));
    return null;
  }
  print(messages.goingOn({ userId: state.last.userId, begun: state.begun }));
  return state;
}

/** The progress of an interrupted audit, for --resume. */
type AuditState = {
  /** The database and the audited accounts. */
  of: string;
  begun: string;
  accounts: number;
  entries: number;
  last: Proven;
};

const stateFile = (given: string | undefined): string =>
  path.resolve(given ?? path.join(process.env['DATA_DIR'] ?? '.data', 'ledger-audit.json'));

/** Null if there is none, or if it belongs to another audit. */
async function readState(file: string, of: string): Promise<AuditState | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const state = JSON.parse(text) as AuditState;
  return state.of === of ? state : null;
}

/** Atomic: a process that ends while writing leaves the previous state. */
async function writeState(file: string, state: AuditState): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

const dropState = (file: string): Promise<void> => rm(file, { force: true });
