import { ENTRY_FIELD_NAMES } from '@yiqiao/domain/entry-fields';
import { billingModeCode, billingModeOf, ENTRY_TYPES, type Entry } from '@yiqiao/domain/ledger';
import { type TariffBook, type Terms } from '@yiqiao/domain/what-if';
import { AccountReplay, type Ordered } from '@yiqiao/domain/what-if-account';
import type pg from 'pg';
import { CopyRows } from '../audit/copy-rows.js';
import type { Value } from '../rows/account-rows.js';
import { ENTRY_COLUMN_NAMES, ENTRY_COLUMNS, entryOf } from '../rows/entry-rows.js';

/** Entries from `from` (inclusive) to `to` (exclusive), ms; of the families behind `after`. */
export type Span = { from: number; to: number; after: number };

const moment = (ms: number): string => `to_timestamp(${Number(ms)} / 1000.0)`;

/** The accounts in the order in which they are replayed: family by family, sub-accounts first. Both streams number them the same. */
const accounts = (after: number): string => `
SELECT row_number() OVER (ORDER BY a.family_id, a.user_id = a.family_id, a.user_id) AS n, a.user_id, (m.auto_distribution AND m.parent_id IS NOT NULL)::int AS shares,
  main.member_group_id AS plan
FROM member_account a JOIN member m ON m.id = a.user_id JOIN member main ON main.id = a.family_id WHERE a.family_id > ${Number(after)}`;

/** Walks back from the newest entry over the index alone. */
const lastBefore = (table: string, seq: string, at: number): string =>
  `coalesce((SELECT b.${seq} FROM ${table} b WHERE b.user_id = a.user_id AND b.created_at < ${moment(at)} ORDER BY b.${seq} DESC LIMIT 1), 0)`;

const within = (table: string, seq: string, { from, to }: Span): string =>
  `t.user_id = a.user_id AND t.${seq} > ${lastBefore(table, seq, from)} AND t.${seq} <= ${lastBefore(table, seq, to)}`;

/** The columns of an entry, then these. */
export const ENTRY_EXTRA = {
  n: ENTRY_FIELD_NAMES.length,
  shares: ENTRY_FIELD_NAMES.length + 1,
  plan: ENTRY_FIELD_NAMES.length + 2,
};

// Nested loops keep the order of the accounts; the reader checks it.
export const openSpanEntries = (client: pg.ClientBase, span: Span): Promise<CopyRows> =>
  CopyRows.of(
    client,
    `SELECT ${ENTRY_COLUMN_NAMES.map((name) => `e.${name}`).join(', ')}, a.n, a.shares, a.plan
     FROM (${accounts(span.after)} ORDER BY n) AS a CROSS JOIN LATERAL (
       SELECT * FROM account_log t WHERE ${within('account_log', 'seq', span)} ORDER BY t.seq) AS e`,
    ENTRY_COLUMN_NAMES.length + 3,
  );

export const SPAN_LINE = { n: 0, entrySeq: 1, status: 2, charged: 3, words: 4, channel: 5, mode: 6, cost: 7 };

export const openSpanLines = (client: pg.ClientBase, span: Span): Promise<CopyRows> =>
  CopyRows.of(
    client,
    `SELECT a.n, l.entry_seq, l.status, l.charged, l.word_count, l.tran_channel_id, l.billing_mode, l.vendor_cost
     FROM (${accounts(span.after)} ORDER BY n) AS a CROSS JOIN LATERAL (
       SELECT * FROM translation_log t WHERE ${within('translation_log', 'usage_seq', span)} ORDER BY t.usage_seq) AS l`,
    Object.keys(SPAN_LINE).length,
  );

/** How much there is to replay. */
export async function countSpan(client: pg.ClientBase, span: Span): Promise<{ entries: number; families: number }> {
  const { rows } = await client.query<{ entries: string; families: string }>(
    `SELECT coalesce(sum(n), 0) AS entries, count(DISTINCT family_id) FILTER (WHERE n > 0) AS families FROM (
       SELECT a.family_id, ${lastBefore('account_log', 'seq', span.to)} - ${lastBefore('account_log', 'seq', span.from)} AS n
       FROM member_account a WHERE a.family_id > ${Number(span.after)}) AS accounts`,
  );
  return { entries: Number(rows[0]?.entries), families: Number(rows[0]?.families) };
}

type OrderRow = Record<'id' | 'num' | 'price', string> &
  Record<'plan' | 'mode' | 'minute' | 'voice' | 'image' | 'reference' | 'refprice' | 'units', number>;

/** The paid orders of a family, by id. */
export async function ordersOf(client: pg.ClientBase, familyId: number): Promise<Map<number, Ordered>> {
  const { rows } = await client.query<OrderRow>(
    `SELECT id, member_group_id AS plan, billing_mode AS mode, num, sale_price AS price, minute_price AS minute, voice_num AS voice,
       image_num AS image, reference_channel_id AS reference, reference_price AS refprice, sales_num AS units
     FROM recharge_order WHERE user_id = $1 AND pay_status = 'P'`,
    [familyId],
  );
  return new Map(
    rows.map((row) => {
      const terms: Terms = {
        memberGroupId: row.plan,
        billingMode: billingModeOf(row.mode) ?? 'char',
        num: Number(row.num),
        salePrice: Number(row.price),
        minutePrice: row.minute,
        voiceNum: row.voice,
        imageNum: row.image,
        referenceChannelId: row.reference,
        referencePrice: row.refprice,
      };
      return [Number(row.id), { terms, quantity: row.units }];
    }),
  );
}

const CONSUMPTION = (['TRANSLATION_CONSUME', 'VOICE_CONSUME', 'OTHER'] as const).map((type) => ENTRY_TYPES[type].code);

// Few: consumption changes no expiry.
const BEFORE = `
SELECT json_build_array(${ENTRY_COLUMNS}) AS entry FROM account_log
WHERE user_id = $1 AND seq < $2 AND log_type NOT IN (${CONSUMPTION.join(', ')}) AND seq > coalesce((
  SELECT max(seq) FROM account_log WHERE user_id = $1 AND seq < $2 AND log_type = ${ENTRY_TYPES.SYS_MATRIX.code}
    AND before_billing_mode = ${billingModeCode('char')} AND last_billing_mode = ${billingModeCode('time')}), 0)
ORDER BY seq`;

/** What led to the minutes that an account in time mode has at `first` (docs/decisions/0009), under the prices of its moments. */
export async function replayBefore(
  client: pg.ClientBase,
  { first, book, orders }: { first: Entry; book: TariffBook; orders: ReadonlyMap<number, Ordered> },
): Promise<AccountReplay | undefined> {
  const { rows } = await client.query<{ entry: Value[] }>(BEFORE, [first.userId, first.seq]);
  let replay: AccountReplay | undefined;
  for (const row of rows) {
    const entry = entryOf(row.entry);
    replay ??= new AccountReplay(book, entry);
    replay.follow(entry, { order: entry.orderId === null ? undefined : orders.get(entry.orderId) });
    replay.restore(entry);
  }
  return replay;
}
