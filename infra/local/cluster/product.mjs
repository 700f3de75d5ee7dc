// The product's processes on machines of their own, and the next build of it to upgrade to.
import fs from 'node:fs';
import path from 'node:path';
import { gatewayEnv, productEnv } from '../environment.mjs';
import { runTool } from '../lifecycle.mjs';
import { httpAnswers } from '../ports.mjs';
import { pinnedNode, projectEnv, root } from '../project.mjs';
import { apiHeap, operatorHeap, runOperator } from '../stack.mjs';
import { Failure } from '../terminal.mjs';

const PORTS = { api: 8080, worker: 8091, operators: 8092, sandbox: 8081, smtp: 8025 };

/** One environment for all; each process adds the address of its machine. */
export async function clusterEnv(places) {
  const { dataDir, toolsDir, network, patroni, databaseProxy, databases, redis, sandbox, webProxy } = places;
  const host = databaseProxy.machine.address;
  const sandboxUrl = `http://${sandbox.address}:${PORTS.sandbox}`;
  const { DATABASE_URL, STANDBY_DATABASE_URL } = databases('yiqiao_operators_login');
  const stores = { DATABASE_URL, REDIS_URL: redis.url };
  const env = {
    DATABASE_MIGRATION_URL: patroni.urlAt(host, 'yiqiao'),
    STANDBY_DATABASE_URL,
    WORKER_PORT: String(PORTS.worker),
    SANDBOX_URL: sandboxUrl,
    SMTP_PORT: String(PORTS.smtp),
    SMTP_URL: `smtp://${sandbox.address}:${PORTS.smtp}`,
    ...gatewayEnv(dataDir, sandboxUrl),
    CLOSE_ANCHOR_URLS: `${sandboxUrl}/witness`,
    PUBLIC_URL: webProxy.url,
    TRUSTED_PROXIES: network.cidr,
    DRAIN_SECONDS: '4',
    AUDIT_AT: 'off',
    // a few members make the load of many
    LIMIT_TRANSLATION_PER_SECOND: '2000',
    LIMIT_TRANSLATION_IN_FLIGHT: '2000',
  };
  const ports = { port: PORTS.api, sandboxPort: PORTS.sandbox, operatorPort: PORTS.operators };
  return productEnv({ dataDir, toolsDir, userEnv: {}, ...ports, env }, stores);
}

const programs = {
  api: { file: 'apps/api/dist/src/http.js', flags: apiHeap, ready: '/readyz', login: 'yiqiao_login' },
  worker: { file: 'apps/api/dist/src/worker.js', flags: operatorHeap, ready: '/readyz' },
  operators: { file: 'apps/api/dist/src/operators.js', ready: '/readyz' },
  sandbox: { file: 'apps/sandbox/dist/main.js', ready: '/health' },
};

/**
 * @param {{machine: object, kind: 'api' | 'worker' | 'operators' | 'sandbox', env: () => object, databases?: (login: string) => object}} options
 * @returns {object} not started yet; `useBuild(folder)`: what its next start runs
 */
export function createProcess({ machine, kind, env, databases }) {
  const { file, flags = [], ready, login } = programs[kind];
  const { address } = machine;
  let folder = root;
  const program = () => ({
    command: pinnedNode,
    args: ['--enable-source-maps', ...flags, path.join(folder, file)],
    cwd: root,
    env: {
      ...projectEnv(),
      ...env(),
      ...(login && databases(login)),
      ...{ HOST: address, WORKER_HOST: address, OPERATOR_HOST: address },
    },
  });
  const isReady = () => httpAnswers(`http://${address}:${PORTS[kind]}${ready}`);
  // it serves for DRAIN_SECONDS after it is told to end, and has nine more to finish
  const service = machine.service({ program, isReady, gracePeriod: 15_000 });
  return { machine, service, isReady, useBuild: (next) => (folder = next) };
}

/**
 * Runs an operator's command of the build that the cluster runs.
 * @param {{env: object, build: string}} cluster
 * @param {{clock?: number}} [options] clock: ms that the command's clock is ahead
 * @returns {Promise<{code: number, output: string}>}
 */
export function operate({ env, build }, args, { clock = 0 } = {}) {
  const ahead = `const Now = Date; globalThis.Date = class extends Now {
    constructor(...given) { super(...(given.length ? given : [Now.now() + ${clock}])); }
    static now() { return Now.now() + ${clock}; }
  };`;
  const preload = clock === 0 ? [] : ['--import', `data:text/javascript,${encodeURIComponent(ahead)}`];
  const program = path.join(build, 'apps/api/dist/src/operator.js');
  const all = [...preload, '--enable-source-maps', ...operatorHeap, program, ...args];
  return runTool(pinnedNode, all, { cwd: root, env: { ...projectEnv(), ...env } });
}

/** Migrates and seeds; throws what the tool says if it fails. @returns {Promise<{account: string, password: string}>} the demo account */
export async function prepare(env) {
  const { code, output } = await runOperator({ ...env, DEMO: '1' }, ['prepare', '--demo']);
  if (code !== 0) throw new Failure(`migration or seeding ended with ${code}`, { detail: output.slice(-3_000) });
  return JSON.parse(output.split('\n').findLast((line) => line.startsWith('{"demo":'))).demo;
}

let builds = 0;

/**
 * A copy of this build with one more migration than the one before.
 * @returns {string} its folder
 */
export function nextBuild(dataDir) {
  builds++;
  const folder = path.join(dataDir, `next-build-${builds}`);
  const api = path.join(folder, 'apps/api');
  fs.rmSync(folder, { recursive: true, force: true });
  fs.cpSync(path.join(root, 'apps/api/dist'), path.join(api, 'dist'), { recursive: true });
  fs.copyFileSync(path.join(root, 'apps/api/package.json'), path.join(api, 'package.json'));
  for (const name of ['node_modules', 'apps/api/node_modules', 'apps/api/data'])
    if (fs.existsSync(path.join(root, name))) fs.symlinkSync(path.join(root, name), path.join(folder, name));
  const migrations = path.join(api, 'dist/migrations');
  for (let n = 1; n <= builds; n++) {
    const text = `import { Migration } from '@mikro-orm/migrations';
export class Next extends Migration {
  up() {
    this.addSql('CREATE TABLE next_build_${n} (id int PRIMARY KEY)');
    this.addSql("COMMENT ON TABLE translation_log IS 'next build ${n}'");
  }
}
`;
    fs.writeFileSync(path.join(migrations, `9999-next-${n}.js`), text);
    const line = `\nexport { Next as '9999-next-${n}' } from './9999-next-${n}.js';\n`;
    fs.appendFileSync(path.join(migrations, 'list.js'), line);
  }
  const names = Array.from({ length: builds }, (_, at) => `'9999-next-${at + 1}'`);
  const schema = path.join(api, 'dist/src/ledger/audit/expected-schema.js');
  fs.appendFileSync(schema, `\nEXPECTED_SCHEMA.migrations.push(${names.join()});\n`);
  return folder;
}
