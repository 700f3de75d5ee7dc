import { EntityManager } from '@mikro-orm/postgresql';
import { login } from '@yiqiao/contracts/login';
import { changeChannel } from '@yiqiao/contracts/plans';
import type { Entry } from '@yiqiao/domain/ledger';
import { distribution } from '@yiqiao/domain/movements';
import { Passwords } from '../../src/platform/passwords.js';
import { Ledger, type Posting } from '../../src/ledger/ledger.js';
import { Members } from '../../src/members/members.js';
import { Plans } from '../../src/plans/plans.js';
import { uuid7 } from '../../src/platform/uuid7.js';
import type { TestApi } from './api.js';
import { TestClient } from './client.js';
import { giveReason } from './operator.js';
import { freshName, type TestMember } from './test-members.js';

const PASSWORD = 'secret-123';

/** A signed-in main account, created without a mailed code. Journeys about registering use `registerPerson`. */
export async function makeMain(api: TestApi): Promise<TestMember> {
  const username = freshName();
  const account = `${username}@example.com`;
  const passwordHash = await api.app.get(Passwords, { strict: false }).hash(PASSWORD);
  const names = { username, email: account, nickname: `nick ${username}` };
  await inTransaction(api, (em) => members(api).createMain(em, { ...names, passwordHash, inviteCode: undefined }));
  return signIn(api, { username, account });
}

/** A signed-in sub-account of `main` with `charNum` characters from its main account. */
export async function makeSub(api: TestApi, main: TestMember, charNum = 0): Promise<TestMember> {
  const username = freshName();
  const passwordHash = await api.app.get(Passwords, { strict: false }).hash(PASSWORD);
  const mainId = main.session.userId;
  await inTransaction(api, async (em) => {
    const parent = await members(api).lock(em, mainId);
    if (!parent) throw new Error('the main account is gone');
    const childId = await members(api).createSub(em, parent, { username, nickname: `sub ${username}`, passwordHash });
    if (charNum > 0)
      await api.app.get(Ledger, { strict: false }).postAll(
        em,
        [
          {
            userId: mainId,
            movement: { type: 'DISTRIBUTION', charChange: -charNum, refs: { counterpartId: childId } },
          },
          { userId: childId, movement: { type: 'DISTRIBUTION', charChange: charNum, refs: { counterpartId: mainId } } },
        ],
        { cmdId: uuid7() },
      );
  });
  return signIn(api, { username, account: username });
}

/** Many empty sub-accounts that nobody signs in as, created by one statement, for tests of speed. */
export const makeManySubs = (api: TestApi, main: TestMember, count: number): Promise<unknown> =>
  api.db.query(MANY_SUBS, [main.session.userId, count]);

const MANY_SUBS = `
WITH born AS (
  INSERT INTO member (id, family_id, parent_id, nickname, password_hash, member_group_id)
  SELECT nextval(pg_get_serial_sequence('member', 'id')), $1, $1, 'n' || n, '-', 1 FROM generate_series(1, $2::int) n
  RETURNING id),
opened AS (INSERT INTO member_account (user_id, family_id) SELECT id, $1 FROM born),
logged AS (INSERT INTO login_log (user_id, family_id, login_ip, client_type, sum_day) SELECT id, $1, '192.0.2.1', 0, 1 FROM born)
INSERT INTO identity (kind, unique_key, shown, user_id, family_id)
SELECT 'username', 'many' || $1 || 'x' || id, 'Many' || $1 || 'X' || id, id, $1 FROM born`;

/** Gives each sub-account of `main` this many of its characters. */
export const giveEverySub = (api: TestApi, main: TestMember, charNum: number): Promise<unknown> =>
  inTransaction(api, async (em) => {
    const mainId = main.session.userId;
    const rows = await em.execute<{ id: number }[]>('SELECT id FROM member WHERE parent_id = ? ORDER BY id', [mainId]);
    const childIds = rows.map(({ id }) => Number(id));
    const first = uuid7();
    const rule = (): Posting[] =>
      childIds.flatMap((childId, at) => {
        const cmdId = at === 0 ? first : uuid7();
        const sides = distribution({ mainId, childId }, { charNum, voiceNum: 0, imageNum: 0 });
        return sides.map((side) => ({ ...side, cmdId }));
      });
    const ledger = api.app.get(Ledger, { strict: false });
    await ledger.move(em, { userIds: [mainId, ...childIds] }, { rule, command: { cmdId: first } });
  });

type Change = { charChange?: number; voiceChange?: number; expireAt?: number };

/** An adjustment with its operator and reason, so that the final audit accepts it. `expireAt`: milliseconds since 1970. */
export async function adjust(api: TestApi, userId: number, change: Change): Promise<void> {
  const cmdId = uuid7();
  const refs = { managerId: await giveReason(api.db, { cmdId, userId }) };
  const ledger = api.app.get(Ledger, { strict: false });
  await inTransaction(api, (em) => ledger.post(em, userId, { type: 'SYS_ADJUST', ...change, refs }, { cmdId }));
}

/** Sets the characters of an account through the ledger, as an operator would. */
export async function setChars(api: TestApi, userId: number, charNum: number): Promise<void> {
  const { usableCharNum } = await api.app.get(Ledger, { strict: false }).balanceOf(userId);
  await adjust(api, userId, { charChange: charNum - usableCharNum });
}

/** The effect of a package granted by an operator, through the same function as an order. */
export const buyPackage = (api: TestApi, main: TestMember, memberGroupId: number, quantity = 1): Promise<Entry> =>
  inTransaction(api, async (em) => {
    const sold = await api.app.get(Plans).current(em, memberGroupId);
    const purchase = { ...sold, quantity };
    const { userId } = main.session;
    const cmdId = uuid7();
    const managerId = await giveReason(api.db, { cmdId, userId });
    const bought = { userId, amount: 0, orderId: null, managerId, cmdId };
    return members(api).recharge(em, { ...bought, purchase });
  });

/** Channels with many prices, micro-yuan per character by id, where the seed has three. */
export const PRICES: Record<number, number> = { 1: 10, 2: 20, 3: 20, 4: 15, 5: 15, 6: 40, 7: 60, 8: 10 };

/** For tests that compare prices: sets all of them as an operator. */
export async function setPrices(api: Pick<TestApi, 'db'>): Promise<void> {
  for (const [id, price] of Object.entries(PRICES))
    await api.db.query('UPDATE tran_channel SET price = $2 WHERE id = $1', [id, price]);
}

/** Puts a main account into a plan without its quota. */
export const joinGroup = (api: TestApi, main: TestMember, memberGroupId: number): Promise<unknown> =>
  api.db.query('UPDATE member SET member_group_id = $2 WHERE id = $1', [main.session.userId, memberGroupId]);

/** A plan that includes sub-accounts. */
export const PROFESSIONAL = 3;

const members = (api: TestApi): Members => api.app.get(Members, { strict: false });

const inTransaction = <T>(api: TestApi, work: (em: EntityManager) => Promise<T>): Promise<T> =>
  api.app.get(EntityManager).fork().transactional(work);

const signIn = async (api: TestApi, names: { username: string; account: string }): Promise<TestMember> => {
  const visitor = new TestClient(api.url);
  const session = await visitor.call(login, { account: names.username, password: PASSWORD });
  return { ...names, password: PASSWORD, session, client: visitor.as(session) };
};

/** A main account with this many characters; with a channel id, switched to that channel first. */
export async function makeMainWith(api: TestApi, chars: number, channelId?: number): Promise<TestMember> {
  const main = await makeMain(api);
  if (channelId !== undefined) await main.client.call(changeChannel, { targetChannelId: channelId });
  await setChars(api, main.session.userId, chars);
  return main;
}

/** The number of holds of a member that were neither settled nor released. */
export async function countOpenHolds(api: TestApi, { session }: TestMember): Promise<number> {
  const open = 'SELECT 1 FROM ledger_hold WHERE user_id = $1 AND released_at IS NULL';
  return (await api.db.query(open, [session.userId])).rowCount ?? 0;
}
