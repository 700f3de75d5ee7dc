import type { EntityManager } from '@mikro-orm/postgresql';
import type { listAccountLogs } from '@yiqiao/contracts/account-log';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import { exchangeUp } from '@yiqiao/domain/conversion';
import { deletedName, explainEntry, namelessDeleted, type EntryNames } from '@yiqiao/domain/explanations';
import { ENTRY_TYPES, type Entry } from '@yiqiao/domain/ledger';
import type { Clock } from '../../platform/clock.js';
import type { Value } from '../rows/account-rows.js';
import { ENTRY_COLUMNS, entryOf } from '../rows/entry-rows.js';
import { priceAtSql } from '../rows/price-at.js';

export type AccountLogRow = Answer<typeof listAccountLogs>['rows'][number];

type Package = { num: number; voiceNum: number; imageNum: number };

/** An entry with the names of its ids, which are joined when it is read (decisions §3). */
type Joined = {
  id: number;
  entry: Value[];
  consumer_ip: string | null;
  order_no: string | null;
  bought_num: number | null;
  reference_channel: string | null;
  /** A plan granted by an operator: one package of it, and the prices (micro-yuan per character) at that time. */
  granted: (Package & { referencePrice: number; ownPrice: number; reference: string }) | null;
  group_name: string | null;
  own_name: string | null;
  own_last_name: string | null;
  counterpart_id: number | null;
  counterpart_name: string | null;
  counterpart_last_name: string | null;
  manager_name: string | null;
  reason: string | null;
  consume_channel: string | null;
  channel_before: string | null;
  channel_after: string | null;
  api_key: string | null;
};

/** The name of a member whose family was deleted. */
const GONE = '–';

const priceOf = (channel: string): string => priceAtSql(channel, 'page.created_at');

/** The granted plan as it was at the time. */
const grantedPlan = (name: string): string => `
SELECT json_build_object('num', v.num, 'voiceNum', v.voice_num, 'imageNum', v.image_num, 'reference', c.${name},
  'referencePrice', ${priceOf('v.reference_channel_id')}, 'ownPrice', ${priceOf('page.last_tran_channel_id')})
FROM plan_version v JOIN tran_channel c ON c.id = v.reference_channel_id
WHERE page.log_type = ${ENTRY_TYPES.RECHARGE_ORDER_BY_MEMBER_GROUP.code} AND page.order_id IS NULL
  AND v.member_group_id = page.member_group_id AND v.effective_at <= page.created_at
ORDER BY v.effective_at DESC LIMIT 1`;

/**
 * The entries of a member that meet `condition` over account_log, newest first, in wire format. Names come from subqueries: planning ten
 * joins took five times as long as reading the page.
 */
export async function readRows(
  em: EntityManager,
  where: { userId: number; condition: string; parameters: unknown[]; language: Language },
  clock: Clock,
): Promise<AccountLogRow[]> {
  const name = where.language === 'en' ? 'en_name' : 'name';
  const rows = await em.execute<Joined[]>(
    `WITH page AS (
       SELECT id, user_id, seq, log_type, created_at, cmd_id, order_id, member_group_id, counterpart_id, manager_id, consume_tran_channel_id,
         before_tran_channel_id, last_tran_channel_id, api_key_id, json_build_array(${ENTRY_COLUMNS}) AS entry
       FROM account_log WHERE user_id = ? AND ${where.condition}
     )
     SELECT page.id, page.entry, page.counterpart_id,
       (SELECT host(ip) FROM translation_log l WHERE l.cmd_id = page.cmd_id AND l.user_id = page.user_id) AS consumer_ip,
       (SELECT no FROM recharge_order WHERE id = page.order_id) AS order_no,
       (SELECT num * sales_num FROM recharge_order WHERE id = page.order_id) AS bought_num,
       (SELECT ${name} FROM tran_channel WHERE id = (SELECT reference_channel_id FROM recharge_order WHERE id = page.order_id))
         AS reference_channel,
       (${grantedPlan(name)}) AS granted,
       (SELECT ${name} FROM member_group WHERE id = page.member_group_id) AS group_name,
       (SELECT shown FROM identity WHERE user_id = page.user_id AND kind = 'username') AS own_name,
       (SELECT last_name FROM member WHERE id = page.user_id) AS own_last_name,
       (SELECT last_name FROM member WHERE id = page.counterpart_id) AS counterpart_last_name,
       (SELECT shown FROM identity WHERE user_id = page.counterpart_id AND kind = 'username') AS counterpart_name,
       (SELECT name FROM manager WHERE id = page.manager_id) AS manager_name,
       (SELECT reason FROM manager_action WHERE cmd_id = page.cmd_id) AS reason,
       (SELECT ${name} FROM tran_channel WHERE id = page.consume_tran_channel_id) AS consume_channel,
       (SELECT ${name} FROM tran_channel WHERE id = page.before_tran_channel_id) AS channel_before,
       (SELECT ${name} FROM tran_channel WHERE id = page.last_tran_channel_id) AS channel_after,
       (SELECT k.name FROM api_key k WHERE k.id = page.api_key_id) AS api_key
     FROM page
     ORDER BY page.seq DESC`,
    [where.userId, ...where.parameters],
  );
  return rows.map((row) => toWire(row, { clock, language: where.language }));
}

function toWire(row: Joined, { clock, language }: { clock: Clock; language: Language }): AccountLogRow {
  const entry = entryOf(row.entry);
  const when = (ms: number | null): string | null => (ms === null ? null : clock.toWire(new Date(ms)));
  const own = nameOf(row.own_name, row.own_last_name, language) ?? GONE;
  const other = nameOf(row.counterpart_name, row.counterpart_last_name, language) ?? GONE;
  const [parent, child] = entry.userId === entry.familyId ? [own, other] : [other, own];
  const isTransfer = entry.counterpartId !== null;
  return {
    id: Number(row.id),
    logType: entry.type,
    charChangeNum: entry.charChange,
    minChangeNum: entry.minChange,
    voiceChangeNum: entry.voiceChange,
    imageChangeNum: entry.imageChange,
    usedCharNum: entry.usedCharNum,
    amount: entry.amount,
    beforeCharNum: entry.beforeCharNum,
    lastCharNum: entry.lastCharNum,
    beforeVoiceNum: entry.beforeVoiceNum,
    lastVoiceNum: entry.lastVoiceNum,
    beforeImageNum: entry.beforeImageNum,
    lastImageNum: entry.lastImageNum,
    beforeExpireDateTime: when(entry.beforeExpireAt),
    lastExpireDateTime: when(entry.lastExpireAt),
    beforeTranChannelId: entry.beforeTranChannelId,
    lastTranChannelId: entry.lastTranChannelId,
    beforeTranslationBillingMode: entry.beforeBillingMode,
    lastTranslationBillingMode: entry.lastBillingMode,
    rechargeOrderByMemberGroupNo: row.order_no,
    rechargeMemberGroupName: row.group_name,
    rechargeTranChannelId: entry.rechargeTranChannelId,
    rechargeTranslationBillingMode: entry.rechargeBillingMode,
    consumeTranslationConfigId: entry.consumeConfigId,
    consumeTranChannelId: entry.consumeTranChannelId,
    consumerIp: row.consumer_ip,
    apiKey: entry.apiKeyId === null ? null : { id: entry.apiKeyId, name: row.api_key ?? '' },
    managerId: entry.managerId,
    managerName: row.manager_name,
    parentUserName: isTransfer ? parent : null,
    childUserName: isTransfer ? child : null,
    createDateTime: clock.toWire(new Date(entry.createdAt)),
    reason: row.reason,
    explanation: explainEntry({ ...entry, names: namesOf(row, { entry, language }) }, language),
  };
}

const nameOf = (name: string | null, lastName: string | null, language: Language): string | null =>
  name ?? (lastName === null ? null : deletedName(lastName, language));

const namesOf = (row: Joined, of: { entry: Entry; language: Language }): EntryNames => ({
  memberGroup: row.group_name,
  orderNo: row.order_no,
  bought: boughtIn(row, of.entry),
  consumeChannel: row.consume_channel,
  channelBefore: row.channel_before,
  channelAfter: row.channel_after,
  counterpart: counterpartOf(row, of),
  manager: row.manager_name,
  reason: row.reason,
});

function counterpartOf(row: Joined, { entry, language }: { entry: Entry; language: Language }): string | null {
  // The sentence of a recovery already says that the sub-account was deleted.
  const known =
    entry.type === 'RECOVERY'
      ? (row.counterpart_name ?? row.counterpart_last_name)
      : nameOf(row.counterpart_name, row.counterpart_last_name, language);
  return known ?? (row.counterpart_id === null ? null : namelessDeleted(row.counterpart_id, language));
}

/**
 * The quantity of the order. A grant does not record its number of packages: it is the smallest number worth the credited amount, or null
 * if the gifts contradict it (grants from before packages had a reference channel).
 */
function boughtIn(row: Joined, { charChange, minChange, voiceChange, imageChange }: Entry): EntryNames['bought'] {
  if (row.bought_num !== null) return { num: Number(row.bought_num), reference: row.reference_channel };
  if (row.granted === null) return null;
  const { num, voiceNum, imageNum, referencePrice, ownPrice, reference } = row.granted;
  const quantity = exchangeUp(charChange + minChange, ownPrice, num * referencePrice);
  const isWhole = voiceChange === voiceNum * quantity && imageChange === imageNum * quantity;
  return isWhole ? { num: num * quantity, reference } : null;
}
