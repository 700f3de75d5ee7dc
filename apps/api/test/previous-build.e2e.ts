/**
 * An upgrade while members work: the previous build and this one on the same stores, after the newest migration (docs/decisions/0064). The
 * previous one is the last release, or the code before the newest migration.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { login } from '@yiqiao/contracts/login';
import { distributeChars, listChildUsers } from '@yiqiao/contracts/sub-accounts';
import { translateText } from '@yiqiao/contracts/translation';
import { getUser } from '@yiqiao/contracts/user';
import { rmSync } from 'node:fs';
import * as migrations from '../migrations/list.js';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { makeMain, makeSub } from './support/family.js';
import { buildOf, previousCommit } from './support/previous-build.js';
import { spawnBuild, type ApiProcess } from './support/process.js';
import type { TestMember } from './support/test-members.js';

const newest = Object.keys(migrations).sort().at(-1) ?? '';
const commit = previousCommit(newest);
const suite = commit === null ? describe.skip : describe;

const ask = { source: 'zh-Hans', target: 'zh-Hant', text: '头发很长' } as const;
const COST = [...ask.text].length;

suite(`the build before ${newest} (${commit?.slice(0, 9) ?? 'there is no history'})`, () => {
  let api: TestApi;
  let previous: { folder: string; programs: string };
  let old: ApiProcess;
  let main: TestMember;
  let sub: TestMember;

  beforeAll(async () => {
    previous = await buildOf(commit ?? '');
    api = await startApi();
    main = await makeMain(api);
    sub = await makeSub(api, main, 500);
    old = await spawnBuild(previous.programs, api.env);
  });
  afterAll(async () => {
    await old.stop();
    await api.stop();
    rmSync(previous.folder, { recursive: true, force: true });
  });

  const on = (url: string, member: TestMember): TestClient => new TestClient(url, member.session);

  it('does not have that migration, and is ready all the same', async () => {
    const { rows } = await api.db.query<{ name: string }>(
      'SELECT name FROM mikro_orm_migrations ORDER BY id DESC LIMIT 1',
    );
    expect(rows[0]?.name).toBe(newest);
    expect((await fetch(`${old.url}/readyz`)).status).toBe(200);
  });

  it('and this one serve the same members in turns, to the character', async () => {
    for (const url of [old.url, api.url, old.url, api.url])
      expect(await on(url, sub).call(translateText, ask)).toMatchObject({ translated: '頭髮很長', charged: COST });
    for (const url of [old.url, api.url])
      await on(url, main).call(distributeChars, { childUserId: sub.session.userId, changeCharNum: 10 });
    for (const url of [old.url, api.url]) {
      const { memberAccount } = await on(url, sub).call(getUser, {});
      expect(memberAccount.usableCharNum).toBe(500 + 2 * 10 - 4 * COST);
      expect((await on(url, main).call(listChildUsers, {})).total).toBe(1);
      const logs = await on(url, sub).call(listAccountLogs, {});
      expect(logs.total).toBeGreaterThanOrEqual(6);
    }
    expect((await auditLedger(api.db)).difference).toBeNull();
  });

  it('keeps an Idempotency-Key that the other one answered', async () => {
    const again = { 'Idempotency-Key': 'across-builds' };
    const first = await on(old.url, main).with(again).call(translateText, ask);
    expect(await on(api.url, main).with(again).call(translateText, ask)).toEqual(first);
  });

  it('signs members in', async () => {
    const { username: account, password } = main;
    expect(await new TestClient(old.url).call(login, { account, password })).toMatchObject({
      userId: main.session.userId,
    });
  });
});
