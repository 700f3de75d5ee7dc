// npm run cluster [-- --loopback]: the product as production runs it, on machines of its own, until Ctrl-C.
// npm run cluster -- chaos [--rounds N] [--only expression] [--rate N] [--counter-test]: every part killed, frozen and cut off under load
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startCluster } from './cluster/cluster.mjs';
import { runAttached, supervise } from './lifecycle.mjs';
import { dataDirOf, installDependencies, onPath } from './project.mjs';
import { withRunFolder } from './run-folder.mjs';

const dataDir = path.join(dataDirOf(), 'cluster');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '1' },
    rate: { type: 'string', default: '40' },
    only: { type: 'string' },
    loopback: { type: 'boolean', default: false },
    'counter-test': { type: 'boolean', default: false },
  },
});

const misuse = problemWith(values, positionals);
if (misuse) {
  console.error(misuse);
  process.exit(1);
}
// a load whose fault broke off would go on for ever
process.exit((await runReaped()) ?? (await withRunFolder({ title: 'npm run cluster', dataDir }, runCluster)));

/** @returns {string | undefined} what is wrong with how it was called */
function problemWith({ rounds, rate, only, 'counter-test': counterTest }, [what, ...rest]) {
  if (rest.length || (what !== undefined && what !== 'chaos')) return `chaos, or nothing: ${positionals.join(' ')}`;
  if (what !== 'chaos' && (only !== undefined || counterTest)) return '--only and --counter-test belong to chaos';
  if (!(Number.isInteger(Number(rounds)) && Number(rounds) > 0)) return `--rounds takes a whole number: ${rounds}`;
  if (!(Number(rate) > 0)) return `--rate takes translations a second: ${rate}`;
  return undefined;
}

async function runCluster(run) {
  console.log('\nYiqiao · 译桥, a cluster\n');
  const services = [];
  const register = (service) => {
    services.push(service);
    run.register(service);
  };
  await run.steps.run('dependencies', () => installDependencies(dataDir));
  const cluster = await startCluster({ ...run, register }, { dataDir, loopback: values.loopback });
  announce(cluster);
  if (positionals[0] === 'chaos') {
    const { runChaos } = await import('./cluster/chaos.mjs');
    const { rounds, rate, only, 'counter-test': counterTest } = values;
    const asked = { rounds: Number(rounds), rate: Number(rate), only, counterTest };
    return runChaos({ cluster, steps: run.steps, onEnd: run.onEnd, ...asked });
  }
  return new Promise((resolve) => {
    const giveUp = (reason) => {
      console.error(`\n${reason}: stopping`);
      resolve(1);
    };
    supervise({ services, log: run.steps.log, onRestart: () => {}, giveUp });
  });
}

/** This program under one that waits for the processes which others leave behind; undefined: it is, or cannot be. */
async function runReaped() {
  const mark = 'YIQIAO_REAPED';
  if (process.env[mark] || process.platform !== 'linux' || !onPath('python3')) return undefined;
  const args = [path.join(import.meta.dirname, 'cluster/reaper.py'), process.execPath, ...process.argv.slice(1)];
  const onEnd = (end) => {
    process.on('SIGTERM', end);
    // from the terminal it reaches all of them
    process.on('SIGINT', () => {});
  };
  return runAttached('python3', args, { env: { ...process.env, [mark]: '1' }, onEnd });
}

function announce({ network, url, demo, operators, sandbox, patroni, databaseProxy, redis, apis, workers }) {
  const at = (parts) => parts.map(({ machine: { name, address } }) => `${name} ${address}`).join(', ');
  const lines = [
    `Ready: ${url}`,
    '',
    `  Demo account   ${demo.account}`,
    `  Password       ${demo.password}`,
    `  Operators      http://${operators.machine.address}:8092`,
    `  Inbox          http://${sandbox.machine.address}:8081/mail`,
    `  PostgreSQL     ${databaseProxy.machine.address}:5432, in front of ${at(patroni.nodes)}`,
    `  Redis          ${at([...redis.servers, ...redis.sentinels])}`,
    `  Product        ${at([...apis, ...workers])}`,
    ...(network.isolated
      ? []
      : ['', '  Not root, or not allowed to make network namespaces: nothing can be cut off from the others.']),
    '',
    '  Ctrl-C stops everything.',
  ];
  console.log(`\n${lines.join('\n')}\n`);
}
