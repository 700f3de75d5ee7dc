import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emptyAccount, post } from '@yiqiao/domain/ledger';
import { type Browser, chromium } from 'playwright-core';
import { chain, FIRST_HEAD } from '../src/ledger/rows/chain.js';
import { ledgerCommand } from '../src/ledger/operator/ledger-command.js';
import { type Config, loadConfig } from '../src/platform/config.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { LedgerPurchases, TIME_PLAN } from './support/ledger-purchases.js';
import { createLedgerFixture, usage, type LedgerFixture } from './support/ledger-fixture.js';
import { runCommand } from './support/run-command.js';

const docs = path.resolve(import.meta.dirname, '../../../docs');
const browserPath = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium'].find((file) => file && existsSync(file));
const python = spawnSync('python3', ['--version']).status === 0;

type Row = (string | number | null)[];
type Export = { userId: number; fields: string[]; entries: Row[]; balance: Record<string, unknown> };

/** Changes of the file, and the difference that must be named. */
const TAMPERINGS: [name: string, tamper: (file: Export) => void, where: string, field: RegExp][] = [
  ['a digit of a change', (file) => edit(file, 2, 'charChange', -11), '2', /lastCharNum/],
  [
    'a change with its sum',
    (file) => (edit(file, 2, 'charChange', -11), edit(file, 2, 'lastCharNum', 989)),
    '2',
    /hash/,
  ],
  ['what was used', (file) => edit(file, 3, 'usedCharNum', 1), '3', /hash/],
  ['a time', (file) => edit(file, 2, 'createdAt', 1), '2', /createdAt/],
  ['who did it', (file) => edit(file, 4, 'managerId', 99), '4', /hash/],
  ['a dropped entry', (file) => file.entries.splice(1, 1), '2', /seq/],
  ['the last entry dropped', (file) => file.entries.pop(), 'balance', /seq/],
  ['two swapped entries', (file) => file.entries.splice(1, 2, ...file.entries.slice(1, 3).reverse()), '2', /seq/],
  ['the balance', (file) => (file.balance['charNum'] = 1_000_000), 'balance', /charNum/],
  ['the total recharge', (file) => (file.balance['rechargeAmountTotal'] = 1), 'balance', /rechargeAmountTotal/],
  ['the head', (file) => (file.balance['head'] = '0'.repeat(64)), 'balance', /head/],
  ['another account’s name on it', (file) => (file.userId = 4711), '1', /userId/],
];

function edit(file: Export, seq: number, field: string, value: number): void {
  const row = file.entries[seq - 1];
  if (row) row[file.fields.indexOf(field)] = value;
}

describe('an exported account', () => {
  let fixture: LedgerFixture;
  let config: Config;
  let folder: string;
  let userId: number;
  let good: string;
  let browser: Browser | undefined;
  beforeAll(async () => {
    fixture = await createLedgerFixture();
    config = loadConfig({
      DATABASE_URL: fixture.url,
      REDIS_URL: 'redis://none',
      SMTP_URL: 'smtp://none',
      APP_SECRET: '0'.repeat(64),
    });
    folder = await mkdtemp(path.join(os.tmpdir(), 'proof-'));
    userId = await fixture.member({ charChange: 1000, voiceChange: 2 });
    for (const codePoints of [10, 20]) {
      const to = { id: uuid7(), userId, familyId: userId };
      await fixture.ledger.hold({ ...to, ask: { kind: 'text', codePoints } });
      await fixture.ledger.settle({ ...to, usage });
    }
    await fixture.post(userId, { type: 'SYS_ADJUST', charChange: 5 });
    const purchases = await LedgerPurchases.open(fixture);
    const order = await purchases.order(userId, TIME_PLAN.id);
    await fixture.orm.em.fork().transactional((em) => purchases.pay(em, order));
    await fixture.post(userId, { type: 'SYS_ADJUST', charChange: 975, expireAt: 253_402_300_799_000 });
    good = path.join(folder, 'good.json');
    expect((await write(good)).code).toBe(0);
    if (browserPath) browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true });
    await fixture.drop();
  });

  const write = (file: string): ReturnType<typeof runCommand> =>
    runCommand(() => ledgerCommand(['verify-export', String(userId), '--out', file], config));

  const tamperedFile = async (name: string, tamper: (file: Export) => void): Promise<string> => {
    const file = JSON.parse(await readFile(good, 'utf8')) as Export;
    tamper(file);
    const at = path.join(folder, `${name.replaceAll(/\W/g, '-')}.json`);
    await writeFile(at, JSON.stringify(file));
    return at;
  };

  it('is for operators only and overwrites no file', async () => {
    expect((await stat(good)).mode & 0o777).toBe(0o600);
    const text = await readFile(good, 'utf8');
    const again = await write(good);
    expect(again.code).toBe(1);
    expect(again.err).toContain('already exists');
    expect(await readFile(good, 'utf8')).toBe(text);
    expect((await write(path.join(folder, 'no/such/folder.json'))).code).toBe(1);
    expect((await runCommand(() => ledgerCommand(['verify-export', 'nobody', '--out', good], config))).code).toBe(1);
    expect((await runCommand(() => ledgerCommand(['verify-export', '1'], config))).code).toBe(2);
    expect(JSON.parse(text)).toMatchObject({
      format: 'yiqiao-ledger-export/2',
      userId,
      balance: { charNum: 975, seq: 7 },
    });
  });

  it('matches the documented example', async () => {
    const recipe = await readFile(path.join(docs, 'verifying.md'), 'utf8');
    const state = emptyAccount();
    const createdAt = Date.parse('2026-11-20T02:00:00Z');
    const cmdId = (n: number): string => `0190f3c4-7a2b-7c3d-8e4f-00000000000${n}`;
    const gift = { charChange: 5000, voiceChange: 20, imageChange: 20, expireAt: createdAt + 30 * 86_400_000 };
    const at = { userId: 7, familyId: 7, typeSeq: 1 };
    const one = post(
      state,
      { type: 'OTHER', ...gift, tranChannelId: 1, refs: { memberGroupId: 1 } },
      { ...at, cmdId: cmdId(1), createdAt },
    );
    const use = { charChange: -12, usedCharNum: 12, refs: { consumeTranChannelId: 1 } };
    const two = post(
      state,
      { type: 'TRANSLATION_CONSUME', ...use },
      { ...at, cmdId: cmdId(2), createdAt: createdAt + 60_000 },
    );
    const first = chain(FIRST_HEAD, one);
    expect(recipe).toContain(first);
    expect(recipe).toContain(chain(first, two));
  });

  const verdictOf = async (file: string, locale: string): Promise<string> => {
    const context = await browser?.newContext({ locale, offline: true });
    const page = await context?.newPage();
    const problems: string[] = [];
    page?.on('pageerror', (error) => problems.push(error.message));
    await page?.goto(pathToFileURL(path.join(docs, 'verify.html')).href);
    await page?.setInputFiles('#file', file);
    await page?.waitForSelector('#verdict:is(.whole, .difference, .unreadable)');
    const text = await page?.textContent('#verdict');
    await context?.close();
    expect(problems).toEqual([]);
    return text ?? '';
  };
  const inBrowser = browserPath ? it : it.skip;

  inBrowser('passes on the offline page', async () => {
    const head = String((JSON.parse(await readFile(good, 'utf8')) as Export).balance['head']);
    const zh = await verdictOf(good, 'zh-CN');
    expect(zh).toContain(`完整：7 条记录得出账号 ${userId} 的余额`);
    expect(zh).toContain(head);
    expect(await verdictOf(good, 'en-US')).toContain('Whole: 7 entries explain the balance');
    const nothing = path.join(folder, 'nothing.json');
    await writeFile(nothing, '{"format":"something else"}');
    expect(await verdictOf(nothing, 'en-US')).toContain('This file cannot be read');
  });

  inBrowser('reports every tampering on the page, at its place', async () => {
    for (const [name, tamper, where, field] of TAMPERINGS) {
      const text = await verdictOf(await tamperedFile(name, tamper), 'en-US');
      expect(`${name}: ${text}`).toContain(
        where === 'balance' ? 'Difference: the balance' : `Difference: entry ${where}`,
      );
      expect(`${name}: ${text}`).toMatch(field);
    }
  });

  (python ? it : it.skip)('passes in the Python recipe, which reports every tampering', async () => {
    const recipe = await readFile(path.join(docs, 'verifying.md'), 'utf8');
    const script = path.join(folder, 'verify.py');
    await writeFile(script, /```python\n(.*?)```/s.exec(recipe)?.[1] ?? '');
    expect(execFileSync('python3', [script, good], { encoding: 'utf8' })).toContain(
      'Whole: 7 entries explain the balance',
    );
    for (const [name, tamper, where] of TAMPERINGS) {
      const { status, stderr } = spawnSync('python3', [script, await tamperedFile(name, tamper)], { encoding: 'utf8' });
      expect(`${name}: ${status} ${stderr}`).toContain(
        `${name}: 1 DIFFERENCE at ${where === 'balance' ? 'the balance' : `entry ${where}`}`,
      );
    }
  });
});
