import { randomBytes } from 'node:crypto';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import { FIRST_PLANS } from '@yiqiao/domain/first-plans';
import { ENTRY_FIELD_NAMES, entryField } from '@yiqiao/domain/entry-fields';
import { billingModeCode, type Entry } from '@yiqiao/domain/ledger';
import { PAY_CHANNELS } from '@yiqiao/domain/orders';
import { TRIAL_GROUP_ID } from '@yiqiao/domain/plans';
import pg from 'pg';
import { entities } from '../src/entities.js';
import { partitionLogs } from '../src/ledger/operator/partition-command.js';
import { ENTRY_COLUMN_NAMES, storedValue } from '../src/ledger/rows/entry-rows.js';
import { UsageRollUp } from '../src/ledger/usage/usage-roll-up.js';
import { LINE_FAILED, LINE_OK } from '../src/ledger/writer/batch-writes.js';
import { migrate } from '../src/migrate.js';
import { commandIdOf } from '../src/platform/command-id.js';
import { loadConfig } from '../src/platform/config.js';
import { Plans } from '../src/plans/plans.js';
import { CopyWriter } from './copy-writer.js';
import { LEDGER_PARTS } from './fixture.js';
import { History, type Account, type Line, type Plan, type PriceList, type HistoryRow } from './history.js';
import { random } from './random.js';
import type { Settings } from './targets.js';

/** The package that every family buys: the largest per character that keeps a member's channel. */
const PACKAGE_ID = FIRST_PLANS.filter(({ mode, channel }) => mode === 'char' && channel === null).toSorted(
  (a, b) => b.num - a.num,
)[0]?.id;
const ORDER_LIFE_MS = 900_000;
const NOWHERE = { REDIS_URL: 'redis://none', SMTP_URL: 'smtp://none', APP_SECRET: '0'.repeat(64) };
/** Rows of one statement. */
const AT_ONCE = 1_000;

type Order = Extract<HistoryRow, { kind: 'order' }>['order'];
type Gift = Extract<HistoryRow, { kind: 'gift' }>;
type Adjustment = Extract<HistoryRow, { kind: 'adjustment' }>;
type Records = { gifts: Gift[]; orders: Order[]; adjustments: Adjustment[] };

const LINE_COLUMNS =
  `user_id family_id usage_seq entry_seq cmd_id created_at status charged word_count billing_mode tran_channel_id
  ip client_type source_lang target_lang kind`.split(/\s+/);

/** `rows`: entries, over so many `days`; one account for so many of them (a thousand). */
export type Size = { rows: number; days: number; entriesEach?: number };

/**
 * Runs `use` with the URL of a database filled with a history. BENCH_DATABASE names one that is kept and reused; otherwise it is created
 * and dropped.
 */
export async function withHistory<T>(
  { server, log }: Settings,
  size: Size,
  use: (url: string) => Promise<T>,
  kept = process.env['BENCH_DATABASE'],
): Promise<T> {
  const name = kept || `bench_ledger_${randomBytes(6).toString('hex')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  const admin = new pg.Client(server);
  await admin.connect();
  try {
    const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (!rowCount) {
      log(`loading a ledger of ${size.rows.toLocaleString('en-US')} entries …`);
      await loadHistory(url.href, size, log);
    }
    return await use(url.href);
  } finally {
    if (!kept) await admin.query(`DROP DATABASE IF EXISTS ${admin.escapeIdentifier(name)} WITH (FORCE)`);
    await admin.end();
  }
}

/** Creates the database at `url` and fills it. */
export async function loadHistory(
  url: string,
  { rows, days, entriesEach }: Size,
  log: (text: string) => void,
): Promise<void> {
  await migrate(url);
  const orm = new MikroORM(defineConfig({ clientUrl: url, entities }));
  const clients = [new pg.Client(url), new pg.Client(url), new pg.Client(url)] as const;
  await Promise.all([orm.connect(), ...clients.map((client) => client.connect())]);
  const [owner, second, third] = clients;
  try {
    await new Plans(orm.em).seed();
    const history = new History(rows, await priceListOf(owner), days, entriesEach);
    await owner.query("INSERT INTO manager (name) VALUES ('bench')");
    await insert(owner, 'member', history.accounts.map(memberOf));
    const indexes = await dropIndexes(owner);
    const records = await writeRows(history, [second, third], log);
    await insert(owner, 'member_account', history.accounts.map(accountRow));
    await writeRecords(owner, records);
    // A purchase changes the member group of the family.
    for (const id of new Set(history.accounts.map((account) => history.planOf(account)))) {
      const ids = history.accounts.filter((account) => history.planOf(account) === id).map(({ userId }) => userId);
      await owner.query('UPDATE member SET member_group_id = $1 WHERE id = ANY ($2)', [id, ids]);
    }
    log('  indexes …');
    await owner.query(`SET maintenance_work_mem = '512MB'`);
    for (const make of indexes) await owner.query(make);
    if (LEDGER_PARTS > 1) await partitionLogs(owner, LEDGER_PARTS);
    await owner.query('VACUUM (ANALYZE) account_log, translation_log');
    log('  sums of each day …');
    const families = [...new Set(history.accounts.map(({ familyId }) => familyId))];
    await new UsageRollUp(orm.em, loadConfig({ DATABASE_URL: url, ...NOWHERE })).countAll(families);
    await owner.query('ANALYZE');
  } finally {
    await Promise.allSettled([orm.close(true), ...clients.map((client) => client.end())]);
  }
}

/** From the product's first price list. */
async function priceListOf(owner: pg.Client): Promise<PriceList> {
  const { rows: channels } = await owner.query<{ id: number; price: number }>('SELECT id, price FROM tran_channel');
  const { rows: plans } = await owner.query<Plan>(
    `SELECT id, num::int, voice_num AS "voiceNum", image_num AS "imageNum", sale_price AS "salePrice",
       reference_channel_id AS "referenceChannelId"
     FROM member_group WHERE id IN (${TRIAL_GROUP_ID}, ${PACKAGE_ID}) ORDER BY id`,
  );
  const [trial, bought] = plans;
  if (!trial || !bought) throw new Error('the price list lacks a plan');
  return { prices: new Map(channels.map(({ id, price }) => [id, price])), trial, package: bought };
}

/** Loading is much faster without indexes; returns the statements that recreate them. */
async function dropIndexes(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ drop: string; make: string }>(`
    SELECT CASE WHEN c.oid IS NULL THEN format('DROP INDEX %s', i.indexrelid::regclass)
      ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', i.indrelid::regclass, c.conname) END AS drop,
      CASE WHEN c.oid IS NULL THEN pg_get_indexdef(i.indexrelid)
      ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) END AS make
    FROM pg_index i LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.contype IN ('p', 'u')
    WHERE i.indrelid IN ('account_log'::regclass, 'translation_log'::regclass)`);
  for (const { drop } of rows) await owner.query(drop);
  return rows.map(({ make }) => make);
}

async function writeRows(
  history: History,
  [first, second]: [pg.Client, pg.Client],
  log: (text: string) => void,
): Promise<Records> {
  const entries = new CopyWriter(first, 'account_log', [...ENTRY_COLUMN_NAMES, 'hash']);
  const lines = new CopyWriter(second, 'translation_log', LINE_COLUMNS);
  const records: Records = { gifts: [], orders: [], adjustments: [] };
  const next = random(11);
  let count = 0;
  for (let written = history.next(); written.length > 0; written = history.next()) {
    for (const row of written) {
      if (row.kind === 'adjustment') records.adjustments.push(row);
      else if (row.kind === 'gift') records.gifts.push(row);
      else if (row.kind === 'order') records.orders.push(row.order);
      else if (row.kind === 'line') putLine(lines, row.line, next());
      else {
        putEntry(entries, row.entry, row.hash);
        if (++count % 1_000_000 === 0) log(`  ${count.toLocaleString('en-US')} entries loaded …`);
      }
    }
    await entries.flush();
    await lines.flush();
  }
  await entries.end();
  await lines.end();
  return records;
}

function putEntry(to: CopyWriter, entry: Entry, hash: string): void {
  to.row();
  for (const name of ENTRY_FIELD_NAMES) putField(to, entryField(name).type, storedValue(entry, name));
  to.hex(hash);
}

function putField(to: CopyWriter, type: ReturnType<typeof entryField>['type'], value: string | number | null): void {
  if (type === 'uuid') to.uuid(String(value));
  else if (type === 'bigint') to.int8(value as number | null);
  else if (type === 'int') to.int4(value as number | null);
  else if (type === 'smallint') to.int2(value as number | null);
  else to.time(value as number | null);
}

/** `r`: 0 … 1, selects address and client; one address in forty is rare. */
function putLine(to: CopyWriter, line: Line, r: number): void {
  const { account, entry, words, channelId } = line;
  const address = r < 0.025 ? 200 + Math.floor(r * 2_000) : 1 + Math.floor(r * 8);
  const client = r < 0.01 ? 4 : Math.floor(r * 3);
  const charged = entry ? 0 - entry.charChange - entry.voiceChange - entry.imageChange : 0;
  to.row().int8(account.userId).int8(account.familyId).int8(line.usageSeq);
  to.int8(entry?.seq ?? null)
    .uuid(line.cmdId)
    .time(line.at);
  to.int2(entry ? LINE_OK : LINE_FAILED)
    .int8(charged)
    .int8(words)
    .int2(billingModeCode(account.state.billingMode));
  to.int4(channelId).inet(address).int2(client).text('zh-Hans').text('en').int2(kindOf(entry));
}

/** 1 text, 2 voice, 3 image. */
const kindOf = (entry: Entry | null): number => (entry?.voiceChange ? 2 : entry?.imageChange ? 3 : 1);

type Row = Record<string, unknown>;
const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const memberOf = ({ userId, familyId }: Account): Row => ({
  id: userId,
  family_id: familyId,
  parent_id: userId === familyId ? null : familyId,
  nickname: 'bench',
  member_group_id: TRIAL_GROUP_ID,
});

const accountRow = ({ userId, familyId, state, ...account }: Account): Row => ({
  user_id: userId,
  family_id: familyId,
  usable_char_num: state.charNum,
  usable_voice_num: state.voiceNum,
  usable_image_num: state.imageNum,
  used_char_total: state.usedCharTotal,
  expire_at: iso(state.expireAt),
  recharge_amount_total: state.rechargeAmountTotal,
  tran_channel_id: state.tranChannelId,
  billing_mode: billingModeCode(state.billingMode),
  entry_seq: state.seq,
  type_seqs: account.typeSeqs,
  usage_seq: account.usageSeq,
  head_hash: `\\x${account.head}`,
  last_written_at: iso(account.lastAt),
});

/** The rows that confirm the entries: gifts, orders with their payments, reasons. */
async function writeRecords(owner: pg.Client, { gifts, orders, adjustments }: Records): Promise<void> {
  await insert(owner, 'mailbox_gift', gifts.map(giftRow));
  await insert(owner, 'manager_action', adjustments.map(adjustmentRow));
  await owner.query('CREATE TEMP TABLE bought AS SELECT * FROM recharge_order WITH NO DATA');
  await insert(owner, 'bought', orders.map(orderRow));
  // An order and its payment refer to each other, so the order is inserted unpaid.
  await owner.query(`UPDATE bought SET ${SNAPSHOT} FROM member_group g WHERE g.id = bought.member_group_id`);
  await owner.query(`INSERT INTO recharge_order OVERRIDING SYSTEM VALUE SELECT * FROM bought`);
  await insert(owner, 'payment', orders.map(paymentRow));
  await owner.query(`UPDATE recharge_order o SET pay_status = 'P', paid_by = p.id, paid_at = p.paid_at
    FROM payment p WHERE p.order_id = o.id`);
  const credited = orders.map((o) => ({ order_id: o.id, family_id: o.account.familyId, happened_at: iso(o.paidAt) }));
  for (const event of ['created', 'notified', 'credited'])
    await insert(
      owner,
      'order_event',
      credited.map((row) => ({ ...row, event })),
    );
  for (const table of ['member', 'recharge_order', 'payment'])
    await owner.query(`SELECT setval(pg_get_serial_sequence('${table}', 'id'), max(id)) FROM ${table}`);
}

const giftRow = ({ account, at, quota }: Gift): Row => ({
  mailbox_hmac: `bench ${account.userId}`,
  gift: 'trial',
  given_at: iso(at),
  user_id: account.userId,
  char_num: quota.num,
  voice_num: quota.voiceNum,
  image_num: quota.imageNum,
});

const adjustmentRow = ({ cmdId, account, at }: Adjustment): Row => ({
  cmd_id: cmdId,
  manager_id: 1,
  user_id: account.userId,
  family_id: account.familyId,
  reason: 'bench',
  done_at: iso(at),
});

/** The columns that an order copies from the price list. */
const SNAPSHOT = `group_name = g.name, group_en_name = g.en_name, billing_mode = g.billing_mode, num = g.num,
  voice_num = g.voice_num, image_num = g.image_num, minute_price = g.minute_price, tran_channel_id = g.tran_channel_id,
  reference_channel_id = g.reference_channel_id, sale_price = g.sale_price, amount = g.sale_price,
  plan_version_id = (SELECT max(id) FROM plan_version v WHERE v.member_group_id = g.id),
  reference_price = (SELECT price FROM tran_channel c WHERE c.id = g.reference_channel_id)`;

const orderRow = ({ id, no, account, createdAt, groupBefore }: Order): Row => ({
  id,
  no,
  user_id: account.userId,
  family_id: account.familyId,
  pay_cmd: commandIdOf(`pay:${no}`),
  pay_channel: 'ALI_NATIVE',
  pay_status: 'W',
  member_group_id: PACKAGE_ID,
  sales_num: 1,
  asked: 0,
  group_before: groupBefore,
  created_at: iso(createdAt),
  expires_at: iso(createdAt + ORDER_LIFE_MS),
});

const paymentRow = ({ id, no, account, amount, paidAt }: Order): Row => ({
  id,
  gateway: PAY_CHANNELS.ALI_NATIVE.gateway,
  trade_no: `bench-${no}`,
  order_id: id,
  family_id: account.familyId,
  amount,
  currency: 'CNY',
  paid_at: iso(paidAt),
  received_at: iso(paidAt),
  seen_by: 'notification',
  verdict: 'credit',
});

/** Inserts rows with the same columns. */
async function insert(owner: pg.Client, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  for (let at = 0; at < rows.length; at += AT_ONCE)
    await owner.query(
      `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE
       SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1)`,
      [JSON.stringify(rows.slice(at, at + AT_ONCE))],
    );
}
