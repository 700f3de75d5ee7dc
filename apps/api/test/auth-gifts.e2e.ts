import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { login, register, sendVCode } from '@yiqiao/contracts/login';
import { getUser } from '@yiqiao/contracts/user';
import { GrantInviteReward } from '../src/auth/grant-invite-reward.js';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { codeMailedTo, freshName, registerPerson, type Person } from './support/people.js';
import { until } from './support/until.js';
import { startWorker } from './support/worker.js';

let api: TestApi;
let worker: Awaited<ReturnType<typeof startWorker>>;

beforeAll(async () => {
  api = await startApi();
  worker = await startWorker(api.env);
});
afterAll(async () => {
  await worker.stop();
  await api.stop();
});

const userOf = (person: Person) => person.client.call(getUser, {});

/** Registers an address of our choice. */
async function registerAs(account: string, { inviteCode = '', letters = 1 } = {}) {
  const visitor = new TestClient(api.url);
  const username = freshName();
  await visitor.call(sendVCode, { account });
  const vcode = await codeMailedTo(account, letters);
  await visitor.call(register, { username, account, password: 'secret-123', vcode, inviteCode });
  const session = await visitor.call(login, { account, password: 'secret-123' });
  return visitor.as(session);
}

/** As log-off leaves an account: its names are free again, its gifts stay counted (decisions §3). */
async function forget(userId: number): Promise<void> {
  await api.db.query('DELETE FROM identity WHERE user_id = $1', [userId]);
  await api.db.query(
    'UPDATE member SET closed_at = now(), nickname = NULL, password_hash = NULL, invite_code = NULL WHERE id = $1',
    [userId],
  );
  await api.db.query("UPDATE verification_code SET created_at = created_at - interval '61 seconds'");
}

const rewardsOf = async (userId: number): Promise<number[]> => {
  const { rows } = await api.db.query('SELECT char_change FROM account_log WHERE user_id = $1 AND log_type = 10', [
    userId,
  ]);
  return rows.map((row: { char_change: number }) => row.char_change);
};

describe('the invite reward', () => {
  it('goes to the new member, once, however often its job is delivered', async () => {
    const inviter = await registerPerson(api.url);
    const { inviteCode } = await userOf(inviter);
    const invited = await registerPerson(api.url, { inviteCode: inviteCode?.toLowerCase() });
    const userId = invited.session.userId;
    await until(
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

  it('needs a code that somebody has; another one does not block the registration', async () => {
    const person = await registerPerson(api.url, { inviteCode: 'NOBODYHASIT' });
    const { rows } = await api.db.query("SELECT fact FROM outbox WHERE fact->>'userId' = $1", [
      `${person.session.userId}`,
    ]);
    expect(rows).toEqual([{ fact: { type: 'MemberRegistered', userId: person.session.userId, invited: false } }]);
    expect((await userOf(person)).memberAccount.usableCharNum).toBe(5_000);
  });
});

describe('what stands in an invite code’s place', () => {
  it.each(['', 'abc', 'not-a-code', "'; DROP TABLE member; --", '邀请码一二', 'A'.repeat(500), 'YQ7K2M\u0000'])(
    'is no code (%j): the registration goes on without a reward',
    async (inviteCode) => {
      const person = await registerPerson(api.url, { inviteCode });
      expect((await userOf(person)).memberAccount.usableCharNum).toBe(5_000);
      const { rows } = await api.db.query('SELECT inviter_id FROM member WHERE id = $1', [person.session.userId]);
      expect(rows).toEqual([{ inviter_id: null }]);
    },
  );

  it.each([
    ['zh-CN', '内容类型不正确'],
    ['en-US', 'The value has the wrong type'],
  ])('is no text: refused by its name (%s)', async (language, msg) => {
    const username = freshName();
    for (const inviteCode of [null, 123456, ['YQ7K2M'], {}]) {
      const answer = await fetch(`${api.url}/client-user/login/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Accept-Language': language },
        body: JSON.stringify({
          ...{ username, account: `${username}@example.com`, password: 'secret-123', vcode: '123456', inviteCode },
        }),
      });
      expect([answer.status, await answer.json()]).toEqual([
        422,
        expect.objectContaining({ errors: [{ path: 'inviteCode', code: 'WRONG_TYPE', msg }] }),
      ]);
    }
  });
});

describe('a mailbox', () => {
  it('gets trial and reward once, also after its account was deleted', async () => {
    const inviteCode = (await userOf(await registerPerson(api.url))).inviteCode ?? '';
    const account = `${freshName()}@example.com`;
    const first = await registerAs(account, { inviteCode });
    const userId = first.session?.userId ?? 0;
    await until(
      () => rewardsOf(userId),
      (rewards) => rewards.length === 1,
    );
    await forget(userId);

    const again = await registerAs(account, { inviteCode, letters: 2 });
    const user = await again.call(getUser, {});
    const facts = () =>
      api.db.query("SELECT 1 FROM outbox WHERE done_at IS NULL AND fact->>'type' = 'MemberRegistered'");
    await until(facts, ({ rows }) => rows.length === 0);
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
  });
});
