/** Accounts and requests over the API, for test setup. */
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { signedHeaders, tokenOf } from '@yiqiao/contracts/signing';
import { createHash, randomBytes } from 'node:crypto';
import { BASE_URL } from './environment.js';
import type { UploadFile } from './media.js';
import type { SignedIn } from './members.js';

type Session = Pick<SignedIn, 'sk' | 'userId'>;
type Answer<T> = { success: boolean; data: T; msg: string };
export type Quota = { usableCharNum: number; usableVoiceNum: number; usableImageNum: number };
export type Child = { userId: number; account: string; password: string };

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const signed = ({ sk, userId }: Session): Record<string, string> =>
  signedHeaders(tokenOf(sk, userId, sha256), Date.now(), sha256);

async function answer<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(`${BASE_URL}${BASE_PATH}${path}`, init);
  const { success, data, msg } = (await response.json()) as Answer<T>;
  if (!success) throw new Error(`${path}: ${msg}`);
  return data;
}

export const getAs = <T>(who: Session, path: string): Promise<T> => answer<T>(path, { headers: signed(who) });

export const postAs = <T>(who: Session, path: string, body: unknown): Promise<T> =>
  answer<T>(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...signed(who) },
    body: JSON.stringify(body),
  });

/** Posts a multipart form with `file`. */
export function uploadAs<T>(who: Session, path: string, fields: Record<string, string>, file: UploadFile): Promise<T> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(file.buffer)], { type: file.mimeType }), file.name);
  return answer<T>(path, { method: 'POST', headers: signed(who), body: form });
}

/** Signs in with a new session. */
export async function signIn(account: string, password: string): Promise<SignedIn> {
  const session = await answer<Session>('/login/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ account, password }),
  });
  return { username: account, email: account, password, ...session };
}

/** The demo main account, whose plan includes sub-accounts. */
export const demoMain = (): Promise<SignedIn> =>
  signIn(process.env['DEMO_ACCOUNT'] ?? 'demo', process.env['DEMO_PASSWORD'] ?? '');

/** An unused account name of letters, digits and Han characters. */
export const freshName = (): string => `组${randomBytes(5).toString('hex')}`;

export async function newChild(main: Session): Promise<Child> {
  const [account, password] = [freshName(), `pw-${randomBytes(5).toString('hex')}`];
  const { userId } = await postAs<{ userId: number }>(main, '/user/saveChildUser', { account, password });
  return { userId, account, password };
}

/** Deletes sub-accounts; their quota goes back to the main account. */
export async function removeChildren(main: Session, accounts: readonly string[]): Promise<void> {
  for (const account of accounts) {
    const { rows } = await getAs<{ rows: { userId: number; account: string }[] }>(
      main,
      `/user/page?account=${encodeURIComponent(account)}`,
    );
    for (const { userId } of rows.filter((row) => row.account === account))
      await postAs(main, '/user/delChild', { userId });
  }
}

export const quotaOf = async (main: Session, { userId }: Child): Promise<Quota> =>
  (await getAs<{ memberAccount: Quota }>(main, `/user/getChildInfo?userId=${userId}`)).memberAccount;

export const ownQuota = async (main: Session): Promise<Quota> =>
  (await getAs<{ memberAccount: Quota }>(main, '/user/get')).memberAccount;

/** Sessions of a member on other devices, which use the API only. */
type Device = Pick<SignedIn, 'sk' | 'userId'>;

/** Signs in on another device. */
export async function signInOn(
  clientType: 'web' | 'windows' | 'ios',
  { account, password }: { account: string; password: string },
  userAgent = 'node',
): Promise<Device> {
  const response = await fetch(`${BASE_URL}/client-user/login/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': userAgent },
    body: JSON.stringify({ account, password, clientType }),
  });
  return ((await response.json()) as { data: Device }).data;
}

/** Whether the device is still signed in. */
export const isSignedIn = (device: Device): Promise<boolean> =>
  getAs(device, '/user/get').then(
    () => true,
    () => false,
  );
