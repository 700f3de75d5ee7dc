// Members who translate without pause and remember every answer they got.
import { randomUUID } from 'node:crypto';
import { sleep } from '../processes.mjs';
import { signIn } from './member.mjs';

const request = { source: 'zh-Hans', target: 'zh-Hant', text: '国' };
const lanes = 4;

/**
 * @param {{base: string, accounts: {account: string, password: string}[]}} options
 * @returns {Promise<object>} `counts()`, `end()`, `settleUnknown()`, `differences()`
 */
export async function startLoad({ base, accounts }) {
  const members = await Promise.all(accounts.map((who) => openMember(base, who)));
  let running = true;
  const work = members.flatMap((member) =>
    Array.from({ length: lanes }, async () => {
      while (running) {
        const key = randomUUID();
        member.asked.set(key, await translate(member, key));
        await sleep(400);
      }
    }),
  );
  const all = () => members.flatMap((member) => [...member.asked.values()]);
  return {
    counts: () => tally(all()),
    async end() {
      running = false;
      await Promise.all(work);
    },
    /** Asks again, with the same key, wherever no answer came: every request ends acknowledged or refused. */
    async settleUnknown() {
      const open = members.flatMap((member) =>
        [...member.asked].filter(([, { outcome }]) => outcome === 'unknown').map(([key]) => ({ member, key })),
      );
      const total = open.length;
      const deadline = Date.now() + 150_000;
      const one = async () => {
        for (let next = open.pop(); next; next = open.pop()) {
          const { member, key } = next;
          while (member.asked.get(key).outcome === 'unknown' && Date.now() < deadline) {
            member.asked.set(key, await translate(member, key));
            if (member.asked.get(key).outcome === 'unknown') await sleep(500);
          }
        }
      };
      await Promise.all(Array.from({ length: 12 }, one));
      return total;
    },
    /** What the product's books say, against what was acknowledged. @returns {Promise<string[]>} empty when they agree */
    differences: async () => (await Promise.all(members.map(compare))).flat(),
  };
}

async function openMember(base, { account, password }) {
  const call = await signIn(base, account, password);
  return { account, call, asked: new Map(), before: await books({ call }) };
}

async function books({ call }) {
  const user = await call('GET', '/user/get');
  const lines = await call('GET', '/memberAccountLog/page?pageNum=1&pageSize=1&logType=TRANSLATION_CONSUME');
  if (user.status !== 200 || lines.status !== 200)
    throw new Error(`the books cannot be read: ${user.status}, ${lines.status}`);
  const { usableCharNum, usedCharTotal } = user.body.data.memberAccount;
  return { usableCharNum, usedCharTotal, lines: lines.body.data.total };
}

async function translate({ call }, key) {
  const { status, body } = await call('POST', '/translation/text', request, { 'Idempotency-Key': key });
  if (status === 200 && body.success) return { outcome: 'acknowledged', ...body.data };
  // 429 and everything the server could not finish may be asked again; what it refused for good has no effect
  return status === 0 || status === 429 || status >= 500
    ? { outcome: 'unknown', status }
    : { outcome: 'refused', status, code: body?.code };
}

const outcomes = ['acknowledged', 'refused', 'unknown'];
const tally = (results) =>
  Object.fromEntries(outcomes.map((name) => [name, results.filter(({ outcome }) => outcome === name)]));

async function compare(member) {
  const { account, asked, before } = member;
  const { acknowledged, unknown, refused } = tally([...asked.values()]);
  const charged = acknowledged.reduce((sum, { charged: cost }) => sum + cost, 0);
  const found = [];
  if (unknown.length) found.push(`${account}: ${unknown.length} requests stayed without an answer`);
  const reasons = [...new Set(refused.map(({ code }) => code))];
  if (refused.length) found.push(`${account}: ${refused.length} requests were refused (${reasons.join(', ')})`);
  const lost = acknowledged.filter(({ translated }) => translated !== '國').length;
  if (lost) found.push(`${account}: ${lost} answers carry another text`);
  for (const [key, { outcome, charged: cost }] of [...asked].slice(-40)) {
    if (outcome !== 'acknowledged') continue;
    const again = await translate(member, key);
    if (again.outcome !== 'acknowledged' || again.charged !== cost)
      found.push(`${account}: key ${key} answers differently`);
  }
  const after = await books(member);
  const expect = (what, is, should) => {
    if (is !== should) found.push(`${account}: ${what} is ${is}, the acknowledged requests make it ${should}`);
  };
  expect('usableCharNum', after.usableCharNum, before.usableCharNum - charged);
  expect('usedCharTotal', after.usedCharTotal, before.usedCharTotal + charged);
  expect('the number of ledger lines', after.lines, before.lines + acknowledged.length);
  return found;
}
