// What the product's books say, against what was acknowledged.

const quotaOf = ({ usableCharNum, usableVoiceNum, usableImageNum }) => ({
  chars: usableCharNum,
  voice: usableVoiceNum,
  images: usableImageNum,
});

/** @param {{account: string, call: Function}[]} members @returns {Promise<Map<string, object>>} by account */
export async function readBooks(members) {
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
 * `spent`: what the acknowledged translations of an account come to (spent.mjs); `bought`: what all orders that were paid since `before` brought the main account.
 * @returns {Promise<string[]>} what does not agree; empty when the books are right
 */
export async function compareBooks({ members, before, spent, movers, bought }) {
  const after = await readBooks(members);
  const found = [];
  const [main, ...subs] = members.map(({ account }) => account);
  const expect = (account, what, should) => {
    const is = after.get(account)[what];
    if (is !== should) found.push(`${account}: ${what} is ${is}, the acknowledged requests make it ${should}`);
  };
  const given = { chars: 0, voice: 0, images: 0 };
  for (const account of subs) {
    const got = movers.given(before.get(account).userId);
    for (const what of Object.keys(given)) {
      given[what] += got[what];
      const charged = what === 'chars' ? spent(account).charged : 0;
      expect(account, what, before.get(account)[what] + got[what] - charged);
    }
  }
  // Whatever sub-accounts of passage got is back, so the main account lacks only what the lasting ones were given.
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
