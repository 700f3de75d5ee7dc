// Three PostgreSQL under Patroni, with synchronous mode: one standby has flushed whatever was acknowledged.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { isProcessIn, sleep } from '../lifecycle.mjs';
import { root } from '../project.mjs';
import { Failure } from '../terminal.mjs';
import { familyOf, signalAll } from './machines.mjs';

const PORT = 5432;
export const REST_PORT = 8008;
const SETTLE_TIMEOUT_MS = 120_000;

const settings = {
  max_connections: 200,
  max_locks_per_transaction: 256,
  shared_buffers: '128MB',
  wal_level: 'replica',
  hot_standby: 'on',
  // a long audit on a standby is not cancelled by the primary's clean-up
  hot_standby_feedback: 'on',
  max_wal_senders: 10,
  max_replication_slots: 10,
  wal_keep_size: '256MB',
  synchronous_commit: 'on',
  // a peer that vanishes without a word is noticed
  wal_sender_timeout: '5s',
  wal_receiver_timeout: '5s',
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  tcp_user_timeout: '10s',
  // a standby that asks the new primary before its slot is there would wait 5 s, and with it every commit
  wal_retrieve_retry_interval: '200ms',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

const dynamic = {
  // how long a machine may be silent before another takes its place; Patroni 4 takes nothing below 20
  ttl: 20,
  // after a promotion commits wait for the next loop, which names the synchronous standby
  loop_wait: 1,
  retry_timeout: 3,
  // 0: another takes over at once, instead of waiting for a crashed primary to recover
  primary_start_timeout: 0,
  master_start_timeout: 0, // its name before Patroni 4
  maximum_lag_on_failover: 16_777_216,
  synchronous_mode: true,
  // without a standby writes wait
  synchronous_mode_strict: true,
  synchronous_node_count: 1,
  // an etcd that is away does not demote a primary that all others still reach
  failsafe_mode: true,
  postgresql: {
    // pg_rewind is not packaged: a primary that was left behind is copied anew
    use_pg_rewind: false,
    remove_data_directory_on_diverged_timelines: true,
    use_slots: true,
    parameters: settings,
  },
};

/** @returns {object} `nodes`, not started yet, and what is asked of and told to Patroni; the data is new */
export function createPatroni({ machines, tools, etcds, cidr }) {
  const { credentials, bin, base } = tools.postgres;
  const folder = path.join(base, 'cluster-postgres');
  const passwords = Object.fromEntries(
    ['postgres', 'replicator', 'yiqiao', 'yiqiao_login', 'yiqiao_operators_login'].map((name) => [
      name,
      randomBytes(18).toString('hex'),
    ]),
  );
  // what a Patroni that was killed has left runs on
  for (const { name } of machines) {
    const data = path.join(folder, name);
    const orphan = postmasterOf(data);
    if (orphan && isProcessIn(orphan, data, 'postgres')) signalAll([orphan], 'SIGKILL');
  }
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const nodes = machines.map((machine) => {
    const file = path.join(folder, `${machine.name}.json`);
    const data = path.join(folder, machine.name);
    const config = {
      scope: 'yiqiao',
      name: machine.name,
      restapi: { listen: `${machine.address}:${REST_PORT}`, connect_address: `${machine.address}:${REST_PORT}` },
      etcd3: { hosts: etcds.map(({ client }) => client).join() },
      bootstrap: {
        dcs: dynamic,
        initdb: [
          { encoding: 'UTF8' },
          { locale: 'C.UTF-8' },
          'data-checksums',
          { 'auth-host': 'scram-sha-256' },
          { 'auth-local': 'scram-sha-256' },
        ],
      },
      postgresql: {
        listen: `${machine.address}:${PORT}`,
        connect_address: `${machine.address}:${PORT}`,
        data_dir: data,
        bin_dir: bin,
        pgpass: path.join(folder, `${machine.name}.pgpass`),
        authentication: {
          superuser: { username: 'postgres', password: passwords.postgres },
          replication: { username: 'replicator', password: passwords.replicator },
        },
        create_replica_methods: ['stream'],
        stream: { command: path.join(bin, 'base_backup') },
        parameters: { unix_socket_directories: '' },
        pg_hba: [`host replication replicator ${cidr} scram-sha-256`, `host all all ${cidr} scram-sha-256`],
      },
    };
    fs.writeFileSync(file, JSON.stringify(config, null, 2), { mode: 0o600 });
    const { uid, gid } = credentials;
    for (const place of uid === undefined ? [] : [folder, file]) fs.chownSync(place, uid, gid);
    const { command, args, env } = tools.patroni;
    const program = () => ({
      command,
      args: [...args, file],
      env: { ...env, HOME: folder, PGUSER: 'replicator', PGPASSWORD: passwords.replicator },
    });
    const name = `patroni-${machine.name}`;
    const isReady = () => restAnswers(machine);
    const service = machine.service({ name, program, credentials, isReady, gracePeriod: 30_000 });
    const patroni = () => service.identity()?.pid;
    const postmaster = () => postmasterOf(data);
    const processes = () => familyOf([patroni(), postmaster()].filter(Boolean));
    return { machine, service, patroni, postmaster, processes };
  });

  const members = async () => {
    const answers = await Promise.all(nodes.map(({ machine }) => ask(machine, '/cluster')));
    // an isolated node remembers an older state
    const views = answers.filter(Boolean).map((answer) => answer.members);
    return { views, newest: views.find((view) => view.some(({ role }) => role === 'leader')) ?? [] };
  };
  const nodeNamed = (name) => nodes.find(({ machine }) => machine.name === name);
  /** The node that takes writes, as the proxy asks it. */
  const primary = async () => {
    for (const node of nodes) if ((await status(node.machine, '/primary')) === 200) return node;
    return undefined;
  };
  const cluster = {
    nodes,
    passwords,
    primary,
    async standbys() {
      const { newest } = await members();
      return newest.filter(({ role }) => role !== 'leader').map(({ name }) => nodeNamed(name));
    },
    async synchronousStandby() {
      const standby = (await members()).newest.find(({ role }) => role === 'sync_standby');
      return standby && nodeNamed(standby.name);
    },
    async asynchronousStandby() {
      const [others, synchronous] = [await cluster.standbys(), await cluster.synchronousStandby()];
      return others.find((node) => node !== synchronous);
    },
    /** One primary, everybody else follows it without a gap, and every Patroni says so. */
    async isWhole({ synchronous = true } = {}) {
      const { views } = await members();
      const whole = (view) =>
        view.length === nodes.length &&
        view.filter(({ role, state }) => role === 'leader' && state === 'running').length === 1 &&
        view.every(({ role, state, lag }) => role === 'leader' || (/^(running|streaming)$/.test(state) && lag === 0)) &&
        (!synchronous || view.some(({ role }) => role === 'sync_standby'));
      return views.length === nodes.length && views.every(whole);
    },
    async configure(change) {
      const node = await primary();
      await tell(node.machine, 'PATCH', '/config', change);
    },
    /**
     * A planned switch-over, as docs/operations.md has it: `CHECKPOINT`, then `pg_ctl stop -m fast`. Patroni hands over what it finds ended, and starts it
     * again as a standby.
     */
    async switchOver() {
      const leader = await primary();
      await cluster.query(leader, 'CHECKPOINT');
      signalAll([leader.postmaster()], 'SIGINT');
    },
    /** The same as `patronictl switchover` asks for it: the other standby waits for 2 s before it follows, and commits wait for that one. */
    async askForSwitchOver() {
      const [leader, candidate] = [await primary(), await cluster.synchronousStandby()];
      const said = { leader: leader.machine.name, candidate: candidate.machine.name };
      await tell(leader.machine, 'POST', '/switchover', said);
    },
    query: (node, sql, user = 'postgres') =>
      query(`postgresql://${user}:${passwords[user]}@${node.machine.address}:${PORT}/postgres`, sql),
    urlAt: (host, user, port = PORT) => `postgresql://${user}:${passwords[user]}@${host}:${port}/yiqiao`,
    async untilWhole(options) {
      for (const deadline = Date.now() + SETTLE_TIMEOUT_MS; !(await cluster.isWhole(options)); await sleep(250))
        if (Date.now() > deadline) {
          const { views } = await members();
          throw new Failure('PostgreSQL is not whole again', { detail: JSON.stringify(views, null, 1) });
        }
    },
  };
  return cluster;
}

/** The product's database with its users, as docs/operations.md makes them. */
export async function createDatabase(cluster) {
  const { passwords } = cluster;
  const primary = await cluster.primary();
  const statements = [
    `CREATE ROLE yiqiao LOGIN CREATEROLE PASSWORD '${passwords.yiqiao}'`,
    'CREATE DATABASE yiqiao OWNER yiqiao',
    'CREATE ROLE yiqiao_app NOLOGIN',
    'GRANT yiqiao_app TO yiqiao WITH ADMIN OPTION',
    `CREATE ROLE yiqiao_login LOGIN PASSWORD '${passwords.yiqiao_login}' IN ROLE yiqiao_app`,
    'CREATE ROLE yiqiao_operator NOLOGIN IN ROLE yiqiao_app',
    'GRANT yiqiao_operator TO yiqiao WITH ADMIN OPTION',
    `CREATE ROLE yiqiao_operators_login LOGIN PASSWORD '${passwords.yiqiao_operators_login}' IN ROLE yiqiao_operator`,
  ];
  for (const statement of statements) await cluster.query(primary, statement);
}

/** @returns {Promise<object[]>} the rows */
export async function query(connectionString, sql, values) {
  const { Client } = createRequire(path.join(root, 'apps/api/package.json'))('pg'); // the api's driver
  const client = new Client({ connectionString, connectionTimeoutMillis: 5_000 });
  // a server that dies is an answer to the query; the event is that of an idle connection
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** @returns {number | undefined} */
function postmasterOf(data) {
  const file = path.join(data, 'postmaster.pid');
  return fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8').split('\n')[0]) : undefined;
}

const urlOf = ({ address }, at) => `http://${address}:${REST_PORT}${at}`;

const status = (machine, at) =>
  fetch(urlOf(machine, at), { signal: AbortSignal.timeout(1_000) }).then(
    (answer) => answer.status,
    () => 0,
  );

const restAnswers = async (machine) => (await status(machine, '/patroni')) > 0;

const ask = (machine, at) =>
  fetch(urlOf(machine, at), { signal: AbortSignal.timeout(2_000) })
    .then((answer) => answer.json())
    .catch(() => undefined);

async function tell(machine, method, at, body) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(urlOf(machine, at), { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`Patroni's ${at} answered ${answer.status}: ${await answer.text()}`);
}
