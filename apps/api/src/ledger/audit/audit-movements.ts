import { codesWhere, type Witness } from '@yiqiao/domain/entry-rules';
import { ENTRY_TYPES, type Difference } from '@yiqiao/domain/ledger';
import type pg from 'pg';
import { fromStarts, startingLater, within, type Scope } from './audit-rows.js';
import { CopyRows } from './copy-rows.js';
import { differ, differs } from './entry-replay.js';
import { about } from './findings.js';

const { RECHARGE_ORDER_BY_MEMBER_GROUP, TRANSLATION_CONSUME, VOICE_CONSUME, OTHER, INVITE_REWARD } = ENTRY_TYPES;

/** The columns of `sidesOf`. */
const M = {
  userId: 0,
  seq: 1,
  familyId: 2,
  type: 3,
  counterpartId: 4,
  charChange: 5,
  voiceChange: 6,
  imageChange: 7,
  managerId: 8,
  otherSeq: 9,
  otherFamilyId: 10,
  otherType: 11,
  otherCounterpartId: 12,
  otherCharChange: 13,
  otherVoiceChange: 14,
  otherImageChange: 15,
  actionManagerId: 16,
  actionUserId: 17,
  lastChannel: 18,
  otherBeforeChannel: 19,
  otherLastChannel: 20,
  /** Whether the change is from after the action log began, and by an operator alone: a refund has its order. */
  isLogged: 21,
  loggedTarget: 22,
} as const;

// The conditions of the indexes account_log_moved and account_log_granted, which cover few of the entries.
const UNMOVED = [RECHARGE_ORDER_BY_MEMBER_GROUP, TRANSLATION_CONSUME, VOICE_CONSUME, OTHER, INVITE_REWARD];
const MOVED = `log_type NOT IN (${UNMOVED.map(({ code }) => code).join(', ')})`;
const GRANTED = `log_type = ${RECHARGE_ORDER_BY_MEMBER_GROUP.code} AND manager_id IS NOT NULL`;

const witnessedBy = (witness: Witness): number[] => codesWhere((rule) => rule.witness === witness);
const [BY_OTHER_SIDE, BY_PRICES, BY_OPERATOR] = [
  witnessedBy('otherSide'),
  witnessedBy('prices'),
  witnessedBy('action'),
];

function movedIn(scope: Scope): string {
  const since = startingLater(scope);
  if (!since)
    return [MOVED, GRANTED]
      .map((some) => `SELECT * FROM account_log WHERE ${some} AND ${within(scope, 'user_id')}`)
      .join(' UNION ALL ');
  const after = 'user_id = a.user_id AND seq > coalesce(n.seq, 0)';
  return fromStarts(since, `SELECT * FROM account_log WHERE ${after} AND (${MOVED} OR ${GRANTED})`, 'seq');
}

/** Entries that need confirmation from outside their account, each with the row that confirms it. */
export const sidesOf = (scope: Scope): string => `
SELECT e.user_id, e.seq, e.family_id, e.log_type, e.counterpart_id, e.char_change, e.voice_change, e.image_change, e.manager_id,
  o.seq, o.family_id, o.log_type, o.counterpart_id, o.char_change, o.voice_change, o.image_change, a.manager_id, a.user_id,
  e.last_tran_channel_id, o.before_tran_channel_id, o.last_tran_channel_id,
  ((e.order_id IS NULL AND e.created_at >= (SELECT done_at FROM operator_action WHERE n = 1)) IS TRUE)::int, l.target_id
FROM (${movedIn(scope)}) e
LEFT JOIN account_log o ON o.cmd_id = e.cmd_id AND e.log_type NOT IN (${BY_OPERATOR.join(', ')})
  AND o.user_id = CASE WHEN e.log_type IN (${BY_OTHER_SIDE.join(', ')}) THEN e.counterpart_id ELSE e.family_id END
LEFT JOIN manager_action a ON a.cmd_id = e.cmd_id AND e.log_type IN (${BY_OPERATOR.join(', ')})
LEFT JOIN LATERAL (SELECT target_id FROM operator_action WHERE cmd_id = e.cmd_id ORDER BY n LIMIT 1) l
  ON e.log_type IN (${BY_OPERATOR.join(', ')})
ORDER BY e.user_id, e.seq`;

export const openSides = (client: pg.ClientBase, scope: Scope): Promise<CopyRows> =>
  CopyRows.of(client, sidesOf(scope), Object.keys(M).length);

/** Whether `sides` is on the entry `seq` of `userId`. */
export const isSideOf = (sides: CopyRows, userId: number, seq: number): boolean =>
  sides.live && sides.int(M.userId) === userId && sides.int(M.seq) === seq;

/** The channel of the other account before the entry; null if there is no such account or channel. */
export const otherChannelBefore = (sides: CopyRows): number | null => sides.intOrNull(M.otherBeforeChannel);

/**
 * Checks the current entry against the other side of its movement, its main account's conversion, or its reason (decisions §4). `topics`:
 * of the difference, beside the entry.
 */
export function sideDifference(sides: CopyRows): { difference: Difference; topics: string[] } | null {
  const difference = differenceOf(sides.int(M.type), sides);
  if (!difference) return null;
  const other = sides.isNull(M.counterpartId) ? sides.int(M.familyId) : sides.int(M.counterpartId);
  const otherSeq = sides.intOrNull(M.otherSeq);
  return { difference, topics: [otherSeq === null ? about.missing(other) : about.entry(other, otherSeq)] };
}

function differenceOf(type: number, sides: CopyRows): Difference | null {
  if (BY_OTHER_SIDE.includes(type)) return movementDifference(sides);
  if (BY_PRICES.includes(type)) return conversionDifference(sides);
  if (!BY_OPERATOR.includes(type)) return null;
  return reasonDifference(sides, type === RECHARGE_ORDER_BY_MEMBER_GROUP.code ? 'grant' : 'adjustment');
}

function movementDifference(sides: CopyRows): Difference | null {
  const [userId, familyId] = [sides.int(M.userId), sides.int(M.familyId)];
  if (sides.isNull(M.counterpartId)) return differs('counterpartId', 'the other account of the movement', null);
  const counterpartId = sides.int(M.counterpartId);
  if ((userId === familyId) === (counterpartId === familyId))
    return differs(
      'counterpartId',
      userId === familyId ? 'a sub-account' : `the main account ${familyId}`,
      counterpartId,
    );
  if (sides.isNull(M.otherSeq))
    return differs('other side of the movement', `an entry of account ${counterpartId} under the same command`, 'none');
  const other = `other side of the movement (account ${counterpartId}, entry ${sides.int(M.otherSeq)})`;
  const opposite = (mine: number, its: number, field: string): Difference | null =>
    differ(`${other}: ${field}`, 0 - sides.int(mine), sides.int(its));
  return (
    differ(`${other}: familyId`, familyId, sides.int(M.otherFamilyId)) ??
    differ(`${other}: type`, sides.int(M.type), sides.int(M.otherType)) ??
    differ(`${other}: counterpartId`, userId, sides.intOrNull(M.otherCounterpartId)) ??
    opposite(M.charChange, M.otherCharChange, 'charChange') ??
    opposite(M.voiceChange, M.otherVoiceChange, 'voiceChange') ??
    opposite(M.imageChange, M.otherImageChange, 'imageChange')
  );
}

/** A family converts together, so a sub-account's conversion needs its main account's. */
function conversionDifference(sides: CopyRows): Difference | null {
  const [userId, familyId] = [sides.int(M.userId), sides.int(M.familyId)];
  if (userId === familyId) return null;
  const field = `conversion of the main account ${familyId}`;
  if (sides.isNull(M.otherSeq)) return differs(field, 'an entry under the same command', 'none');
  const other = `${field} (entry ${sides.int(M.otherSeq)})`;
  return (
    differ(`${other}: type`, sides.int(M.type), sides.int(M.otherType)) ??
    differ(`${other}: channel`, sides.intOrNull(M.lastChannel), sides.intOrNull(M.otherLastChannel))
  );
}

/** An operator's change records who made it and why, and is in the chained action log. */
function reasonDifference(sides: CopyRows, what: 'adjustment' | 'grant'): Difference | null {
  if (sides.isNull(M.actionManagerId)) return differs(`reason of the ${what}`, 'a reason and an operator', 'none');
  return (
    differ(`operator of the ${what}`, sides.int(M.actionManagerId), sides.intOrNull(M.managerId)) ??
    differ(`account of the ${what}`, sides.int(M.userId), sides.int(M.actionUserId)) ??
    (sides.int(M.isLogged) === 1
      ? differ(`account of the ${what} in the action log`, sides.int(M.userId), loggedAccount(sides))
      : null)
  );
}

const loggedAccount = (sides: CopyRows): number | null =>
  sides.isNull(M.loggedTarget) ? null : Number(sides.text(M.loggedTarget));
