/** Forgeries by a superuser, with triggers off and valid chains, that the audit detects. The others are in ledger-tamper-unnamed.e2e.ts. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '@yiqiao/domain/limits';
import { CHATGPT, rechargeAfter, TamperFixture } from './support/tamper-fixture.js';

let f: TamperFixture;
beforeAll(async () => {
  f = await TamperFixture.open();
});
afterEach(() => f.restore());
afterAll(() => f.close());

type Attack = [attack: string, tamper: () => Promise<unknown>, who: () => number, said: RegExp];

const ENTRIES: Attack[] = [
  [
    'one digit of an entry',
    () =>
      f.sql(
        `UPDATE account_log SET used_char_num = used_char_num - 1 WHERE user_id = ${f.members.translator} AND seq = 3`,
      ),
    () => f.members.translator,
    /#3 hash/,
  ],
  [
    'an entry deleted',
    () => f.sql(`DELETE FROM account_log WHERE user_id = ${f.members.translator} AND seq = 3`),
    () => f.members.translator,
    /#4 seq/,
  ],
  [
    'two entries swapped',
    () =>
      f.sql(
        [
          [2, 99],
          [3, 2],
          [99, 3],
        ]
          .map(
            ([from, to]) =>
              `UPDATE account_log SET seq = ${to} WHERE user_id = ${f.members.translator} AND seq = ${from}`,
          )
          .join('; '),
      ),
    () => f.members.translator,
    /#2 beforeCharNum/,
  ],
  [
    'an entry moved to another account',
    () =>
      f.sql(
        `UPDATE account_log SET user_id = ${f.members.stranger}, seq = 2 WHERE user_id = ${f.members.translator} AND seq = 4`,
      ),
    () => f.members.stranger,
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
    () => f.sql(`UPDATE member_account SET ${set} WHERE user_id = ${f.members.translator}`),
    () => f.members.translator,
    said,
  ]),
  [
    'a charge lowered, with a rewritten chain',
    () => f.tamper(f.members.translator, 3, (entry) => void (entry.charChange = -1)),
    () => f.members.translator,
    /#3 charge of the translation/,
  ],
  [
    'a billing mode that does not exist, where an entry has none',
    () => f.sql(`UPDATE account_log SET recharge_billing_mode = 3 WHERE user_id = ${f.members.translator} AND seq = 3`),
    () => f.members.translator,
    /#3 rechargeBillingMode/,
  ],
  [
    'an adjustment forged without its action row',
    () => f.add(f.members.stranger, () => ({ type: 'SYS_ADJUST', charChange: 1_000_000, managerId: 1 })),
    () => f.members.stranger,
    /#2 reason of the adjustment/,
  ],
  [
    'a forged invite reward',
    () => f.add(f.members.stranger, () => ({ type: 'INVITE_REWARD', charChange: 10_000_000 })),
    () => f.members.stranger,
    /#2 INVITE_REWARD: charChange/,
  ],
  [
    'a forged invite reward of the right amount',
    () => f.add(f.members.stranger, () => ({ type: 'INVITE_REWARD', charChange: 10_000 })),
    () => f.members.stranger,
    /#2 gift of the mailbox \(invite\)/,
  ],
  [
    'a forged trial gift',
    () =>
      f.add(f.members.stranger, ({ createdAt }) => {
        return { type: 'OTHER', charChange: 5_000, memberGroupId: 1, lastExpireAt: createdAt + 90 * DAY_MS };
      }),
    () => f.members.stranger,
    /#2 OTHER: /,
  ],
  [
    'an OTHER that changes channel and mode',
    () => f.add(f.members.stranger, () => ({ type: 'OTHER', lastTranChannelId: CHATGPT, lastBillingMode: 'time' })),
    () => f.members.stranger,
    /#2 OTHER: /,
  ],
  [
    'a consumption that prolongs the expiry',
    () => f.tamper(f.members.translator, 3, (entry) => void (entry.lastExpireAt = Date.now() + 900 * DAY_MS)),
    () => f.members.translator,
    /#3 TRANSLATION_CONSUME: what it changes/,
  ],
  [
    'the tail dropped and the balance mended',
    () => f.drop(f.members.translator, ({ seq }) => seq === 4),
    () => f.members.translator,
    /#4 entry of a translation/,
  ],
  [
    'a sub-account rolled back past a distribution',
    () => f.drop(f.members.sub, ({ type }) => type === 'DISTRIBUTION'),
    () => f.members.main,
    /other side of the movement/,
  ],
  [
    'one side of a distribution',
    () => f.tamper(f.members.sub, 1, (entry) => void (entry.charChange += 900)),
    () => f.members.main,
    /other side of the movement .*charChange/,
  ],
  [
    'a trial gift removed, its row left',
    () => f.tamper(f.members.stranger, 1, (e) => void (e.charChange = e.voiceChange = e.imageChange = 0)),
    () => f.members.stranger,
    /entry of the gift \(trial\)/,
  ],
  [
    'an invite reward removed, its row left',
    () => f.drop(f.members.invited, ({ type }) => type === 'INVITE_REWARD'),
    () => f.members.invited,
    /entry of the gift \(invite\)/,
  ],
  [
    'a member deleted, of whom rows remain',
    () =>
      f.sql(`DELETE FROM account_log WHERE user_id = ${f.members.stranger}; DELETE FROM member_account WHERE user_id = ${f.members.stranger};
      DELETE FROM member WHERE id = ${f.members.stranger}`),
    () => f.members.stranger,
    /user_id of |family_id of /,
  ],
  [
    'the account row of a member without orders deleted',
    () => f.sql(`DELETE FROM member_account WHERE user_id = ${f.members.stranger}`),
    () => f.members.stranger,
    /account/,
  ],
  [
    'the account row and the entries of a member without orders deleted',
    () =>
      f.sql(
        `DELETE FROM account_log WHERE user_id = ${f.members.stranger}; DELETE FROM member_account WHERE user_id = ${f.members.stranger}`,
      ),
    () => f.members.stranger,
    /account of the member/,
  ],
  [
    'the wrong result of a conversion',
    () => f.tamper(f.members.converted, 2, (entry) => void (entry.charChange += 100)),
    () => f.members.converted,
    /#2 MATRIX by the prices of its moment: charChange/,
  ],
  [
    'a conversion for a purchase that was never made',
    () => f.add(f.members.stranger, () => ({ type: 'SYS_MATRIX', lastTranChannelId: 2 })),
    () => f.members.stranger,
    /#2 SYS_MATRIX: purchase that it is for/,
  ],
  [
    'a plan given away that brings more than it holds',
    () => f.tamper(f.members.granted, 2, (entry) => void (entry.charChange += 1)),
    () => f.members.granted,
    /#2 grant of plan 2 × 2: charChange/,
  ],
  [
    'the usage roll-up of a member',
    () => f.sql(`UPDATE usage_day SET char_num = char_num - 5 WHERE user_id = ${f.members.translator}`),
    () => f.members.translator,
    /usage of \S+: characters/,
  ],
  [
    'the usage roll-up of a family',
    () => f.sql(`UPDATE family_usage_day SET char_num = char_num - 5 WHERE family_id = ${f.members.translator}`),
    () => f.members.translator,
    /usage of the family/,
  ],
];

const MONEY: Attack[] = [
  [
    'a recharge without order',
    () => f.add(f.members.stranger, (last) => rechargeAfter(last, null)),
    () => f.members.stranger,
    /#2 RECHARGE_ORDER_BY_MEMBER_GROUP: what it lacks/,
  ],
  [
    'a recharge of an order that is not there',
    () => f.add(f.members.stranger, (last) => rechargeAfter(last, 999_999)),
    () => f.members.stranger,
    /#2 order 999999 of the entry/,
  ],
  [
    'the amount of an order',
    () => f.sql(`UPDATE recharge_order SET sale_price = 1, amount = 1 WHERE id = ${f.orders.paid}`),
    () => f.members.buyer,
    /recharge: amount/,
  ],
  [
    'the status of an order',
    () =>
      f.sql(`UPDATE recharge_order SET pay_status = 'C', paid_at = NULL, paid_by = NULL WHERE id = ${f.orders.paid}`),
    () => f.members.buyer,
    /recharges of an order that is C/,
  ],
  [
    'the amount of a payment',
    () => f.sql(`UPDATE payment SET amount = 1 WHERE order_id = ${f.orders.paid}`),
    () => f.members.buyer,
    /payment alipay \S+: amount/,
  ],
  [
    'a payment marked as refunded',
    () =>
      f.sql(`UPDATE payment SET refund_state = 'done', refund_no = 'RF1', refund_cmd = gen_random_uuid(), refund_amount = amount,
      refund_manager_id = 1, refund_reason = '', refunded_at = now() WHERE order_id = ${f.orders.paid}`),
    () => f.members.buyer,
    /taken back for a refund that is done/,
  ],
];

describe('the audit detects', () => {
  it.each([...ENTRIES, ...MONEY])('%s', async (_, tamper, who, said) => {
    await tamper();
    const found = await f.audited();
    expect(found.filter((line) => line.startsWith(`${who()}#`)).join('\n')).toMatch(said);
  });

  it('each of 25 altered payments, not only the first', async () => {
    const COPIES = 25;
    const ids = Array.from({ length: COPIES }, (_, i) => 900_000 + i);
    await f.sql(
      ids
        .map(
          (
            id,
          ) => `INSERT INTO payment OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(p, jsonb_build_object('id', ${id},
            'trade_no', 'T${id}', 'order_id', ${id}, 'verdict', 'double', 'amount', 1))).* FROM payment p WHERE order_id = ${f.orders.paid}`,
        )
        .join('; '),
    );
    const found = await f.audited();
    for (const id of ids) expect(found.join('\n')).toContain(`order ${id} of payment alipay T${id}`);
  });
});
