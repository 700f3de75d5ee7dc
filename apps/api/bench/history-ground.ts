import { billingModeCode, ENTRY_TYPES, type Entry } from '@yiqiao/domain/ledger';
import pg from 'pg';
import { migrate } from '../src/migrate.js';
import { CopyWriter } from './copy-writer.js';
import { FAMILY_SIZE, History, modeCode, random, type Account, type Adjustment, type Line } from './history.js';

const ENTRY_COLUMNS =
  `user_id family_id seq log_type type_seq created_at char_change min_change voice_change image_change
  used_char_num amount before_char last_char before_voice last_voice before_image last_image before_expire_at last_expire_at
  before_tran_channel_id last_tran_channel_id before_billing_mode last_billing_mode recharge_billing_mode order_id member_group_id
  recharge_tran_channel_id consume_config_id consume_tran_channel_id counterpart_id manager_id cmd_id hash`.split(
    /\s+/,
  );
const LINE_COLUMNS =
  `user_id family_id usage_seq entry_seq cmd_id created_at status charged word_count billing_mode tran_channel_id
  ip client_type source_lang target_lang`.split(/\s+/);

const SEED = (count: number, family: number): string => `
INSERT INTO tran_channel (id, code, name, en_name, price) VALUES (1, 'offline', '离线引擎', 'Offline engine', 10), (2, 'other', '另一通道', 'Another', 10);
INSERT INTO member_group (id, name, en_name, tier, billing_mode, num, sale_price) VALUES (1, '试用', 'Trial', 'trial', 1, 0, 0);
INSERT INTO manager (name) VALUES ('bench');
INSERT INTO member (id, family_id, parent_id, nickname, member_group_id)
  SELECT n, m, nullif(m, n), 'bench', 1 FROM generate_series(1, ${count}) n, LATERAL (SELECT n - (n - 1) % ${family} AS m) f`;

/** Makes the database at `url` and fills it with a history of `rows` entries. `say` hears how far it is. */
export async function layHistory(url: string, rows: number, say: (text: string) => void): Promise<void> {
  await migrate(url);
  const clients = [new pg.Client(url), new pg.Client(url), new pg.Client(url)] as const;
  await Promise.all(clients.map((client) => client.connect()));
  const [owner, second, third] = clients;
  try {
    const history = new History(rows);
    for (const statement of SEED(history.accounts.length, FAMILY_SIZE).split(';\n')) await owner.query(statement);
    const indexes = await dropIndexes(owner);
    const adjustments = await writeRows(history, [second, third], say);
    for (const account of history.accounts) await writeAccount(owner, account);
    for (const adjustment of adjustments) await writeAdjustment(owner, adjustment);
    say('  indexes …');
    await owner.query(`SET maintenance_work_mem = '512MB'`);
    for (const make of indexes) await owner.query(make);
    await owner.query('VACUUM (ANALYZE) account_log');
    await owner.query('VACUUM (ANALYZE) translation_log');
    await owner.query('ANALYZE');
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()));
  }
}

/** Rows go in much faster without; answers the statements that make them again. */
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
  say: (text: string) => void,
): Promise<Adjustment[]> {
  const entries = new CopyWriter(first, 'account_log', ENTRY_COLUMNS);
  const lines = new CopyWriter(second, 'translation_log', LINE_COLUMNS);
  const adjustments: Adjustment[] = [];
  const next = random(11);
  let count = 0;
  for (let written = history.next(); written.length > 0; written = history.next()) {
    for (const row of written) {
      if (row.kind === 'adjustment') adjustments.push(row.adjustment);
      else if (row.kind === 'line') putLine(lines, row.line, next());
      else {
        putEntry(entries, row.entry, row.hash);
        if (++count % 1_000_000 === 0) say(`  ${count.toLocaleString('en-US')} entries laid …`);
      }
    }
    await entries.flush();
    await lines.flush();
  }
  await entries.end();
  await lines.end();
  return adjustments;
}

const modeOf = (mode: Entry['rechargeBillingMode']): number | null => (mode === null ? null : billingModeCode(mode));

function putEntry(to: CopyWriter, e: Entry, hash: string): void {
  to.row().int8(e.userId).int8(e.familyId).int8(e.seq).int2(ENTRY_TYPES[e.type].code).int8(e.typeSeq).time(e.createdAt);
  to.int8(e.charChange).int8(e.minChange).int8(e.voiceChange).int8(e.imageChange).int8(e.usedCharNum).int8(e.amount);
  to.int8(e.beforeCharNum).int8(e.lastCharNum).int8(e.beforeVoiceNum).int8(e.lastVoiceNum);
  to.int8(e.beforeImageNum).int8(e.lastImageNum).time(e.beforeExpireAt).time(e.lastExpireAt);
  to.int4(e.beforeTranChannelId)
    .int4(e.lastTranChannelId)
    .int2(modeOf(e.beforeBillingMode))
    .int2(modeOf(e.lastBillingMode));
  to.int2(modeOf(e.rechargeBillingMode)).int8(e.orderId).int4(e.memberGroupId).int4(e.rechargeTranChannelId);
  to.int8(e.consumeConfigId)
    .int4(e.consumeTranChannelId)
    .int8(e.counterpartId)
    .int8(e.managerId)
    .uuid(e.cmdId)
    .hex(hash);
}

/** `r`: 0 … 1, chooses address and client; one address in forty is rare. */
function putLine(to: CopyWriter, line: Line, r: number): void {
  const { account } = line;
  const address = r < 0.025 ? 200 + Math.floor(r * 2_000) : 1 + Math.floor(r * 8);
  const client = r < 0.01 ? 4 : Math.floor(r * 3);
  to.row()
    .int8(account.userId)
    .int8(account.familyId)
    .int8(line.usageSeq)
    .int8(line.seq)
    .uuid(line.cmdId)
    .time(line.at);
  to.int2(line.seq === null ? 2 : 1)
    .int8(line.charged)
    .int8(line.words)
    .int2(modeCode(account));
  to.int4(account.state.tranChannelId ?? 1)
    .inet(address)
    .int2(client)
    .text('zh-Hans')
    .text('en');
}

async function writeAccount(owner: pg.Client, { userId, familyId, state, ...account }: Account): Promise<void> {
  await owner.query(
    `INSERT INTO member_account (user_id, family_id, usable_char_num, usable_voice_num, usable_image_num, used_char_total,
       recharge_amount_total, expire_at, tran_channel_id, billing_mode, entry_seq, type_seqs, usage_seq, head_hash, last_written_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, to_timestamp($8::float8 / 1000), $9, $10, $11, $12, $13, decode($14, 'hex'), now())`,
    [
      userId,
      familyId,
      state.charNum,
      state.voiceNum,
      state.imageNum,
      state.usedCharTotal,
      state.rechargeAmountTotal,
      state.expireAt,
      state.tranChannelId,
      modeCode({ userId, familyId, state, ...account }),
      state.seq,
      account.typeSeqs,
      account.usageSeq,
      account.head,
    ],
  );
}

async function writeAdjustment(owner: pg.Client, { cmdId, account, at }: Adjustment): Promise<void> {
  await owner.query(
    `INSERT INTO manager_action (cmd_id, manager_id, user_id, family_id, reason, done_at)
     VALUES ($1, 1, $2, $3, 'bench', to_timestamp($4::float8 / 1000))`,
    [cmdId, account.userId, account.familyId, at],
  );
}
