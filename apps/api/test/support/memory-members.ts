import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { changeChannel } from '@yiqiao/contracts/plans';
import { listTranslationLogs } from '@yiqiao/contracts/translation';
import { changeTranslationCache, getUser } from '@yiqiao/contracts/user';
import type { TestApi } from './api.js';
import { makeMain, makeSub, setChars } from './family.js';
import type { TestMember } from './test-members.js';

const OFFLINE = 1;

type Kept = { key: Buffer; sealed: string; user_id: number };

/** Members with translation memory, and its contents. */
export const memoryMembers = (api: () => TestApi) => {
  const remembering = async (who: TestMember): Promise<TestMember> => {
    await who.client.call(changeTranslationCache, { translationCache: 1 });
    return who;
  };
  return {
    remembering,
    memberOn: async (channel: number, chars = 1_000): Promise<TestMember> => {
      const main = await makeMain(api());
      if (channel !== OFFLINE) await main.client.call(changeChannel, { targetChannelId: channel });
      await setChars(api(), main.session.userId, chars);
      return remembering(main);
    },
    /** With a hundred characters of `main`. */
    subOf: async (main: TestMember): Promise<TestMember> => remembering(await makeSub(api(), main, 100)),
    /** The remembered texts of `main`'s family, oldest first. */
    keptOf: async ({ session }: TestMember): Promise<Kept[]> => {
      const all = 'SELECT key, sealed, user_id FROM cached_translation WHERE family_id = $1 ORDER BY created_at, key';
      return (await api().db.query<Kept>(all, [session.userId])).rows;
    },
  };
};

export const usable = async ({ client }: TestMember) => (await client.call(getUser, {})).memberAccount.usableCharNum;
export const linesOf = async ({ client }: TestMember) => (await client.call(listTranslationLogs, {})).rows;
export const entriesOf = async ({ client }: TestMember) =>
  (await client.call(listAccountLogs, { logType: 'TRANSLATION_CONSUME' })).rows;
