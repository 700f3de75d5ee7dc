/** Alerts about machines, load and the work of the worker fire by their real cause (docs/decisions/0066). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendVCode } from '@yiqiao/contracts/login';
import { flushOrder, listOrders, payOrder } from '@yiqiao/contracts/orders';
import { translateText } from '@yiqiao/contracts/translation';
import { saveWebhook, testWebhook } from '@yiqiao/contracts/webhooks';
import { CHANNELS } from '@yiqiao/domain/channels';
import { DAY_MS } from '@yiqiao/domain/limits';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { freePort } from '../bench/child.js';
import { MAIL_QUEUE, SCHEDULED_JOBS_QUEUE } from '../src/platform/queue-names.js';
import { type Blackbox, startBlackbox } from './support/blackbox.js';
import { TestClient } from './support/client.js';
import { ask, json, keyHolder } from './support/doors.js';
import { type Exposition, scrape, valueOf } from './support/exposition.js';
import { makeMain } from './support/family.js';
import { type Measured, startMeasured } from './support/measured.js';
import { STANDARD_ORDER } from './support/orders.js';
import { spawnProgram } from './support/process.js';
import { expectAlerts, HOURS } from './support/promtool.js';
import { type Proxy, startProxy } from './support/proxy.js';
import { breakFor, mendFor, openForm } from './support/sandbox-gateways.js';
import { breakVendor, mendVendor, sandboxAccount } from './support/sandbox-vendors.js';
import { SmallDisk, WITHOUT_MOUNT } from './support/small-disk.js';
import { freshName, type TestMember } from './support/test-members.js';
import { upstreamsFile } from './support/vendor-environment.js';
import { waitUntil } from './support/wait-until.js';
import { form, openReceiver } from './support/webhooks.js';

/** A mail server that accepts connections and says nothing, until it refuses them. */
class SilentMailServer {
  #refuses = false;
  readonly #open = new Set<Socket>();
  readonly #server: Server = createServer((socket) => {
    if (this.#refuses) return void socket.destroy();
    this.#open.add(socket.on('error', () => undefined));
  });

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `smtp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  refuse(): void {
    this.#refuses = true;
    for (const socket of this.#open) socket.destroy();
  }

  close(): void {
    this.refuse();
    this.#server.close();
  }
}

/** What tests leave behind: mails that nobody took, jobs that failed, and a worker that is frozen while others are looked at. */
const beside = ['MailOld', 'JobsFail', 'ScheduledJobFails', 'WorkerFrozen'];

const vendor = sandboxAccount('google', 'machines');
const mailServer = new SilentMailServer();
const disk = new SmallDisk();
let removeFile: () => Promise<void>;
let product: Measured;
let blackbox: Blackbox;
let proxy: Proxy;
let member: TestMember;
let client: TestClient;
/** A second worker, on the small disk. */
let second: ReturnType<typeof spawnProgram>;
let [secondPort, healthPort] = [0, 0];

const shownByProxy = (): Promise<Exposition> => scrape(Number(new URL(proxy.metrics).port));

/** While another transaction holds a lock, as a migration or a forgotten session does. */
async function locked<T>(statement: string, during: () => Promise<T>): Promise<T> {
  const connection = await product.api.db.connect();
  try {
    await connection.query(`BEGIN; ${statement}`);
    return await during();
  } finally {
    await connection.query('ROLLBACK');
    connection.release();
  }
}

beforeAll(async () => {
  const { file, remove } = await upstreamsFile([vendor]);
  removeFile = remove;
  product = await startMeasured({
    SMTP_URL: await mailServer.start(),
    LOG_LEVEL: 'warn',
    TRANSLATION_UPSTREAMS_FILE: file,
    WEBHOOK_ALLOW_PRIVATE: '1',
  });
  [blackbox, proxy] = await Promise.all([startBlackbox(), startProxy([new URL(product.url).host])]);
  member = await makeMain(product.api);
  client = new TestClient(product.url, member.session);
});
afterAll(async () => {
  await second.stop();
  await Promise.all([product.stop(), blackbox.stop(), proxy.stop()]);
  mailServer.close();
  await disk.remove();
  await removeFile();
});

it('none fires while all is well', async () => {
  const isReady = (shown: Exposition): boolean =>
    valueOf(shown, 'haproxy_backend_active_servers', { proxy: 'sessions' }) === 1;
  const front = await waitUntil(shownByProxy, isReady);
  const now = await waitUntil(
    product.moment,
    ({ api }) => api !== null && valueOf(api, 'yiqiao_workers', { state: 'running' }) === 1,
  );
  await expectAlerts([], { ...now, proxy: front });
});

describe('jobs', () => {
  /** Four are sent at once. */
  const [MAILS, AT_ONCE] = [16, 4];
  const failed = (worker: Exposition | null): number =>
    worker === null ? 0 : valueOf(worker, 'messaging_process_duration_seconds_count', { error_type: 'Error' });

  it('that wait because a mail server hangs, and then fail because it refuses', async () => {
    const { worker, operators } = await product.moment();
    for (let n = 0; n < MAILS; n++)
      await new TestClient(product.url).call(sendVCode, { account: `${freshName()}@example.com` });
    const redis = new Redis(product.api.env['REDIS_URL'] ?? '');
    const queue = `${product.api.env['REDIS_PREFIX']}:${MAIL_QUEUE}`;
    const waiting = await waitUntil(
      () => redis.lrange(`${queue}:wait`, 0, -1),
      (ids) => ids.length === MAILS - AT_ONCE,
    );
    // Three minutes pass for the jobs, six for the codes that they would send.
    await product.api.db.query(
      `UPDATE outbox SET recorded_at = recorded_at - interval '6 minutes'
       WHERE done_at IS NULL AND fact->>'type' = 'VerificationCodeIssued'`,
    );
    for (const id of waiting) await redis.hset(`${queue}:${id}`, 'timestamp', Date.now() - 180_000);
    redis.disconnect();
    const age = 'yiqiao_queue_oldest_age_seconds';
    // Each is read every fourteen seconds.
    const hangs = await waitUntil(
      product.moment,
      ({ worker: its }) =>
        its !== null && valueOf(its, age) > 120 && valueOf(its, 'yiqiao_mail_oldest_age_seconds') > 300,
    );
    await expectAlerts(['MailOld', 'QueueOld'], hangs);
    mailServer.refuse();
    const now = await waitUntil(
      product.moment,
      ({ worker: its }) => failed(its) >= MAILS && its !== null && valueOf(its, age) < 120,
    );
    // Twenty minutes, as they were.
    const before = { worker, operators };
    const then = { worker: now.worker, operators: now.operators };
    await expectAlerts(['JobsFail'], then, { before, hours: 1 / 3, beside: ['MailOld'] });
  });

  it('that may not do any more what they must', async () => {
    await product.api.db.query('REVOKE DELETE ON ledger_hold FROM yiqiao_app');
    try {
      await runAtOnce('release-stale-holds');
      const job = { bullmq_job_name: 'release-stale-holds' };
      const now = await product.whenWorker('yiqiao_scheduled_job_failed', (is) => is === 1, job);
      await expectAlerts(['ScheduledJobFails'], now, { beside: ['MailOld', 'JobsFail'] });
      // Where the runbook looks for why: the SQLSTATE of a right that is missing.
      expect(product.workerLog()).toMatch(/scheduled job failed","job":"release-stale-holds".*"code":"42501"/);
    } finally {
      await product.api.db.query('GRANT DELETE ON ledger_hold TO yiqiao_app');
    }
  });

  async function runAtOnce(job: string): Promise<void> {
    const { REDIS_URL = '', REDIS_PREFIX: prefix = '' } = product.api.env;
    const queue = new Queue(SCHEDULED_JOBS_QUEUE, { prefix, connection: { url: REDIS_URL } });
    const due = (await queue.getDelayed()).find(({ name }) => name === job);
    // It may have begun in this moment.
    await due?.promote().catch(() => undefined);
    await queue.close();
  }
});

describe('a machine', () => {
  it(`whose disk fills${WITHOUT_MOUNT}`, async () => {
    [secondPort, healthPort] = [await freePort(), await freePort()];
    const ports = { METRICS_PORT: String(secondPort), WORKER_PORT: String(healthPort) };
    second = spawnProgram('worker', { ...product.api.env, ...disk.env, ...ports }, [], disk.within);
    const shown = (): Promise<Exposition | null> => scrape(secondPort).catch(() => null);
    const free = (of: Exposition | null): number | null =>
      of && valueOf(of, 'yiqiao_disk_free_ratio', { path: disk.folder });
    const filled = async (share: number): Promise<{ second: Exposition | null }> => {
      await disk.fill(share, second.pid);
      return { second: await shown() };
    };
    const began = await waitUntil(shown, (of) => of?.types.has('yiqiao_outbox_waiting') === true);
    expect(free(began)).toBe(1);
    await expectAlerts([], await filled(0.85), { beside });
    await expectAlerts(['DiskLow'], await filled(0.95), { beside });
    await expectAlerts(['DiskFull', 'DiskLow'], await filled(0.995), { beside });
  });

  it('that gives a process no time', async () => {
    await scrape(secondPort);
    // Again and again, as where the limit for processor time is low. The first one after a question begins the measuring anew.
    for (let n = 0; n < 2; n++) {
      second.freeze();
      await sleep(700);
      second.thaw();
      // Its event loop has turned, and late timers have run.
      for (let turn = 0; turn < 2; turn++) expect((await fetch(`http://127.0.0.1:${healthPort}/livez`)).ok).toBe(true);
    }
    const now = await scrape(secondPort);
    await expectAlerts(['EventLoopBlocked'], { second: now }, { beside: [...beside, 'DiskFull', 'DiskLow'] });
    // For good: looked at below.
    second.freeze();
  });

  it('whose certificate was not renewed', async () => {
    const now = await product.moment();
    const name = 'probe_ssl_earliest_cert_expiry';
    // Prometheus' tool begins at 1970, and ends where now is.
    const shift = HOURS * 3_600 - Date.now() / 1_000;
    const inDays = async (days: number) => {
      const { types, samples } = await blackbox.probe(new Date(Date.now() + days * DAY_MS));
      expect(valueOf({ types, samples }, 'probe_success')).toBe(1);
      const moved = samples.map((one) => (one.name === name ? { ...one, value: one.value + shift } : one));
      return { ...now, site: { types, samples: moved } };
    };
    await expectAlerts([], await inDays(15), { beside });
    await expectAlerts(['CertificateExpires'], await inDays(13), { beside });
    await expectAlerts(['CertificateExpires', 'CertificateExpiresSoon'], await inDays(2), { beside });
  });
});

/** Above what the objective allows. */
const SLOW_MS = 600;

/** The status of an answer that took as long as the others took for theirs. */
async function tookLong(ask: () => Promise<{ status: number }>): Promise<number> {
  const began = performance.now();
  const { status } = await ask();
  expect(performance.now() - began).toBeGreaterThan(SLOW_MS - 100);
  return status;
}

describe('the api', () => {
  it('whose requests wait for a table that somebody has locked', async () => {
    const before = await product.moment();
    const answers: Promise<unknown>[] = [];
    const held = await locked('LOCK TABLE recharge_order IN ACCESS EXCLUSIVE MODE', () => {
      const began = performance.now();
      // Two more than there are connections.
      for (let n = 0; n < 14; n++) answers.push(client.send(listOrders, {}));
      return waitUntil(
        product.moment,
        ({ api }) =>
          api !== null && valueOf(api, 'db_client_connection_pending_requests') > 0 && performance.now() - began > 500,
      );
    });
    await Promise.all(answers);
    await expectAlerts(['DatabasePoolExhausted'], held, { beside });
    const { api, operators, worker } = await product.moment();
    await expectAlerts(
      ['RequestsSlow', 'RequestsSlowForDays'],
      { api, operators, worker },
      { before, hours: 1, beside },
    );
  });

  it('is not slow where a gateway is', async () => {
    const before = await product.moment();
    const { orderId, orderNo, scanQRCodeUrl } = await client.call(payOrder, STANDARD_ORDER);
    await openForm(scanQRCodeUrl);
    await breakFor(orderNo, { mode: 'slow', in: 'answers', call: 'query', delayMs: 600 });
    const began = performance.now();
    await client.call(flushOrder, { id: String(orderId) });
    expect(performance.now() - began).toBeGreaterThan(600);
    await mendFor(orderNo);
    await expectAlerts([], await product.moment(), { before, hours: 1, beside });
  });

  it('is not slow where a vendor is, whoever asks it', async () => {
    const { main, secret, token } = await keyHolder(product.api, { channelId: CHANNELS.google.id });
    const withKey = { Authorization: `Bearer ${secret}` };
    const before = await product.moment();
    await breakVendor(vendor, { kind: 'delay', ms: SLOW_MS });
    const texts = [
      'Good morning',
      'Good evening',
      'Good night',
      'Thank you',
      'Many thanks',
      'Sorry',
      'Welcome',
      'Hello',
    ];
    const [session, native, deepl, root, google, libre, deeplx, immersive] = texts as [string, ...string[]];
    const own = { source_lang: 'en', target_lang: 'fr' };
    const answers = [
      () =>
        new TestClient(product.url, main.session).send(translateText, { source: 'en', target: 'fr', text: session }),
      ...[
        ['/v1/translate', { text: native, source: 'en', target: 'fr' }] as const,
        ['/deepl/v2/translate', { text: [deepl], ...own }] as const,
        ['/v2/translate', { text: [root], ...own }] as const,
        ['/google/language/translate/v2', { q: google, source: 'en', target: 'fr' }] as const,
        ['/libre/translate', { q: libre, source: 'en', target: 'fr' }] as const,
        [`/deeplx/${token}/translate`, { text: deeplx, ...own }] as const,
        [`/immersive/${token}`, { text_list: [immersive], ...own }] as const,
      ].map(
        ([path, body]) =>
          () =>
            ask(`${product.url}${path}`, json(body, withKey)),
      ),
    ].map(tookLong);
    expect(await Promise.all(answers)).toEqual(texts.map(() => 200));
    await mendVendor(vendor);
    await expectAlerts([], await product.moment(), { before, hours: 1, beside });
  });

  it('is not slow where an equal text is with a vendor already, nor where a receiver of webhooks is', async () => {
    const receiver = await openReceiver();
    receiver.answer = () => sleep(SLOW_MS, { status: 204 });
    const { webhook } = await client.call(saveWebhook, form(receiver.url));
    const { main } = await keyHolder(product.api, { channelId: CHANNELS.google.id });
    const before = await product.moment();
    await breakVendor(vendor, { kind: 'delay', ms: SLOW_MS });
    const twice = [1, 2].map(() => {
      const input = { source: 'en', target: 'fr', text: 'See you soon', fresh: true } as const;
      return tookLong(() => new TestClient(product.url, main.session).send(translateText, input));
    });
    const tested = tookLong(() => client.send(testWebhook, { id: webhook.id }));
    expect(await Promise.all([...twice, tested])).toEqual([200, 200, 200]);
    await mendVendor(vendor);
    await receiver.close();
    await expectAlerts([], await product.moment(), { before, hours: 1, beside });
  });

  describe('whose ledger waits for an account that somebody has locked', () => {
    const translate = (text: string) => client.send(translateText, { source: 'zh-Hans', target: 'zh-Hant', text });
    const lock = (): string => `SELECT FROM member_account WHERE user_id = ${member.session.userId} FOR UPDATE`;

    it('for a second', async () => {
      expect((await translate('头发很长')).status).toBe(200);
      const before = await product.moment();
      let answer: ReturnType<typeof translate> | undefined;
      await locked(lock(), async () => {
        answer = translate('头发很短');
        // After a second it steps aside, and waits on.
        await waitUntil(product.moment, ({ api }) => api !== null && valueOf(api, 'yiqiao_ledger_queue_length') > 0);
      });
      expect((await answer)?.status).toBe(200);
      await expectAlerts(['LedgerWaits'], await product.moment(), { before, hours: 1 / 6, beside });
    });

    it('until the request is given up', async () => {
      const before = await product.moment();
      await locked(lock(), async () => {
        expect((await translate('头发不长')).status).toBe(503);
      });
      // No channel was asked: it was slow by itself.
      const failing = [...beside, 'RequestsFail', 'RequestsFailSlowly', 'RequestsSlow'];
      await expectAlerts(['LedgerWaits'], await product.moment(), { before, hours: 1 / 6, beside: failing });
    });
  });
});

it('a worker that froze beside another', async () => {
  const now = await waitUntil(
    product.moment,
    ({ operators }) => operators !== null && valueOf(operators, 'yiqiao_workers', { state: 'silent' }) === 1,
  );
  await expectAlerts(['WorkerFrozen'], now, { beside });
});

it('an api that was killed, and was the last', async () => {
  await product.stopApi();
  const front = await waitUntil(
    shownByProxy,
    (shown) => valueOf(shown, 'haproxy_backend_active_servers', { proxy: 'sessions' }) === 0,
  );
  const now = { ...(await product.moment()), proxy: front };
  await expectAlerts(['ProxyWithoutServers', 'TargetDown'], now, { beside });
});
