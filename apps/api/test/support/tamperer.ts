import { advance, billingModeCode, emptyAccount, ENTRY_TYPES, type Entry } from '@yiqiao/domain/ledger';
import type pg from 'pg';
import type { Value } from '../../src/ledger/rows/account-rows.js';
import { chain, FIRST_HEAD } from '../../src/ledger/rows/chain.js';
import {
  type ChainedEntry,
  ENTRY_COLUMNS,
  entryParameters,
  entryOf,
  INSERT_ENTRIES,
} from '../../src/ledger/rows/entry-rows.js';
import { uuid7 } from '../../src/platform/uuid7.js';

/** Runs `work` with triggers and foreign keys disabled, as only a superuser can. */
export async function withoutTriggers(db: pg.Pool, work: (client: pg.PoolClient) => Promise<unknown>): Promise<void> {
  const client = await db.connect();
  try {
    await client.query('SET session_replication_role = replica');
    await work(client);
  } finally {
    await client.query('RESET session_replication_role');
    client.release();
  }
}

/** Alters one entry of an account and recomputes everything after it. */
export const tamper = (
  db: pg.Pool,
  { userId, seq }: { userId: number; seq: number },
  alter: (entry: Entry) => void,
): Promise<void> =>
  rewrite(db, userId, (entries) => {
    for (const entry of entries) if (entry.seq === seq) alter(entry);
    return entries;
  });

/** An entry after `last` that makes only `change`. */
export function entryAfter(last: Entry, change: Partial<Entry>): Entry {
  const nothing = { charChange: 0, minChange: 0, voiceChange: 0, imageChange: 0, usedCharNum: 0, amount: 0 };
  const before = {
    beforeExpireAt: last.lastExpireAt,
    beforeTranChannelId: last.lastTranChannelId,
    beforeBillingMode: last.lastBillingMode,
  };
  const refs = { orderId: null, memberGroupId: null, rechargeTranChannelId: null, rechargeBillingMode: null };
  const more = { consumeConfigId: null, consumeTranChannelId: null, counterpartId: null, managerId: null };
  return { ...last, ...nothing, ...before, ...refs, ...more, cmdId: uuid7(), ...change };
}

/**
 * The strongest attacker: rewrites the history of an account, recomputes balances, numbers and hashes of every entry, and updates the
 * account's row.
 */
export async function rewrite(db: pg.Pool, userId: number, alter: (entries: Entry[]) => Entry[]): Promise<void> {
  const { rows } = await db.query<{ line: Value[] }>(
    `SELECT json_build_array(${ENTRY_COLUMNS}) AS line FROM account_log WHERE user_id = $1 ORDER BY seq`,
    [userId],
  );
  const state = emptyAccount();
  const typeSeqs = Object.keys(ENTRY_TYPES).map(() => 0);
  let head = FIRST_HEAD;
  const entries = alter(rows.map(({ line }) => entryOf(line))).map((entry): ChainedEntry => {
    const code = ENTRY_TYPES[entry.type].code;
    const typeSeq = (typeSeqs[code - 1] ?? 0) + 1;
    typeSeqs[code - 1] = typeSeq;
    const carried: Entry = {
      ...entry,
      userId,
      seq: state.seq + 1,
      typeSeq,
      beforeCharNum: state.charNum,
      lastCharNum: state.charNum + entry.charChange,
      beforeVoiceNum: state.voiceNum,
      lastVoiceNum: state.voiceNum + entry.voiceChange,
      beforeImageNum: state.imageNum,
      lastImageNum: state.imageNum + entry.imageChange,
      beforeExpireAt: state.expireAt,
      beforeTranChannelId: state.tranChannelId,
      beforeBillingMode: state.billingMode,
      lastExpireAt: entry.lastExpireAt === entry.beforeExpireAt ? state.expireAt : entry.lastExpireAt,
      lastTranChannelId:
        entry.lastTranChannelId === entry.beforeTranChannelId ? state.tranChannelId : entry.lastTranChannelId,
      lastBillingMode: entry.lastBillingMode === entry.beforeBillingMode ? state.billingMode : entry.lastBillingMode,
    };
    advance(state, carried);
    head = chain(head, carried);
    return { entry: carried, hash: head };
  });
  await withoutTriggers(db, async (client) => {
    await client.query('DELETE FROM account_log WHERE user_id = $1', [userId]);
    if (entries.length > 0)
      await client.query(
        INSERT_ENTRIES,
        entryParameters(entries).map(({ array }) => array),
      );
    await client.query(
      `UPDATE member_account SET usable_char_num = $2, usable_voice_num = $3, usable_image_num = $4, used_char_total = $5,
         recharge_amount_total = $6, expire_at = to_timestamp($7::float8 / 1000), tran_channel_id = $8, billing_mode = $9,
         entry_seq = $10, type_seqs = $11, head_hash = decode($12, 'hex') WHERE user_id = $1`,
      [
        userId,
        state.charNum,
        state.voiceNum,
        state.imageNum,
        state.usedCharTotal,
        state.rechargeAmountTotal,
        state.expireAt,
        state.tranChannelId,
        billingModeCode(state.billingMode),
        state.seq,
        typeSeqs,
        head,
      ],
    );
  });
}
