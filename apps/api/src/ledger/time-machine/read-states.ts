import type { EntityManager } from '@mikro-orm/postgresql';
import type { Language } from '@yiqiao/contracts/envelope';
import type { accountState } from '@yiqiao/contracts/operator/accounts';
import { Refusal } from '@yiqiao/domain/errors';
import { emptyAccount } from '@yiqiao/domain/ledger';
import type { z } from 'zod';
import type { Clock } from '../../platform/clock.js';
import { archivedOf, refuseArchived, requireInDatabase } from '../rows/archived.js';
import { ordinalRange } from '../log/ordinal-range.js';
import type { Value } from '../rows/account-rows.js';
import { ENTRY_COLUMNS, entryOf } from '../rows/entry-rows.js';
import { priceAtSql } from '../rows/price-at.js';
import { BLOCK } from './account-blocks.js';

export type AccountStateView = z.input<typeof accountState>;

/** The number of entries of the account; throws NOT_FOUND without an account. */
export async function entryCount(em: EntityManager, userId: number): Promise<number> {
  const [row] = await em.execute<{ n: number }[]>('SELECT entry_seq AS n FROM member_account WHERE user_id = ?', [
    userId,
  ]);
  if (!row) throw new Refusal('NOT_FOUND');
  return row.n;
}

/** A time with its milliseconds. */
export const momentOf = (clock: Clock, ms: number): string =>
  `${clock.toWire(new Date(ms))}.${String(ms % 1000).padStart(3, '0')}`;

/** The number of the last entry written by `at`, inclusive; 0 for none. Throws LEDGER_ARCHIVED. */
export async function seqAt(em: EntityManager, userId: number, at: Date, clock: Clock): Promise<number> {
  await requireInDatabase(em, { whose: { userId }, at }, clock);
  return (await ordinalRange(em, userId, { numbering: { of: 'entries' }, from: undefined, to: at })).hi;
}

type Row = {
  id: number;
  entry: Value[];
  used: number;
  recharged: number;
  channel: string | null;
  price: number | null;
};

/** The account after entry `seq`, from entries and blocks alone, never from its balance row. Throws NOT_FOUND without that entry, LEDGER_ARCHIVED. */
export async function readState(
  em: EntityManager,
  { userId, seq }: { userId: number; seq: number },
  { clock, language }: { clock: Clock; language: Language },
): Promise<AccountStateView> {
  if (seq === 0) return toView({ ...emptyAccount(), seq, at: null, entryId: null, channel: null, price: null }, clock);
  const archived = await archivedOf(em, userId);
  if (archived && seq < archived.seq) refuseArchived(archived.at, clock);
  const [row] = await em.execute<Row[]>(stateOf(language), [userId, seq]);
  if (!row) throw new Refusal('NOT_FOUND');
  const entry = entryOf(row.entry);
  return toView(
    {
      seq,
      at: entry.createdAt,
      entryId: Number(row.id),
      channel: row.channel,
      price: row.price,
      charNum: entry.lastCharNum,
      voiceNum: entry.lastVoiceNum,
      imageNum: entry.lastImageNum,
      usedCharTotal: Number(row.used),
      rechargeAmountTotal: Number(row.recharged),
      expireAt: entry.lastExpireAt,
      tranChannelId: entry.lastTranChannelId,
      billingMode: entry.lastBillingMode,
    },
    clock,
  );
}

// The last block by scalars: through a join the planner would read every block before it.
const stateOf = (language: Language): string => `
WITH moment (user_id, seq) AS (VALUES (?::bigint, ?::bigint)), base AS (
  SELECT coalesce(max(block) + 1, 0) * ${BLOCK} AS seq, coalesce(max(used_char_total), 0) AS used,
    coalesce(max(recharge_amount_total), 0) AS recharged
  FROM (
    SELECT block, used_char_total, recharge_amount_total FROM account_block
    WHERE user_id = (SELECT user_id FROM moment) AND level = 0 AND block < (SELECT seq / ${BLOCK} FROM moment)
    ORDER BY block DESC LIMIT 1
  ) AS last
)
SELECT e.id, json_build_array(${ENTRY_COLUMNS}) AS entry, rest.used, rest.recharged,
  (SELECT ${language === 'en' ? 'en_name' : 'name'} FROM tran_channel WHERE id = e.last_tran_channel_id) AS channel,
  ${priceAtSql('e.last_tran_channel_id', 'e.created_at')} AS price
FROM account_log e JOIN moment USING (user_id, seq), LATERAL (
  SELECT base.used + coalesce(sum(used_char_num), 0) AS used, base.recharged + coalesce(sum(amount), 0) AS recharged
  FROM base LEFT JOIN account_log l ON l.user_id = moment.user_id AND l.seq > base.seq AND l.seq <= moment.seq
  GROUP BY base.used, base.recharged
) AS rest`;

type State = ReturnType<typeof emptyAccount> & { at: number | null } & Pick<Row, 'channel' | 'price'> & {
    entryId: number | null;
  };

const toView = ({ expireAt, billingMode, at, ...state }: State, clock: Clock): AccountStateView => {
  const when = (ms: number | null): string | null => (ms === null ? null : clock.toWire(new Date(ms)));
  return {
    ...state,
    at: when(at),
    moment: at === null ? null : momentOf(clock, at),
    held: null,
    expireDateTime: when(expireAt),
    translationBillingMode: billingMode,
  };
};
