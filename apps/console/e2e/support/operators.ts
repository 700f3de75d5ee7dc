/** Operators and their console, for journeys: made by the command line, signed in over HTTP. */
import { createHmac, randomBytes } from 'node:crypto';
import type { OperatorRole } from '@yiqiao/domain/operators';
import type { Page } from 'playwright-core';
import { newVisitor, type Language } from './browser.js';
import { OPERATORS_URL, SANDBOX_URL } from './environment.js';
import { runOperator } from './operator.js';

type Demo = { name: string; password: string; code: string; secondsLeft: number };

/** A demo operator as its phone knows it. A code works once, so journeys that run at a time use different names. */
export async function demoOperator(name: OperatorRole): Promise<Demo> {
  const response = await fetch(`${SANDBOX_URL}/authenticator?name=${name}`, {
    headers: { Accept: 'application/json' },
  });
  return (await response.json()) as Demo;
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The current code of an authenticator app (RFC 6238). */
export function totpOf(secret: string): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g)?.map((byte) => parseInt(byte, 2)) ?? []);
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const mac = createHmac('sha1', key).update(counter).digest();
  const at = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** An enrolment link of a new operator, as the command line prints it. */
export async function enrolmentLink(role: OperatorRole): Promise<{ name: string; link: string }> {
  const name = `${role}-${randomBytes(4).toString('hex')}`;
  const output = await runOperator('account', 'add', name, '--role', role);
  const link = /https?:\S+#\S+/.exec(output)?.[0];
  if (!link) throw new Error(`no link in: ${output}`);
  return { name, link };
}

type Cookies = Map<string, string>;

/** Posts to the operators' API as their console does, and keeps its cookies. */
async function post<T>(path: string, body: object, { cookies, csrf = '' }: { cookies: Cookies; csrf?: string }) {
  const response = await fetch(`${OPERATORS_URL}/operator-api${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Origin: OPERATORS_URL,
      Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(csrf === '' ? {} : { 'X-CSRF-Token': csrf }),
    },
    body: JSON.stringify(body),
  });
  for (const line of response.headers.getSetCookie()) {
    const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split('=', 2);
    cookies.set(name, value);
  }
  const answer = (await response.json()) as { success: boolean; msg: string; data: T };
  if (!answer.success) throw new Error(`${path}: ${answer.msg}`);
  return answer.data;
}

export type SignedInOperator = {
  name: string;
  role: OperatorRole;
  secret: string;
  /** Those that are left: they can be used at once, unlike the app's next code. */
  recoveryCodes: string[];
  cookies: Cookies;
  post: <T>(path: string, body: object) => Promise<T>;
};

/** A new operator of a role, enrolled and signed in. */
export async function newOperator(role: OperatorRole): Promise<SignedInOperator> {
  const { name, link } = await enrolmentLink(role);
  const token = new URL(link).hash.slice(1);
  const cookies: Cookies = new Map();
  const password = `the password of ${name}`;
  const { secret } = await post<{ secret: string }>('/enrolments/open', { token }, { cookies });
  const enrolment = { token, password, code: totpOf(secret) };
  const { recoveryCodes } = await post<{ recoveryCodes: string[] }>('/enrolments', enrolment, { cookies });
  await post('/sign-in', { name, password }, { cookies });
  // The app's code of these 30 seconds is used.
  const [code = '', ...left] = recoveryCodes;
  const { csrf } = await post<{ csrf: string }>('/sign-in/code', { code }, { cookies });
  return {
    name,
    role,
    secret,
    recoveryCodes: left,
    cookies,
    post: (path, body) => post(path, body, { cookies, csrf }),
  };
}

/** A page of the operator console; without `operator` nobody is signed in. */
export async function openOperators(
  path: string,
  { operator, language = 'zh' }: { operator?: SignedInOperator; language?: Language },
): Promise<Page> {
  const { context, page } = await newVisitor(language);
  const cookies = [...(operator?.cookies ?? [])].filter(([, value]) => value !== '');
  await context.addCookies(cookies.map(([name, value]) => ({ name, value, url: OPERATORS_URL })));
  await page.goto(OPERATORS_URL + path);
  return page;
}
