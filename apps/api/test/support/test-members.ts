import { randomBytes } from 'node:crypto';
import { login, register, sendVCode } from '@yiqiao/contracts/login';
import type { TestApi } from './api.js';
import { TestClient, type Session } from './client.js';

export type TestMember = { username: string; account: string; password: string; session: Session; client: TestClient };

type MailRow = { to: string; subject: string; text: string; html: string; at: string };

const sandbox = (): string => process.env['SANDBOX_URL'] ?? '';

/** The mails to `address`, newest first, once there are `count`. */
export async function mailsTo(address: string, count = 1): Promise<MailRow[]> {
  for (let tries = 0; tries < 900; tries++) {
    const answer = await fetch(`${sandbox()}/mail?to=${encodeURIComponent(address)}`);
    const mails = (await answer.json()) as MailRow[];
    if (mails.length >= count) return mails;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`fewer than ${count} mails to ${address} arrived`);
}

/** The code of the newest mail that has one, once there are `count` mails: a notice may overtake a code on its way. */
export async function codeMailedTo(address: string, count = 1): Promise<string> {
  const mails = await mailsTo(address, count);
  const code = mails.map(({ text }) => /\b\d{6}\b/.exec(text)?.[0]).find(Boolean);
  if (!code) throw new Error(`no code in ${JSON.stringify(mails)}`);
  return code;
}

/** Another six-digit code. */
export const wrongCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** Codes may be requested once a minute: this skips one. */
export const skipCodePause = (api: Pick<TestApi, 'db'>): Promise<unknown> =>
  api.db.query("UPDATE verification_code SET created_at = created_at - interval '61 seconds'");

export const freshName = (): string => `u${randomBytes(6).toString('hex')}`;

/** Registers over HTTP with a mailed code and signs in. A worker must be running to send the mail. */
export async function registerMember(url: string, extra: { inviteCode?: string } = {}): Promise<TestMember> {
  const username = freshName();
  const account = `${username}@example.com`;
  const password = 'secret-123';
  const visitor = new TestClient(url);
  await visitor.call(sendVCode, { account });
  const vcode = await codeMailedTo(account);
  await visitor.call(register, { username, account, password, vcode, ...extra });
  const session = await visitor.call(login, { account: username, password });
  return { username, account, password, session, client: visitor.as(session) };
}
