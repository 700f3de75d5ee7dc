/** A new column of entries is a row of ENTRY_FIELDS and a migration (docs/decisions/0046): older entries keep their hashes. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { translateText } from '@yiqiao/contracts/translation';
import { uuid7 } from '../src/platform/uuid7.js';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { copyOf, type FreshDatabase } from './support/database.js';
import { makeMain } from './support/family.js';
import { giveReason, runOperator } from './support/operator.js';
import type { TestMember } from './support/test-members.js';
import { spawnApi, type ApiProcess } from './support/process.js';
import { withoutTriggers } from './support/tamperer.js';

const ask = { source: 'zh-Hans', target: 'zh-Hant', text: '头发很长' };
const support = path.resolve(import.meta.dirname, 'support');

let api: TestApi;
let main: TestMember;
let copy: FreshDatabase;
/** The environment of the product with the column `voucher_id`, on the copy. */
let env: Record<string, string>;
let extended: ApiProcess;

beforeAll(async () => {
  api = await startApi();
  main = await makeMain(api);
  await main.client.call(translateText, ask);
  copy = await copyOf(api.env['DATABASE_URL'] ?? '');
  await copy.owner.query(
    'ALTER TABLE account_log ADD voucher_id bigint; GRANT INSERT (voucher_id) ON account_log TO yiqiao_app',
  );
  env = {
    ...api.env,
    DATABASE_URL: copy.url,
    REDIS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
    NODE_OPTIONS: `--import ${path.join(support, 'extended-ledger.mjs')}`,
    EXTEND_LEDGER: 'column',
  };
  extended = await spawnApi(env);
});
afterAll(async () => {
  await extended.stop();
  await copy.drop();
  await api.stop();
});

/** Posts adjustments in a separate process; null: without a voucher. */
async function adjust(...vouchers: (number | null)[]): Promise<void> {
  const { userId } = main.session;
  const list: unknown[] = [];
  for (const voucherId of vouchers) {
    const cmdId = uuid7();
    const managerId = await giveReason(copy.owner, { cmdId, userId });
    list.push([userId, { type: 'SYS_ADJUST', charChange: 10, refs: { managerId, voucherId } }, cmdId]);
  }
  const posting = promisify(execFile)(process.execPath, [path.join(support, 'post-movements.mjs')], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  posting.child.stdin?.end(JSON.stringify(list));
  await posting;
}

it('writes the column, hashes its values, and verifies them with older entries', async () => {
  await adjust(5, null, 7);
  await new TestClient(extended.url, main.session).call(translateText, ask);
  const { rows } = await copy.owner.query<{ voucher_id: string | null }>(
    'SELECT voucher_id FROM account_log WHERE user_id = $1 ORDER BY seq',
    [main.session.userId],
  );
  expect(rows.map((row) => row.voucher_id && Number(row.voucher_id))).toEqual([null, null, 5, null, 7, null]);
  expect(await runOperator(env, ['ledger', 'audit'])).toMatchObject({ code: 0 });
});

it('protects the column: altering, adding or removing a value breaks the chain', async () => {
  for (const [seq, value, restored] of [
    [3, 6, 5],
    [3, null, 5],
    [4, 1, null],
  ]) {
    const set = (voucherId: number | null | undefined): Promise<void> =>
      withoutTriggers(copy.owner, (client) =>
        client.query('UPDATE account_log SET voucher_id = $3 WHERE user_id = $1 AND seq = $2', [
          main.session.userId,
          seq,
          voucherId,
        ]),
      );
    await set(value);
    const { code, out } = await runOperator(env, ['ledger', 'audit']);
    expect([code, out]).toEqual([1, expect.stringContaining(`entry ${seq}: hash`)]);
    await set(restored);
  }
  expect(await runOperator(env, ['ledger', 'audit'])).toMatchObject({ code: 0 });
});
