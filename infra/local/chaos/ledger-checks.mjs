// What the product's ledger says, compared with the acknowledged requests.
import { createRequire } from 'node:module';
import path from 'node:path';
import { sleep } from '../lifecycle.mjs';
import { root } from '../project.mjs';

/** A hold that a crash left is released within two minutes (decisions §4). */
const HOLD_TIMEOUT_MS = 120_000;

const quotaOf = ({ usableCharNum, usableVoiceNum, usableImageNum }) => ({
  chars: usableCharNum,
  voice: usableVoiceNum,
  images: usableImageNum,
});

/** @param {{account: string, call: Function}[]} members @returns {Promise<Map<string, object>>} by account */
export async function readBalances(members) {
  const read = async ({ account, call }) => {
    const user = await call('GET', '/user/get');
    const lines = await call('GET', '/memberAccountLog/page?pageNum=1&pageSize=1&logType=TRANSLATION_CONSUME');
    if (user.status !== 200 || lines.status !== 200)
      throw new Error(`the books cannot be read: ${user.status}, ${lines.status}`);
    const { memberAccount, userId } = user.body.data;
    const { usedCharTotal } = memberAccount;
    const recharged = memberAccount.rechargeAmountTotal;
    return [
      account,
      { userId, ...quotaOf(memberAccount), recharged, used: usedCharTotal, lines: lines.body.data.total },
    ];
  };
  return new Map(await Promise.all(members.map(read)));
}

/**
 * `spent`: what the acknowledged translations of an account cost; `bought`: what the orders paid since `before` credited.
 * @returns {Promise<string[]>} differences, in sentences
 */
export async function compareBalances({ members, before, spent, distributions, bought }) {
  const after = await readBalances(members);
  const found = [];
  const [main, ...subs] = members.map(({ account }) => account);
  const expect = (account, what, should) => {
    const is = after.get(account)[what];
    if (is !== should) found.push(`${account}: ${what} is ${is}, the acknowledged requests make it ${should}`);
  };
  const given = { chars: 0, voice: 0, images: 0 };
  for (const account of subs) {
    const got = distributions.given(before.get(account).userId);
    for (const what of Object.keys(given)) {
      given[what] += got[what];
      const charged = what === 'chars' ? spent(account).charged : 0;
      expect(account, what, before.get(account)[what] + got[what] - charged);
    }
  }
  // Temporary sub-accounts have returned their quota, so the main account lacks only what the permanent ones were given.
  for (const what of Object.keys(given)) {
    const charged = what === 'chars' ? spent(main).charged : 0;
    expect(main, what, before.get(main)[what] + bought[what] - given[what] - charged);
  }
  expect(main, 'recharged', before.get(main).recharged + bought.amount);
  for (const { account } of members) {
    expect(account, 'used', before.get(account).used + spent(account).used);
    expect(account, 'lines', before.get(account).lines + spent(account).lines);
  }
  return found;
}

/** Waits until no hold is open in the database; resolves with how many there were at first, how many at the end, and after how long. */
export async function waitForHolds(databaseUrl) {
  const { Client } = createRequire(path.join(root, 'apps/api/package.json'))('pg'); // the api's driver
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const startedAt = Date.now();
    const count = async () => {
      const { rows } = await client.query('SELECT count(*)::int AS open FROM ledger_hold WHERE released_at IS NULL');
      return rows[0].open;
    };
    const first = await count();
    let open = first;
    while (open > 0 && Date.now() - startedAt < HOLD_TIMEOUT_MS) {
      await sleep(1_000);
      open = await count();
    }
    return { first, open, seconds: Math.round((Date.now() - startedAt) / 1000) };
  } finally {
    await client.end();
  }
}
