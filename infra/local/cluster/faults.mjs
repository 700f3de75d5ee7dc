// What can go wrong, one at a time: every part killed, frozen (SIGSTOP) and cut off from the network, and what is planned. A fault ends
// with everything put right again; what came of it is measured by the load.
import { sleep } from '../lifecycle.mjs';
import { etcdLeader } from './etcd.mjs';
import { familyOf, signalAll } from './machines.mjs';
import { nextBuild, operate } from './product.mjs';

/** As long as systemd waits before it starts a service again. */
const RESTART_MS = 1_000;
/** Longer than Patroni's ttl: another takes over in the meantime. */
const OUTAGE_MS = 32_000;
const SHORT_OUTAGE_MS = 10_000;

const processesOf = ({ processes, service }) => processes?.() ?? familyOf([service.identity().pid]);

async function killAndStart({ service }) {
  await service.kill();
  await sleep(RESTART_MS);
  await service.start();
}

async function freeze(pids, ms) {
  signalAll(pids, 'SIGSTOP');
  await sleep(ms);
  signalAll(pids, 'SIGCONT');
}

async function cutOff(parts, ms) {
  for (const { machine } of parts) machine.cutOff();
  await sleep(ms);
  for (const { machine } of parts) machine.reconnect();
}

/** A crash of the whole machine: the server and its Patroni. */
async function killNode(node) {
  signalAll(node.processes(), 'SIGKILL');
  await node.service.kill();
  await sleep(OUTAGE_MS);
  await node.service.start();
}

/** The standbys fall behind for `ms`, then the primary goes, too; what it has not sent by then is out of reach. */
export async function loseUnsent({ patroni }, { ms, beforeLoss = () => {} }) {
  const [primary, standbys] = [await patroni.primary(), await patroni.standbys()];
  for (const { machine } of standbys) machine.cutOff();
  await sleep(ms);
  await beforeLoss();
  primary.machine.cutOff();
  for (const { machine } of standbys) machine.reconnect();
  await sleep(OUTAGE_MS);
  primary.machine.reconnect();
}

/** Each process is ended as in a roll-out and started as the next build, whose migration ran first. */
async function upgrade(cluster) {
  cluster.build = nextBuild(cluster.dataDir);
  const { code, output } = await operate(cluster, ['migrate']);
  if (code !== 0) throw new Error(`the next build's migration ended with ${code}: ${output}`);
  for (const api of cluster.apis) {
    api.useBuild(cluster.build);
    await api.service.restart();
    await sleep(2_000);
  }
}

async function laggingReplay({ patroni }) {
  for (const standby of await patroni.standbys()) await patroni.query(standby, 'SELECT pg_wal_replay_pause()');
  await sleep(6_000);
  signalAll([(await patroni.primary()).postmaster()], 'SIGKILL');
}

const cut = true;

/**
 * `name`: what happens; `gap`: the longest time without an acknowledged translation that is allowed, in seconds; `jobs`: a letter asked for at
 * the same moment is to arrive within as many; `unnoticed`: no answer but 200 is allowed; `cut`: needs machines that can be cut off.
 */
export const faults = [
  {
    name: 'PostgreSQL primary: server killed',
    gap: 5,
    make: async ({ patroni }) => signalAll([(await patroni.primary()).postmaster()], 'SIGKILL'),
  },
  {
    name: 'PostgreSQL primary: machine killed',
    gap: 25,
    make: async ({ patroni }) => killNode(await patroni.primary()),
  },
  {
    name: 'PostgreSQL primary: machine cut off',
    ...{ gap: 25, cut },
    make: async ({ patroni }) => cutOff([await patroni.primary()], OUTAGE_MS),
  },
  {
    name: 'PostgreSQL primary: machine frozen',
    gap: 25,
    make: async ({ patroni }) => freeze((await patroni.primary()).processes(), OUTAGE_MS),
  },
  { name: 'PostgreSQL: planned switch-over', gap: 4, make: ({ patroni }) => patroni.switchOver() },
  { name: 'PostgreSQL: patronictl switchover', make: ({ patroni }) => patroni.askForSwitchOver() },
  {
    name: 'Patroni of the primary: frozen',
    gap: 25,
    make: async ({ patroni }) => freeze([(await patroni.primary()).patroni()], OUTAGE_MS),
  },
  { name: 'Patroni of the primary: killed', make: async ({ patroni }) => killAndStart(await patroni.primary()) },
  {
    name: 'synchronous standby: server killed',
    make: async ({ patroni }) => signalAll([(await patroni.synchronousStandby()).postmaster()], 'SIGKILL'),
  },
  {
    name: 'synchronous standby: frozen',
    make: async ({ patroni }) => freeze((await patroni.synchronousStandby()).processes(), SHORT_OUTAGE_MS),
  },
  {
    name: 'synchronous standby: cut off',
    cut,
    make: async ({ patroni }) => cutOff([await patroni.synchronousStandby()], SHORT_OUTAGE_MS),
  },
  {
    name: 'both standbys: cut off, writes wait',
    cut,
    make: async ({ patroni }) => cutOff(await patroni.standbys(), SHORT_OUTAGE_MS),
  },
  { name: 'both standbys replay late, primary killed', make: laggingReplay },
  {
    name: 'both standbys, then the primary: cut off',
    cut,
    make: (cluster) => loseUnsent(cluster, { ms: 6_000 }),
  },
  { name: 'etcd leader: killed', make: async ({ etcds }) => killAndStart(await etcdLeader(etcds)) },
  {
    name: 'etcd leader: frozen',
    make: async ({ etcds }) => freeze(processesOf(await etcdLeader(etcds)), SHORT_OUTAGE_MS),
  },
  { name: 'etcd leader: cut off', cut, make: async ({ etcds }) => cutOff([await etcdLeader(etcds)], SHORT_OUTAGE_MS) },
  { name: 'all etcd: frozen', make: ({ etcds }) => freeze(etcds.flatMap(processesOf), OUTAGE_MS) },
  { name: 'database proxy: killed', make: ({ databaseProxy }) => killAndStart(databaseProxy) },
  { name: 'web proxy: killed', make: ({ webProxy }) => killAndStart(webProxy) },
  {
    name: 'Redis primary: killed',
    ...{ unnoticed: true, jobs: 8 },
    make: async ({ redis }) => {
      const primary = await redis.primary();
      await primary.service.kill();
      await sleep(SHORT_OUTAGE_MS);
      await primary.service.start();
    },
  },
  {
    name: 'Redis primary: frozen',
    make: async ({ redis }) => freeze(processesOf(await redis.primary()), SHORT_OUTAGE_MS),
  },
  { name: 'Redis primary: cut off', cut, make: async ({ redis }) => cutOff([await redis.primary()], SHORT_OUTAGE_MS) },
  { name: 'Sentinel: killed', unnoticed: true, make: ({ redis }) => killAndStart(redis.sentinels[0]) },
  {
    name: 'Sentinel: frozen',
    unnoticed: true,
    make: ({ redis }) => freeze(processesOf(redis.sentinels[0]), SHORT_OUTAGE_MS),
  },
  { name: 'api: killed', make: ({ apis }) => killAndStart(apis[0]) },
  { name: 'api: frozen', make: ({ apis }) => freeze(processesOf(apis[1]), SHORT_OUTAGE_MS) },
  { name: 'api: cut off', cut, make: ({ apis }) => cutOff([apis[2]], SHORT_OUTAGE_MS) },
  { name: 'worker: killed', ...{ unnoticed: true, jobs: 8 }, make: ({ workers }) => killAndStart(workers[0]) },
  {
    name: 'worker: frozen',
    unnoticed: true,
    make: ({ workers }) => freeze(processesOf(workers[1]), SHORT_OUTAGE_MS),
  },
  { name: 'rolling upgrade of the api', unnoticed: true, make: upgrade },
];
