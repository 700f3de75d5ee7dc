import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { changeChannel } from '@yiqiao/contracts/plans';
import { CHANNEL_CODES } from '@yiqiao/domain/channels';
import type { Entry } from '@yiqiao/domain/ledger';
import { DAY_MS } from '@yiqiao/domain/limits';
import { GrantInviteReward } from '../../src/auth/grant-invite-reward.js';
import { auditLedger, type AuditOptions } from '../../src/ledger/audit/audit.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { UsageRollUp } from '../../src/ledger/usage/usage-roll-up.js';
import { ExecuteRefund, StartRefund } from '../../src/orders/orders.js';
import { Plans } from '../../src/plans/plans.js';
import { uuid7 } from '../../src/platform/uuid7.js';
import { startApi, type TestApi } from './api.js';
import { adjust, buyPackage, makeMain, makeSub } from './family.js';
import { entryAfter, tamper, rewrite, withoutTriggers } from './tamperer.js';
import { usage } from './ledger-fixture.js';
import { giveReason } from './operator.js';
import type { TestMember } from './test-members.js';
import { onlyGateway, openOrder, orderOf, paymentFor, settle, STANDARD } from './orders.js';
import { FakeGateway } from './fake-gateway.js';

export const CHATGPT = 7;

/** Members by their history. */
const MEMBERS = [
  'translator',
  'stranger',
  'buyer',
  'refunded',
  'main',
  'sub',
  'adjusted',
  'granted',
  'converted',
  'invited',
] as const;
type Members = Record<(typeof MEMBERS)[number], number>;

/** An application with every kind of entry that can be confirmed, without any difference, and superuser access to its database. */
export class TamperFixture {
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), 'tamper-'));
  readonly #gateway: FakeGateway;
  readonly api: TestApi;
  readonly members = Object.fromEntries(MEMBERS.map((name) => [name, 0])) as Members;
  /** Of the buyer, and of the member whose order was refunded. */
  readonly orders = { paid: 0, refunded: 0 };
  /** The tables with their columns, but for generated ones; schema `kept` has copies of them. */
  #tables: { name: string; columns: string }[] = [];

  private constructor(gateway: FakeGateway, api: TestApi) {
    this.#gateway = gateway;
    this.api = api;
  }

  static async open(extra: Record<string, string> = {}): Promise<TamperFixture> {
    const gateway = await FakeGateway.open();
    const fixture = new TamperFixture(gateway, await startApi({ ...onlyGateway(gateway.env), ...extra }));
    await fixture.#fill();
    await fixture.keep();
    expect(await fixture.audited()).toEqual([]);
    return fixture;
  }

  async close(): Promise<void> {
    await this.api.stop();
    this.#gateway.close();
    rmSync(this.#folder, { recursive: true });
  }

  async #fill(): Promise<void> {
    const { api, members, orders } = this;
    for (const code of CHANNEL_CODES)
      api.app.get(Plans).announce(code, () => Promise.resolve({ available: true, reason: null }));
    const make = async (name: keyof Members): Promise<TestMember> => {
      const person = await makeMain(api);
      members[name] = person.session.userId;
      return person;
    };
    await make('translator');
    for (const codePoints of [10, 20, 30]) await this.translate(members.translator, codePoints);
    await api.app.get(UsageRollUp, { strict: false }).catchUp(members.translator);
    await make('stranger');
    orders.paid = await this.#buy(await make('buyer'));
    orders.refunded = await this.#buy(await make('refunded'));
    const { paidBy } = await orderOf(api, orders.refunded);
    const managerId = await giveReason(api.db, { cmdId: uuid7(), userId: members.refunded });
    await api.app.get(CommandBus).execute(new StartRefund(paidBy ?? 0, { managerId, reason: 'a test' }));
    expect(await api.app.get(CommandBus).execute(new ExecuteRefund(paidBy ?? 0))).toBe('done');
    members.sub = (await makeSub(api, await make('main'), 1_000)).session.userId;
    await adjust(api, (await make('adjusted')).session.userId, { charChange: 500 });
    await buyPackage(api, await make('granted'), STANDARD, 2);
    await (await make('converted')).client.call(changeChannel, { targetChannelId: CHATGPT });
    await make('invited');
    await api.db.query('UPDATE member SET inviter_id = $2 WHERE id = $1', [members.invited, members.stranger]);
    await api.app.get(CommandBus).execute(new GrantInviteReward(members.invited));
  }

  async translate(userId: number, codePoints: number): Promise<void> {
    const ledger = this.api.app.get(Ledger, { strict: false });
    const to = { id: uuid7(), userId, familyId: userId };
    await ledger.hold({ ...to, ask: { kind: 'text', codePoints } });
    await ledger.settle({ ...to, usage });
  }

  async #buy(who: TestMember): Promise<number> {
    const id = await openOrder(this.api, who, { payChannel: 'ALI_NATIVE' });
    const { no, amount } = await orderOf(this.api, id);
    this.#gateway.pay(no, amount);
    const payment = await paymentFor(this.api, id, { tradeNo: this.tradeNoOf(no) });
    expect(await settle(this.api, payment)).toBe('credit');
    return id;
  }

  /** Counts the usage of every account, as the job does. */
  async rollUp(): Promise<void> {
    const usage = this.api.app.get(UsageRollUp, { strict: false });
    for (const userId of Object.values(this.members)) await usage.catchUp(userId);
  }

  /** Remembers everything, for `restore`. */
  async keep(): Promise<void> {
    const { rows } = await this.api.db.query<{ name: string; columns: string }>(
      `SELECT quote_ident(c.table_name) AS name, string_agg(quote_ident(column_name), ', ') AS columns
       FROM information_schema.columns c JOIN pg_tables t ON t.schemaname = c.table_schema AND t.tablename = c.table_name
       WHERE t.schemaname = 'public' AND t.tablename <> 'mikro_orm_migrations' AND is_generated = 'NEVER' GROUP BY 1`,
    );
    this.#tables = rows;
    const kept = rows.map(({ name, columns }) => `CREATE TABLE kept.${name} AS SELECT ${columns} FROM ${name}`);
    await this.api.db.query(`DROP SCHEMA IF EXISTS kept CASCADE; CREATE SCHEMA kept; ${kept.join('; ')}`);
  }

  /** Restores everything as it was kept last. */
  restore(): Promise<void> {
    return this.sql(
      this.#tables
        .map(
          ({ name, columns }) =>
            `DELETE FROM ${name}; INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM kept.${name}`,
        )
        .join('; '),
    );
  }

  /** The gateway's number of the payment of this order. */
  tradeNoOf(no: string): string {
    return this.#gateway.tradeNoOf(no);
  }

  /** A statement file of Alipay about the paid order. */
  async statement(): Promise<string> {
    const { no } = await orderOf(this.api, this.orders.paid);
    const file = path.join(this.#folder, 'alipay.csv');
    const lines = [
      '#支付宝业务明细查询',
      '支付宝交易号,商户订单号,业务类型,完成时间,订单金额（元）,退款批次号/请求号',
      `${this.tradeNoOf(no)}\t,${no}\t,交易,2026-11-21 10:00:00,88.00,\t`,
      '#----业务明细列表结束----',
      '#交易合计：1笔，商家实收共88.00元',
      '#退款合计：0笔，商家实收退款共0.00元',
      '',
    ];
    writeFileSync(file, lines.join('\r\n'));
    return file;
  }

  /** Every difference of the audit, as `user#seq field`, with consequences after their cause. */
  async audited(options: AuditOptions = {}): Promise<string[]> {
    const { findings } = await auditLedger(this.api.db, options);
    return findings.flatMap((finding) =>
      [finding, ...finding.consequences].map(({ userId, seq, field }) => `${userId}#${seq} ${field}`),
    );
  }

  /** With triggers and foreign keys off. */
  sql(text: string): Promise<void> {
    return withoutTriggers(this.api.db, (client) => client.query(text));
  }

  /** Adds an entry to an account, with a consistent chain and balance. */
  add(userId: number, change: (last: Entry) => Partial<Entry>): Promise<void> {
    return rewrite(this.api.db, userId, (entries) => {
      const last = entries.at(-1);
      return last ? [...entries, entryAfter(last, change(last))] : [];
    });
  }

  drop(userId: number, which: (entry: Entry) => boolean): Promise<void> {
    return rewrite(this.api.db, userId, (entries) => entries.filter((entry) => !which(entry)));
  }

  /** Alters an entry, with everything that follows from it. */
  tamper(userId: number, seq: number, alter: (entry: Entry) => void): Promise<void> {
    return tamper(this.api.db, { userId, seq }, alter);
  }
}

/** The recharge of a standard plan after `last`. */
export const rechargeAfter = (last: Entry, orderId: number | null): Partial<Entry> => ({
  type: 'RECHARGE_ORDER_BY_MEMBER_GROUP',
  charChange: 2_000_000,
  voiceChange: 60,
  imageChange: 60,
  amount: 8_800,
  orderId,
  memberGroupId: STANDARD,
  rechargeTranChannelId: last.lastTranChannelId,
  rechargeBillingMode: 'char',
  lastExpireAt: (last.lastExpireAt ?? 0) + 30 * DAY_MS,
});
