import { emptyAccount, type Entry } from '@yiqiao/domain/ledger';
import type pg from 'pg';
import type { Value } from '../../src/ledger/rows/account-rows.js';
import { chain, FIRST_HEAD } from '../../src/ledger/rows/chain.js';
import { ENTRY_COLUMNS, entryOf } from '../../src/ledger/rows/entry-rows.js';

/**
 * The strongest attacker: alters one entry of an account, carries the change through every later entry, computes all hashes anew, and
 * puts the new head and balance into the account's row. Only a superuser who switches triggers off can do this.
 */
export async function forge(
  db: pg.Pool,
  target: { userId: number; seq: number },
  alter: (entry: Entry) => void,
): Promise<void> {
  const { rows } = await db.query<{ line: Value[] }>(
    `SELECT json_build_array(${ENTRY_COLUMNS}) AS line FROM account_log WHERE user_id = $1 ORDER BY seq`,
    [target.userId],
  );
  const client = await db.connect();
  try {
    await client.query('SET session_replication_role = replica');
    const state = emptyAccount();
    let head = FIRST_HEAD;
    for (const { line } of rows) {
      const entry = entryOf(line);
      entry.beforeCharNum = state.charNum;
      if (entry.seq === target.seq) alter(entry);
      entry.lastCharNum = entry.beforeCharNum + entry.charChange;
      head = chain(head, entry);
      state.charNum = entry.lastCharNum;
      state.usedCharTotal += entry.usedCharNum;
      state.rechargeAmountTotal += entry.amount;
      await client.query(
        `UPDATE account_log SET char_change = $3, before_char = $4, last_char = $5, used_char_num = $6, amount = $7,
           manager_id = $8, cmd_id = $9, counterpart_id = $10, hash = decode($11, 'hex') WHERE user_id = $1 AND seq = $2`,
        [
          entry.userId,
          entry.seq,
          entry.charChange,
          entry.beforeCharNum,
          entry.lastCharNum,
          entry.usedCharNum,
          entry.amount,
          entry.managerId,
          entry.cmdId,
          entry.counterpartId,
          head,
        ],
      );
    }
    await client.query(
      `UPDATE member_account SET usable_char_num = $2, used_char_total = $3, recharge_amount_total = $4, head_hash = decode($5, 'hex')
       WHERE user_id = $1`,
      [target.userId, state.charNum, state.usedCharTotal, state.rechargeAmountTotal, head],
    );
  } finally {
    await client.query('RESET session_replication_role');
    client.release();
  }
}
