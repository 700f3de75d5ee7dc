import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import type { Endpoint } from '@yiqiao/contracts/endpoint';
import * as native from '@yiqiao/contracts/native-api';
import { type ErrorCode, errors, statusOf } from '@yiqiao/domain/errors';
import { LANGUAGES, termsOf, translatedTo, USAGE } from './answers.js';
import { CALLS, CODE_LANGUAGES, type ExampleCall, exampleOf, type CallName } from './calls.js';
import en from './content.en.js';
import zh from './content.zh.js';
import type { DevDoc } from './dev-doc.js';

const ORIGIN = 'https://yiqiao.example';
const NAMES = Object.keys(CALLS) as CallName[];

const endpoints = Object.values(native as Record<string, Endpoint>);
const endpointOf = ({ method, path }: ExampleCall): Endpoint | undefined =>
  endpoints.find((each) => each.method === method && `${each.base ?? ''}${each.path}` === path);

describe('the examples of the API', () => {
  it('show every call of the contract', () => {
    const shown = NAMES.map((name) => endpointOf(CALLS[name]));
    expect(new Set(shown)).toEqual(new Set(endpoints));
    expect(endpoints.length).toBeGreaterThan(5);
  });

  it.each(NAMES)('send what the contract takes: %s', (name) => {
    const call: ExampleCall = CALLS[name];
    const input = call.body ?? call.query ?? {};
    expect(endpointOf(call)?.request.parse(input)).toMatchObject({
      ...input,
      ...(call.query?.['pageSize'] ? { pageSize: Number(call.query['pageSize']) } : {}),
    });
  });

  it.each([
    ['translate', translatedTo('en', [{ translated: '您好', charged: 5 }])],
    ['languages', LANGUAGES],
    ['usage', USAGE],
    ['listTerms', termsOf({ source: 'en', target: 'zh-Hans', term: 'mug', translation: '杯' })],
  ] as const)('answer as the contract does: %s', (name, answer) => {
    const { success, data } = JSON.parse(answer) as { success: boolean; data: unknown };
    expect([success, endpointOf(CALLS[name])?.response.parse(data)]).toEqual([true, data]);
  });

  it.each(NAMES)('call the same address with a key in every language: %s', (name) => {
    for (const language of CODE_LANGUAGES) {
      const code = exampleOf(language, ORIGIN, CALLS[name]);
      expect([language, code.includes(ORIGIN + CALLS[name].path), code.includes('API_KEY')]).toEqual([
        language,
        true,
        true,
      ]);
    }
  });

  it.each(NAMES)('are read by the language itself: %s', (name) => {
    const call = CALLS[name];
    const node = spawnSync(process.execPath, ['--check', '--input-type=module', '-'], {
      input: exampleOf('node', ORIGIN, call),
      encoding: 'utf8',
    });
    expect([node.status, node.stderr]).toEqual([0, '']);
    const shell = spawnSync('bash', ['-n'], { input: exampleOf('curl', ORIGIN, call), encoding: 'utf8' });
    expect([shell.status, shell.stderr]).toEqual([0, '']);
  });

  it('write a body as each language does', () => {
    expect(exampleOf('php', ORIGIN, CALLS.deleteTerms)).toContain(`json_encode(['ids' => [17]])`);
    expect(exampleOf('python', ORIGIN, CALLS.deleteTerms)).toContain(`json={'ids': [17]}`);
    expect(exampleOf('node', ORIGIN, CALLS.deleteTerms)).toContain(`JSON.stringify({ ids: [17] })`);
    expect(exampleOf('curl', ORIGIN, CALLS.deleteTerms)).toContain(`curl -X DELETE '${ORIGIN}/v1/glossary'`);
  });
});

describe('the table of errors', () => {
  const rowsIn = ({ parts }: DevDoc): string[][] =>
    parts
      .flatMap(({ blocks }) => blocks)
      .flatMap((block) => (typeof block === 'object' && 'rows' in block ? block.rows : []))
      .filter(([, code]) => /^`[A-Z_]+`$/.test(code ?? ''))
      .map(([status = '', code = '']) => [status, code.slice(1, -1)]);

  it('names codes that exist, with the status that they have', () => {
    expect(rowsIn(zh).length).toBeGreaterThan(20);
    for (const [status, code = ''] of rowsIn(zh))
      expect([code, status]).toEqual([
        code,
        code in errors ? String(statusOf(code as ErrorCode).http) : 'no such code',
      ]);
  });

  it('is the same in both languages', () => {
    expect(rowsIn(en)).toEqual(rowsIn(zh));
  });
});
