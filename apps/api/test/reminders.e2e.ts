/** Warnings of a low balance and of an expiring package: who gets which, and when (docs/decisions/0022). */
import { EntityManager } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { login } from '@yiqiao/contracts/login';
import { changeReminders } from '@yiqiao/contracts/reminders';
import { deleteUser, getUser } from '@yiqiao/contracts/user';
import { Members } from '../src/members/members.js';
import { Passwords } from '../src/platform/passwords.js';
import type { TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { buyPackage, makeMain, makeSub } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import { ReminderFixture } from './support/reminders.js';
import { startApiWithWorker } from './support/worker.js';

/** One package of characters and one of time. */
const STANDARD = 2;
const MONTHLY = 7;

let api: TestApi;
let fixture: ReminderFixture;

beforeAll(async () => {
  api = await startApiWithWorker({ PUBLIC_URL: 'https://yiqiao.example' });
  fixture = new ReminderFixture(api);
});
afterAll(() => api.stop());

/** A new main account under the names of a closed one, signed in. */
const foundAgain = async (gone: TestMember): Promise<TestMember> => {
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

describe('reminder settings', () => {
  it('have proposed values until they are saved as a whole', async () => {
    const main = await makeMain(api);
    const reminders = async () => (await main.client.call(getUser, {})).reminders;
    expect(await reminders()).toEqual({ lowCharNum: 1_000, expiryDays: 3, byMail: 1 });
    await fixture.setReminders(main, 0, { expiryDays: 90, byMail: 0 });
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
  ])('are rejected: %j', async (input) => {
    const main = await makeMain(api);
    expect(await main.client.send(changeReminders, input)).toMatchObject({ status: 422 });
    expect((await main.client.call(getUser, {})).reminders.lowCharNum).toBe(1_000);
  });

  it('are private to a sub-account, without mail: it has no mailbox', async () => {
    const main = await makeMain(api);
    const sub = await makeSub(api, main, 10);
    const refused = await sub.client.send(changeReminders, { lowCharNum: 20, expiryDays: 5, byMail: 1 });
    expect(refused).toMatchObject({ status: 422, body: { code: 'NO_MAILBOX' } });
    await fixture.setReminders(sub, 20, { expiryDays: 5, byMail: 0 });
    expect((await sub.client.call(getUser, {})).reminders).toEqual({ lowCharNum: 20, expiryDays: 5, byMail: 0 });
    expect((await main.client.call(getUser, {})).reminders.lowCharNum).toBe(1_000);
    await fixture.watch();
    expect(await fixture.remindersOf(sub)).toEqual([]);
    expect(await fixture.remindersOf(main)).toEqual([]);
  });
});

describe('a low balance', () => {
  it('is reported in one mail in both languages, with a link to recharge', async () => {
    const main = await makeMain(api);
    await fixture.setReminders(main, 4_000);
    await fixture.watch();
    expect(await fixture.remindersOf(main)).toEqual([]);
    await fixture.setChars(main, 3_999);
    for (let turn = 0; turn < 3; turn++) await fixture.watch();
    const [letter, ...more] = await fixture.mailsOf(main);
    expect(more).toEqual([]);
    expect(letter?.subject).toMatch(/余额提醒.*balance is low/);
    expect(letter?.text).toContain('剩余 3,999 字符，低于您设定的 4,000 字符');
    expect(letter?.text).toContain('https://yiqiao.example/UserCenterRecharge');
    for (const name of [main.username, main.account]) expect(letter?.text).not.toContain(name);
    await fixture.setChars(main, 10);
    await fixture.watch();
    expect(await fixture.mailsOf(main)).toHaveLength(1);
  });

  it('is reported at the proposed threshold, but not to members who never had more', async () => {
    const [main, once] = [await makeMain(api), await makeMain(api)];
    await fixture.setChars(main, 999);
    await once.client.call(deleteUser, { userPassword: once.password });
    // The mailbox had its trial before, so the account starts empty.
    const poor = await foundAgain(once);
    await fixture.watch();
    expect(await fixture.remindersOf(main)).toMatchObject([{ charNum: 999, least: 1_000 }]);
    expect(await fixture.remindersOf(poor)).toEqual([]);
    await fixture.setReminders(poor, 10);
    await fixture.watch();
    expect(await fixture.remindersOf(poor)).toMatchObject([{ charNum: 0, least: 10 }]);
  });

  it('is reported again after a refill, even a short one between two runs', async () => {
    const main = await makeMain(api);
    await fixture.setReminders(main, 4_000);
    await fixture.setChars(main, 100);
    await fixture.watch();
    await fixture.setChars(main, 4_000);
    await fixture.watch();
    expect(await fixture.remindersOf(main)).toHaveLength(1);
    await fixture.setChars(main, 200);
    await fixture.watch();
    await fixture.setChars(main, 9_000);
    await fixture.setChars(main, 300);
    await fixture.watch();
    await fixture.setChars(main, 310);
    await fixture.watch();
    expect(await fixture.remindersOf(main)).toMatchObject([{ charNum: 100 }, { charNum: 200 }, { charNum: 300 }]);
    expect(await fixture.mailsOf(main)).toHaveLength(3);
  });

  it('is reported for a threshold raised above the balance, not for one that only moved above it', async () => {
    const main = await makeMain(api);
    await fixture.setReminders(main, 6_000);
    await fixture.watch();
    expect(await fixture.remindersOf(main)).toMatchObject([{ charNum: 5_000, least: 6_000 }]);
    await fixture.setReminders(main, 7_000);
    await fixture.watch();
    expect(await fixture.remindersOf(main)).toHaveLength(1);
    await fixture.setReminders(main, 4_000);
    await fixture.setReminders(main, 8_000);
    await fixture.watch();
    expect(await fixture.remindersOf(main)).toMatchObject([{ least: 6_000 }, { least: 8_000 }]);
  });

  it('is not mailed while mail is off, nor afterwards', async () => {
    const main = await makeMain(api);
    await fixture.setReminders(main, 4_000, { byMail: 0 });
    await fixture.setChars(main, 10);
    await fixture.watch();
    await fixture.setReminders(main, 4_000, { byMail: 1 });
    await fixture.watch();
    expect(await fixture.mailsOf(main)).toEqual([]);
    await fixture.setChars(main, 5_000);
    await fixture.setChars(main, 20);
    await fixture.watch();
    expect(await fixture.mailsOf(main)).toHaveLength(1);
  });

  it('is never reported at threshold 0, in time mode, or for a closed account', async () => {
    const [off, timed, gone] = [await makeMain(api), await makeMain(api), await makeMain(api)];
    await fixture.setReminders(off, 0);
    await buyPackage(api, timed, MONTHLY);
    await fixture.setReminders(timed, 4_000);
    await fixture.setReminders(gone, 6_000);
    await gone.client.call(deleteUser, { userPassword: gone.password });
    for (const who of [off, timed]) await fixture.setChars(who, 0);
    await fixture.watch();
    for (const who of [off, timed, gone]) expect(await fixture.remindersOf(who)).toEqual([]);
  });

  it('is reported once when several runs overlap', async () => {
    const people = await Promise.all([1, 2, 3, 4].map(() => makeMain(api)));
    for (const who of people) await fixture.setChars(who, 5);
    await Promise.all([1, 2, 3, 4, 5, 6].map(() => fixture.watch()));
    for (const who of people) expect(await fixture.remindersOf(who)).toHaveLength(1);
  });
});

describe('an expiring package', () => {
  it('is reported once, and again when its new end approaches', async () => {
    const main = await makeMain(api);
    await fixture.setReminders(main, 0, { expiryDays: 29 });
    await fixture.watch();
    expect(await fixture.remindersOf(main)).toEqual([]);
    await fixture.setReminders(main, 0, { expiryDays: 31 });
    for (let turn = 0; turn < 2; turn++) await fixture.watch();
    await buyPackage(api, main, STANDARD);
    await fixture.watch();
    expect(await fixture.remindersOf(main)).toHaveLength(1);
    await fixture.setReminders(main, 0, { expiryDays: 61 });
    for (let turn = 0; turn < 2; turn++) await fixture.watch();
    const { memberAccount } = await main.client.call(getUser, {});
    const letters = await fixture.mailsOf(main);
    expect(letters).toHaveLength(2);
    for (const { subject } of letters) expect(subject).toMatch(/即将到期.*expires soon/);
    const last = `将于 ${memberAccount.expireDateTime} 到期`;
    expect(letters.filter(({ text }) => text.includes(last))).toHaveLength(1);
  });

  it('is reported in time mode too, and never at 0 days', async () => {
    const [timed, off] = [await makeMain(api), await makeMain(api)];
    await buyPackage(api, timed, MONTHLY);
    await fixture.setReminders(timed, 0, { expiryDays: 90 });
    await fixture.setReminders(off, 0);
    await fixture.watch();
    expect(await fixture.remindersOf(timed)).toMatchObject([{ expireAt: expect.any(Date), least: null }]);
    expect(await fixture.remindersOf(off)).toEqual([]);
  });

  it('is reported again when fewer days are set than were reported', async () => {
    const main = await makeMain(api);
    await fixture.setReminders(main, 0, { expiryDays: 40 });
    await fixture.watch();
    await fixture.setReminders(main, 0, { expiryDays: 20 });
    await fixture.watch();
    expect(await fixture.remindersOf(main)).toHaveLength(1);
    await fixture.setReminders(main, 0, { expiryDays: 40 });
    await fixture.watch();
    expect(await fixture.remindersOf(main)).toHaveLength(2);
  });
});
