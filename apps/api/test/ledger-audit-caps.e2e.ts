/** The counters behind caps, of API keys and of sub-accounts, are compared with the entries that they count (docs/decisions/0071). */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { translate } from '@yiqiao/contracts/native-api';
import { saveChildUser } from '@yiqiao/contracts/sub-accounts';
import { auditLedger, type Depth } from '../src/ledger/audit/audit.js';
import { CloseKeys } from '../src/ledger/closes/close-keys.js';
import { ledgerCommand } from '../src/ledger/operator/ledger-command.js';
import { UsageRollUp } from '../src/ledger/usage/usage-roll-up.js';
import { loadConfig } from '../src/platform/config.js';
import { startApi, type TestApi } from './support/api.js';
import { makeKey } from './support/api-keys.js';
import type { TestClient } from './support/client.js';
import { closeDay, newSigningKey } from './support/closing.js';
import { makeMainWith, makeSub } from './support/family.js';
import { TestOperators } from './support/operators.js';
import { runCommand } from './support/run-command.js';
import type { TestMember } from './support/test-members.js';

let api: TestApi;
let operators: TestOperators;
let main: TestMember;
let sub: TestMember;
let key: { id: number; client: TestClient };
let other: number;

const NONE = { charNum: 0, voiceNum: 0, imageNum: 0 };
let made = 0;
const spend = (client: TestClient, length: number) =>
  client.send(translate, {
    text: String.fromCodePoint(0x4e00 + made++).padEnd(length, '头'),
    source: 'zh-Hans',
    target: 'zh-Hant',
  });

beforeAll(async () => {
  api = await startApi({ CLOSE_SIGNING_KEY: newSigningKey() });
  operators = await TestOperators.start(api);
  main = await makeMainWith(api, 1_000);
  const { apiKey, client } = await makeKey(main, { dayCap: 10 });
  key = { id: apiKey.id, client };
  expect(await spend(client, 7)).toMatchObject({ status: 200 });
  // Without a cap it is counted by the optimistic batches.
  other = (await makeKey(main)).apiKey.id;
  sub = await makeSub(api, main, 100);
  await main.client.call(saveChildUser, {
    userId: sub.session.userId,
    caps: { day: { ...NONE, charNum: 20 }, month: { ...NONE, charNum: 30 } },
  });
  expect(await spend((await makeKey(sub)).client, 5)).toMatchObject({ status: 200 });
  expect(await audited()).toEqual([]);
  await api.db.query(`CREATE SCHEMA kept; CREATE TABLE kept.days AS SELECT * FROM api_key_day;
    CREATE TABLE kept.caps AS SELECT * FROM spending_cap`);
});
afterEach(async () => {
  await api.db.query(`DELETE FROM api_key_day; INSERT INTO api_key_day SELECT * FROM kept.days;
    DELETE FROM spending_cap; INSERT INTO spending_cap SELECT * FROM kept.caps`);
});
afterAll(async () => {
  await operators.stop();
  await api.stop();
});

type Difference = { userId: number; field: string; expected: unknown; found: unknown };
async function audited(depth: Depth = 'full'): Promise<Difference[]> {
  const keys = operators.app.get(CloseKeys, { strict: false });
  const { findings } = await auditLedger(api.db, { depth, anchors: { keys, store: api.db } });
  return findings.flatMap((finding) =>
    [finding, ...finding.consequences].map(({ userId, field, expected, found }) => ({
      userId,
      field,
      expected,
      found,
    })),
  );
}
const today = async (): Promise<string> => {
  const { rows } = await api.db.query<{ day: string }>(
    'SELECT max(day)::text AS day FROM kept.days WHERE api_key_id = $1',
    [key.id],
  );
  return rows[0]?.day ?? '';
};
const ofKey = (id: number, day: string, expected: number, found: number): Difference => ({
  userId: main.session.userId,
  field: `cap counter of API key ${id}, ${day}: characters`,
  expected,
  found,
});

describe('the counter of a key', () => {
  it('that is lowered by hand lets the key pass its cap, and is found', async () => {
    expect(await spend(key.client, 4)).toMatchObject({ body: { code: 'API_KEY_CAP_REACHED' } });
    await api.db.query('UPDATE api_key_day SET char_num = 1 WHERE api_key_id = $1', [key.id]);
    const day = await today();
    expect(await audited()).toEqual([ofKey(key.id, day, 7, 1)]);
    expect(await spend(key.client, 4)).toMatchObject({ status: 200 });
    expect(await audited()).toEqual([ofKey(key.id, day, 11, 5)]);
    // As it would be without the attack.
    await api.db.query('UPDATE kept.days SET char_num = 11 WHERE api_key_id = $1', [key.id]);
  });

  it('that is raised, deleted, moved to another day or to another key is found', async () => {
    const day = await today();
    const sql = (text: string) => api.db.query(text, [key.id]);
    await sql('UPDATE api_key_day SET char_num = 12 WHERE api_key_id = $1');
    expect(await audited()).toEqual([ofKey(key.id, day, 11, 12)]);
    await sql('DELETE FROM api_key_day WHERE api_key_id = $1');
    expect(await audited()).toEqual([ofKey(key.id, day, 11, 0)]);
    await sql(
      `INSERT INTO api_key_day SELECT api_key_id, '2025-01-31', char_num, requests FROM kept.days WHERE api_key_id = $1`,
    );
    expect(await audited()).toEqual([ofKey(key.id, '2025-01-31', 0, 11), ofKey(key.id, day, 11, 0)]);
    await api.db.query('UPDATE api_key_day SET api_key_id = $2, day = $3 WHERE api_key_id = $1', [key.id, other, day]);
    expect(await audited()).toEqual([ofKey(other, day, 0, 11), ofKey(key.id, day, 11, 0)]);
  });
});

describe('the counter of a sub-account', () => {
  it('that is lowered by hand is found, of the day and of the month', async () => {
    const userId = sub.session.userId;
    const day = await today();
    const at = (period: string) => `cap counter of the account, ${period}: characters`;
    await api.db.query('UPDATE spending_cap SET day_char_used = 0, month_char_used = 4');
    expect(await audited()).toEqual([
      { userId, field: at(day), expected: 5, found: 0 },
      { userId, field: at(day.slice(0, 7)), expected: 5, found: 4 },
    ]);
  });

  it('is not used, nor compared, while it has no caps, and is counted again with them', async () => {
    const caps = (charNum: number) => ({ day: { ...NONE, charNum }, month: NONE });
    const { userId } = sub.session;
    await main.client.call(saveChildUser, { userId, caps: caps(0) });
    expect(await spend((await makeKey(sub)).client, 6)).toMatchObject({ status: 200 });
    expect(await audited()).toEqual([]);
    await main.client.call(saveChildUser, { userId, caps: caps(50) });
    expect(await audited()).toEqual([]);
    await api.db.query('DELETE FROM kept.days; DELETE FROM kept.caps');
    await api.db.query(
      'INSERT INTO kept.days SELECT * FROM api_key_day; INSERT INTO kept.caps SELECT * FROM spending_cap',
    );
  });
});

it('an audit since the anchors compares the days that began after them, a full one all', async () => {
  for (const { session } of [main, sub]) await api.app.get(UsageRollUp, { strict: false }).catchUp(session.userId);
  expect(await closeDay(operators.app, 1)).toHaveLength(1);
  expect(await audited()).toEqual([]);
  const day = await today();
  await api.db.query('UPDATE api_key_day SET char_num = 1 WHERE api_key_id = $1', [key.id]);
  expect(await audited('anchors')).toEqual([]);
  expect(await audited('full')).toEqual([ofKey(key.id, day, 11, 1)]);
  const { rows } = await api.db.query<{ next: string }>(`SELECT ($1::date + 1)::text AS next`, [day]);
  // The finding took the anchor away: another full audit of what is right makes it again.
  await api.db.query('UPDATE api_key_day SET char_num = 11 WHERE api_key_id = $1 AND day = $2', [key.id, day]);
  expect(await audited('full')).toEqual([]);
  await api.db.query(`INSERT INTO api_key_day VALUES ($1, $2, 3, 1)`, [key.id, rows[0]?.next]);
  expect(await audited('anchors')).toEqual([ofKey(key.id, rows[0]?.next ?? '', 0, 3)]);
});

it.each([
  ['en_US.UTF-8', 'A cap was checked against this counter: more may have been spent than the owner allowed.'],
  ['zh_CN.UTF-8', '用量上限按这个计数判断：实际用量可能已超出所设的上限。'],
])('the command line says what such a difference means (%s)', async (locale, sentence) => {
  await api.db.query('UPDATE api_key_day SET char_num = 1 WHERE api_key_id = $1', [key.id]);
  const config = loadConfig({ ...api.env, LOG_LEVEL: 'silent' });
  const { code, out } = await runCommand(
    () => ledgerCommand(['audit', '--user', String(main.session.userId)], config),
    locale,
  );
  expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining(`cap counter of API key ${key.id}`) });
  expect(out).toContain(sentence);
});
