/** kill -9 of the api at critical moments of a translation (decisions §4): nothing is charged twice, nothing stays held. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { translateText } from '@yiqiao/contracts/translation';
import { getUser } from '@yiqiao/contracts/user';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { ReleaseStaleHolds } from '../src/ledger/writer/release-stale-holds.js';
import { startApi, type TestApi } from './support/api.js';
import { makeMain } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import { spawnApi } from './support/process.js';
import { TestClient } from './support/client.js';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const text = '头发很长';
const ask = { source: 'zh-Hans', target: 'zh-Hant', text };
const COST = [...text].length;

const charsOf = async (person: TestMember): Promise<number> =>
  (await person.client.call(getUser, {})).memberAccount.usableCharNum;

/** Translates through an api that exits at `failpoint`, as after kill -9. */
const translateAndDie = async (person: TestMember, failpoint: string, key: string): Promise<void> => {
  const doomed = await spawnApi(api.env, { FAILPOINT: failpoint });
  const client = new TestClient(doomed.url, person.session, { 'Idempotency-Key': key });
  await expect(client.send(translateText, ask)).rejects.toThrow();
  expect(await doomed.exited).toBe(137);
};

/** The lease of the dead request expires after six seconds; the test does not wait for it. */
const leaseRunsOut = () => api.db.query("UPDATE idempotency_key SET locked_until = now() - interval '1 second'");

it.each(['after-hold-commit', 'before-settle', 'after-settle-commit'])(
  'killed at %s: a retry under the same key is answered and charged once',
  async (failpoint) => {
    const person = await makeMain(api);
    await translateAndDie(person, failpoint, 'retried');
    // Held or charged, the characters cannot be spent again.
    expect(await charsOf(person)).toBe(5000 - COST);
    await leaseRunsOut();
    const again = person.client.with({ 'Idempotency-Key': 'retried' });
    expect(await again.call(translateText, ask)).toMatchObject({ translated: '頭髮很長', charged: COST });
    expect(await charsOf(person)).toBe(5000 - COST);
    expect((await auditLedger(api.db, {})).difference).toBeNull();
  },
);

it('killed between hold and settle without a retry: the sweep releases the characters', async () => {
  const person = await makeMain(api);
  await translateAndDie(person, 'before-settle', 'abandoned');
  const sweep = () => api.app.get(CommandBus).execute(new ReleaseStaleHolds());
  await sweep();
  expect(await charsOf(person)).toBe(5000 - COST);
  await api.db.query("UPDATE ledger_hold SET expires_at = now() - interval '1 second' WHERE released_at IS NULL");
  await sweep();
  expect(await charsOf(person)).toBe(5000);
  expect((await auditLedger(api.db, {})).difference).toBeNull();
});
