import pg from 'pg';
import { DAY_MS } from '@yiqiao/domain/limits';
import { takeGapOrders } from '../backup/gap.js';
import { recordAction } from '../backup/record.js';
import { Repository, type RestoreRecord } from '../backup/repository.js';
import { timelineOf } from '../backup/restore.js';
import { requireBackupValues } from '../backup/settings.js';
import { auditLedger } from '../ledger/audit/audit.js';
import { RESTORE_ACTION } from '../operators/action-log.js';
import { Clock } from '../platform/clock.js';
import { CommandError } from '../platform/cli-messages.js';
import type { Config } from '../platform/config.js';
import { appConnection, openPool, OPERATOR_ROLE, parseValues } from '../platform/database.js';
import { systemUser } from '../platform/system-user.js';
import { readArguments, requireWords } from './command-line.js';
import { withApp } from './operator-app.js';
import { paymentsReconcile } from './payments-reconcile.js';
import { requireStopped, withRedis } from './require-stopped.js';
import type { Terminal } from './terminal-task.js';

const SCAN = 1_000;

/** Removes everything of this installation: jobs and counts of a time that has not happened. PostgreSQL has all that must still happen. */
async function emptyRedis(config: Config): Promise<number> {
  return withRedis(config, async (redis) => {
    let [cursor, removed] = ['0', 0];
    do {
      const [next, keys] = await redis.scan(cursor, 'MATCH', `${config.env.REDIS_PREFIX}:*`, 'COUNT', SCAN);
      if (keys.length > 0) removed += await redis.unlink(...keys);
      cursor = next;
    } while (cursor !== '0');
    return removed;
  });
}

/** The orders before the moment whose payments may have come after it, or been refunded. */
const ASKED_BEFORE_MS = 3 * DAY_MS;

/**
 * `restore finish`: after a restore, before the product starts. Empties Redis, enters the orders of the gap again, asks the gateways about all
 * orders since three days before it and credits those that are paid, and audits the whole ledger.
 */
export function restoreFinish(args: string[]): (terminal: Terminal) => Promise<void> {
  requireWords(readArguments(args, {}), []);
  return async (terminal) => {
    const { config, say } = terminal;
    const repository = await Repository.open(requireBackupValues(config));
    const record = await repository.lastRestore();
    if (!record) throw new CommandError({ zh: '还没有恢复过', en: 'Nothing has been restored.' });
    await requireStopped(config);
    const connection = appConnection(config, 'yiqiao-restore', OPERATOR_ROLE);
    const timeline = await timelineOf(connection);
    if (timeline !== record.timeline)
      throw new CommandError({
        zh: `DATABASE_URL 指向的数据库不是刚恢复的那个（时间线 ${timeline}，应为 ${record.timeline}）`,
        en: `DATABASE_URL names another database than the restored one (timeline ${timeline}, not ${record.timeline}).`,
      });
    await repository.beginTimeline({ timeline, beganAt: record.madeAt });
    const removed = await emptyRedis(config);
    say({ zh: `Redis 已清空（${removed} 个键）`, en: `Redis is in line: ${removed} keys removed.` });
    await takeGap(connection, record, say);
    const clock = new Clock(config);
    const since = clock.toWire(new Date(new Date(record.restoredTo).getTime() - ASKED_BEFORE_MS));
    const asked = await askGateways(terminal, since);
    await recordAction(
      config,
      { actor: `cli:${systemUser()}` },
      {
        action: RESTORE_ACTION,
        after: { to: clock.toWire(new Date(record.restoredTo)) },
      },
    );
    await requireWholeLedger(terminal);
    if (asked) throw asked;
  };
}

async function takeGap(connection: pg.ClientConfig, { gap }: RestoreRecord, say: Terminal['say']): Promise<void> {
  if (!gap) return;
  const { again, left } = await takeGapOrders(connection, gap);
  if (again.length > 0)
    say({
      zh: `恢复点之后下的 ${again.length} 个订单已重新登记：${again.join('、')}`,
      en: `Orders placed after that moment, entered again: ${again.join(', ')}`,
    });
  for (const no of left)
    say({
      zh: `请人工处理订单 ${no}：已退款，或它的会员、价格在恢复点之后才有`,
      en: `Decide about order ${no} yourself: it was refunded, or its member or price is newer than that moment.`,
    });
  for (const { orderNo, refundNo, amount } of gap.refunds)
    say({
      zh: `恢复点之后退过款，请记录：payments record-refund ${orderNo} --amount ${(amount / 100).toFixed(2)} --no ${refundNo} --reason …`,
      en: `Refunded after that moment; record it: payments record-refund ${orderNo} --amount ${(amount / 100).toFixed(2)} --no ${refundNo} --reason …`,
    });
}

/** As `payments reconcile --settle` does. Differences do not keep the audit from running: they are thrown at the end. */
async function askGateways({ config, language, say }: Terminal, since: string): Promise<CommandError | null> {
  say({ zh: `向网关核对 ${since} 以来的订单`, en: `Asking the gateways about the orders since ${since}.` });
  try {
    const print = (line: string): void => say({ zh: line, en: line });
    await withApp(config, (app) => paymentsReconcile(['--from', since, '--settle'])({ app, language, print }));
    return null;
  } catch (error) {
    if (error instanceof CommandError) return error;
    throw error;
  }
}

async function requireWholeLedger({ config, say }: Terminal): Promise<void> {
  const types = new pg.TypeOverrides();
  parseValues(types);
  const pool = openPool({ connectionString: config.migrationUrl, types, max: 6 });
  try {
    const { accounts, entries, findings } = await auditLedger(pool, { timeZone: config.env.APP_TIMEZONE });
    if (findings.length > 0)
      throw new CommandError({
        zh: `账本有 ${findings.length} 处差异：operator ledger audit 会逐一列出`,
        en: `The ledger has ${findings.length} differences: operator ledger audit lists them.`,
      });
    say({
      zh: `账本完整：${accounts} 个账号，${entries} 条记录`,
      en: `The ledger is whole: ${accounts} accounts, ${entries} entries.`,
    });
  } finally {
    await pool.end();
  }
}
