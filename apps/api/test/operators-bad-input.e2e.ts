/** Whatever an operator's page or script sends, no field of any call is answered with an error of ours (operators §1). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OperatorEndpoint } from '@yiqiao/contracts/operator/endpoint';
import { operatorEndpoints } from '@yiqiao/contracts/operator/endpoints';
import { startApi, type TestApi } from './support/api.js';
import { makeMain } from './support/family.js';
import { type OperatorBrowser, TestOperators, type TestOperator } from './support/operators.js';

let api: TestApi;
let operators: TestOperators;
let owner: TestOperator;
let browser: OperatorBrowser;
let userId: number;
beforeAll(async () => {
  api = await startApi();
  const plenty = { LIMIT_OPERATOR_SIGN_INS: '100000', LIMIT_EXPORTS_PER_MINUTE: '100000' };
  operators = await TestOperators.start(api, plenty);
  // Number 1, whom the calls below sign out and invite again.
  await operators.enrol('viewer-1', 'viewer');
  owner = await operators.enrol('owner-1', 'owner');
  browser = await operators.signIn(owner);
  ({ userId } = (await makeMain(api)).session);
});
afterAll(async () => {
  await operators.stop();
  await api.stop();
});

const REASON = 'somebody asked for it';
/** A good value of every field, by its name: so that a bad one is the only thing wrong. */
const GOOD: Record<string, unknown> = {
  at: '2026-01-01 00:00:00',
  from: '2026-01-01 00:00:00',
  to: '2026-06-01 00:00:00',
  day: '2026-01-01',
  date: '2026-01-01',
  cmdId: '01990000-0000-7000-8000-000000000000',
  no: 'YQ20260101000000000001',
  line: 'translations',
  account: 'somebody',
  key: 'somebody',
  name: 'somebody',
  reason: REASON,
  text: REASON,
  password: 'a long enough password',
  oldPassword: 'a long enough password',
  token: 'x'.repeat(32),
  valued: '{}',
  version: 0,
  scope: 'account',
  kind: 'quota.adjust',
  payload: { charNum: 1 },
  change: { charNum: 1 },
  role: 'viewer',
  what: ['account'],
  enabled: 1,
  channel: 'deepl',
  weight: 1,
  texts: { name: 'a', title: 'b', subTitle: '', content: '<p>c</p>' },
  zh: { name: 'a', title: 'b', subTitle: '', content: '<p>c</p>' },
  en: { name: 'a', title: 'b', subTitle: '', content: '<p>c</p>' },
};
const goodOf = (name: string, inQuery: boolean): unknown => {
  const good = name === 'target' || name === 'userId' ? String(userId) : (GOOD[name] ?? '1');
  return inQuery && name === 'line' ? 'translations' : good;
};

const IN_QUERIES = ['', '\0', '0', '-2', '9007199254740991', '9999999999999999', '1.5', 'abc', "'", '%', '\\'];
const TIMES = ['2026-02-30 00:00:00', '9999-12-31 23:59:59', '2026-99-99', '9999-12-31', '2000-01-01'];
const IN_BODIES = [
  '\0',
  '\ud800',
  `${REASON}\0`,
  `${REASON}\ud800`,
  '😀'.repeat(5),
  'x'.repeat(100_000),
  -1,
  2 ** 53,
  1e308,
  null,
  [],
  {},
  true,
];

const fieldsOf = ({ request }: OperatorEndpoint): string[] =>
  'shape' in request ? Object.keys(request.shape as object) : ['scope', 'userId'];
const inPath = (path: string): string[] => [...path.matchAll(/:([a-zA-Z]+)/g)].map(([, name = '']) => name);

/** Sends good values, of which `bad` replaces one. Returns what was sent, for an answer of 500 or more, or to nobody. */
async function failing(endpoint: OperatorEndpoint, [name, bad]: [string, unknown]): Promise<string | null> {
  const { method, path, upload } = endpoint;
  const values = Object.fromEntries(fieldsOf(endpoint).map((field) => [field, goodOf(field, method === 'GET')]));
  values[name] = bad;
  const url = path.replaceAll(/:([a-zA-Z]+)/g, (_, field: string) => encodeURIComponent(String(values[field])));
  const rest = Object.fromEntries(Object.entries(values).filter(([field]) => !inPath(path).includes(field)));
  if (upload) return null;
  const code = method === 'GET' ? '' : await operators.freshCode(owner);
  const query = new URLSearchParams(rest as Record<string, string>).toString();
  const { status, body } =
    method === 'GET'
      ? await browser.get(`${url}?${query}`)
      : await browser.call('POST', url, rest, { 'x-one-time-code': code });
  return status < 500 && status !== 401
    ? null
    : `${status} ${body.code} for ${name}: ${JSON.stringify(bad).slice(0, 40)}`;
}

// What ends the session of this file, or opens a stream.
const ELSEWHERE = ['/sign-out', '/stream', '/sign-in'];
const calls = operatorEndpoints.filter(({ path, stream }) => !stream && !ELSEWHERE.includes(path));

describe('no bad field is an error of ours', () => {
  it.each(calls.map((endpoint) => [endpoint.method, endpoint.path, endpoint] as const))(
    '%s %s',
    async (method, path, endpoint) => {
      const found: string[] = [];
      for (const name of fieldsOf(endpoint)) {
        const isText = method === 'GET' || inPath(path).includes(name);
        for (const bad of isText ? [...IN_QUERIES, ...TIMES] : IN_BODIES)
          found.push(...[await failing(endpoint, [name, bad])].filter((said) => said !== null));
      }
      expect(found).toEqual([]);
    },
  );

  it('at the door', async () => {
    for (const name of ['a\0b', '\ud800', '%', 'x'.repeat(64)]) {
      const visitor = operators.browser();
      const first = await visitor.post('/sign-in', { name, password: 'x' });
      const second = await visitor.post('/sign-in/code', { code: '000000' });
      expect([first.status, second.status].filter((status) => status >= 500)).toEqual([]);
    }
  });
});

it('names the field with a character that cannot be stored', async () => {
  const { status, body } = await browser.post('/requests', {
    kind: 'quota.adjust',
    target: String(userId),
    payload: { charNum: 1 },
    reason: `${REASON}\0`,
  });
  expect([status, body]).toMatchObject([422, { code: 'VALIDATION_FAILED', errors: [{ path: 'reason' }] }]);
});

it.each(['2026-02-30', '2026-13-01', '1999-12-31'])('knows no day %s', async (day) => {
  expect(await browser.get(`/trial-balance/entries?line=translations&day=${day}`)).toMatchObject({ status: 422 });
  expect(await browser.get(`/closes/${day}`)).toMatchObject({ status: 422 });
  expect(await browser.post('/closes/verify', { date: day })).toMatchObject({ status: 422 });
});
