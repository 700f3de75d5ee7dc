/** Operators export the proof of an account: the file that the offline page verifies, logged, and off once the ledger differs (operators §3, §6). */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operatorRoles } from '@yiqiao/domain/operators';
import { chromium } from 'playwright-core';
import { type OperatorBrowser, TestOperators } from './support/operators.js';
import { TamperFixture } from './support/tamper-fixture.js';

const browserPath = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium'].find((file) => file && existsSync(file));

type Proof = { format: string; userId: number; balance: { seq: number; head: string }; entries: unknown[] };

let f: TamperFixture;
let operators: TestOperators;
let viewer: OperatorBrowser;
beforeAll(async () => {
  f = await TamperFixture.open();
  operators = await TestOperators.start(f.api);
  viewer = await operators.signIn(await operators.enrol('viewer-1', 'viewer'));
});
afterAll(async () => {
  await operators.stop();
  await f.close();
});

/** A file has no envelope: its content is the answer. */
const exported = async (userId: number, browser = viewer) => {
  const { status, headers, body } = await browser.get(`/accounts/${userId}/export`);
  return { status, headers, code: body.code, proof: body as unknown as Proof };
};

describe('the proof of an account', () => {
  it('is the file of the command line, as the offline page verifies it', async () => {
    const userId = f.members.translator;
    const { status, headers, proof } = await exported(userId);
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="ledger-proof-${userId}-\\d{4}-\\d\\d-\\d\\d\\.json"$`),
    );
    expect(proof).toMatchObject({ format: 'yiqiao-ledger-export/2', userId, closes: [] });
    expect(proof.entries).toHaveLength(proof.balance.seq);
    if (!browserPath) return;
    const folder = mkdtempSync(path.join(os.tmpdir(), 'proof-'));
    const file = path.join(folder, 'proof.json');
    writeFileSync(file, JSON.stringify(proof));
    const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
    const page = await browser.newPage({ locale: 'en-US', offline: true });
    await page.goto(pathToFileURL(path.resolve(import.meta.dirname, '../../../docs/verify.html')).href);
    await page.setInputFiles('#file', file);
    await page.waitForSelector('#verdict.whole');
    expect(await page.textContent('#verdict')).toContain(`Whole: ${proof.entries.length} entries explain the balance`);
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  it('is for every role, and each export is in the action log with what it held', async () => {
    for (const role of operatorRoles) {
      const browser = await operators.signIn(await operators.enrol(`${role}-2`, role));
      const { status, proof } = await exported(f.members.buyer, browser);
      expect([role, status]).toEqual([role, 200]);
      const { body } = await viewer.get(`/actions?actor=${role}-2&action=proof.export`);
      expect((body.data as { rows: object[] }).rows).toEqual([
        expect.objectContaining({
          target: { kind: 'member', id: String(f.members.buyer) },
          after: { entries: proof.entries.length, head: proof.balance.head },
        }),
      ]);
    }
  });

  it('is refused for nobody’s account, a family that is read-only, and a chain that is broken', async () => {
    expect(await exported(999_999)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    const { main } = f.members;
    await f.sql(`UPDATE member_account SET read_only = true WHERE user_id = ${main}`);
    expect(await exported(main)).toMatchObject({ status: 409, code: 'PROOF_OFF' });
    await f.sql(`UPDATE member_account SET read_only = false WHERE user_id = ${main}`);
    expect((await exported(main)).status).toBe(200);

    await f.keep();
    const before = await viewer.get('/actions?action=proof.export');
    const account = f.members.translator;
    await f.sql(
      `UPDATE account_log SET char_change = char_change - 1, last_char = last_char - 1 WHERE user_id = ${account} AND seq = 2`,
    );
    expect(await exported(account)).toMatchObject({ status: 409, code: 'PROOF_OFF' });
    expect((await exported(f.members.stranger)).status).toBe(200);
    const after = await viewer.get('/actions?action=proof.export');
    const totalOf = ({ body }: typeof before): number => (body.data as { total: number }).total;
    expect(totalOf(after)).toBe(totalOf(before) + 1);
    await f.restore();
  });
});
