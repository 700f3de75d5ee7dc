/** An engine that fails or hangs costs the member nothing, and the translation log says so (decisions §4). */
import { hash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { listTranslationLogs, translateText } from '@yiqiao/contracts/translation';
import { getUser } from '@yiqiao/contracts/user';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { Ledger } from '../src/ledger/ledger.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { startApi, type TestApi } from './support/api.js';
import { makeMain } from './support/family.js';

const installed = process.env['APERTIUM_DIR'] ?? '';
const engineThere = existsSync(path.join(installed || '/', 'usr/share/apertium/modes/eng-spa.mode'));

/** The installed engine with its first stage replaced by `script`: it breaks where real engines break. */
function brokenEngine(script: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'broken-engine-'));
  const share = path.join(installed || '/', 'usr/share/apertium');
  cpSync(path.join(installed || '/', 'usr/bin'), path.join(folder, 'usr/bin'), {
    recursive: true,
    filter: (file) => !file.endsWith('lt-proc'),
  });
  cpSync(path.join(share, 'modes'), path.join(folder, 'usr/share/apertium/modes'), { recursive: true });
  symlinkSync(path.join(share, 'apertium-eng-spa'), path.join(folder, 'usr/share/apertium/apertium-eng-spa'));
  symlinkSync(path.join(installed || '/', 'usr/lib'), path.join(folder, 'usr/lib'));
  const stage = path.join(folder, 'usr/bin/lt-proc');
  writeFileSync(stage, `#!/bin/sh\n${script}\n`);
  chmodSync(stage, 0o755);
  return folder;
}

const ended: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

async function apiWith(script: string): Promise<TestApi> {
  const folder = brokenEngine(script);
  ended.push(() => rmSync(folder, { recursive: true, force: true }));
  const api = await startApi({ APERTIUM_DIR: folder });
  ended.push(api.stop);
  return api;
}

const hello = { source: 'en', target: 'es', text: 'Good morning, my friend.' };

const suite = engineThere ? describe : describe.skip;

suite('an engine (Apertium must be installed)', () => {
  it('that dies after a crash that had charged already: the key keeps its charge, and no second one follows', async () => {
    const api = await apiWith('exit 1');
    const { client, session } = await makeMain(api);
    const account = { id: uuid7(), userId: session.userId, familyId: session.userId };
    const ledger = api.app.get(Ledger, { strict: false });
    await ledger.hold({ ...account, ask: { kind: 'text', codePoints: [...hello.text].length } });
    const usage = { tranChannelId: 1, ip: '127.0.0.1', clientType: 'web', source: 'en', target: 'es' } as const;
    const { charged } = await ledger.settle({ ...account, usage });
    await api.db.query(
      `INSERT INTO idempotency_key (user_id, route, key, body_digest, command_id, locked_until)
       VALUES ($1, '/translation/text', 'paid', $2, $3, now() - interval '1 second')`,
      [session.userId, hash('sha256', JSON.stringify(hello), 'hex'), account.id],
    );
    const again = client.with({ 'Idempotency-Key': 'paid' });
    expect(await again.send(translateText, hello)).toMatchObject({ status: 503, body: { code: 'SERVICE_BUSY' } });
    const { rows } = await api.db.query('SELECT command_id FROM idempotency_key WHERE user_id = $1', [session.userId]);
    expect(rows).toEqual([{ command_id: account.id }]);
    expect((await client.call(getUser, {})).memberAccount.usableCharNum).toBe(5000 - charged);
  });

  it.each([
    ['that dies', 'exit 1', 502, 'UPSTREAM_FAILED'],
    ['that answers nothing', 'cat > /dev/null', 504, 'UPSTREAM_TIMEOUT'],
    ['that never ends', 'exec sleep 60', 504, 'UPSTREAM_TIMEOUT'],
  ])('%s costs nothing', async (_, script, status, code) => {
    const api = await apiWith(script);
    const { client } = await makeMain(api);
    const reply = await client.send(translateText, hello);
    expect(reply).toMatchObject({ status, body: { success: false, code, data: null } });
    expect((await client.call(getUser, {})).memberAccount).toMatchObject({ usableCharNum: 5000, usedCharTotal: 0 });
    expect((await client.call(listAccountLogs, {})).total).toBe(1);
    const { rows, total } = await client.call(listTranslationLogs, {});
    expect(total).toBe(1);
    expect(rows[0]).toMatchObject({ status: 'failed', charged: 0, wordCount: [...hello.text].length });
    expect((await auditLedger(api.db, {})).difference).toBeNull();
  });
});
