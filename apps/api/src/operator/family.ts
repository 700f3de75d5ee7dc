import pg from 'pg';
import { CELL_IDS, CELLS_MAX } from '@yiqiao/domain/limits';
import { appendAction, executeOn } from '../platform/action-chain.js';
import { CommandError, UsageError } from '../platform/cli-messages.js';
import type { Config } from '../platform/config.js';
import { openPool, parseValues } from '../platform/database.js';
import { systemUser } from '../platform/system-user.js';
import { integer, readArguments, requireWords } from './command-line.js';
import { KEPT_IDS } from './family/collisions.js';
import { exportFamily, inTransaction, letGo, type Move } from './family/export-family.js';
import { familyKeyOf, receiptOf } from './family/family-file.js';
import { importFamily } from './family/import-family.js';
import type { Terminal } from './terminal-task.js';

// Moving a family between installations (docs/decisions/0069). All of it works as the owner of the schema, and is in the action log.

type Task = (terminal: Terminal) => Promise<void>;

const CONNECTIONS = 6;

async function asOwner<T>(config: Config, work: (move: Move) => Promise<T>): Promise<T> {
  const types = new pg.TypeOverrides();
  parseValues(types);
  const owner = openPool({
    connectionString: config.migrationUrl,
    types,
    max: CONNECTIONS,
    application_name: 'yiqiao-family',
  });
  try {
    return await work({ owner, config, actor: { actor: `cli:${systemUser()}` } });
  } finally {
    await owner.end();
  }
}

const idOf = (text: string): number => integer('<id>', text, [1, Number.MAX_SAFE_INTEGER]);

/** `family export <id> --to <file>`: makes the family read-only for money and writes everything of it into a sealed file. */
export function familyExport(args: string[]): Task {
  const parsed = readArguments(args, { options: ['to'] });
  const [id = ''] = requireWords(parsed, ['id']);
  const familyId = idOf(id);
  const to = parsed.options.get('to');
  if (to === undefined) throw new UsageError({ zh: '缺少 --to <文件>', en: 'Missing --to <file>.' });
  return async ({ config, say }) => {
    const { rows, accounts } = await asOwner(config, (move) => exportFamily(move, familyId, to));
    say({
      zh: `家庭 ${familyId}：${accounts} 个账号、${rows} 行写入 ${to}。额度和订单现在只读；在新安装导入后用 family moved ${familyId} --receipt … 确认，或用 family keep ${familyId} 取消`,
      en: `Family ${familyId}: ${accounts} accounts, ${rows} rows in ${to}. Its balances and orders are read-only now. Import the file elsewhere, then confirm with family moved ${familyId} --receipt …, or give up with family keep ${familyId}.`,
    });
  };
}

/** `family import <file>`: takes a family in, audits it and opens it. */
export function familyImport(args: string[]): Task {
  const [file = ''] = requireWords(readArguments(args, {}), ['file']);
  return async ({ config, say }) => {
    const { familyId, rows, entries, again, receipt } = await asOwner(config, (move) => importFamily(move, file));
    const written = again
      ? { zh: '先前已写入', en: 'which were here from an earlier run' }
      : { zh: '已写入', en: 'written' };
    say({
      zh: `家庭 ${familyId}：${rows} 行${written.zh}，${entries} 条记录核对无误，会员可以登录`,
      en: `Family ${familyId}: ${rows} rows, ${written.en}; its ${entries} entries are whole, and its members can sign in.`,
    });
    say({
      zh: `未支付的订单正在向网关查询；三天内过期的订单请运行 payments reconcile --settle。在原安装确认：family moved ${familyId} --receipt ${receipt}`,
      en: `The gateways are being asked about its open orders; run payments reconcile --settle for those that expired in the last days. Confirm where it came from: family moved ${familyId} --receipt ${receipt}`,
    });
  };
}

/** `family moved <id> --receipt <code>`: marks an exported family as moved; nobody of it can sign in here any more. */
export function familyMoved(args: string[]): Task {
  const parsed = readArguments(args, { options: ['receipt'] });
  const [id = ''] = requireWords(parsed, ['id']);
  const familyId = idOf(id);
  const receipt = parsed.options.get('receipt');
  if (receipt === undefined) throw new UsageError({ zh: '缺少 --receipt <回执>', en: 'Missing --receipt <code>.' });
  return async ({ config, say }) => {
    const key = familyKeyOf(config);
    await asOwner(config, ({ owner, actor }) =>
      inTransaction(owner, async (client) => {
        const { rows } = await client.query<{ file: string }>(
          `SELECT file FROM family_move WHERE family_id = $1 AND direction = 'out' AND state = 'exported' FOR UPDATE`,
          [familyId],
        );
        const [move] = rows;
        if (!move)
          throw new CommandError({ zh: `家庭 ${familyId} 没有在迁移`, en: `Family ${familyId} is not moving.` });
        if (receiptOf(key, move.file) !== receipt)
          throw new CommandError({
            zh: '回执不对：它来自另一次导出，或另一个 FAMILY_KEY',
            en: 'The receipt is of another export, or of another FAMILY_KEY.',
          });
        await client.query(`UPDATE family_move SET state = 'moved', ended_at = now() WHERE file = $1`, [move.file]);
        await client.query('UPDATE member SET enabled = false WHERE id = $1', [familyId]);
        await client.query(
          `UPDATE session SET ended_at = now(), end_reason = 'closed' WHERE family_id = $1 AND ended_at IS NULL`,
          [familyId],
        );
        const target = { kind: 'member', id: String(familyId) };
        const action = { action: 'family.moved', target, after: { file: move.file }, at: new Date() } as const;
        await appendAction(executeOn(client), actor, action);
      }),
    );
    say({ zh: `家庭 ${familyId} 已迁走`, en: `Family ${familyId} has moved away.` });
  };
}

/** `family keep <id> --reason "…"`: gives up an export whose file was not imported anywhere. */
export function familyKeep(args: string[]): Task {
  const parsed = readArguments(args, { options: ['reason'] });
  const [id = ''] = requireWords(parsed, ['id']);
  const familyId = idOf(id);
  const reason = parsed.options.get('reason');
  if (!reason) throw new UsageError({ zh: '缺少 --reason', en: 'Missing --reason.' });
  return async ({ config, say }) => {
    const kept = await asOwner(config, ({ owner, actor }) =>
      inTransaction(owner, (client) => letGo(client, familyId, { actor, reason })),
    );
    if (!kept) throw new CommandError({ zh: `家庭 ${familyId} 没有在迁移`, en: `Family ${familyId} is not moving.` });
    say({
      zh: `家庭 ${familyId} 留在这里；请销毁导出的文件`,
      en: `Family ${familyId} stays here. Destroy the file: imported elsewhere, it would be the same money twice.`,
    });
  };
}

/** `family cell <n>`: new members, orders, payments and managers get ids from this installation's own range. */
export function familyCell(args: string[]): Task {
  const [text = ''] = requireWords(readArguments(args, {}), ['n']);
  const cell = integer('<n>', text, [0, CELLS_MAX]);
  return async ({ config, say }) => {
    const first = cell * CELL_IDS;
    await asOwner(config, ({ owner, actor }) =>
      inTransaction(owner, async (client) => {
        for (const table of KEPT_IDS) {
          // Never back: an id is given once.
          const { rows } = await client.query<{ last: number }>(
            `SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence($1, 'id')::regclass), 0) AS last`,
            [table],
          );
          const last = rows[0]?.last ?? 0;
          if (last >= first + CELL_IDS)
            throw new CommandError({
              zh: `${table} 的编号已到 ${last}，不能退回到第 ${cell} 段`,
              en: `The ids of ${table} are at ${last} already, beyond range ${cell}.`,
            });
          if (last < first) await client.query(`SELECT setval(pg_get_serial_sequence($1, 'id'), $2)`, [table, first]);
        }
        const target = { kind: 'cell', id: String(cell) };
        await appendAction(executeOn(client), actor, { action: 'family.cell', target, at: new Date() });
      }),
    );
    say({ zh: `新编号从 ${first} 之后开始`, en: `New ids follow ${first}.` });
  };
}
