/** A new type of entry needs a row, a rule and an explanation (docs/decisions/0024): existing accounts need no change. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { translateText } from '@yiqiao/contracts/translation';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { copyOf, type FreshDatabase } from './support/database.js';
import { makeMain, makeSub } from './support/family.js';
import { giveReason, runOperator } from './support/operator.js';
import type { TestMember } from './support/test-members.js';
import { spawnApi, type ApiProcess } from './support/process.js';

const ask = { source: 'zh-Hans', target: 'zh-Hant', text: '头发很长' };
const support = path.resolve(import.meta.dirname, 'support');

let api: TestApi;
let main: TestMember;
let sub: TestMember;
let copy: FreshDatabase;
/** The environment of the product with eleven types, on the copy. */
let env: Record<string, string>;
let eleven: ApiProcess;

beforeAll(async () => {
  api = await startApi();
  main = await makeMain(api);
  sub = await makeSub(api, main, 100);
  await main.client.call(translateText, ask);
  copy = await copyOf(api.env['DATABASE_URL'] ?? '');
  await copy.owner.query(
    `UPDATE member_account SET type_seqs = (type_seqs || '{0,0,0,0,0,0,0,0,0,0}')[1:10] WHERE user_id = $1`,
    [main.session.userId],
  );
  await copy.owner.query('UPDATE member_account SET type_seqs[7] = 0 WHERE user_id = $1', [sub.session.userId]);
  env = {
    ...api.env,
    DATABASE_URL: copy.url,
    REDIS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
    NODE_OPTIONS: `--import ${path.join(support, 'extended-ledger.mjs')}`,
    EXTEND_LEDGER: 'type',
  };
  eleven = await spawnApi(env);
});
afterAll(async () => {
  await eleven.stop();
  await copy.drop();
  await api.stop();
});

type Posting = { to: TestMember; type: string; charChange: number; hasReason?: boolean };

/** Posts in a separate process, with the reason of an operator. */
async function post(...postings: Posting[]): Promise<void> {
  const list: unknown[] = [];
  for (const { to, type, charChange, hasReason = true } of postings) {
    const { userId } = to.session;
    const [cmdId, reasoned] = [uuid7(), uuid7()];
    const managerId = await giveReason(copy.owner, { cmdId: hasReason ? cmdId : reasoned, userId });
    list.push([userId, { type, charChange, refs: { managerId } }, cmdId]);
  }
  const posting = promisify(execFile)(process.execPath, [path.join(support, 'post-movements.mjs')], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  posting.child.stdin?.end(JSON.stringify(list));
  await posting;
}

const ordinalsOf = async ({ session }: TestMember): Promise<string> => {
  const { rows } = await copy.owner.query<{ ordinals: string }>(
    'SELECT type_seqs::text AS ordinals FROM member_account WHERE user_id = $1',
    [session.userId],
  );
  return rows[0]?.ordinals ?? '';
};

it('counts it beside the ten existing types, in arrays of any length', async () => {
  expect(await ordinalsOf(main)).toBe('{0,0,0,0,1,0,1,0,1,0}');
  expect(await ordinalsOf(sub)).toBe('{0,0,0,0,1,NULL,0}');
  await post(
    { to: main, type: 'GOODWILL', charChange: 700 },
    { to: sub, type: 'GOODWILL', charChange: 30 },
    { to: main, type: 'SYS_ADJUST', charChange: -5 },
    { to: main, type: 'GOODWILL', charChange: 8 },
  );
  for (const { session } of [main, sub]) await new TestClient(eleven.url, session).call(translateText, ask);
  expect(await ordinalsOf(main)).toBe('{0,0,1,0,1,0,2,0,1,0,2}');
  expect(await ordinalsOf(sub)).toBe('{0,0,0,0,1,0,1,0,0,0,1}');
});

it('shows it on the pages of the account log, and filters by it', async () => {
  const list = async (who: TestMember, filter: Record<string, unknown>) => {
    const client = new TestClient(eleven.url, who.session, { 'Accept-Language': 'en' });
    const { body } = await client.send(listAccountLogs, { pageNum: 1, pageSize: 10, ...filter });
    if (!body.success) throw new Error(JSON.stringify(body));
    return { total: body.data.total, told: body.data.rows.map((row) => `${row.logType}: ${row.explanation}`) };
  };
  expect(await list(main, { logType: 'GOODWILL' })).toEqual({
    total: 2,
    told: ['GOODWILL: Goodwill: 8 characters added', 'GOODWILL: Goodwill: 700 characters added'],
  });
  expect(await list(sub, { logType: 'INVITE_REWARD' })).toEqual({ total: 0, told: [] });
  const all = await list(main, {});
  expect(all.total).toBe(7);
  expect(all.told.map((told) => told.split(':')[0])).toEqual([
    'TRANSLATION_CONSUME',
    'GOODWILL',
    'SYS_ADJUST',
    'GOODWILL',
    'TRANSLATION_CONSUME',
    'DISTRIBUTION',
    'OTHER',
  ]);
});

it('verifies it together with its source', async () => {
  expect(await runOperator(env, ['ledger', 'audit'])).toMatchObject({ code: 0 });
  await post({ to: sub, type: 'GOODWILL', charChange: 1, hasReason: false });
  const { code, out } = await runOperator(env, ['ledger', 'audit']);
  expect(code).toBe(1);
  expect(out).toContain('reason of the adjustment');
});

it('rejects a type without a row', async () => {
  const { difference } = await auditLedger(copy.owner);
  expect(difference).toMatchObject({ field: 'type', expected: 'a known type', found: 11 });
});
