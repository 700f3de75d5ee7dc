import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { getMember } from '@yiqiao/contracts/operator/members';
import { Refusal } from '@yiqiao/domain/errors';
import { billingModeOf, ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { REMINDER_DEFAULTS } from '@yiqiao/domain/limits';
import { InvoiceRequest } from '../../orders/invoice-request.entity.js';
import { RechargeOrder } from '../../orders/recharge-order.entity.js';
import { invoiceOf } from '../../orders/request-invoice.js';
import { Clock } from '../../platform/clock.js';
import { ListSessions } from '../../sessions/list-sessions.js';
import { maskedAddress, maskedIp } from './search-members.js';

type Details = Answer<typeof getMember>;

/** Days of the savings of the translation memory. */
const SAVED_DAYS = 30;
/** Of each list on the page. */
const SHOWN = 20;

export class GetMember extends Query<Details> {
  constructor(readonly userId: number) {
    super();
  }
}

/** One member with everything on its page that does not need paging (operators §10). */
@QueryHandler(GetMember)
export class GetMemberHandler implements IQueryHandler<GetMember> {
  constructor(
    private readonly em: EntityManager,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  async execute({ userId }: GetMember): Promise<Details> {
    const em = this.em.fork();
    const since = this.clock.lastDays(SAVED_DAYS)[0];
    const [row] = await em.execute<Row[]>(MEMBER, [since, userId]);
    if (!row) throw new Refusal('NOT_FOUND');
    const familyId = row.familyId;
    const sessions = await this.queries.execute(new ListSessions(userId, ''));
    return {
      ...this.#identity(row),
      ...settingsOf(row),
      balance: this.#balance(row),
      holds: (await em.execute<HoldRow[]>(HOLDS, [userId])).map((hold) => this.#hold(hold)),
      family: { accounts: row.accounts, enabled: row.enabledAccounts, charNum: row.familyCharNum },
      orders: { total: row.orders, paid: row.paidOrders },
      devices: row.devices,
      sessions: sessions.map(({ loginIp, ...session }) => ({ ...session, loginIp: loginIp && maskedIp(loginIp) })),
      invoices: await this.#invoices(em, userId),
      actions: (await em.execute<ActionRow[]>(ACTIONS, [familyId])).map(({ body, n }) => this.#action(n, body)),
      notes: (await em.execute<NoteRow[]>(NOTES, [familyId])).map(({ at, ...note }) => ({
        ...note,
        at: this.clock.toWire(at),
      })),
    };
  }

  #identity(row: Row) {
    return {
      userId: row.userId,
      familyId: row.familyId,
      role: row.userId === row.familyId ? ('main' as const) : ('sub' as const),
      username: row.username,
      nickname: row.nickname,
      account: row.email === null ? null : maskedAddress(row.email),
      mainUsername: row.mainUsername,
      registerDateTime: this.clock.toWire(row.registeredAt),
      closeDateTime: row.closedAt && this.clock.toWire(row.closedAt),
      inviteCode: row.inviteCode,
      inviteCount: row.inviteCount,
      inviterId: row.inviterId,
      enabled: bit(row.enabled),
      twoStep: bit(row.twoStep),
      lastLogin: row.lastLoginAt && { loginDateTime: this.clock.toWire(row.lastLoginAt), sumDay: row.sumDay ?? 1 },
    };
  }

  #balance(row: Row): Details['balance'] {
    return {
      charNum: row.charNum,
      voiceNum: row.voiceNum,
      imageNum: row.imageNum,
      held: { charNum: row.heldCharNum, voiceNum: row.heldVoiceNum, imageNum: row.heldImageNum },
      expireDateTime: row.expireAt && this.clock.toWire(row.expireAt),
      usedCharTotal: row.usedCharTotal,
      rechargeAmountTotal: row.rechargeAmountTotal,
      entries: row.entries,
    };
  }

  async #invoices(em: EntityManager, userId: number): Promise<Details['invoices']> {
    const rows = await em.find(InvoiceRequest, { userId }, { orderBy: { id: 'desc' }, limit: SHOWN });
    const orders = await em.find(RechargeOrder, { id: { $in: rows.map(({ orderId }) => orderId) } });
    const numbers = new Map(orders.map(({ id, no }) => [id, no]));
    return rows.map((row) => ({ ...invoiceOf(row, this.clock), orderNo: numbers.get(row.orderId) ?? '' }));
  }

  #hold({ kind, createdAt, expiresAt, ...quota }: HoldRow): Details['holds'][number] {
    return {
      ...quota,
      kind: HOLD_KINDS[kind - 1] ?? 'text',
      createDateTime: this.clock.toWire(createdAt),
      expireDateTime: this.clock.toWire(expiresAt),
    };
  }

  #action(n: number, body: string): Details['actions'][number] {
    const { at, actor, action, target, before = null, after = null, reason = null } = JSON.parse(body) as ActionBody;
    return { n, at: this.clock.toWire(new Date(at)), actor, action, userId: Number(target.id), before, after, reason };
  }
}

const bit = (yes: boolean): 0 | 1 => (yes ? 1 : 0);
const HOLD_KINDS = ['text', 'voice', 'image'] as const;

const settingsOf = (row: Row) => ({
  memberGroup: {
    id: row.memberGroupId,
    name: row.groupName,
    enName: row.groupEnName,
    translationBillingMode: billingModeOf(row.billingMode) ?? ('char' as const),
  },
  tranChannelId: row.tranChannelId,
  charPrice: row.charPrice,
  minutePrice: row.minutePrice,
  channelFailover: bit(row.userId === row.familyId && row.channelFailover),
  translationCache: bit(row.translationCache),
  savedCharNum: row.savedCharNum,
  reminders: {
    lowCharNum: row.lowCharNum ?? REMINDER_DEFAULTS.lowCharNum,
    expiryDays: row.expiryDays ?? REMINDER_DEFAULTS.expiryDays,
    byMail: bit(row.userId === row.familyId && (row.byMail ?? REMINDER_DEFAULTS.byMail === 1)),
  },
});

type ActionBody = {
  at: number;
  actor: string;
  action: string;
  target: { id: string };
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
  reason?: string | null;
};
type ActionRow = { n: number; body: string };
type NoteRow = { id: number; at: Date; by: string; userId: number; text: string };
type HoldRow = {
  kind: number;
  charNum: number;
  voiceNum: number;
  imageNum: number;
  createdAt: Date;
  expiresAt: Date;
};

type Row = Record<
  | 'userId'
  | 'familyId'
  | 'memberGroupId'
  | 'minutePrice'
  | 'billingMode'
  | 'inviteCount'
  | 'savedCharNum'
  | 'charNum'
  | 'voiceNum'
  | 'imageNum'
  | 'heldCharNum'
  | 'heldVoiceNum'
  | 'heldImageNum'
  | 'usedCharTotal'
  | 'rechargeAmountTotal'
  | 'entries'
  | 'accounts'
  | 'enabledAccounts'
  | 'familyCharNum'
  | 'orders'
  | 'paidOrders'
  | 'devices',
  number
> &
  Record<'username' | 'nickname' | 'email' | 'mainUsername' | 'inviteCode', string | null> &
  Record<'groupName' | 'groupEnName', string> &
  Record<'enabled' | 'twoStep' | 'channelFailover' | 'translationCache', boolean> &
  Record<'inviterId' | 'sumDay' | 'tranChannelId' | 'charPrice' | 'lowCharNum' | 'expiryDays', number | null> &
  Record<'closedAt' | 'lastLoginAt' | 'expireAt', Date | null> & { registeredAt: Date; byMail: boolean | null };

// Raw: one row from a dozen tables by keys.
const MEMBER = `
SELECT m.id AS "userId", m.family_id AS "familyId", n.shown AS username, coalesce(m.nickname, m.last_name) AS nickname, e.shown AS email,
  CASE WHEN m.id <> m.family_id THEN mn.shown END AS "mainUsername", m.registered_at AS "registeredAt", m.closed_at AS "closedAt",
  m.invite_code AS "inviteCode", m.inviter_id AS "inviterId", m.enabled AND own.enabled AS enabled,
  EXISTS (SELECT FROM two_step t WHERE t.user_id = m.id AND t.confirmed_at IS NOT NULL) AS "twoStep",
  (SELECT count(*) FROM member i JOIN account_log x ON x.user_id = i.id AND x.log_type = ${ENTRY_TYPES.INVITE_REWARD.code}
    WHERE i.inviter_id = m.id) AS "inviteCount",
  l.logged_in_at AS "lastLoginAt", l.sum_day AS "sumDay", g.id AS "memberGroupId", g.name AS "groupName", g.en_name AS "groupEnName",
  g.minute_price AS "minutePrice", a.billing_mode AS "billingMode", oa.tran_channel_id AS "tranChannelId", c.price AS "charPrice",
  m.channel_failover AS "channelFailover", m.translation_cache AS "translationCache",
  (SELECT coalesce(sum(s.char_num), 0)::bigint FROM saving_day s
    WHERE s.family_id = m.family_id AND s.day >= ?::date AND (m.id = m.family_id OR s.user_id = m.id)) AS "savedCharNum",
  r.low_char_num AS "lowCharNum", r.expiry_days AS "expiryDays", r.by_mail AS "byMail",
  a.usable_char_num AS "charNum", a.usable_voice_num AS "voiceNum", a.usable_image_num AS "imageNum", a.held_char_num AS "heldCharNum",
  a.held_voice_num AS "heldVoiceNum", a.held_image_num AS "heldImageNum", oa.expire_at AS "expireAt",
  a.used_char_total AS "usedCharTotal", a.recharge_amount_total AS "rechargeAmountTotal", a.entry_seq AS entries,
  f.accounts, f.enabled AS "enabledAccounts", f.chars AS "familyCharNum",
  (SELECT count(*) FROM recharge_order o WHERE o.user_id = m.id) AS orders,
  (SELECT count(*) FROM recharge_order o WHERE o.user_id = m.id AND o.pay_status = 'P') AS "paidOrders",
  (SELECT count(*) FROM member_device d WHERE d.user_id = m.id) AS devices
FROM member m JOIN member own ON own.id = m.family_id JOIN member_group g ON g.id = own.member_group_id
JOIN member_account a ON a.user_id = m.id JOIN member_account oa ON oa.user_id = m.family_id
LEFT JOIN tran_channel c ON c.id = oa.tran_channel_id LEFT JOIN member_reminder r ON r.user_id = m.id
LEFT JOIN identity n ON n.user_id = m.id AND n.kind = 'username' LEFT JOIN identity e ON e.user_id = m.id AND e.kind = 'email'
LEFT JOIN identity mn ON mn.user_id = m.family_id AND mn.kind = 'username'
LEFT JOIN LATERAL (SELECT logged_in_at, sum_day FROM login_log WHERE user_id = m.id ORDER BY logged_in_at DESC, id DESC LIMIT 1) l ON true,
LATERAL (SELECT count(*) AS accounts, count(*) FILTER (WHERE fm.enabled) AS enabled, sum(fa.usable_char_num)::bigint AS chars
  FROM member fm JOIN member_account fa ON fa.user_id = fm.id WHERE fm.family_id = m.family_id AND (fm.closed_at IS NULL OR fm.id = m.id)) f
WHERE m.id = ?`;

const HOLDS = `
SELECT kind, char_num AS "charNum", voice_num AS "voiceNum", image_num AS "imageNum", created_at AS "createdAt", expires_at AS "expiresAt"
FROM ledger_hold WHERE user_id = ? AND released_at IS NULL AND expires_at > now() - interval '1 day' ORDER BY created_at LIMIT ${SHOWN}`;

const ACTIONS = `
SELECT n, body FROM operator_action WHERE target_kind = 'member'
  AND target_id IN (SELECT id::text FROM member WHERE family_id = ?) ORDER BY n DESC LIMIT ${SHOWN}`;

const NOTES = `
SELECT t.id, t.noted_at AS at, o.name AS by, t.user_id AS "userId", t.text FROM member_note t JOIN manager o ON o.id = t.manager_id
WHERE t.family_id = ? ORDER BY t.id DESC LIMIT ${SHOWN}`;
