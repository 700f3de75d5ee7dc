/** An engine that fails or hangs costs the member nothing, and the translation log says so (decisions §4). */
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
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
import { faultyEngine, type StageFault } from './support/faulty-engine.js';

const installed = process.env['APERTIUM_DIR'] ?? '';
const engineThere = existsSync(path.join(installed || '/', 'usr/share/apertium/modes/eng-spa.mode'));

const ended: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

async function apiWith(fault: StageFault): Promise<TestApi> {
  const engine = await faultyEngine(installed);
  ended.push(engine.remove);
  await engine.breakStage(fault);
  const api = await startApi({ APERTIUM_DIR: engine.folder });
  ended.push(api.stop);
  return api;
}

const hello = { source: 'en', target: 'es', text: 'Good morning, my friend.' };

const suite = engineThere ? describe : describe.skip;

suite('an engine (Apertium must be installed)', () => {
  it('that dies after a crash with a charge: the key keeps its charge, and is not charged again', async () => {
    const api = await apiWith('dies');
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

  /** Nothing was charged, and the log has a failed line. */
  const expectFree = async (fault: StageFault, refusal: { status: number; code: string }): Promise<void> => {
    const api = await apiWith(fault);
    const { client } = await makeMain(api);
    const reply = await client.send(translateText, hello);
    expect(reply).toMatchObject({ status: refusal.status, body: { success: false, code: refusal.code, data: null } });
    expect((await client.call(getUser, {})).memberAccount).toMatchObject({ usableCharNum: 5000, usedCharTotal: 0 });
    expect((await client.call(listAccountLogs, {})).total).toBe(1);
    const { rows, total } = await client.call(listTranslationLogs, {});
    expect(total).toBe(1);
    expect(rows[0]).toMatchObject({ status: 'failed', charged: 0, wordCount: [...hello.text].length });
    expect((await auditLedger(api.db, {})).difference).toBeNull();
  };

  it('that dies costs nothing', () => expectFree('dies', { status: 502, code: 'UPSTREAM_FAILED' }));

  it('that returns nothing, or hangs, costs nothing', async () => {
    // Each takes the 15 seconds of a text, so they run in parallel.
    const timeout = { status: 504, code: 'UPSTREAM_TIMEOUT' };
    await Promise.all([expectFree('swallows', timeout), expectFree('hangs', timeout)]);
  });
});
