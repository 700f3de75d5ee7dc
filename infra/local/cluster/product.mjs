// The product's processes on machines of their own, and a second build of it to upgrade to.
import fs from 'node:fs';
import path from 'node:path';
import { gatewayEnv, productEnv } from '../environment.mjs';
import { runTool } from '../lifecycle.mjs';
import { httpAnswers } from '../ports.mjs';
import { pinnedNode, projectEnv, root } from '../project.mjs';
import { apiHeap, operatorArgs, operatorHeap, runOperator } from '../stack.mjs';
import { Failure } from '../terminal.mjs';

const PORTS = { api: 8080, worker: 8091, operators: 8092, sandbox: 8081, smtp: 8025 };

/** One environment for all; each process adds the address of its machine. */
export async function clusterEnv({ dataDir, toolsDir, network, patroni, databaseProxy, redis, sandbox, webProxy }) {
  const host = databaseProxy.machine.address;
  const sandboxUrl = `http://${sandbox.address}:${PORTS.sandbox}`;
  const stores = { DATABASE_URL: patroni.urlAt(host, 'yiqiao_operators_login'), REDIS_URL: redis.url };
  const env = {
    DATABASE_MIGRATION_URL: patroni.urlAt(host, 'yiqiao'),
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
  worker: { file: 'apps/api/dist/src/worker.js', ready: '/readyz' },
  operators: { file: 'apps/api/dist/src/operators.js', ready: '/readyz' },
  sandbox: { file: 'apps/sandbox/dist/main.js', ready: '/health' },
};

/**
 * @param {{machine: object, kind: 'api' | 'worker' | 'operators' | 'sandbox', env: () => object, databaseUrl?: (login: string) => string}} options
 * @returns {object} not started yet; `useBuild(folder)`: what its next start runs
 */
export function createProcess({ machine, kind, env, databaseUrl }) {
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
      ...(login && { DATABASE_URL: databaseUrl(login) }),
      ...{ HOST: address, WORKER_HOST: address, OPERATOR_HOST: address },
    },
  });
  const isReady = () => httpAnswers(`http://${address}:${PORTS[kind]}${ready}`);
  // it serves for DRAIN_SECONDS after it is told to end, and has nine more to finish
  const service = machine.service({ program, isReady, gracePeriod: 15_000 });
  return { machine, service, isReady, useBuild: (next) => (folder = next) };
}

/** Runs an operator's command. `clock`: ms that its clock is ahead. */
export async function operate(env, args, { clock = 0 } = {}) {
  if (clock === 0) return runOperator(env, args);
  const ahead = `const Then = Date; globalThis.Date = class extends Then { constructor(...a) { super(...(a.length ? a : [Then.now() + ${clock}])); } static now() { return Then.now() + ${clock}; } };`;
  const preload = `data:text/javascript,${encodeURIComponent(ahead)}`;
  return runTool(pinnedNode, ['--import', preload, ...operatorArgs, ...args], {
    cwd: root,
    env: { ...projectEnv(), ...env },
  });
}

/** Migrates and seeds; throws what the tool says if it fails. @returns {Promise<{account: string, password: string}>} the demo account */
export async function prepare(env) {
  const { code, output } = await runOperator({ ...env, DEMO: '1' }, ['prepare', '--demo']);
  if (code !== 0) throw new Failure(`migration or seeding ended with ${code}`, { detail: output.slice(-3_000) });
  return JSON.parse(output.split('\n').findLast((line) => line.startsWith('{"demo":'))).demo;
}

/**
 * A copy of this build with one more migration.
 * @returns {{folder: string, migrate: (env: object) => Promise<void>}}
 */
export function secondBuild(dataDir) {
  const folder = path.join(dataDir, 'next-build');
  const api = path.join(folder, 'apps/api');
  fs.rmSync(folder, { recursive: true, force: true });
  fs.cpSync(path.join(root, 'apps/api/dist'), path.join(api, 'dist'), { recursive: true });
  fs.copyFileSync(path.join(root, 'apps/api/package.json'), path.join(api, 'package.json'));
  for (const name of ['node_modules', 'apps/api/node_modules', 'apps/api/data'])
    if (fs.existsSync(path.join(root, name))) fs.symlinkSync(path.join(root, name), path.join(folder, name));
  const migrations = path.join(api, 'dist/migrations');
  fs.writeFileSync(
    path.join(migrations, '9999-next.js'),
    `import { Migration } from '@mikro-orm/migrations';
export class Migration9999Next extends Migration {
  up() {
    this.addSql('ALTER TABLE notice ADD COLUMN next_build boolean NOT NULL DEFAULT false');
  }
}
`,
  );
  fs.appendFileSync(
    path.join(migrations, 'list.js'),
    "\nexport { Migration9999Next as '9999-next' } from './9999-next.js';\n",
  );
  const program = path.join(api, 'dist/src/operator.js');
  return {
    folder,
    async migrate(env) {
      const args = ['--enable-source-maps', ...operatorHeap, program, 'migrate'];
      const { code, output } = await runTool(pinnedNode, args, { cwd: root, env: { ...projectEnv(), ...env } });
      if (code !== 0) throw new Error(`the second build's migration ended with ${code}: ${output}`);
    },
  };
}
