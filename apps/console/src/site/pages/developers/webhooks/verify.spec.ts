import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { SIGNED_EXAMPLE } from '@yiqiao/domain/webhook-messages';
import english from './blocks.en.js';
import chinese from './blocks.zh.js';
import { TYPES } from './events.js';
import { VERIFY } from './verify.js';

const { secret, id, timestamp, signature, body } = SIGNED_EXAMPLE;
const HEADERS = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
const SENT = Number(timestamp);

/** The program that runs an example at a time of its own: it calls it with `GIVEN`, and prints the type of the message or the refusal. */
const PROGRAMS = {
  node: (at: number) => [
    process.execPath,
    '--input-type=module',
    '-e',
    `${VERIFY.node}
Date.now = () => ${at * 1_000};
const { body, headers } = JSON.parse(process.env.GIVEN);
try { console.log(verify(Buffer.from(body), headers).type); } catch (error) { console.log(error.message); }`,
  ],
  python: (at: number) => [
    'python3',
    '-c',
    `${VERIFY.python}
time.time = lambda: ${at}
given = json.loads(os.environ['GIVEN'])
try:
    print(verify(given['body'].encode(), given['headers'])['type'])
except ValueError as error:
    print(error)`,
  ],
  // In a namespace, where the clock can be another one, and without the last lines, which read a request.
  php: (at: number) => [
    'php',
    '-r',
    `${VERIFY.php.split('\n\n$headers')[0]?.replace('<?php', `namespace Example; use RuntimeException; function time() { return ${at}; }`)}
$given = json_decode(getenv('GIVEN'), true);
try { echo verify($given['body'], $given['headers'])['type']; } catch (RuntimeException $error) { echo $error->getMessage(); }`,
  ],
} as const satisfies Record<keyof typeof VERIFY, (at: number) => string[]>;

type Case = { body?: string; headers?: Record<string, string>; secret?: string; at?: number };

function verified(language: keyof typeof VERIFY, given: Case): string {
  const [command = '', ...args] = PROGRAMS[language](given.at ?? SENT);
  const GIVEN = JSON.stringify({ body: given.body ?? body, headers: { ...HEADERS, ...given.headers } });
  const env = { ...process.env, NODE_OPTIONS: '', WEBHOOK_SECRET: given.secret ?? secret, GIVEN };
  const { stdout, stderr } = spawnSync(command, args, { env, encoding: 'utf8' });
  return stdout.trim() || stderr;
}

const isInstalled = (command: string): boolean => spawnSync(command, ['--version']).status === 0;

describe.each([
  ['node', it],
  ['python', isInstalled('python3') ? it : it.skip],
  ['php', isInstalled('php') ? it : it.skip],
] as const)('the verification in %s', (language, test) => {
  test('accepts what our code signed, and nothing else', () => {
    expect(verified(language, {})).toBe('quota.low');
    const two = { 'webhook-signature': `v1,${'A'.repeat(43)}= ${signature}` };
    expect(verified(language, { headers: two })).toBe('quota.low');
    expect(verified(language, { at: SENT + 299 })).toBe('quota.low');
    expect(verified(language, { at: SENT + 301 })).toBe('too old');
    expect(verified(language, { at: SENT - 301 })).toBe('too old');
    const others: Case[] = [
      { body: `${body} ` },
      { headers: { 'webhook-id': `${id}0` } },
      { headers: { 'webhook-timestamp': String(SENT + 1) } },
      { headers: { 'webhook-signature': '' } },
      { headers: { 'webhook-signature': signature.replace('v1,', 'v1,A') } },
      { secret: 'whsec_b3RoZXI=' },
    ];
    for (const wrong of others) expect([wrong, verified(language, wrong)]).toEqual([wrong, 'wrong signature']);
  });
});

it.each([
  ['zh', chinese],
  ['en', english],
] as const)('the text in %s describes every message once', (_, blocks) => {
  const headings = blocks.flatMap((block) => (typeof block === 'object' && 'heading' in block ? [block.heading] : []));
  expect(headings.filter((heading) => (TYPES as string[]).includes(heading))).toEqual(TYPES);
  expect(new Set(headings).size).toBe(headings.length);
});
