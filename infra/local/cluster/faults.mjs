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
async function killNode(node, ms = OUTAGE_MS) {
  signalAll(node.processes(), 'SIGKILL');
  await node.service.kill();
  await sleep(ms);
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
  for (const part of [...cluster.apis, ...cluster.workers, cluster.operators]) {
    part.useBuild(cluster.build);
    await part.service.restart();
    await sleep(2_000);
  }
}

/** The standbys have everything, and are still replaying what is six seconds old when the primary dies. */
async function laggingReplay({ patroni }) {
  const [primary, standbys] = [await patroni.primary(), await patroni.standbys()];
  const late = { recovery_min_apply_delay: `${OUTAGE_MS}ms` };
  await patroni.configure({ postgresql: { recovery_conf: late } });
  try {
    await sleep(6_000);
    const lag = 'SELECT pg_last_wal_receive_lsn() > pg_last_wal_replay_lsn() AS late';
    const found = await Promise.all(standbys.map((node) => patroni.query(node, lag)));
    if (!found.every(([row]) => row.late)) throw new Error('the standbys replay at once: nothing was tried');
    signalAll([primary.postmaster()], 'SIGKILL');
    const deadline = Date.now() + OUTAGE_MS;
    for (let taken; !taken || taken === primary; taken = await patroni.primary(), await sleep(100))
      if (Date.now() > deadline) throw new Error('nobody took over');
  } finally {
    await patroni.configure({ postgresql: { recovery_conf: null } });
  }
}

const cut = true;

/** A part that hangs, and one that loses its network, for ten seconds each. `part`: of a cluster; `rest`: as of a fault. */
const briefly = (name, part, rest = {}) => [
  {
    name: `${name}: frozen`,
    ...rest,
    make: async (cluster) => freeze(processesOf(await part(cluster)), SHORT_OUTAGE_MS),
  },
  { name: `${name}: cut off`, ...rest, cut, make: async (cluster) => cutOff([await part(cluster)], SHORT_OUTAGE_MS) },
];
const unnoticed = { unnoticed: true };

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
  {
    name: 'Patroni of the primary: restarted',
    make: async ({ patroni }) => (await patroni.primary()).service.restart(),
  },
  { name: 'Patroni of the primary: killed', make: async ({ patroni }) => killAndStart(await patroni.primary()) },
  {
    name: 'synchronous standby: server killed',
    make: async ({ patroni }) => signalAll([(await patroni.synchronousStandby()).postmaster()], 'SIGKILL'),
  },
  ...briefly('synchronous standby', ({ patroni }) => patroni.synchronousStandby()),
  {
    name: 'both standbys: cut off, writes wait',
    cut,
    make: async ({ patroni }) => cutOff(await patroni.standbys(), SHORT_OUTAGE_MS),
  },
  { name: 'both standbys replay late, primary killed', make: laggingReplay },
  {
    name: 'asynchronous standby: machine killed',
    unnoticed: true,
    make: async ({ patroni }) => killNode(await patroni.asynchronousStandby(), SHORT_OUTAGE_MS),
  },
  ...briefly('asynchronous standby', ({ patroni }) => patroni.asynchronousStandby(), unnoticed),
  {
    name: 'both standbys, then the primary: cut off',
    cut,
    make: (cluster) => loseUnsent(cluster, { ms: 6_000 }),
  },
  { name: 'etcd leader: killed', make: async ({ etcds }) => killAndStart(await etcdLeader(etcds)) },
  ...briefly('etcd leader', ({ etcds }) => etcdLeader(etcds)),
  { name: 'all etcd: frozen', make: ({ etcds }) => freeze(etcds.flatMap(processesOf), OUTAGE_MS) },
  { name: 'all etcd: killed', make: ({ etcds }) => Promise.all(etcds.map(killAndStart)) },
  { name: 'database proxy: killed', make: ({ databaseProxy }) => killAndStart(databaseProxy) },
  ...briefly('database proxy', ({ databaseProxy }) => databaseProxy),
  { name: 'web proxy: killed', make: ({ webProxy }) => killAndStart(webProxy) },
  ...briefly('web proxy', ({ webProxy }) => webProxy),
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
  ...briefly('Redis primary', ({ redis }) => redis.primary()),
  { name: 'Sentinel: killed', unnoticed: true, make: ({ redis }) => killAndStart(redis.sentinels[0]) },
  ...briefly('Sentinel', ({ redis }) => redis.sentinels[0], unnoticed),
  { name: 'api: killed', make: ({ apis }) => killAndStart(apis[0]) },
  { name: 'api: frozen', make: ({ apis }) => freeze(processesOf(apis[1]), SHORT_OUTAGE_MS) },
  { name: 'api: cut off', cut, make: ({ apis }) => cutOff([apis[2]], SHORT_OUTAGE_MS) },
  { name: 'worker: killed', ...{ unnoticed: true, jobs: 8 }, make: ({ workers }) => killAndStart(workers[0]) },
  ...briefly('worker', ({ workers }) => workers[1], unnoticed),
  { name: 'operators: killed', unnoticed: true, make: ({ operators }) => killAndStart(operators) },
  ...briefly('operators', ({ operators }) => operators, unnoticed),
  { name: 'rolling upgrade of the product', unnoticed: true, make: upgrade },
];
