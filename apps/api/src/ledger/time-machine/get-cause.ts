import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { getCause } from '@yiqiao/contracts/operator/accounts';
import { Refusal } from '@yiqiao/domain/errors';
import { billingModeOf, ENTRY_TYPES, entryTypeOf, type EntryType } from '@yiqiao/domain/ledger';
import { clientTypeOf } from '@yiqiao/domain/members';
import type { PayStatus } from '@yiqiao/domain/orders';
import { Clock } from '../../platform/clock.js';
import { commandIdOf } from '../../platform/command-id.js';
import { readRows } from '../log/account-log-rows.js';
import { priceAtSql } from '../rows/price-at.js';
import { LINE_OK } from '../writer/batch-writes.js';
import { commandEntries, type CommandEntries } from './command-entries.js';
import { clientOf, handOf, HANDS, type Hands } from './list-entries.js';
import { nameColumns, shownName, type Named } from './names.js';
import { momentOf } from './read-states.js';

type Cause = Answer<typeof getCause>;
type Order = NonNullable<Cause['order']>;
type Translation = NonNullable<Cause['translation']>;

export class GetCause extends Query<Cause> {
  constructor(
    readonly entryId: number,
    readonly language: Language,
  ) {
    super();
  }
}

/** Everything that stands behind one entry, by keys alone (operators §6). */
@QueryHandler(GetCause)
export class GetCauseHandler implements IQueryHandler<GetCause> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute({ entryId, language }: GetCause): Promise<Cause> {
    const em = this.em.fork();
    const [entry] = await em.execute<Row[]>(entryRow(language), [entryId]);
    if (!entry) throw new Refusal('NOT_FOUND');
    const { userId, seq, cmdId, mainName } = entry;
    const [row] = await readRows(em, { userId, language, condition: 'seq = ?', parameters: [seq] }, this.clock);
    if (!row) throw new Refusal('NOT_FOUND');
    const entries = await commandEntries(em, cmdId, { language, clock: this.clock });
    const translation = await this.#translation(em, { entry, entries }, language);
    const action = await this.#action(em, cmdId);
    const hand = handOf(entry);
    const names = { member: shownName(entry, language), main: mainName, operator: row.managerName, system: null };
    return {
      userId,
      seq,
      moment: momentOf(this.clock, entry.ms),
      logType: entryTypeOf(entry.type) ?? (`unknown type ${entry.type}` as EntryType),
      cmdId,
      words: row.explanation,
      who: {
        hand,
        name: hand === 'main' && userId === entry.familyId ? names.member : names[hand],
        clientType: clientOf(entry.client),
      },
      entries,
      order: entry.orderId === null ? null : await this.#order(em, entry.orderId, language),
      translation,
      conversion: CONVERSIONS.includes(entry.type)
        ? {
            channelBefore: entry.channelBefore,
            channelAfter: entry.channelAfter,
            priceBefore: entry.priceBefore,
            priceAfter: entry.priceAfter,
            modeBefore: billingModeOf(entry.modeBefore) ?? 'char',
            modeAfter: billingModeOf(entry.modeAfter) ?? 'char',
          }
        : null,
      action,
    };
  }

  #wire(ms: number): string {
    return this.clock.toWire(new Date(ms));
  }

  async #order(em: EntityManager, orderId: number, language: Language): Promise<Order | null> {
    const [order] = await em.execute<OrderRow[]>(ORDER(language), [orderId]);
    if (!order) return null;
    const payments = await em.execute<PaymentRow[]>(PAYMENTS, [orderId]);
    const messages = await em.execute<MessageRow[]>(MESSAGES, [order.no]);
    const { createdAt, paidAt, ...rest } = order;
    return {
      ...rest,
      createDateTime: this.#wire(createdAt),
      payDateTime: paidAt === null ? null : this.#wire(paidAt),
      payments: payments.map(({ at, ...payment }) => ({
        ...payment,
        payDateTime: at === null ? null : this.#wire(at),
      })),
      messages: messages.map(({ at, ...message }) => ({ ...message, receiveDateTime: this.#wire(at) })),
    };
  }

  /** The line under the entry's command. Of an automatic distribution that of the translation whose command its own was derived from. */
  async #translation(
    em: EntityManager,
    { entry, entries }: { entry: Row; entries: CommandEntries },
    language: Language,
  ): Promise<Translation | null> {
    const receiver = entry.isAuto ? entries.find(({ userId }) => userId !== entry.familyId) : undefined;
    const [line] = receiver
      ? (await em.execute<Line[]>(lines(language, AFTER), [receiver.userId, receiver.seq, receiver.seq + NEAR])).filter(
          ({ cmdId }) => commandIdOf(`auto-distribution:${cmdId}:${receiver.seq}`) === entry.cmdId,
        )
      : await em.execute<Line[]>(lines(language, 'l.cmd_id = ? AND l.user_id = ?'), [entry.cmdId, entry.userId]);
    if (!line) return null;
    const { status, kind, client, at, ...rest } = line;
    return {
      ...rest,
      succeeded: status === LINE_OK,
      kind: KIND_NAMES[kind - 1] ?? 'text',
      clientType: clientTypeOf(client),
      createDateTime: this.#wire(at),
    };
  }

  async #action(em: EntityManager, cmdId: string): Promise<Cause['action']> {
    const [row] = await em.execute<ActionRow[]>(ACTION, [cmdId, cmdId]);
    if (!row) return null;
    const { at, ...action } = row;
    return { ...action, doneAt: this.#wire(at) };
  }
}

type Row = Hands &
  Named & {
    familyId: number;
    seq: number;
    ms: number;
    cmdId: string;
    orderId: number | null;
    mainName: string | null;
    client: number | null;
    channelBefore: string | null;
    channelAfter: string | null;
    priceBefore: number | null;
    priceAfter: number | null;
    modeBefore: number;
    modeAfter: number;
  };
type OrderRow = Omit<Order, 'createDateTime' | 'payDateTime' | 'payments' | 'messages' | 'payStatus'> & {
  payStatus: PayStatus;
  createdAt: number;
  paidAt: number | null;
};
type PaymentRow = Omit<Order['payments'][number], 'payDateTime'> & { at: number | null };
type MessageRow = Omit<Order['messages'][number], 'receiveDateTime'> & { at: number };
type Line = Omit<Translation, 'succeeded' | 'kind' | 'clientType' | 'createDateTime'> & {
  status: number;
  kind: number;
  client: number;
  at: number;
};
type ActionRow = Omit<NonNullable<Cause['action']>, 'doneAt'> & { at: number };

const CONVERSIONS: readonly number[] = [ENTRY_TYPES.MATRIX.code, ENTRY_TYPES.SYS_MATRIX.code];
const KIND_NAMES = ['text', 'voice', 'image'] as const;
/** A translation is charged within so many entries of the distribution that it waited for. */
const NEAR = 200;

const ms = (column: string): string => `(date_part('epoch', ${column}) * 1000)::bigint`;

const entryRow = (language: Language): string => {
  const name = language === 'en' ? 'en_name' : 'name';
  const channel = (id: string): string => `(SELECT ${name} FROM tran_channel WHERE id = ${id})`;
  return `
SELECT e.user_id AS "userId", e.family_id AS "familyId", e.seq, ${ms('e.created_at')} AS ms, e.cmd_id AS "cmdId", e.order_id AS "orderId",
  ${HANDS}, ${nameColumns('e.user_id')},
  (SELECT coalesce(nickname, (SELECT shown FROM identity WHERE user_id = e.family_id AND kind = 'username')) FROM member
    WHERE id = e.family_id) AS "mainName",
  (SELECT client_type FROM translation_log l WHERE l.cmd_id = e.cmd_id AND l.user_id = e.user_id) AS client,
  ${channel('e.before_tran_channel_id')} AS "channelBefore", ${channel('e.last_tran_channel_id')} AS "channelAfter",
  ${priceAtSql('e.before_tran_channel_id', 'e.created_at')} AS "priceBefore",
  ${priceAtSql('e.last_tran_channel_id', 'e.created_at')} AS "priceAfter",
  e.before_billing_mode AS "modeBefore", e.last_billing_mode AS "modeAfter"
FROM account_log e WHERE e.id = ?`;
};

const ORDER = (language: Language): string => `
SELECT no, ${language === 'en' ? 'group_en_name' : 'group_name'} AS plan, pay_status AS "payStatus", amount, ${ms('created_at')} AS "createdAt",
  ${ms('paid_at')} AS "paidAt"
FROM recharge_order WHERE id = ?`;

const PAYMENTS = `
SELECT gateway, trade_no AS "tradeNo", amount, verdict, seen_by AS "seenBy", refund_state AS "refundState", ${ms('paid_at')} AS at
FROM payment WHERE order_id = ? ORDER BY id LIMIT 20`;

const MESSAGES = `
SELECT gateway, genuine, outcome, times, ${ms('received_at')} AS at FROM pay_notification WHERE order_no = ? ORDER BY id LIMIT 20`;

// The lines of an account's next entries, by their keys.
const AFTER = `(l.cmd_id, l.user_id) IN (SELECT cmd_id, user_id FROM account_log WHERE user_id = ? AND seq > ? AND seq <= ?)`;

const lines = (language: Language, condition: string): string => `
SELECT l.user_id AS "userId", l.entry_seq AS seq, l.cmd_id AS "cmdId", l.status, l.charged, l.word_count AS "wordCount", l.kind,
  (SELECT ${language === 'en' ? 'en_name' : 'name'} FROM tran_channel WHERE id = l.tran_channel_id) AS channel, l.client_type AS client,
  l.source_lang AS "sourceLanguage", l.target_lang AS "targetLanguage", ${ms('l.created_at')} AS at
FROM translation_log l WHERE ${condition}`;

const ACTION = `
SELECT coalesce(m.name, o.actor) AS operator, coalesce(a.reason, o.body::jsonb ->> 'reason') AS reason,
  ${ms('coalesce(a.done_at, o.done_at)')} AS at, o.n, o.action, (o.body::jsonb ->> 'approvalId')::bigint AS "approvalId"
FROM (SELECT 1) AS one
LEFT JOIN (SELECT * FROM manager_action WHERE cmd_id = ?) a ON true
LEFT JOIN (SELECT * FROM operator_action WHERE cmd_id = ? ORDER BY n LIMIT 1) o ON true
LEFT JOIN manager m ON m.id = a.manager_id
WHERE a.cmd_id IS NOT NULL OR o.n IS NOT NULL`;
