/**
 * What a translation costs with one api process, and with four behind HAProxy: with each session's requests at the same process, and divided
 * without regard to it. Beside it the same for a bare server. Open loop, a vendor of 100 ms, all in turns within one run. The processes that are
 * not measured are stopped, so that they cost nothing and stay warm.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { translateText } from '@yiqiao/contracts/translation';
import { CHANNELS } from '@yiqiao/domain/channels';
import type pg from 'pg';
import { ask, startChild, startServer, type Child, type Server } from './child.js';
import { ofPostgres, ofProcess, used, usedSince, type CpuTimers } from './cpu-time.js';
import { createFixture } from './fixture.js';
import { startProxy, type Balance } from './processes-proxy.js';
import { apiEnv, headersOf, signIn, type SignedIn } from './sign-in.js';
import { median, overRounds, targetLine, times, type Report, type Settings, type Target } from './targets.js';
import type { Found, Load } from './vendors-load.js';

const PROCESSES = 4;
const PER_SECOND = 150;
/** Main accounts of 50 families. */
const SPREAD = Array.from({ length: 50 }, (_, i) => i + 1);
/** Sub-accounts of one family, each with quota of its own. */
const FAMILY = { main: 100, subs: Array.from({ length: 20 }, (_, i) => 20_001 + i) };
/** `bare`: a server that shares nothing between requests, to see what fewer requests a second cost on this machine by themselves. */
const CASES = ['spread', 'family', 'bare'] as const;
type Case = (typeof CASES)[number];

/**
 * One process without a proxy, with all translations and with as few as each of four has (`quarter`): fewer a second share less, whatever the
 * number of processes. And four behind the proxy.
 */
const WAYS = ['one', 'quarter', 'hash', 'leastconn', 'roundrobin'] as const;
type Way = (typeof WAYS)[number];
type Divided = Exclude<Way, 'one' | 'quarter'>;
const isDivided = (way: Way): way is Divided => way !== 'one' && way !== 'quarter';

/** How much more a translation may cost than with one process that has as few translations (docs/performance.md says why not as many). */
const GATES: Record<Divided, number> = { hash: 1.15, leastconn: 1.4, roundrobin: 1.4 };

const TEXT = '你好，第NTH号的这件衣服还有货吗？我想要两件，蓝色和白色各一件，一共¥99.90，请问什么时候可以发货？谢谢！';
/** Until each of four processes has compiled what it runs. */
const COMPILING = { seconds: 30, perSecond: 300 };
/** After a change of the way: the caches of the processes are as they will be. */
const SETTLING_SECONDS = 3;
const SECONDS = 12;
/** Statistics of sessions are told late. */
const TOLD_MS = 1_100;

/**
 * Processor time of a translation in ms, by program, and of both together that do the product's work; turns of the event loop that it takes;
 * and its response times in ms.
 */
type Figures = {
  api: number;
  postgres: number;
  cost: number;
  proxy: number;
  transactions: number;
  turns: number;
  p50: number;
  p95: number;
};
type Round = Record<Case, Partial<Record<Way, Figures>>>;

/** Four processes of one kind, and the proxies in front of them. */
type Servers = { readonly processes: readonly Server[]; readonly proxies: Partial<Record<Divided, Server>> };

type Bench = {
  owner: pg.Client;
  servers: Record<Case, Servers>;
  loader: Child;
  members: Record<Case, readonly SignedIn[]>;
  postgres: () => number;
  scale: number;
};

export async function benchProcesses({ server, rounds, scale, log }: Settings): Promise<Report> {
  const fixture = await createFixture(server);
  const running: Child[] = [];
  const folder = await mkdtemp(path.join(os.tmpdir(), 'processes-bench-'));
  try {
    const vendor = await startServer('vendors-stub', {}, ['vendor']);
    running.push(vendor);
    const file = path.join(folder, 'upstreams.json');
    const accounts = ['a', 'b'].map((name) => ({ code: 'google', name, key: 'bench', baseUrl: vendor.url }));
    await writeFile(file, JSON.stringify(accounts));
    const env = apiEnv(fixture.url, {
      TRANSLATION_UPSTREAMS_FILE: file,
      TRUSTED_PROXIES: '127.0.0.1',
      LIMIT_TRANSLATION_PER_SECOND: '2000',
    });
    const apis = await startServers(['hash', 'leastconn', 'roundrobin'], running, () =>
      startServer('http-server', env, ['vendors']),
    );
    const echo = await startServer('bare-server', {}, ['echo']);
    running.push(echo);
    const bare = await startServers(['hash'], running, () =>
      startServer('bare-server', {}, ['http', new URL(echo.url).port]),
    );
    if (!apis.proxies.hash)
      log('!! HAProxy was not found (HAPROXY): what compares four processes with one is SKIPPED.');
    const loader = startChild('vendors-load');
    running.push(loader);
    await fixture.owner.query(MEMBERS);
    await fixture.owner.query('UPDATE member_account SET tran_channel_id = $1 WHERE user_id <= 50 OR family_id = $2', [
      CHANNELS.google.id,
      FAMILY.main,
    ]);
    const spread = await signIn(fixture.owner, SPREAD);
    const bench: Bench = {
      owner: fixture.owner,
      servers: { spread: apis, family: apis, bare },
      loader,
      members: { spread, family: await signIn(fixture.owner, FAMILY.subs), bare: spread },
      postgres: await ofPostgres(fixture.owner),
      scale,
    };
    const seconds = COMPILING.seconds * scale;
    for (const of of ['spread', 'bare'] as const)
      for (const { url } of bench.servers[of].processes)
        await load(bench, { url, of, seconds: seconds / PROCESSES, perSecond: COMPILING.perSecond });
    const found: Round[] = [];
    for (let round = 0; round < rounds; round++) found.push(await measureRound(bench, round, log));
    return report(found);
  } finally {
    // One that is stopped would not end.
    for (const child of running) child.process.kill('SIGCONT');
    await Promise.all(running.map((child) => child.stop()));
    await fixture.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function startServers(
  balances: readonly (Divided & Balance)[],
  running: Child[],
  start: () => Promise<Server>,
): Promise<Servers> {
  const processes: Server[] = [];
  for (let n = 0; n < PROCESSES; n++) {
    const one = await start();
    processes.push(one);
    running.push(one);
  }
  const proxies: Servers['proxies'] = {};
  const urls = processes.map(({ url }) => url);
  for (const balance of balances) {
    const proxy = await startProxy(balance, urls);
    if (proxy) running.push((proxies[balance] = proxy));
  }
  return { processes, proxies };
}

const MEMBERS = `
INSERT INTO member (id, family_id, parent_id, nickname, member_group_id, auto_distribution)
  SELECT n, ${FAMILY.main}, ${FAMILY.main}, 'bench', 1, false FROM generate_series(${FAMILY.subs[0]}, ${FAMILY.subs.at(-1)}) n;
INSERT INTO member_account (user_id, family_id, usable_char_num, tran_channel_id, type_seqs)
  SELECT id, family_id, 1000000000000, 1, '{0,0,0,0,0,0,0}' FROM member WHERE family_id = ${FAMILY.main} AND id <> family_id`;

/** Every way for every case, beginning with another way each time. */
async function measureRound(bench: Bench, round: number, log: Settings['log']): Promise<Round> {
  const found: Round = { spread: {}, family: {}, bare: {} };
  const first = round % WAYS.length;
  for (const way of [...WAYS.slice(first), ...WAYS.slice(0, first)]) {
    for (const which of CASES) {
      if (isDivided(way) && !bench.servers[which].proxies[way]) continue;
      const figures = await measure(bench, way, which);
      found[which][way] = figures;
      log(`round ${round + 1} ${which.padEnd(6)} ${way.padEnd(10)} ${shown(figures)}`);
    }
  }
  return found;
}

async function measure(bench: Bench, way: Way, of: Case): Promise<Figures> {
  const { servers, postgres, owner, scale } = bench;
  const { processes, proxies } = servers[of];
  const working = isDivided(way) ? processes : processes.slice(0, 1);
  const perSecond = way === 'quarter' ? PER_SECOND / PROCESSES : PER_SECOND;
  const proxy = isDivided(way) ? proxies[way] : undefined;
  // A proxy that is not measured would ask every second whether the processes are ready.
  for (const one of Object.values(servers).flatMap((each) => [...each.processes, ...Object.values(each.proxies)]))
    one.process.kill(working.includes(one) || one === proxy ? 'SIGCONT' : 'SIGSTOP');
  const url = proxy?.url ?? processes[0]?.url ?? '';
  await load(bench, { url, of, seconds: SETTLING_SECONDS * scale, perSecond });
  const processor: CpuTimers = {
    api: () => working.reduce((sum, { process: { pid } }) => sum + ofProcess(pid)(), 0),
    postgres,
    proxy: proxy ? ofProcess(proxy.process.pid) : () => 0,
  };
  const [before, turnsBefore, began] = [await transactions(owner), await turns(working), await used(processor)];
  const { ms, statuses } = await load(bench, { url, of, seconds: SECONDS * scale, perSecond });
  const bad = Object.keys(statuses).filter((status) => status !== '200');
  if (ms.length === 0 || bad.length > 0) throw new Error(`${way}: answers by status ${JSON.stringify(statuses)}`);
  const cost = await usedSince(processor, began, ms.length);
  const turned = (await turns(working)) - turnsBefore;
  await sleep(TOLD_MS * scale);
  const [api, pgMs] = [(cost['api'] ?? NaN) / 1_000, of === 'bare' ? 0 : (cost['postgres'] ?? NaN) / 1_000];
  const at = (share: number): number => ms[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? NaN;
  return {
    api,
    postgres: pgMs,
    cost: api + pgMs,
    proxy: (cost['proxy'] ?? NaN) / 1_000,
    transactions: of === 'bare' ? 0 : ((await transactions(owner)) - before) / ms.length,
    turns: turned / ms.length,
    p50: at(0.5),
    p95: at(0.95),
  };
}

async function load(
  { loader, members }: Bench,
  { url, of, seconds, perSecond }: { url: string; of: Case; seconds: number; perSecond: number },
): Promise<Found> {
  const stream = {
    name: of,
    url: url + BASE_PATH + translateText.path,
    headers: members[of].map(headersOf),
    isShuffled: true,
    body: JSON.stringify({ source: 'zh-Hans', target: 'en', text: TEXT }),
    pace: { perSecond },
  } as const;
  const [found] = await ask<Found[]>(loader, { streams: [stream], seconds } satisfies Load);
  if (!found) throw new Error('the load found nothing');
  return found;
}

async function transactions(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ n: number }>(
    'SELECT (xact_commit + xact_rollback)::int AS n FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]?.n ?? Number.NaN;
}

async function turns(servers: readonly Server[]): Promise<number> {
  const all = await Promise.all(servers.map((server) => ask<{ turns: number }>(server, {})));
  return all.reduce((sum, each) => sum + each.turns, 0);
}

const shown = ({ api, postgres, cost, proxy, transactions: all, turns, p50, p95 }: Figures): string =>
  `${cost.toFixed(2)} ms (api ${api.toFixed(2)} · PostgreSQL ${postgres.toFixed(2)}) · proxy ${proxy.toFixed(2)} · ${all.toFixed(1)} transactions · ${turns.toFixed(1)} turns · ${p50.toFixed(0)} / ${p95.toFixed(0)} ms`;

function report(rounds: readonly Round[]): Report {
  const all = (of: Case, way: Way, what: keyof Figures): number[] =>
    rounds.flatMap((round) => round[of][way]?.[what] ?? []);
  const ratios = (of: Case, way: Way, to: Way = 'one'): number[] =>
    rounds.flatMap(({ [of]: { [to]: base, [way]: other } }) => (base && other ? [other.cost / base.cost] : []));
  const targets: Target[] = (['spread', 'family'] as const).flatMap((of) =>
    (['hash', 'leastconn', 'roundrobin'] as const).map((way) =>
      overRounds(ratios(of, way, 'quarter'), {
        name: `${of}, ${PROCESSES} processes by ${way} ÷ one with a quarter of the translations`,
        kind: 'at most',
        gate: GATES[way],
        unit: '×',
      }),
    ),
  );
  const lines = [
    `processor time of a translation, ms, at ${PER_SECOND}/s: one process, and ${PROCESSES} behind HAProxy`,
    '  members  processes             both ÷ one     ÷ ¼    both     api  PostgreSQL  transactions  turns   p50    p95',
    ...CASES.flatMap((of) =>
      WAYS.filter((way) => all(of, way, 'cost').length > 0).map((way) => {
        const figure = (what: keyof Figures, digits: number): string => median(all(of, way, what)).toFixed(digits);
        const name = isDivided(way) ? `${PROCESSES}, ${way}` : { one: 'one', quarter: 'one, ¼ as many' }[way];
        const ratio = (to: Way): string => times(way === to ? 1 : median(ratios(of, way, to)));
        return `  ${of.padEnd(8)} ${name.padEnd(20)} ${ratio('one').padStart(11)} ${ratio('quarter').padStart(7)} ${figure('cost', 2).padStart(7)} ${figure('api', 2).padStart(7)} ${figure('postgres', 2).padStart(11)} ${figure('transactions', 1).padStart(13)} ${figure('turns', 1).padStart(6)} ${figure('p50', 0).padStart(5)} ${figure('p95', 0).padStart(6)}`;
      }),
    ),
    '',
    ...targets.map(targetLine),
  ];
  return { text: lines.join('\n'), json: rounds, targets };
}
