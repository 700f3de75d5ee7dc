import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { login, register, sendVCode } from '@yiqiao/contracts/login';
import { getUser } from '@yiqiao/contracts/user';
import { GrantInviteReward } from '../src/auth/grant-invite-reward.js';
import { invitesList, invitesRefuse, invitesRelease } from '../src/operator/invites.js';
import type { OperatorTask } from '../src/operator/operator-app.js';
import type { TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { makeMain } from './support/family.js';
import { listManagers } from './support/operator.js';
import { type TestMember, codeMailedTo, freshName, registerMember, skipCodePause } from './support/test-members.js';
import { waitUntil } from './support/wait-until.js';
import { startApiWithWorker } from './support/worker.js';

let api: TestApi;

beforeAll(async () => {
  api = await startApiWithWorker();
});
afterAll(() => api.stop());

const userOf = (person: TestMember) => person.client.call(getUser, {});

/** Registers the given address. */
async function registerAs(account: string, { inviteCode = '', letters = 1 } = {}) {
  const visitor = new TestClient(api.url);
  const username = freshName();
  await visitor.call(sendVCode, { account });
  const vcode = await codeMailedTo(account, letters);
  await visitor.call(register, { username, account, password: 'secret-123', vcode, inviteCode });
  const session = await visitor.call(login, { account, password: 'secret-123' });
  return visitor.as(session);
}

/** The state that log-off leaves: the names are free again, gifts stay counted (decisions §3). */
async function forget(userId: number): Promise<void> {
  await api.db.query('DELETE FROM identity WHERE user_id = $1', [userId]);
  await api.db.query(
    'UPDATE member SET closed_at = now(), nickname = NULL, password_hash = NULL, invite_code = NULL WHERE id = $1',
    [userId],
  );
  await skipCodePause(api);
}

const rewardsOf = async (userId: number): Promise<number[]> => {
  const { rows } = await api.db.query('SELECT char_change FROM account_log WHERE user_id = $1 AND log_type = 10', [
    userId,
  ]);
  return rows.map((row: { char_change: number }) => row.char_change);
};

describe('the invite reward', () => {
  it('is granted to the new member once, however often its job is delivered', async () => {
    const inviter = await registerMember(api.url);
    const { inviteCode } = await userOf(inviter);
    const invited = await registerMember(api.url, { inviteCode: inviteCode?.toLowerCase() });
    const userId = invited.session.userId;
    await waitUntil(
      () => rewardsOf(userId),
      (rewards) => rewards.length > 0,
    );

    const commands = api.app.get(CommandBus);
    await Promise.all(Array.from({ length: 5 }, () => commands.execute(new GrantInviteReward(userId))));
    expect(await rewardsOf(userId)).toEqual([10_000]);
    expect((await userOf(invited)).memberAccount.usableCharNum).toBe(15_000);
    const own = await userOf(inviter);
    expect(own).toMatchObject({ inviteCount: 1, memberAccount: { usableCharNum: 5_000 } });
  });

  it('requires an existing invite code; an unknown one does not block the registration', async () => {
    const person = await registerMember(api.url, { inviteCode: 'NOBODYHASIT' });
    const { rows } = await api.db.query("SELECT fact FROM outbox WHERE fact->>'userId' = $1", [
      `${person.session.userId}`,
    ]);
    expect(rows).toEqual([{ fact: { type: 'MemberRegistered', userId: person.session.userId, invited: false } }]);
    expect((await userOf(person)).memberAccount.usableCharNum).toBe(5_000);
  });
});

describe('invalid invite codes', () => {
  it.each(['', 'abc', 'not-a-code', "'; DROP TABLE member; --", '邀请码一二', 'A'.repeat(500), 'YQ7K2M\u0000'])(
    'registers without a reward for the code %j',
    async (inviteCode) => {
      const person = await registerMember(api.url, { inviteCode });
      expect((await userOf(person)).memberAccount.usableCharNum).toBe(5_000);
      const { rows } = await api.db.query('SELECT inviter_id FROM member WHERE id = $1', [person.session.userId]);
      expect(rows).toEqual([{ inviter_id: null }]);
    },
  );

  it.each([
    ['zh-CN', '内容类型不正确'],
    ['en-US', 'The value has the wrong type'],
  ])('rejects a code that is not a string, naming the field (%s)', async (language, msg) => {
    const username = freshName();
    for (const inviteCode of [null, 123456, ['YQ7K2M'], {}]) {
      const answer = await fetch(`${api.url}/client-user/login/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Accept-Language': language },
        body: JSON.stringify({
          username,
          account: `${username}@example.com`,
          password: 'secret-123',
          vcode: '123456',
          inviteCode,
        }),
      });
      expect([answer.status, await answer.json()]).toEqual([
        422,
        expect.objectContaining({ errors: [{ path: 'inviteCode', code: 'WRONG_TYPE', msg }] }),
      ]);
    }
  });
});

describe('more than twenty rewarded invitations a day', () => {
  const operate = async (command: (args: string[]) => OperatorTask, ...args: string[]): Promise<string> => {
    const said: string[] = [];
    const tool = command(args);
    await tool({ app: await api.commandLine(), language: 'en', print: (line) => said.push(line) });
    return said.join('\n');
  };
  const why = ['--reason', 'looked at'];

  /** As if these members had been invited by `inviter`, and their jobs had not run yet. */
  async function makeInvited(ids: number[], inviter: TestMember): Promise<void> {
    await waitUntil(
      () => api.db.query("SELECT 1 FROM outbox WHERE done_at IS NULL AND fact->>'type' = 'MemberRegistered'"),
      ({ rows }) => rows.length === 0,
    );
    await api.db.query('UPDATE member SET inviter_id = $1 WHERE id = ANY ($2)', [inviter.session.userId, ids]);
  }

  it('wait for an operator, who grants or refuses each once', async () => {
    await listManagers(api.db);
    const inviter = await makeMain(api);
    const invited: TestMember[] = [];
    for (let i = 0; i < 23; i++) invited.push(await makeMain(api));
    const ids = invited.map(({ session }) => session.userId);
    await makeInvited(ids, inviter);
    const commands = api.app.get(CommandBus);
    const ask = (userId: number): Promise<void> => commands.execute(new GrantInviteReward(userId));
    // All at once, and every job twice.
    await Promise.all([...ids, ...ids].map(ask));
    const rewarded = async (): Promise<number[]> => {
      const given = await Promise.all(ids.map(async (id) => ({ id, rewards: await rewardsOf(id) })));
      for (const { rewards } of given) expect([[], [10_000]]).toContainEqual(rewards);
      return given.filter(({ rewards }) => rewards.length > 0).map(({ id }) => id);
    };
    const first = await rewarded();
    expect(first).toHaveLength(20);
    const [one = 0, two = 0, three = 0] = ids.filter((id) => !first.includes(id));
    expect((await userOf(inviter)).inviteCount).toBe(20);

    const list = await operate(invitesList);
    for (const id of [one, two, three]) expect(list).toMatch(new RegExp(`^ *${id} .*${inviter.username} .*3 *$`, 'm'));
    expect(await operate(invitesRelease, String(one), ...why)).toBe(`Rewards released: ${one}`);
    await operate(invitesRefuse, String(two), ...why);
    // A decision is final, and a repeated job changes nothing.
    for (const decide of [invitesRelease, invitesRefuse])
      for (const id of [one, two, 999_999_999])
        await expect(operate(decide, String(three), String(id), ...why)).rejects.toThrow('Nothing was changed');
    await Promise.all(ids.map(ask));
    expect(new Set(await rewarded())).toEqual(new Set([...first, one]));
    expect(await operate(invitesList)).toContain(String(three));
    expect((await userOf(inviter)).inviteCount).toBe(21);
    const { rows } = await api.db.query(
      'SELECT decision, reason FROM invite_hold WHERE inviter_id = $1 ORDER BY decision',
      [inviter.session.userId],
    );
    expect(rows).toEqual([
      { decision: 'refused', reason: 'looked at' },
      { decision: 'released', reason: 'looked at' },
      { decision: null, reason: null },
    ]);
  });

  it('are not reported as granted when the invited account is gone', async () => {
    await listManagers(api.db);
    const [inviter, gone, here] = [await makeMain(api), await makeMain(api), await makeMain(api)];
    const [one, other] = [gone.session.userId, here.session.userId];
    await makeInvited([one, other], inviter);
    for (const id of [one, other])
      await api.db.query('INSERT INTO invite_hold (user_id, inviter_id, held_at) VALUES ($1, $2, now())', [
        id,
        inviter.session.userId,
      ]);
    await forget(one);
    const [given, nothing] = (await operate(invitesRelease, String(one), String(other), ...why)).split('\n');
    expect(given).toBe(`Rewards released: ${other}`);
    expect(nothing).toMatch(new RegExp(`^No reward was given .*: ${one}$`));
    expect([await rewardsOf(one), await rewardsOf(other)]).toEqual([[], [10_000]]);
  });

  it('are counted once per mailbox, even after its account is deleted', async () => {
    const inviter = await makeMain(api);
    const [early, late] = [await makeMain(api), await makeMain(api)];
    const ids = [early, late].map(({ session }) => session.userId);
    await makeInvited(ids, inviter);
    await api.app.get(CommandBus).execute(new GrantInviteReward(early.session.userId));
    expect(await rewardsOf(early.session.userId)).toEqual([10_000]);
    expect((await userOf(inviter)).inviteCount).toBe(1);
    // Members who log off stay counted: their mailbox never gets another reward.
    await forget(early.session.userId);
    expect((await userOf(inviter)).inviteCount).toBe(1);
    expect((await userOf(late)).inviteCount).toBe(0);
  });
});

describe('a mailbox', () => {
  it('gets the trial and the reward once, even after its account was deleted', async () => {
    const inviteCode = (await userOf(await registerMember(api.url))).inviteCode ?? '';
    const account = `${freshName()}@example.com`;
    const first = await registerAs(account, { inviteCode });
    const userId = first.session?.userId ?? 0;
    await waitUntil(
      () => rewardsOf(userId),
      (rewards) => rewards.length === 1,
    );
    await forget(userId);

    const again = await registerAs(account, { inviteCode, letters: 2 });
    const user = await again.call(getUser, {});
    const facts = () =>
      api.db.query("SELECT 1 FROM outbox WHERE done_at IS NULL AND fact->>'type' = 'MemberRegistered'");
    await waitUntil(facts, ({ rows }) => rows.length === 0);
    expect(user.userId).not.toBe(userId);
    expect(user).toMatchObject({
      memberGroupId: 1,
      memberAccount: { usableCharNum: 0, usableVoiceNum: 0, usableImageNum: 0 },
    });
    expect(user.memberAccount.expireDateTime).not.toBeNull();
    expect(await rewardsOf(user.userId)).toEqual([]);
  });

  it('is the same with another tag', async () => {
    const name = freshName();
    await registerAs(`${name}@outlook.com`);
    const tagged = await registerAs(`${name}+second@outlook.com`);
    expect((await tagged.call(getUser, {})).memberAccount.usableCharNum).toBe(0);
    await registerAs(`${name}@proton.me`);
    const other = await registerAs(`${name}@pm.me`);
    expect((await other.call(getUser, {})).memberAccount.usableCharNum).toBe(0);
  });
});
