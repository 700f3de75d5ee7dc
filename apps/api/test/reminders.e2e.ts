/** Warnings of a low balance and of a package that ends: who is told of what, and when (docs/decisions/0022). */
import { EntityManager } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { login } from '@yiqiao/contracts/login';
import { changeReminders } from '@yiqiao/contracts/reminders';
import { deleteUser, getUser } from '@yiqiao/contracts/user';
import { Members } from '../src/members/members.js';
import { Passwords } from '../src/platform/passwords.js';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { buyPackage, makeMain, makeSub } from './support/family.js';
import type { Person } from './support/people.js';
import { RemindersDesk } from './support/reminders.js';
import { startWorker } from './support/worker.js';

/** A package of characters and one of time. */
const STANDARD = 2;
const MONTHLY = 7;

let api: TestApi;
let desk: RemindersDesk;
let worker: Awaited<ReturnType<typeof startWorker>>;

beforeAll(async () => {
  api = await startApi({ PUBLIC_URL: 'https://yiqiao.example' });
  desk = new RemindersDesk(api);
  worker = await startWorker(api.env);
});
afterAll(async () => {
  await worker.stop();
  await api.stop();
});

/** A new main account under the names of one that is gone, signed in. */
const foundAgain = async (gone: Person): Promise<Person> => {
  const { username, account: email, password } = gone;
  const passwordHash = await api.app.get(Passwords, { strict: false }).hash(password);
  const names = { username, email, nickname: username, passwordHash, inviteCode: undefined };
  const members = api.app.get(Members, { strict: false });
  await api.app
    .get(EntityManager)
    .fork()
    .transactional((em) => members.createMain(em, names));
  const session = await new TestClient(api.url).call(login, { account: username, password });
  return { ...gone, session, client: gone.client.as(session) };
};

describe('what a member wants', () => {
  it('is proposed until it says so, whole, and kept', async () => {
    const main = await makeMain(api);
    const reminders = async () => (await main.client.call(getUser, {})).reminders;
    expect(await reminders()).toEqual({ lowCharNum: 1_000, expiryDays: 3, byMail: 1 });
    await desk.want(main, 0, { expiryDays: 90, byMail: 0 });
    expect(await reminders()).toEqual({ lowCharNum: 0, expiryDays: 90, byMail: 0 });
  });

  it.each([
    [{ lowCharNum: -1, expiryDays: 3, byMail: 1 }],
    [{ lowCharNum: 1_000_000_000_001, expiryDays: 3, byMail: 1 }],
    [{ lowCharNum: 1.5, expiryDays: 3, byMail: 1 }],
    [{ lowCharNum: '10', expiryDays: 3, byMail: 1 }],
    [{ lowCharNum: 10, expiryDays: 91, byMail: 1 }],
    [{ lowCharNum: 10, expiryDays: 3, byMail: 2 }],
    [{ lowCharNum: 10, expiryDays: 3 }],
    [{}],
    [{ lowCharNum: 10, expiryDays: 3, byMail: 1, userId: 1 }],
  ])('is refused: %j', async (input) => {
    const main = await makeMain(api);
    expect(await main.client.send(changeReminders, input)).toMatchObject({ status: 422 });
    expect((await main.client.call(getUser, {})).reminders.lowCharNum).toBe(1_000);
  });

  it('of a sub-account is its own, without letters: it has no mailbox', async () => {
    const main = await makeMain(api);
    const sub = await makeSub(api, main, 10);
    const refused = await sub.client.send(changeReminders, { lowCharNum: 20, expiryDays: 5, byMail: 1 });
    expect(refused).toMatchObject({ status: 422, body: { code: 'NO_MAILBOX' } });
    await desk.want(sub, 20, { expiryDays: 5, byMail: 0 });
    expect((await sub.client.call(getUser, {})).reminders).toEqual({ lowCharNum: 20, expiryDays: 5, byMail: 0 });
    expect((await main.client.call(getUser, {})).reminders.lowCharNum).toBe(1_000);
    await desk.watch();
    expect(await desk.toldOf(sub)).toEqual([]);
    expect(await desk.toldOf(main)).toEqual([]);
  });
});

describe('a low balance', () => {
  it('is told by one letter in both languages, with the way to recharge', async () => {
    const main = await makeMain(api);
    await desk.want(main, 4_000);
    await desk.watch();
    expect(await desk.toldOf(main)).toEqual([]);
    await desk.chars(main, 3_999);
    for (let turn = 0; turn < 3; turn++) await desk.watch();
    const [letter, ...more] = await desk.lettersOf(main);
    expect(more).toEqual([]);
    expect(letter?.subject).toMatch(/余额提醒.*balance is low/);
    expect(letter?.text).toContain('剩余 3,999 字符，低于您设定的 4,000 字符');
    expect(letter?.text).toContain('https://yiqiao.example/UserCenterRecharge');
    for (const name of [main.username, main.account]) expect(letter?.text).not.toContain(name);
    await desk.chars(main, 10);
    await desk.watch();
    expect(await desk.lettersOf(main)).toHaveLength(1);
  });

  it('is told at the proposed bound to who never said anything, but not to who never had more', async () => {
    const [main, once] = [await makeMain(api), await makeMain(api)];
    await desk.chars(main, 999);
    await once.client.call(deleteUser, { userPassword: once.password });
    // The mailbox had its trial before, so it begins with nothing.
    const poor = await foundAgain(once);
    await desk.watch();
    expect(await desk.toldOf(main)).toMatchObject([{ charNum: 999, least: 1_000 }]);
    expect(await desk.toldOf(poor)).toEqual([]);
    await desk.want(poor, 10);
    await desk.watch();
    expect(await desk.toldOf(poor)).toMatchObject([{ charNum: 0, least: 10 }]);
  });

  it('is told again after it was refilled, even for a moment between two turns', async () => {
    const main = await makeMain(api);
    await desk.want(main, 4_000);
    await desk.chars(main, 100);
    await desk.watch();
    await desk.chars(main, 4_000);
    await desk.watch();
    expect(await desk.toldOf(main)).toHaveLength(1);
    await desk.chars(main, 200);
    await desk.watch();
    await desk.chars(main, 9_000);
    await desk.chars(main, 300);
    await desk.watch();
    await desk.chars(main, 310);
    await desk.watch();
    expect(await desk.toldOf(main)).toMatchObject([{ charNum: 100 }, { charNum: 200 }, { charNum: 300 }]);
    expect(await desk.lettersOf(main)).toHaveLength(3);
  });

  it('is told of a bound that was raised over the balance, not of one that only moved above it', async () => {
    const main = await makeMain(api);
    await desk.want(main, 6_000);
    await desk.watch();
    expect(await desk.toldOf(main)).toMatchObject([{ charNum: 5_000, least: 6_000 }]);
    await desk.want(main, 7_000);
    await desk.watch();
    expect(await desk.toldOf(main)).toHaveLength(1);
    await desk.want(main, 4_000);
    await desk.want(main, 8_000);
    await desk.watch();
    expect(await desk.toldOf(main)).toMatchObject([{ least: 6_000 }, { least: 8_000 }]);
  });

  it('is told by no letter when letters are off, and not afterwards either', async () => {
    const main = await makeMain(api);
    await desk.want(main, 4_000, { byMail: 0 });
    await desk.chars(main, 10);
    await desk.watch();
    await desk.want(main, 4_000, { byMail: 1 });
    await desk.watch();
    expect(await desk.lettersOf(main)).toEqual([]);
    await desk.chars(main, 5_000);
    await desk.chars(main, 20);
    await desk.watch();
    expect(await desk.lettersOf(main)).toHaveLength(1);
  });

  it('is never told at 0, in time mode, or of an account that is closed', async () => {
    const [off, timed, gone] = [await makeMain(api), await makeMain(api), await makeMain(api)];
    await desk.want(off, 0);
    await buyPackage(api, timed, MONTHLY);
    await desk.want(timed, 4_000);
    await desk.want(gone, 6_000);
    await gone.client.call(deleteUser, { userPassword: gone.password });
    for (const who of [off, timed]) await desk.chars(who, 0);
    await desk.watch();
    for (const who of [off, timed, gone]) expect(await desk.toldOf(who)).toEqual([]);
  });

  it('is told once when several turns run at the same time', async () => {
    const people = await Promise.all([1, 2, 3, 4].map(() => makeMain(api)));
    for (const who of people) await desk.chars(who, 5);
    await Promise.all([1, 2, 3, 4, 5, 6].map(() => desk.watch()));
    for (const who of people) expect(await desk.toldOf(who)).toHaveLength(1);
  });
});

describe('a package that ends', () => {
  it('is told once, and once more when the new end comes near', async () => {
    const main = await makeMain(api);
    await desk.want(main, 0, { expiryDays: 29 });
    await desk.watch();
    expect(await desk.toldOf(main)).toEqual([]);
    await desk.want(main, 0, { expiryDays: 31 });
    for (let turn = 0; turn < 2; turn++) await desk.watch();
    await buyPackage(api, main, STANDARD);
    await desk.watch();
    expect(await desk.toldOf(main)).toHaveLength(1);
    await desk.want(main, 0, { expiryDays: 61 });
    for (let turn = 0; turn < 2; turn++) await desk.watch();
    const { memberAccount } = await main.client.call(getUser, {});
    const letters = await desk.lettersOf(main);
    expect(letters).toHaveLength(2);
    for (const { subject } of letters) expect(subject).toMatch(/即将到期.*ends soon/);
    const last = `将于 ${memberAccount.expireDateTime} 到期`;
    expect(letters.filter(({ text }) => text.includes(last))).toHaveLength(1);
  });

  it('is told in time mode, too; never at 0 days', async () => {
    const [timed, off] = [await makeMain(api), await makeMain(api)];
    await buyPackage(api, timed, MONTHLY);
    await desk.want(timed, 0, { expiryDays: 90 });
    await desk.want(off, 0);
    await desk.watch();
    expect(await desk.toldOf(timed)).toMatchObject([{ expireAt: expect.any(Date), least: null }]);
    expect(await desk.toldOf(off)).toEqual([]);
  });

  it('is told anew when fewer days are wanted than were told of', async () => {
    const main = await makeMain(api);
    await desk.want(main, 0, { expiryDays: 40 });
    await desk.watch();
    await desk.want(main, 0, { expiryDays: 20 });
    await desk.watch();
    expect(await desk.toldOf(main)).toHaveLength(1);
    await desk.want(main, 0, { expiryDays: 40 });
    await desk.watch();
    expect(await desk.toldOf(main)).toHaveLength(2);
  });
});
