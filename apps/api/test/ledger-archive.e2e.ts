/** Old translations in cold files: what moves, what still proves it, and what comes back (docs/decisions/0075). */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import type { EntryType } from '@yiqiao/domain/ledger';
import { DAY_MS } from '@yiqiao/domain/limits';
import pg from 'pg';
import { LARGEST_MEMBER } from '../bench/history.js';
import { loadHistory } from '../bench/history-fixture.js';
import { entities } from '../src/entities.js';
import { openBackupStorage } from '../src/backup/backup.js';
import { archive, movable } from '../src/ledger/archive/archive.js';
import { type ArchiveContext, verifyArchives } from '../src/ledger/archive/verify-archives.js';
import { auditLedger, type Depth, type Finding } from '../src/ledger/audit/audit.js';
import { CloseKeys } from '../src/ledger/closes/close-keys.js';
import { CloseLedger, CloseLedgerHandler } from '../src/ledger/closes/close-ledger.js';
import { ledgerCommand } from '../src/ledger/operator/ledger-command.js';
import { ListAccountLogs, ListAccountLogsHandler } from '../src/ledger/log/list-account-logs.js';
import { AccountBlocks } from '../src/ledger/time-machine/account-blocks.js';
import { CheckProof, CheckProofHandler } from '../src/ledger/time-machine/check-proof.js';
import { GetAccount, GetAccountHandler } from '../src/ledger/time-machine/get-account.js';
import { GetAccountState, GetAccountStateHandler } from '../src/ledger/time-machine/get-account-state.js';
import { GetDifference, GetDifferenceHandler } from '../src/ledger/time-machine/get-difference.js';
import { GetFamilyState, GetFamilyStateHandler } from '../src/ledger/time-machine/get-family.js';
import { GetTimeline, GetTimelineHandler } from '../src/ledger/time-machine/get-timeline.js';
import { LedgerDays } from '../src/ledger/trial-balance/ledger-days.js';
import { GetTrialBalance, GetTrialBalanceHandler, TrialBalance } from '../src/ledger/trial-balance/trial-balance.js';
import { MarginDays } from '../src/operators/vendors/get-margin.js';
import { Clock } from '../src/platform/clock.js';
import { type Config, loadConfig } from '../src/platform/config.js';
import { parseValues } from '../src/platform/database.js';
import { Vault } from '../src/platform/vault.js';
import { newSigningKey } from './support/closing.js';
import { freshDatabase, type FreshDatabase } from './support/database.js';
import { runCommand } from './support/run-command.js';

const ROWS = 30_000;
const YEAR = 400;
/** The ends of blocks of 1,024 entries of the largest member, a tenth of all. */
const [FIRST_END, SECOND_END] = [1_024, 3_072];

let folder: string;
let database: FreshDatabase;
let env: Record<string, string>;
let config: Config;
let orm: MikroORM;
let context: ArchiveContext;

const audit = (depth: Depth) =>
  auditLedger(database.owner, { depth, anchors: { keys: context.keys, store: database.owner } });
const fields = (findings: readonly Finding[]): string[] =>
  findings.map(({ userId, seq, field }) => `${userId}#${seq ?? '-'} ${field}`);
const operator = (...args: string[]) =>
  runCommand(() => ledgerCommand(args, config, { coldStorage: () => openBackupStorage(config) }));
const numberOf = async (sql: string, values: unknown[] = [LARGEST_MEMBER]): Promise<number> => {
  const { rows } = await database.owner.query<{ n: string }>(`SELECT (${sql}) AS n`, values);
  return Number(rows[0]?.n);
};
const timeOf = async (seq: number): Promise<Date> => {
  const { rows } = await database.owner.query<{ at: Date }>(
    'SELECT created_at AS at FROM account_log WHERE user_id = $1 AND seq = $2',
    [LARGEST_MEMBER, seq],
  );
  return new Date(rows[0]?.at ?? 0);
};
/** Everything of a log, but addresses, as one digest. */
const digestOf = async (table: string, order: string): Promise<string> => {
  const { rows } = await database.owner.query<{ digest: string }>(
    `SELECT md5(string_agg(t::text, '|' ORDER BY user_id, ${order})) AS digest
     FROM (SELECT (jsonb_populate_record(r, '{"ip": null}')).* FROM ${table} r) t`,
  );
  return rows[0]?.digest ?? '';
};
const digests = async (): Promise<string[]> => [
  await digestOf('account_log', 'seq'),
  await digestOf('translation_log', 'usage_seq'),
];
let original: string[];
let newest: Date;
let readBefore: unknown[];

/** Everything that is read of the largest member from `from` on. */
async function readersSince(from: Date, to: Date) {
  const clock = new Clock(config);
  const [blocks, days] = [new AccountBlocks(orm.em, config), new LedgerDays(orm.em, config)];
  const [begin, end] = [clock.toWire(from), clock.toWire(to)];
  const userId = LARGEST_MEMBER;
  const language = 'en' as const;
  const span = { userId, from: begin, to: end };
  const trial = new TrialBalance(days, clock, config);
  const filter = {
    pageNum: 1,
    pageSize: 50,
    createDateTimeBegin: clock.toWire(new Date(from.getTime() + 1_000)),
    createDateTimeEnd: end,
  };
  const logs = new ListAccountLogsHandler(orm.em, clock);
  const ofType = async (logType: EntryType) => {
    const { archivedUntil: _, ...page } = await logs.execute(
      new ListAccountLogs(userId, { ...filter, logType }, language),
    );
    return page;
  };
  return [
    await new GetAccountStateHandler(orm.em, clock, blocks).execute(
      new GetAccountState({ userId, at: begin }, language),
    ),
    await new GetTimelineHandler(orm.em, clock, blocks).execute(new GetTimeline({ ...span, points: 40 })),
    await new GetDifferenceHandler(orm.em, clock, blocks, config).execute(new GetDifference(span, language)),
    await new GetFamilyStateHandler(orm.em, clock, blocks).execute(new GetFamilyState({ userId, at: begin }, language)),
    await new GetTrialBalanceHandler(orm.em, trial, clock).execute(
      new GetTrialBalance({ at: clock.toWire(new Date(from.getTime() + DAY_MS)) }),
    ),
    await ofType('TRANSLATION_CONSUME'),
    await ofType('DISTRIBUTION'),
  ];
}

/** Closes begin so many days ago. */
class DaysAgo extends Clock {
  constructor(private readonly days: number) {
    super(config);
  }
  override lastDays(count: number): string[] {
    return super.lastDays(count + this.days).slice(0, count);
  }
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'cold-'));
  database = await freshDatabase({ parts: 1 });
  env = {
    DATABASE_URL: database.url,
    REDIS_URL: 'redis://none',
    SMTP_URL: 'smtp://none',
    APP_SECRET: '0'.repeat(64),
    CLOSE_SIGNING_KEY: newSigningKey(),
    BACKUP_URL: path.join(folder, 'backups'),
    BACKUP_KEY: randomBytes(32).toString('hex'),
  };
  config = loadConfig(env);
  await loadHistory(database.url, { rows: ROWS, days: YEAR }, () => undefined);
  const onPoolCreated = (pool: pg.Pool): void =>
    parseValues(pool.options.types as unknown as Parameters<typeof parseValues>[0]);
  orm = new MikroORM(defineConfig({ clientUrl: database.url, entities, driverOptions: { onPoolCreated } }));
  await orm.connect();
  const [blocks, days] = [new AccountBlocks(orm.em, config), new LedgerDays(orm.em, config)];
  for (const userId of await blocks.accountsBehind()) await blocks.catchUp(userId);
  await days.catchUp();
  const keys = new CloseKeys(config);
  // One for each day: some of the time that will be in cold files.
  const made = new CloseLedgerHandler(
    orm.em.fork(),
    new DaysAgo(280),
    new Vault(config),
    keys,
    new TrialBalance(days, new Clock(config), config),
  );
  expect(await made.execute(new CloseLedger({ actor: 'system' }))).not.toBeNull();
  const repository = await openBackupStorage(config);
  context = { owner: database.owner, storage: repository, keys, timeZone: config.env.APP_TIMEZONE };
  original = await digests();
  newest = new Date();
  readBefore = await readersSince(await timeOf(FIRST_END), newest);
});
afterAll(async () => {
  await orm.close(true);
  await database.drop();
  rmSync(folder, { recursive: true });
});

describe('nothing moves', () => {
  it('before an audit has made anchors', async () => {
    expect(await movable(context, { before: new Date() })).toEqual([]);
    expect(fields((await audit('full')).findings)).toEqual([]);
    expect(await movable(context, { before: new Date() })).toMatchObject([
      { userId: LARGEST_MEMBER, seq: SECOND_END, after: { entries: 0, lines: 0 } },
    ]);
    expect(await movable(context, { before: await timeOf(FIRST_END) })).toEqual([]);
  });

  it('of the last quarter, of an unknown account, without a key or without storage', async () => {
    const today = new Clock(config).day(new Date());
    const recent = await operator('archive', '--before', today);
    expect(recent).toMatchObject({ code: 2 });
    expect(recent.err).toMatch(/^The last 92 days stay in the database/);
    expect(await operator('archive', '--before', '2026-02-31')).toMatchObject({ code: 2 });
    expect(await operator('archive')).toMatchObject({ code: 2 });
    expect(await operator('archive', '--before', '2020-01-01', '--user', '999999')).toMatchObject({ code: 1 });
    for (const name of ['CLOSE_SIGNING_KEY', 'BACKUP_URL']) {
      const without = loadConfig({ ...env, [name]: undefined });
      const refused = await runCommand(() =>
        ledgerCommand(['archive', '--before', '2020-01-01'], without, {
          coldStorage: () => openBackupStorage(without),
        }),
      );
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(name)]);
    }
  });
});

describe('old translations', () => {
  it('move into sealed files, and the rest stays', async () => {
    const before = new Clock(config).day(new Date((await timeOf(FIRST_END)).getTime() + DAY_MS));
    const USED = 'account_log WHERE user_id = $1 AND seq < 1024 AND log_type IN (7, 8)';
    const entries = await numberOf(`SELECT count(*) FROM ${USED}`);
    const dry = await operator('archive', '--before', before, '--dry-run');
    expect(dry.out).toBe(`1,024 entries of 1 account from before ${before} can move to cold files.\n`);
    expect(await digests()).toEqual(original);
    const done = await operator('archive', '--before', before);
    expect(done.err).toBe('');
    expect(done.out).toMatch(/Moved: 1,024 entries and [\d,]+ lines of 1 account, 0\.\d MB/);
    expect(done.code).toBe(0);
    // What closes have signed stays: they are compared with it.
    const signed = `SELECT count(*) FROM ${USED} AND seq IN (SELECT seq FROM close_leaf WHERE user_id = $1)`;
    const left = await numberOf(`SELECT count(*) FROM ${USED}`);
    expect(left).toBe(await numberOf(signed));
    expect([entries > 800, left > 0, left < 50]).toEqual([true, true, true]);
    const rest = 'SELECT min(usage_seq) - 1 FROM translation_log WHERE user_id = $1';
    expect(await numberOf(rest)).toBe(await numberOf('SELECT usage_seq FROM account_archive WHERE user_id = $1'));
    const [file = ''] = readdirSync(path.join(folder, 'backups', 'cold', String(LARGEST_MEMBER)));
    expect(file).toMatch(/^(entries|lines)-1-\d+-[0-9a-f]{8}$/);
  });

  it.each(['full', 'anchors'] as const)('are still proven by an audit (%s)', async (depth) => {
    const { findings, entries } = await audit(depth);
    expect(fields(findings)).toEqual([]);
    const sinceClose =
      'SELECT sum(entry_seq - (SELECT max(seq) FROM close_leaf l WHERE l.user_id = a.user_id)) FROM member_account a';
    expect(entries).toBe(depth === 'full' ? ROWS - FIRST_END : await numberOf(sinceClose, []));
  });

  it('are proven from the first one with their files', async () => {
    const { code, out } = await operator('verify-archive');
    expect(out).toMatch(/The archives are intact: 3,\d{3} entries of 1 account replayed from the first one/);
    expect(code).toBe(0);
  });

  it('leave what came after them as it was, and are said to be in the archive', async () => {
    const cut = await timeOf(FIRST_END);
    expect(await readersSince(cut, newest)).toEqual(readBefore);
    const day = new Date(cut.getTime() - DAY_MS);
    const clock = new Clock(config);
    const blocks = new AccountBlocks(orm.em, config);
    const trial = new TrialBalance(new LedgerDays(orm.em, config), clock, config);
    const [userId, at, to] = [LARGEST_MEMBER, clock.toWire(day), clock.toWire(newest)];
    const since = { code: 'LEDGER_ARCHIVED', details: { data: { since: clock.toWire(cut) } } };
    for (const read of [
      new GetAccountStateHandler(orm.em, clock, blocks).execute(new GetAccountState({ userId, at }, 'en')),
      new GetAccountStateHandler(orm.em, clock, blocks).execute(new GetAccountState({ userId, seq: 7 }, 'en')),
      new GetTimelineHandler(orm.em, clock, blocks).execute(new GetTimeline({ userId, from: at, to: at, points: 9 })),
      new GetFamilyStateHandler(orm.em, clock, blocks).execute(new GetFamilyState({ userId, at }, 'en')),
      new CheckProofHandler(orm.em, clock).execute(new CheckProof({ userId, fromSeq: FIRST_END })),
      new GetTrialBalanceHandler(orm.em, trial, clock).execute(new GetTrialBalance({ at })),
      // A part of its own day is in cold files.
      new GetTrialBalanceHandler(orm.em, trial, clock).execute(new GetTrialBalance({ at: clock.toWire(cut) })),
      new MarginDays(orm.em, clock).read(at.slice(0, 10)),
    ])
      await expect(read).rejects.toMatchObject(since);
    const line = await new GetTimelineHandler(orm.em, clock, blocks).execute(
      new GetTimeline({ userId, from: at, to, points: 9 }),
    );
    expect(line.points[0]).toMatchObject({ at: clock.toWire(cut), seq: FIRST_END });
    const account = await new GetAccountHandler(orm.em, clock).execute(new GetAccount(userId, 'en'));
    expect([account.archived, account.family[0]?.archived]).toEqual([FIRST_END, FIRST_END]);
    expect([account.first?.slice(0, 19), account.familyFirst?.slice(0, 19)]).toEqual([
      clock.toWire(cut),
      clock.toWire(cut),
    ]);
    const proof = await new CheckProofHandler(orm.em, clock).execute(new CheckProof({ userId }));
    expect(proof).toMatchObject({
      whole: true,
      entries: (await numberOf('SELECT entry_seq FROM member_account WHERE user_id = $1')) - FIRST_END,
    });
  });

  it('are not listed, and nothing else is missing', async () => {
    const logs = new ListAccountLogsHandler(orm.em, new Clock(config));
    const totalOf = async (logType?: EntryType) => {
      const { total, rows, archivedUntil } = await logs.execute(
        new ListAccountLogs(LARGEST_MEMBER, { pageNum: 1, pageSize: 50, logType }, 'en'),
      );
      expect([rows.length, archivedUntil]).toEqual([
        Math.min(total, 50),
        new Clock(config).toWire(await timeOf(FIRST_END)),
      ]);
      return total;
    };
    const ofType = (code: number) => numberOf(`SELECT type_seqs[${code}] FROM member_account WHERE user_id = $1`);
    expect(await totalOf('DISTRIBUTION')).toBe(await ofType(5));
    expect(await totalOf('RECHARGE_ORDER_BY_MEMBER_GROUP')).toBe(await ofType(1));
    const left = 'SELECT count(*) FROM account_log WHERE user_id = $1 AND seq > 1024';
    expect(await totalOf()).toBe(await numberOf(left));
    expect(await totalOf('TRANSLATION_CONSUME')).toBe(await numberOf(`${left} AND log_type = 7`));
    const last = await logs.execute(
      new ListAccountLogs(LARGEST_MEMBER, { pageNum: Math.ceil((await totalOf()) / 50), pageSize: 50 }, 'en'),
    );
    expect(last.rows.length).toBe((await totalOf()) % 50 || 50);
  });

  it('are in the file for verification, and the command line names what is archived', async () => {
    const file = path.join(folder, 'export.json');
    expect(await operator('verify-export', String(LARGEST_MEMBER), '--out', file)).toMatchObject({ code: 0 });
    const { entries } = JSON.parse(readFileSync(file, 'utf8')) as { entries: unknown[] };
    expect(entries).toHaveLength(await numberOf('SELECT entry_seq FROM member_account WHERE user_id = $1'));
    const who = ['--user', String(LARGEST_MEMBER)];
    const clock = new Clock(config);
    const cut = await timeOf(FIRST_END);
    const then = await operator('replay', '--at', clock.toWire(cut), ...who, '--format', 'csv');
    expect([then.code, then.out.split('\n')[1]]).toEqual([0, expect.stringMatching(/^1,1,1024,/)]);
    const earlier = await operator('replay', '--at', clock.toWire(new Date(cut.getTime() - DAY_MS)), ...who);
    expect([earlier.code, earlier.err]).toEqual([1, expect.stringContaining('are in cold files: choose a later time')]);
    const told = await operator('explain', String(LARGEST_MEMBER), '--last', '3');
    expect(told.out).toMatch(/the first 1,024 entries are in cold files.*[\d,]+ earlier entries are not shown/s);
  });

  it('move further, and an interrupted removal is finished', async () => {
    const [more, ...others] = await movable(context, { before: new Date() });
    expect([more, others]).toMatchObject([{ seq: SECOND_END, after: { entries: FIRST_END } }, []]);
    if (!more) throw new Error('nothing to move');
    const broken = Object.assign(new pg.Pool({ connectionString: database.url, max: 6 }), {
      query: (sql: string, values: unknown[]) =>
        sql.includes('DELETE FROM translation_log')
          ? Promise.reject(new Error('gone'))
          : database.owner.query(sql, values),
    });
    await expect(archive({ ...context, owner: broken }, [more])).rejects.toThrow('gone');
    await broken.end();
    // What is left of the lines harms nobody.
    expect(fields((await audit('full')).findings)).toEqual([]);
    const left = `SELECT count(*) FROM translation_log JOIN account_archive a USING (user_id) WHERE user_id = $1 AND translation_log.usage_seq <= a.usage_seq`;
    expect(await numberOf(left)).toBeGreaterThan(1_000);
    expect(await operator('archive', '--before', '2020-01-01')).toMatchObject({ code: 0 });
    expect(await numberOf(left)).toBe(0);
    expect(fields((await audit('full')).findings)).toEqual([]);
    expect((await operator('verify-archive', '--user', String(LARGEST_MEMBER))).code).toBe(0);
  });

  it('can only be removed by their archive', async () => {
    const remove = (condition: string) =>
      database.owner.query(`DELETE FROM account_log WHERE user_id = $1 AND ${condition}`, [LARGEST_MEMBER]);
    await expect(remove(`seq > ${SECOND_END} AND log_type = 7`)).rejects.toThrow('append-only');
    await expect(remove(`seq = ${SECOND_END}`)).rejects.toThrow('append-only');
    await expect(remove('log_type = 1')).rejects.toThrow('append-only');
  });
});

describe('what is altered is found', () => {
  const withoutGuard = async (sql: string): Promise<void> => {
    const client = await database.owner.connect();
    try {
      await client.query(`SET session_replication_role = replica; ${sql}`);
    } finally {
      client.release(true);
    }
  };

  it('an entry that stayed', async () => {
    const of = `user_id = ${LARGEST_MEMBER} AND seq = (SELECT max(seq) FROM account_log WHERE user_id = ${LARGEST_MEMBER} AND seq < 1024)`;
    await withoutGuard(`UPDATE account_log SET amount = amount + 1 WHERE ${of}`);
    const { findings } = await verifyArchives(context, {});
    expect(fields(findings).join()).toMatch(/^1#\d+ entry that stayed$/);
    expect((await operator('verify-archive')).code).toBe(1);
    await withoutGuard(`UPDATE account_log SET amount = amount - 1 WHERE ${of}`);
  });

  it.each([
    [
      'the state',
      `state = replace(state, '"usedCharTotal":', '"usedCharTotal":1')`,
      `state = replace(state, '"usedCharTotal":1', '"usedCharTotal":')`,
    ],
    ['what is repeated of it', `at = at + interval '1 s'`, `at = at - interval '1 s'`],
    ['where its lines begin', 'usage_seq = usage_seq - 1', 'usage_seq = usage_seq + 1'],
  ])('of the archive %s', async (_, change, back) => {
    await database.owner.query(`UPDATE account_archive SET ${change}`);
    for (const depth of ['full', 'anchors'] as const)
      expect(fields((await audit(depth)).findings)).toContain(`${LARGEST_MEMBER}#${SECOND_END} archive`);
    await database.owner.query(`UPDATE account_archive SET ${back}`);
    expect(fields((await audit('full')).findings)).toEqual([]);
  });

  it('a file', async () => {
    const { rows } = await database.owner.query<{ name: string }>(
      'SELECT name FROM cold_file ORDER BY log, last LIMIT 1',
    );
    const name = rows[0]?.name ?? '';
    const stored = path.join(folder, 'backups', name);
    const content = await context.storage.require(name);
    writeFileSync(stored, randomBytes(100));
    const damaged = await operator('verify-archive');
    expect(damaged).toMatchObject({ code: 1 });
    expect(damaged.err).not.toBe('');
    rmSync(stored);
    expect(await operator('verify-archive')).toMatchObject({ code: 1 });
    const written = await context.storage.write(name, content);
    await database.owner.query(`UPDATE cold_file SET sha256 = decode($1, 'hex') WHERE name = $2`, [
      written.sha256,
      name,
    ]);
    expect(await operator('verify-archive')).toMatchObject({ code: 0 });
  });

  it('an account that differs before it moves stays where it is', async () => {
    expect((await operator('thaw', String(LARGEST_MEMBER))).code).toBe(0);
    await withoutGuard(
      `UPDATE translation_log SET word_count = word_count + 1 WHERE user_id = ${LARGEST_MEMBER} AND usage_seq = 5`,
    );
    const moved = await archive(context, await movable(context, { before: new Date() }));
    expect(fields(moved.findings)).toEqual([expect.stringMatching(/^1#\d+ words of the translation$/)]);
    expect(moved).toMatchObject({ accounts: 0, entries: 0 });
    expect(await numberOf('SELECT count(*) FROM account_archive WHERE user_id = $1')).toBe(0);
    await withoutGuard(
      `UPDATE translation_log SET word_count = word_count - 1 WHERE user_id = ${LARGEST_MEMBER} AND usage_seq = 5`,
    );
  });
});

describe('an account comes back', () => {
  it('as it was', async () => {
    expect(await digests()).toEqual(original);
    const named = async (): Promise<{ name: string; sha256: string }[]> => {
      await archive(context, await movable(context, { before: new Date() }));
      const { rows } = await database.owner.query<{ name: string; sha256: string }>(
        `SELECT name, encode(sha256, 'hex') AS sha256 FROM cold_file`,
      );
      return rows;
    };
    const first = await named();
    expect(await digests()).not.toEqual(original);
    const { code, out } = await operator('thaw', String(LARGEST_MEMBER));
    expect([code, out]).toEqual([0, expect.stringMatching(/^Account 1: [\d,]+ rows back in the database\.\n$/)]);
    expect(await digests()).toEqual(original);
    expect(await operator('thaw', String(LARGEST_MEMBER))).toMatchObject({
      code: 1,
      err: `Account ${LARGEST_MEMBER} has nothing in cold files.\n`,
    });
    // A database that is restored to a moment before still opens what it names, also after the next move of the same rows.
    const second = await named();
    expect(second.length).toBe(first.length);
    for (const { name, sha256 } of [...first, ...second])
      expect((await context.storage.require(name, { sha256 })).length).toBeGreaterThan(1_000);
    await operator('thaw', String(LARGEST_MEMBER));
    const { findings, entries } = await audit('full');
    expect([fields(findings), entries]).toEqual([[], ROWS]);
  });
});
