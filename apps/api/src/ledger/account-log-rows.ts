import type { EntityManager } from '@mikro-orm/postgresql';
import type { listAccountLogs } from '@yiqiao/contracts/account-log';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { Clock } from '../platform/clock.js';
import type { Value } from './account-rows.js';
import { ENTRY_COLUMNS, entryOf } from './entry-rows.js';

export type AccountLogRow = Answer<typeof listAccountLogs>['rows'][number];

/** An entry and what ids in it stand for: names are joined when read (decisions §3). */
type Joined = {
  id: number;
  entry: Value[];
  consumer_ip: string | null;
  group_name: string | null;
  own_name: string | null;
  counterpart_name: string | null;
};

/** Shown for somebody who has closed the account. */
const GONE = '–';

/** The entries of a member that meet `condition` over account_log, newest first, as the wire shows them. */
export async function readRows(
  em: EntityManager,
  where: { userId: number; condition: string; parameters: unknown[]; language: Language },
  clock: Clock,
): Promise<AccountLogRow[]> {
  const rows = await em.execute<Joined[]>(
    `WITH page AS (
       SELECT id, user_id, seq, cmd_id, member_group_id, counterpart_id, json_build_array(${ENTRY_COLUMNS}) AS entry
       FROM account_log WHERE user_id = ? AND ${where.condition}
     )
     SELECT page.id, page.entry, host(l.ip) AS consumer_ip, ${where.language === 'en' ? 'g.en_name' : 'g.name'} AS group_name, own.shown AS own_name,
       other.shown AS counterpart_name
     FROM page
     LEFT JOIN translation_log l ON l.cmd_id = page.cmd_id AND l.user_id = page.user_id
     LEFT JOIN member_group g ON g.id = page.member_group_id
     LEFT JOIN identity own ON own.user_id = page.user_id AND own.kind = 'username'
     LEFT JOIN identity other ON other.user_id = page.counterpart_id AND other.kind = 'username'
     ORDER BY page.seq DESC`,
    [where.userId, ...where.parameters],
  );
  return rows.map((row) => shown(row, clock));
}

function shown(row: Joined, clock: Clock): AccountLogRow {
  const entry = entryOf(row.entry);
  const when = (ms: number | null): string | null => (ms === null ? null : clock.toWire(new Date(ms)));
  const own = row.own_name ?? GONE;
  const other = row.counterpart_name ?? GONE;
  const [parent, child] = entry.userId === entry.familyId ? [own, other] : [other, own];
  const moved = entry.counterpartId !== null;
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
    // An order's number joins here when there are orders; its id already stands in the entry.
    rechargeOrderByMemberGroupNo: null,
    rechargeMemberGroupName: row.group_name,
    rechargeTranChannelId: entry.rechargeTranChannelId,
    rechargeTranslationBillingMode: entry.rechargeBillingMode,
    consumeTranslationConfigId: entry.consumeConfigId,
    consumeTranChannelId: entry.consumeTranChannelId,
    consumerIp: row.consumer_ip,
    managerId: entry.managerId,
    managerName: entry.managerId === null ? null : GONE,
    parentUserName: moved ? parent : null,
    childUserName: moved ? child : null,
    createDateTime: clock.toWire(new Date(entry.createdAt)),
  };
}
