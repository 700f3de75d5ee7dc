/**
 * What somebody can do who writes the database as its superuser, with triggers off and every chain made to fit, and who names it: the audit,
 * the comparison with the gateways, or their statements. What nothing inside the database can name is marked as failing, with what will.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { changeChannel } from '@yiqiao/contracts/plans';
import { CHANNEL_CODES } from '@yiqiao/domain/channels';
import type { Entry } from '@yiqiao/domain/ledger';
import { DAY_MS } from '@yiqiao/domain/limits';
import { GrantInviteReward } from '../src/auth/grant-invite-reward.js';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { Ledger } from '../src/ledger/ledger.js';
import { UsageRollUp } from '../src/ledger/usage/usage-roll-up.js';
import { paymentsReconcile } from '../src/operator/payments-reconcile.js';
import { CarryOutRefund, StartRefund } from '../src/orders/orders.js';
import { Plans } from '../src/plans/plans.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { adjust } from './support/adjust.js';
import { startApi, type TestApi } from './support/api.js';
import { buyPackage, makeMain, makeSub } from './support/family.js';
import { entryAfter, forge, rewrite, unbound } from './support/forger.js';
import { usage } from './support/ledger.js';
import { giveReason } from './support/operator.js';
import type { Person } from './support/people.js';
import { onlyGateway, openOrder, orderOf, paymentFor, settle, STANDARD } from './support/shop.js';
import { ShopGateway } from './support/shop-gateway.js';

const CHATGPT = 7;
const CLOSE = 'the signed daily close';
const ACTIONS = 'the chain of the action log';

let gateway: ShopGateway;
let api: TestApi;
const folder = mkdtempSync(path.join(os.tmpdir(), 'tamper-'));
/** Tables and what was in them. */
let tables: string[];
let statement: string;
/** Members by what they have done. */
let translator: number;
let stranger: number;
let buyer: number;
let order: number;
let refunded: number;
let refundedOrder: number;
let main: number;
let sub: number;
let adjusted: number;
let granted: number;
let converted: number;
let invited: number;

beforeAll(async () => {
  gateway = await ShopGateway.open();
  api = await startApi(onlyGateway(gateway.env));
  for (const code of CHANNEL_CODES)
    api.app.get(Plans).announce(code, () => Promise.resolve({ available: true, reason: null }));
  const make = async (): Promise<[Person, number]> => {
    const person = await makeMain(api);
    return [person, person.session.userId];
  };
  [, translator] = await make();
  for (const codePoints of [10, 20, 30]) await translate(translator, codePoints);
  await api.app.get(UsageRollUp, { strict: false }).catchUp(translator);
  [, stranger] = await make();
  let person: Person;
  [person, buyer] = await make();
  order = await buy(person);
  [person, refunded] = await make();
  refundedOrder = await buy(person);
  const { paidBy } = await orderOf(api, refundedOrder);
  const managerId = await giveReason(api.db, { cmdId: uuid7(), userId: refunded });
  await api.app.get(CommandBus).execute(new StartRefund(paidBy ?? 0, { managerId, reason: 'a test' }));
  expect(await api.app.get(CommandBus).execute(new CarryOutRefund(paidBy ?? 0))).toBe('done');
  [person, main] = await make();
  sub = (await makeSub(api, person, 1_000)).session.userId;
  [person, adjusted] = await make();
  await adjust(api, person, { charChange: 500 });
  [person, granted] = await make();
  await buyPackage(api, person, STANDARD, 2);
  [person, converted] = await make();
  await person.client.call(changeChannel, { targetChannelId: CHATGPT });
  [, invited] = await make();
  await api.db.query('UPDATE member SET inviter_id = $2 WHERE id = $1', [invited, stranger]);
  await api.app.get(CommandBus).execute(new GrantInviteReward(invited));
  const { rows } = await api.db.query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'mikro_orm_migrations'`,
  );
  tables = rows.map(({ name }) => name);
  await api.db.query(`CREATE SCHEMA kept; ${tables.map((t) => `CREATE TABLE kept.${t} AS TABLE ${t}`).join('; ')}`);
  statement = path.join(folder, 'alipay.csv');
  writeFileSync(statement, await statementOf(order));
  expect(await audited()).toEqual([]);
});
/** Makes all as it was. */
const restore = (): Promise<void> =>
  sql(
    tables.map((t) => `DELETE FROM ${t}; INSERT INTO ${t} OVERRIDING SYSTEM VALUE SELECT * FROM kept.${t}`).join('; '),
  );
afterEach(restore);
afterAll(async () => {
  await api.stop();
  gateway.close();
  rmSync(folder, { recursive: true });
});

async function translate(userId: number, codePoints: number): Promise<void> {
  const ledger = api.app.get(Ledger, { strict: false });
  const to = { id: uuid7(), userId, familyId: userId };
  await ledger.hold({ ...to, ask: { kind: 'text', codePoints } });
  await ledger.settle({ ...to, usage });
}

async function buy(who: Person): Promise<number> {
  const id = await openOrder(api, who, { payChannel: 'ALI_NATIVE' });
  const { no, amount } = await orderOf(api, id);
  gateway.pay(no, amount);
  expect(await settle(api, await paymentFor(api, id, { tradeNo: gateway.tradeNoOf(no) }))).toBe('credit');
  return id;
}

/** What Alipay's pages give out about one order. */
async function statementOf(id: number): Promise<string> {
  const { no } = await orderOf(api, id);
  return [
    '#支付宝业务明细查询',
    '支付宝交易号,商户订单号,业务类型,完成时间,订单金额（元）,退款批次号/请求号',
    `${gateway.tradeNoOf(no)}\t,${no}\t,交易,2026-11-21 10:00:00,88.00,\t`,
    '#----业务明细列表结束----',
    '#交易合计：1笔，商家实收共88.00元',
    '#退款合计：0笔，商家实收退款共0.00元',
    '',
  ].join('\r\n');
}

/** Every difference that the audit names: whose, at which entry, what. Consequences stand with their cause. */
async function audited(): Promise<string[]> {
  const { findings } = await auditLedger(api.db);
  return findings.flatMap((finding) =>
    [finding, ...finding.consequences].map(({ userId, seq, field }) => `${userId}#${seq} ${field}`),
  );
}

/** What `payments reconcile` says. */
async function reconciled(...args: string[]): Promise<string> {
  const lines: string[] = [];
  const work = paymentsReconcile(args);
  await work({ app: api.app, language: 'en', say: (line) => void lines.push(line) }).catch((error: Error) =>
    lines.push(error.message),
  );
  return lines.join('\n');
}

const sql = (text: string): Promise<void> => unbound(api.db, (client) => client.query(text));
/** Adds an entry to an account, and whatever its chain and balance need. */
const add = (userId: number, change: (last: Entry) => Partial<Entry>): Promise<void> =>
  rewrite(api.db, userId, (entries) => {
    const last = entries.at(-1);
    return last ? [...entries, entryAfter(last, change(last))] : [];
  });
const drop = (userId: number, which: (entry: Entry) => boolean): Promise<void> =>
  rewrite(api.db, userId, (entries) => entries.filter((entry) => !which(entry)));

type Attack = [attack: string, harm: () => Promise<unknown>, who: () => number, said: RegExp];

const ENTRIES: Attack[] = [
  [
    'one digit of an entry',
    () => sql(`UPDATE account_log SET used_char_num = used_char_num - 1 WHERE user_id = ${translator} AND seq = 3`),
    () => translator,
    /#3 hash/,
  ],
  [
    'an entry deleted',
    () => sql(`DELETE FROM account_log WHERE user_id = ${translator} AND seq = 3`),
    () => translator,
    /#4 seq/,
  ],
  [
    'two entries swapped',
    () =>
      sql(
        [
          [2, 99],
          [3, 2],
          [99, 3],
        ]
          .map(([from, to]) => `UPDATE account_log SET seq = ${to} WHERE user_id = ${translator} AND seq = ${from}`)
          .join('; '),
      ),
    () => translator,
    /#2 beforeCharNum/,
  ],
  [
    'an entry moved to another account',
    () => sql(`UPDATE account_log SET user_id = ${stranger}, seq = 2 WHERE user_id = ${translator} AND seq = 4`),
    () => stranger,
    /#2 /,
  ],
  ...(
    [
      ['the balance', 'usable_char_num = usable_char_num + 1', /balance row: charNum/],
      ['the expiry', "expire_at = expire_at + interval '1 day'", /balance row: expireAt/],
      ['the used total', 'used_char_total = used_char_total - 1', /balance row: usedCharTotal/],
    ] as const
  ).map(([what, set, said]): Attack => [
    `${what} in the account row`,
    () => sql(`UPDATE member_account SET ${set} WHERE user_id = ${translator}`),
    () => translator,
    said,
  ]),
  [
    'a charge lowered, with a rewritten chain',
    () => forge(api.db, { userId: translator, seq: 3 }, (entry) => void (entry.charChange = -1)),
    () => translator,
    /#3 charge of the translation/,
  ],
  [
    'an adjustment forged without its action row',
    () => add(stranger, () => ({ type: 'SYS_ADJUST', charChange: 1_000_000, managerId: 1 })),
    () => stranger,
    /#2 reason of the adjustment/,
  ],
  [
    'a forged invite reward',
    () => add(stranger, () => ({ type: 'INVITE_REWARD', charChange: 10_000_000 })),
    () => stranger,
    /#2 INVITE_REWARD: charChange/,
  ],
  [
    'a forged invite reward of the right amount',
    () => add(stranger, () => ({ type: 'INVITE_REWARD', charChange: 10_000 })),
    () => stranger,
    /#2 gift of the mailbox \(invite\)/,
  ],
  [
    'a forged trial gift',
    () =>
      add(stranger, ({ createdAt }) => {
        return { type: 'OTHER', charChange: 5_000, memberGroupId: 1, lastExpireAt: createdAt + 90 * DAY_MS };
      }),
    () => stranger,
    /#2 OTHER: /,
  ],
  [
    'an OTHER that changes channel and mode',
    () => add(stranger, () => ({ type: 'OTHER', lastTranChannelId: CHATGPT, lastBillingMode: 'time' })),
    () => stranger,
    /#2 OTHER: /,
  ],
  [
    'a consumption that prolongs the expiry',
    () =>
      forge(api.db, { userId: translator, seq: 3 }, (entry) => void (entry.lastExpireAt = Date.now() + 900 * DAY_MS)),
    () => translator,
    /#3 TRANSLATION_CONSUME: what it changes/,
  ],
  [
    'the tail dropped and the balance mended',
    () => drop(translator, ({ seq }) => seq === 4),
    () => translator,
    /#4 entry of a translation/,
  ],
  [
    'a sub-account rolled back past a distribution',
    () => drop(sub, ({ type }) => type === 'DISTRIBUTION'),
    () => main,
    /other side of the movement/,
  ],
  [
    'one side of a distribution',
    () => forge(api.db, { userId: sub, seq: 1 }, (entry) => void (entry.charChange += 900)),
    () => main,
    /other side of the movement .*charChange/,
  ],
  [
    'a trial gift removed, its row left',
    () => forge(api.db, { userId: stranger, seq: 1 }, (e) => void (e.charChange = e.voiceChange = e.imageChange = 0)),
    () => stranger,
    /entry of the gift \(trial\)/,
  ],
  [
    'an invite reward removed, its row left',
    () => drop(invited, ({ type }) => type === 'INVITE_REWARD'),
    () => invited,
    /entry of the gift \(invite\)/,
  ],
  [
    'a member deleted, of whom rows remain',
    () =>
      sql(`DELETE FROM account_log WHERE user_id = ${stranger}; DELETE FROM member_account WHERE user_id = ${stranger};
      DELETE FROM member WHERE id = ${stranger}`),
    () => stranger,
    /user_id of |family_id of /,
  ],
  [
    'the account row of a member without orders deleted',
    () => sql(`DELETE FROM member_account WHERE user_id = ${stranger}`),
    () => stranger,
    /account/,
  ],
  [
    'the account row and the entries of a member without orders deleted',
    () =>
      sql(
        `DELETE FROM account_log WHERE user_id = ${stranger}; DELETE FROM member_account WHERE user_id = ${stranger}`,
      ),
    () => stranger,
    /account of the member/,
  ],
  [
    'the wrong result of a conversion',
    () => forge(api.db, { userId: converted, seq: 2 }, (entry) => void (entry.charChange += 100)),
    () => converted,
    /#2 MATRIX by the prices of its moment: charChange/,
  ],
  [
    'a conversion for a purchase that was never made',
    () => add(stranger, () => ({ type: 'SYS_MATRIX', lastTranChannelId: 2 })),
    () => stranger,
    /#2 SYS_MATRIX: purchase that it is for/,
  ],
  [
    'a plan given away that brings more than it holds',
    () => forge(api.db, { userId: granted, seq: 2 }, (entry) => void (entry.charChange += 1)),
    () => granted,
    /#2 grant of plan 2 × 2: charChange/,
  ],
  [
    'the usage roll-up of a member',
    () => sql(`UPDATE usage_day SET char_num = char_num - 5 WHERE user_id = ${translator}`),
    () => translator,
    /usage of \S+: characters/,
  ],
  [
    'the usage roll-up of a family',
    () => sql(`UPDATE family_usage_day SET char_num = char_num - 5 WHERE family_id = ${translator}`),
    () => translator,
    /usage of the family/,
  ],
];

const recharge = (last: Entry, orderId: number | null): Partial<Entry> => ({
  ...{ type: 'RECHARGE_ORDER_BY_MEMBER_GROUP', charChange: 2_000_000, voiceChange: 60, imageChange: 60, amount: 8_800 },
  ...{ orderId, memberGroupId: STANDARD, rechargeTranChannelId: last.lastTranChannelId, rechargeBillingMode: 'char' },
  lastExpireAt: (last.lastExpireAt ?? 0) + 30 * DAY_MS,
});

const MONEY: Attack[] = [
  [
    'a recharge without order',
    () => add(stranger, (last) => recharge(last, null)),
    () => stranger,
    /#2 RECHARGE_ORDER_BY_MEMBER_GROUP: what it lacks/,
  ],
  [
    'a recharge of an order that is not there',
    () => add(stranger, (last) => recharge(last, 999_999)),
    () => stranger,
    /#2 order 999999 of the entry/,
  ],
  [
    'the amount of an order',
    () => sql(`UPDATE recharge_order SET sale_price = 1, amount = 1 WHERE id = ${order}`),
    () => buyer,
    /recharge: amount/,
  ],
  [
    'the status of an order',
    () => sql(`UPDATE recharge_order SET pay_status = 'C', paid_at = NULL, paid_by = NULL WHERE id = ${order}`),
    () => buyer,
    /recharges of an order that is C/,
  ],
  [
    'the amount of a payment',
    () => sql(`UPDATE payment SET amount = 1 WHERE order_id = ${order}`),
    () => buyer,
    /payment alipay \S+: amount/,
  ],
  [
    'a payment marked as refunded',
    () =>
      sql(`UPDATE payment SET refund_state = 'done', refund_no = 'RF1', refund_cmd = gen_random_uuid(), refund_amount = amount,
      refund_manager_id = 1, refund_reason = '', refunded_at = now() WHERE order_id = ${order}`),
    () => buyer,
    /taken back for a refund that is done/,
  ],
];

describe('the audit names', () => {
  it.each([...ENTRIES, ...MONEY])('%s', async (_, harm, who, said) => {
    await harm();
    const found = await audited();
    expect(found.filter((line) => line.startsWith(`${who()}#`)).join('\n')).toMatch(said);
  });

  it('each of 25 altered payments, and not the first alone', async () => {
    const COPIES = 25;
    const ids = Array.from({ length: COPIES }, (_, i) => 900_000 + i);
    await sql(
      ids
        .map(
          (
            id,
          ) => `INSERT INTO payment OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(p, jsonb_build_object('id', ${id},
            'trade_no', 'T${id}', 'order_id', ${id}, 'verdict', 'double', 'amount', 1))).* FROM payment p WHERE order_id = ${order}`,
        )
        .join('; '),
    );
    const found = await audited();
    for (const id of ids) expect(found.join('\n')).toContain(`order ${id} of payment alipay T${id}`);
  });
});

describe('payments reconcile names', () => {
  it('nothing while all is as it was', async () => {
    expect(await reconciled()).toMatch(/All 2 orders agree/);
    expect(await reconciled('--statement', statement)).toMatch(/All agrees with the statements/);
  });

  it('a recharge with a forged order and payment', async () => {
    const id = 900_001;
    const copy = (table: string, but: string): string =>
      `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(t, jsonb_build_object(${but}))).* FROM ${table} t`;
    await sql(`${copy(
      'recharge_order',
      `'id', ${id}, 'no', 'YQ2026112100000000000001', 'user_id', ${stranger}, 'family_id', ${stranger},
        'paid_by', ${id}, 'pay_cmd', gen_random_uuid()`,
    )} WHERE id = ${order};
      ${copy('payment', `'id', ${id}, 'trade_no', 'FORGED', 'order_id', ${id}, 'family_id', ${stranger}`)} WHERE order_id = ${order}`);
    await add(stranger, (last) => recharge(last, id));
    expect(await reconciled()).toContain('YQ2026112100000000000001: paid here, the gateway says absent');
  });

  it('the amounts of an order, its payment and its recharge, all three together', async () => {
    const { no } = await orderOf(api, order);
    await sql(`UPDATE recharge_order SET sale_price = 17600, amount = 17600 WHERE id = ${order};
      UPDATE payment SET amount = 17600 WHERE order_id = ${order}`);
    await forge(api.db, { userId: buyer, seq: 2 }, (entry) => void (entry.amount = 17_600));
    expect((await audited()).join('\n')).toMatch(/snapshot: salePrice$/m);
    expect(await reconciled()).toContain(`${no}: the gateway has 88.00 yuan, the order says 176.00`);
  });

  it('a real refund that was erased', async () => {
    const { no } = await orderOf(api, refundedOrder);
    await sql(`UPDATE payment SET refund_state = NULL, refund_no = NULL, refund_cmd = NULL, refund_amount = NULL, refund_manager_id = NULL,
      refund_reason = NULL, refund_source = NULL, refunded_at = NULL, refund_answer = NULL WHERE order_id = ${refundedOrder}`);
    await drop(refunded, ({ type }) => type === 'SYS_ADJUST');
    expect(await reconciled()).toContain(`${no}: the gateway gave all of it back, 0.00 yuan are recorded here`);
  });
});

describe('the gateway’s statement names', () => {
  it('an order that was deleted with its payment and its recharge', async () => {
    const { no } = await orderOf(api, order);
    await drop(buyer, ({ orderId }) => orderId === order);
    await sql(`DELETE FROM payment WHERE order_id = ${order}; DELETE FROM recharge_order WHERE id = ${order}`);
    expect(await reconciled('--statement', statement)).toContain(no);
    expect(await reconciled('--statement', statement)).not.toContain('All agrees');
  });

  it('a trade number that was changed', async () => {
    const { no } = await orderOf(api, order);
    await sql(`UPDATE payment SET trade_no = 'ANOTHER' WHERE order_id = ${order}`);
    expect(await reconciled('--statement', statement)).toContain(gateway.tradeNoOf(no));
  });
});

/** Forged with every witness that the database has: an audit of the database alone finds it whole. */
const UNNAMED: [attack: string, namedBy: string, harm: () => Promise<unknown>][] = [
  [
    'a charge lowered with its line of the translation log',
    CLOSE,
    async () => {
      await forge(api.db, { userId: translator, seq: 3 }, (entry) => void (entry.charChange = -1));
      await sql(`UPDATE translation_log SET charged = 1 WHERE user_id = ${translator} AND entry_seq = 3`);
    },
  ],
  [
    'an adjustment forged with its action row',
    `${ACTIONS}, and ${CLOSE}`,
    async () => {
      const cmdId = uuid7();
      const managerId = await giveReason(api.db, { cmdId, userId: stranger });
      await add(stranger, () => ({ type: 'SYS_ADJUST', charChange: 1_000_000, managerId, cmdId }));
    },
  ],
  [
    'the tail dropped with its lines of the translation log and its usage',
    CLOSE,
    async () => {
      await drop(translator, ({ seq }) => seq === 4);
      await sql(`DELETE FROM translation_log WHERE user_id = ${translator} AND entry_seq = 4;
        UPDATE member_account SET usage_seq = 2 WHERE user_id = ${translator};
        UPDATE usage_mark SET rolled_seq = 3 WHERE user_id = ${translator};
        UPDATE usage_day SET char_num = char_num - 30 WHERE user_id = ${translator};
        UPDATE family_usage_day SET char_num = char_num - 30 WHERE family_id = ${translator}`);
    },
  ],
  [
    'both sides of a distribution',
    CLOSE,
    async () => {
      for (const userId of [main, sub]) await drop(userId, ({ type }) => type === 'DISTRIBUTION');
    },
  ],
  [
    'a trial gift removed with its row',
    CLOSE,
    async () => {
      await forge(api.db, { userId: stranger, seq: 1 }, (e) => void (e.charChange = e.voiceChange = e.imageChange = 0));
      await sql(`DELETE FROM mailbox_gift WHERE user_id = ${stranger}`);
    },
  ],
  [
    'an invite reward removed with its row',
    CLOSE,
    async () => {
      await drop(invited, ({ type }) => type === 'INVITE_REWARD');
      await sql(`DELETE FROM mailbox_gift WHERE user_id = ${invited} AND gift = 'invite'`);
    },
  ],
  [
    'a member deleted with every row that names it',
    CLOSE,
    async () => {
      const { rows } = await api.db.query<{ t: string; c: string }>(
        `SELECT quote_ident(c.table_name) AS t, c.column_name AS c FROM information_schema.columns c
         JOIN information_schema.tables t USING (table_schema, table_name) WHERE table_schema = 'public'
           AND t.table_type = 'BASE TABLE' AND column_name IN ('user_id', 'family_id')`,
      );
      await sql(`${rows.map(({ t, c }) => `DELETE FROM ${t} WHERE ${c} = ${adjusted}`).join('; ')};
        DELETE FROM member WHERE id = ${adjusted}`);
    },
  ],
  ['a reason reworded', ACTIONS, () => sql(`UPDATE manager_action SET reason = 'another' WHERE user_id = ${adjusted}`)],
  ['an operator renamed', ACTIONS, () => sql(`UPDATE manager SET name = 'somebody else' WHERE name = 'tester'`)],
];

describe('nothing inside the database names', () => {
  // Each passes when the witness that it waits for is there.
  it.failing.each(UNNAMED)('%s: that is for %s', async (_, _witness, harm) => {
    await harm();
    expect(await audited()).not.toEqual([]);
  });
});

it('the strongest forgeries really pass every check of today, so they wait for the right witness', async () => {
  for (const [attack, , harm] of UNNAMED) {
    await harm();
    expect([attack, await audited()]).toEqual([attack, []]);
    await restore();
  }
});
