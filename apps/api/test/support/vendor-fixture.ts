import { expect } from '@jest/globals';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { changeChannel } from '@yiqiao/contracts/plans';
import { listTranslationLogs } from '@yiqiao/contracts/translation';
import { getUser } from '@yiqiao/contracts/user';
import { CHANNELS } from '@yiqiao/domain/channels';
import { auditLedger } from '../../src/ledger/audit/audit.js';
import type { VendorAccount } from '../../src/translation/channels/vendor.js';
import { startApi, type TestApi } from './api.js';
import { makeMain, setChars } from './family.js';
import type { TestMember } from './test-members.js';
import { breakVendor, callsOf, mendVendor, type VendorFault } from './sandbox-vendors.js';
import { upstreamsFile } from './vendor-environment.js';

export const FRENCH = { source: 'en', target: 'fr' } as const;
const FREE_AND_CLEAN = { usableCharNum: 1_000, usedCharTotal: 0 };

/** Lifts the rate limits of a test's members. */
const UNLIMITED = { LIMIT_TRANSLATION_PER_SECOND: '10000', LIMIT_CHANNEL_CHANGES_PER_HOUR: '10000' };

let texts = 0;
/** A new text: equal ones would share a call. */
export const freshText = (): string => `The ship number ${++texts} leaves the harbour`;

export const accountOf = async ({ client }: TestMember) => (await client.call(getUser, {})).memberAccount;
export const timesAsked = async (account: VendorAccount): Promise<number> => (await callsOf(account)).count;

/** Runs `work` while the account is faulty. */
export const broken = async (account: VendorAccount, fault: VendorFault, work: () => Promise<void>): Promise<void> => {
  await breakVendor(account, fault);
  await work().finally(() => mendVendor(account));
};

export type VendorFixture = {
  api: TestApi;
  /** A main account with 1,000 characters of the channel. */
  memberOn: (code: keyof typeof CHANNELS) => Promise<TestMember>;
  /** Nothing was charged, nothing stays held, and the log has a failed line. */
  expectFree: (main: TestMember, failed: number) => Promise<void>;
  close: () => Promise<void>;
};

/** An api that translates through these accounts. */
export async function vendorFixture(accounts: readonly VendorAccount[]): Promise<VendorFixture> {
  const file = await upstreamsFile(accounts);
  const api = await startApi({ TRANSLATION_UPSTREAMS_FILE: file.file, ...UNLIMITED });
  const memberOn: VendorFixture['memberOn'] = async (code) => {
    const main = await makeMain(api);
    if (code !== 'offline') await main.client.call(changeChannel, { targetChannelId: CHANNELS[code].id });
    await setChars(api, main.session.userId, 1_000);
    return main;
  };
  const expectFree: VendorFixture['expectFree'] = async (main, failed) => {
    expect(await accountOf(main)).toMatchObject(FREE_AND_CLEAN);
    const held = await api.db.query('SELECT 1 FROM ledger_hold WHERE user_id = $1 AND released_at IS NULL', [
      main.session.userId,
    ]);
    expect(held.rowCount).toBe(0);
    expect((await main.client.call(listAccountLogs, { logType: 'TRANSLATION_CONSUME' })).total).toBe(0);
    const { rows } = await main.client.call(listTranslationLogs, {});
    expect(rows.map(({ status, charged }) => [status, charged])).toEqual(
      Array.from({ length: failed }, () => ['failed', 0]),
    );
    expect((await auditLedger(api.db, {})).difference).toBeNull();
  };
  const close = async (): Promise<void> => {
    await api.stop();
    await Promise.all(accounts.map(mendVendor));
    await file.remove();
  };
  return { api, memberOn, expectFree, close };
}
