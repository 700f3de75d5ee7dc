/**
 * Forgeries by a superuser that the audit of the database alone cannot detect, but the comparison with the gateways or their statements
 * can. Those that nothing detects yet are marked as failing, with the evidence that would.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { paymentsReconcile } from '../src/operator/payments-reconcile.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { giveReason } from './support/operator.js';
import { orderOf } from './support/orders.js';
import { rechargeAfter, TamperFixture } from './support/tamper-fixture.js';

const CLOSE = 'the signed daily close';
const ACTIONS = 'the chain of the action log';

let f: TamperFixture;
let statement: string;
beforeAll(async () => {
  f = await TamperFixture.open();
  statement = await f.statement();
});
afterEach(() => f.restore());
afterAll(() => f.close());

/** The output of `payments reconcile`. */
async function reconciled(...args: string[]): Promise<string> {
  const lines: string[] = [];
  const work = paymentsReconcile(args);
  await work({ app: await f.api.commandLine(), language: 'en', print: (line) => void lines.push(line) }).catch(
    (error: Error) => lines.push(error.message),
  );
  return lines.join('\n');
}

describe('payments reconcile detects', () => {
  it('nothing while nothing was altered', async () => {
    expect(await reconciled()).toMatch(/All 2 orders match/);
    expect(await reconciled('--statement', statement)).toMatch(/Everything matches the statements/);
  });

  it('a recharge with a forged order and payment', async () => {
    const id = 900_001;
    const copy = (table: string, but: string): string =>
      `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(t, jsonb_build_object(${but}))).* FROM ${table} t`;
    await f.sql(`${copy(
      'recharge_order',
      `'id', ${id}, 'no', 'YQ2026112100000000000001', 'user_id', ${f.members.stranger}, 'family_id', ${f.members.stranger},
        'paid_by', ${id}, 'pay_cmd', gen_random_uuid()`,
    )} WHERE id = ${f.orders.paid};
      ${copy('payment', `'id', ${id}, 'trade_no', 'FORGED', 'order_id', ${id}, 'family_id', ${f.members.stranger}`)} WHERE order_id = ${f.orders.paid}`);
    await f.add(f.members.stranger, (last) => rechargeAfter(last, id));
    expect(await reconciled()).toContain('YQ2026112100000000000001: paid here, the gateway says absent');
  });

  it('altered amounts of an order, its payment and its recharge together', async () => {
    const { no } = await orderOf(f.api, f.orders.paid);
    await f.sql(`UPDATE recharge_order SET sale_price = 17600, amount = 17600 WHERE id = ${f.orders.paid};
      UPDATE payment SET amount = 17600 WHERE order_id = ${f.orders.paid}`);
    await f.tamper(f.members.buyer, 2, (entry) => void (entry.amount = 17_600));
    expect((await f.audited()).join('\n')).toMatch(/snapshot: salePrice$/m);
    expect(await reconciled()).toContain(`${no}: the gateway has 88.00 yuan, the order says 176.00`);
  });

  it('an erased refund that the gateway did make', async () => {
    const { no } = await orderOf(f.api, f.orders.refunded);
    await f.sql(`UPDATE payment SET refund_state = NULL, refund_no = NULL, refund_cmd = NULL, refund_amount = NULL, refund_manager_id = NULL,
      refund_reason = NULL, refund_source = NULL, refunded_at = NULL, refund_answer = NULL WHERE order_id = ${f.orders.refunded}`);
    await f.drop(f.members.refunded, ({ type }) => type === 'SYS_ADJUST');
    expect(await reconciled()).toContain(`${no}: the gateway refunded all of it, 0.00 yuan are recorded here`);
  });
});

describe('the gateway’s statement reveals', () => {
  it('an order that was deleted with its payment and its recharge', async () => {
    const { no } = await orderOf(f.api, f.orders.paid);
    await f.drop(f.members.buyer, ({ orderId }) => orderId === f.orders.paid);
    await f.sql(
      `DELETE FROM payment WHERE order_id = ${f.orders.paid}; DELETE FROM recharge_order WHERE id = ${f.orders.paid}`,
    );
    expect(await reconciled('--statement', statement)).toContain(no);
    expect(await reconciled('--statement', statement)).not.toContain('Everything matches');
  });

  it('a changed trade number', async () => {
    const { no } = await orderOf(f.api, f.orders.paid);
    await f.sql(`UPDATE payment SET trade_no = 'ANOTHER' WHERE order_id = ${f.orders.paid}`);
    expect(await reconciled('--statement', statement)).toContain(f.tradeNoOf(no));
  });
});

/** Forged with every record in the database: an audit of the database alone passes. */
const UNNAMED: [attack: string, namedBy: string, tamper: () => Promise<unknown>][] = [
  [
    'a charge lowered with its line of the translation log',
    CLOSE,
    async () => {
      await f.tamper(f.members.translator, 3, (entry) => void (entry.charChange = -1));
      await f.sql(`UPDATE translation_log SET charged = 1 WHERE user_id = ${f.members.translator} AND entry_seq = 3`);
    },
  ],
  [
    'an adjustment forged with its action row',
    `${ACTIONS}, and ${CLOSE}`,
    async () => {
      const cmdId = uuid7();
      const managerId = await giveReason(f.api.db, { cmdId, userId: f.members.stranger });
      await f.add(f.members.stranger, () => ({ type: 'SYS_ADJUST', charChange: 1_000_000, managerId, cmdId }));
    },
  ],
  [
    'the tail dropped with its lines of the translation log and its usage',
    CLOSE,
    async () => {
      await f.drop(f.members.translator, ({ seq }) => seq === 4);
      await f.sql(`DELETE FROM translation_log WHERE user_id = ${f.members.translator} AND entry_seq = 4;
        UPDATE member_account SET usage_seq = 2 WHERE user_id = ${f.members.translator};
        UPDATE usage_mark SET rolled_seq = 3 WHERE user_id = ${f.members.translator};
        UPDATE usage_day SET char_num = char_num - 30 WHERE user_id = ${f.members.translator};
        UPDATE family_usage_day SET char_num = char_num - 30 WHERE family_id = ${f.members.translator}`);
    },
  ],
  [
    'both sides of a distribution',
    CLOSE,
    async () => {
      for (const userId of [f.members.main, f.members.sub]) await f.drop(userId, ({ type }) => type === 'DISTRIBUTION');
    },
  ],
  [
    'a trial gift removed with its row',
    CLOSE,
    async () => {
      await f.tamper(f.members.stranger, 1, (e) => void (e.charChange = e.voiceChange = e.imageChange = 0));
      await f.sql(`DELETE FROM mailbox_gift WHERE user_id = ${f.members.stranger}`);
    },
  ],
  [
    'an invite reward removed with its row',
    CLOSE,
    async () => {
      await f.drop(f.members.invited, ({ type }) => type === 'INVITE_REWARD');
      await f.sql(`DELETE FROM mailbox_gift WHERE user_id = ${f.members.invited} AND gift = 'invite'`);
    },
  ],
  [
    'a member deleted with every row that names it',
    CLOSE,
    async () => {
      const { rows } = await f.api.db.query<{ t: string; c: string }>(
        `SELECT quote_ident(c.table_name) AS t, c.column_name AS c FROM information_schema.columns c
         JOIN information_schema.tables t USING (table_schema, table_name) WHERE table_schema = 'public'
           AND t.table_type = 'BASE TABLE' AND column_name IN ('user_id', 'family_id')`,
      );
      await f.sql(`${rows.map(({ t, c }) => `DELETE FROM ${t} WHERE ${c} = ${f.members.adjusted}`).join('; ')};
        DELETE FROM member WHERE id = ${f.members.adjusted}`);
    },
  ],
  [
    'a reason reworded',
    ACTIONS,
    () => f.sql(`UPDATE manager_action SET reason = 'another' WHERE user_id = ${f.members.adjusted}`),
  ],
  ['an operator renamed', ACTIONS, () => f.sql(`UPDATE manager SET name = 'somebody else' WHERE name = 'tester'`)],
];

describe('nothing inside the database detects', () => {
  // Each passes once the evidence exists.
  it.failing.each(UNNAMED)('%s: that needs %s', async (_, _witness, tamper) => {
    await tamper();
    expect(await f.audited()).not.toEqual([]);
  });
});

it('the strongest forgeries, which pass every check and need an outside witness', async () => {
  for (const [attack, , tamper] of UNNAMED) {
    await tamper();
    expect([attack, await f.audited()]).toEqual([attack, []]);
    await f.restore();
  }
});
