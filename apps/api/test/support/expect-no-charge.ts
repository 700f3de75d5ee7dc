import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { listTranslationLogs } from '@yiqiao/contracts/translation';
import { getUser } from '@yiqiao/contracts/user';
import { expect } from '@jest/globals';
import type { TestApi } from './api.js';
import type { TestMember } from './test-members.js';

/** All data of a member that a request may change. */
export async function accountOf(api: TestApi, { client, session }: TestMember) {
  const { memberAccount } = await client.call(getUser, {});
  const [entries, lines] = [await client.call(listAccountLogs, {}), await client.call(listTranslationLogs, {})];
  const { rows: holds } = await api.db.query<{ open: number }>(
    'SELECT count(*)::int AS open FROM ledger_hold WHERE user_id = $1 AND released_at IS NULL',
    [session.userId],
  );
  return { memberAccount, entries: entries.total, lines: lines.total, holds: holds[0]?.open };
}

/** Runs `work`, expects that it cost nothing and left nothing behind, and returns its result. */
export async function expectNoCharge<T>(api: TestApi, person: TestMember, work: () => Promise<T>): Promise<T> {
  const before = await accountOf(api, person);
  const answer = await work();
  expect(await accountOf(api, person)).toEqual(before);
  return answer;
}
