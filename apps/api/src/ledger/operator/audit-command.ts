import type pg from 'pg';
import {
  type AuditProgress,
  auditLedger,
  type Finding,
  FINDINGS_DEFAULT,
  type LedgerDifference,
  type Proven,
  type Scope,
} from '../audit/audit.js';
import { type Language, Misuse } from '../../platform/speech.js';
import { read, type Surroundings } from './arguments.js';
import { type AuditState, dropState, readState, stateFile, writeState } from './audit-state.js';
import { familyOf, findAccount } from './find-account.js';
import { Interrupted, interruptible } from './interrupt.js';
import { grouped, Progress } from './progress.js';
import { WORDS } from './words.js';

const OPTIONS = {
  user: { type: 'string' },
  family: { type: 'string' },
  resume: { type: 'boolean' },
  state: { type: 'string' },
  limit: { type: 'string' },
  all: { type: 'boolean' },
} as const;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** `operator ledger audit`: 0 when everything adds up, 1 with every difference, named, up to `--limit` of them. */
export async function auditCommand(args: string[], { pool, config, language }: Surroundings): Promise<number> {
  const { values, positionals } = read(args, OPTIONS);
  if (positionals.length > 0 || (values.user !== undefined && values.family !== undefined))
    throw new Misuse({
      zh: 'ledger audit 只接受 --user 或 --family 之一，或都不写',
      en: 'ledger audit takes --user or --family, or neither',
    });
  const limit = values.all ? Number.POSITIVE_INFINITY : limitOf(values.limit);
  const w = WORDS[language];
  const { scope, name } = await scopeOf(pool, values);
  const file = stateFile(values.state);
  const of = `${await databaseOf(pool)}: ${name}`;
  const before = values.resume ? await resumable(pool, { file, of, language }) : null;
  const begun = before?.begun ?? new Date().toISOString();
  if (before) scope.after = before.last.userId;
  const progress = new Progress(await entriesIn(pool, scope), before?.entries ?? 0, { say, language });
  const stateAt = ({ last }: AuditProgress): AuditState | null =>
    last && {
      of,
      begun,
      accounts: last.accounts + (before?.accounts ?? 0),
      entries: last.entries + (before?.entries ?? 0),
      last,
    };

  let latest: AuditProgress = { accounts: 0, entries: 0, last: null };
  let saving: Promise<void> = Promise.resolve();
  const save = (): void => {
    const state = stateAt(latest);
    if (state) saving = saving.then(() => writeState(file, state));
  };
  const onProgress = (now: AuditProgress): void => {
    latest = now;
    if (progress.tell(now.entries)) save();
  };
  try {
    const timeZone = config.env.APP_TIMEZONE;
    const result = await interruptible((signal) => auditLedger(pool, { scope, limit, timeZone, onProgress, signal }));
    latest = result;
    const accounts = result.accounts + (before?.accounts ?? 0);
    const entries = result.entries + (before?.entries ?? 0);
    const counted = { entries: grouped(entries), accounts: grouped(accounts), took: took(progress) };
    if (result.findings.length > 0) {
      save();
      for (const finding of result.findings) tellFinding(finding, language);
      const found = { ...counted, findings: grouped(result.findings.length) };
      say(result.findings.length < limit ? w.differences(found) : w.firstDifferences(found));
      return 1;
    }
    await saving;
    await dropState(file);
    say(w.whole({ ...counted, one: entries === 1 }));
    if (result.orders > 0) say(w.orders(grouped(result.orders)));
    return 0;
  } catch (error) {
    if (error instanceof Interrupted) {
      save();
      const state = stateAt(latest);
      say(state ? w.interruptedAfter(state.last.userId) : w.interrupted);
      if (state) say(w.goOn(`ledger audit ${[...args.filter((a) => a !== '--resume'), '--resume'].join(' ')}`));
    }
    throw error;
  } finally {
    await saving;
  }
}

const took = ({ seconds }: Progress): string => `${seconds.toFixed(1)} s`;

function limitOf(given: string | undefined): number {
  if (given === undefined) return FINDINGS_DEFAULT;
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given);
  throw new Misuse({ zh: '--limit 应为正整数', en: '--limit is a number, 1 or more.' });
}

/** A finding, and indented below it what follows from it. */
function tellFinding({ consequences, ...finding }: Finding, language: Language): void {
  tellDifference(finding, language);
  const w = WORDS[language];
  for (const { field, expected, found, userId, seq } of consequences)
    say(w.consequence({ userId, seq, field, expected: String(expected), found: String(found) }));
}

export function tellDifference({ expected, found, ...where }: LedgerDifference, language: Language): void {
  const w = WORDS[language];
  say(w.differenceAt(where));
  say(w.expected(String(expected)));
  say(w.found(String(found)));
}

/** Which accounts an operator means, and what to call them. Throws Impossible when there is no such account. */
export async function scopeOf(
  pool: pg.Pool,
  { user, family }: { user?: string | undefined; family?: string | undefined },
): Promise<{ scope: Scope; name: string }> {
  const wanted = user ?? family;
  if (wanted === undefined) return { scope: {}, name: 'all accounts' };
  const account = await findAccount(pool, wanted);
  if (user !== undefined) return { scope: { userIds: [account.userId] }, name: `account ${account.userId}` };
  return { scope: { userIds: await familyOf(pool, account.familyId) }, name: `family ${account.familyId}` };
}

async function databaseOf(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT datname || '/' || oid AS name FROM pg_database WHERE datname = current_database()`,
  );
  return rows[0]?.name ?? '';
}

/** All entries that there are to prove, those before `after` too. */
async function entriesIn(pool: pg.Pool, { userIds }: Scope): Promise<number> {
  const { rows } = await pool.query<{ n: string }>(
    'SELECT coalesce(sum(entry_seq), 0) AS n FROM member_account WHERE $1::bigint[] IS NULL OR user_id = ANY ($1)',
    [userIds ?? null],
  );
  return Number(rows[0]?.n ?? 0);
}

/** Where an earlier run ended; null with a word why when there is nothing to go on from. */
async function resumable(
  pool: pg.Pool,
  { file, of, language }: { file: string; of: string; language: Language },
): Promise<AuditState | null> {
  const w = WORDS[language];
  const state = await readState(file, of);
  if (!state) {
    say(w.nothingToResume(file));
    return null;
  }
  if (!(await stillStands(pool, state.last))) {
    say(w.rewritten(state.last.userId));
    return null;
  }
  say(w.goingOn({ userId: state.last.userId, begun: state.begun }));
  return state;
}

/** Whether the entry that was the last one then is still the one that it was. */
async function stillStands(pool: pg.Pool, { userId, seq, head }: Proven): Promise<boolean> {
  if (seq === 0) return true;
  const { rows } = await pool.query<{ hash: string }>(
    `SELECT encode(hash, 'hex') AS hash FROM account_log WHERE user_id = $1 AND seq = $2`,
    [userId, seq],
  );
  return rows[0]?.hash === head;
}
