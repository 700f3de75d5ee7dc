import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CommandBus } from '@nestjs/cqrs';
import type { OperatorRole } from '@yiqiao/domain/operators';
import { TOTP } from 'otpauth';
import { loadConfig } from '../../src/platform/config.js';
import { InviteOperator } from '../../src/operators/enrol.js';
import { buildOperators } from '../../src/operators/serve-operators.js';
import type { TestApi } from './api.js';

export type Answer = {
  status: number;
  body: { success: boolean; data: never; code?: string; msg: string };
  headers: Headers;
};

/** A browser of an operator: it keeps cookies and sends the origin of the console. */
export class OperatorBrowser {
  readonly cookies = new Map<string, string>();
  csrf = '';

  constructor(
    readonly url: string,
    readonly origin = url,
  ) {}

  /** As the header has it. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async call(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const all = {
      Cookie: this.cookie,
      Origin: this.origin,
      'x-csrf-token': this.csrf,
      'Content-Type': 'application/json',
      ...headers,
    };
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
    const init = { method, headers: sent, ...(body ? { body: JSON.stringify(body) } : {}) };
    const response = await fetch(`${this.url}/operator-api${path}`, init);
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split('=', 2);
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const text = await response.text();
    const isFile = response.headers.get('content-type')?.startsWith('text/csv');
    const answer: unknown = isFile ? { success: true, data: text, msg: '' } : JSON.parse(text);
    return { status: response.status, body: answer as Answer['body'], headers: response.headers };
  }

  get(path: string): Promise<Answer> {
    return this.call('GET', path);
  }

  post(path: string, body: object = {}): Promise<Answer> {
    return this.call('POST', path, body);
  }
}

export type TestOperator = {
  name: string;
  role: OperatorRole;
  password: string;
  secret: string;
  recoveryCodes: string[];
};

/** The operators' process beside an api, on its database. */
export class TestOperators {
  private constructor(
    readonly app: NestFastifyApplication,
    readonly url: string,
    private readonly api: TestApi,
  ) {}

  static async start(api: TestApi, extra: Record<string, string> = {}): Promise<TestOperators> {
    const app = await buildOperators(loadConfig({ ...api.env, ...extra }));
    await app.listen(0, '127.0.0.1');
    return new TestOperators(app, (await app.getUrl()).replace('[::1]', '127.0.0.1'), api);
  }

  stop(): Promise<void> {
    return this.app.close();
  }

  browser(): OperatorBrowser {
    return new OperatorBrowser(this.url);
  }

  /** An operator that has used its enrolment link. */
  async enrol(name: string, role: OperatorRole): Promise<TestOperator> {
    const invite = new InviteOperator({ name, role, renew: false }, { actor: 'cli:test' });
    const { token } = await this.app.get(CommandBus).execute(invite);
    const browser = this.browser();
    const { body } = await browser.post('/enrolments/open', { token });
    const { secret } = body.data as { secret: string };
    const password = `the password of ${name}`;
    const done = await browser.post('/enrolments', { token, password, code: codeOf(secret) });
    if (done.status !== 200) throw new Error(done.body.msg);
    const { recoveryCodes } = done.body.data as { recoveryCodes: string[] };
    return { name, role, password, secret, recoveryCodes };
  }

  /** A code that has not been used: the database forgets the one before. */
  async freshCode({ name, secret }: TestOperator): Promise<string> {
    await this.api.db.query('UPDATE operator_account SET last_step = NULL WHERE name = $1', [name]);
    return codeOf(secret);
  }

  /** A signed-in browser, here or at another process on the same database. */
  async signIn(operator: TestOperator, url = this.url): Promise<OperatorBrowser> {
    const browser = new OperatorBrowser(url);
    await browser.post('/sign-in', { name: operator.name, password: operator.password });
    const { status, body } = await browser.post('/sign-in/code', { code: await this.freshCode(operator) });
    if (status !== 200) throw new Error(body.msg);
    browser.csrf = (body.data as { csrf: string }).csrf;
    return browser;
  }
}

export const codeOf = (secret: string, timestamp = Date.now()): string => new TOTP({ secret }).generate({ timestamp });
