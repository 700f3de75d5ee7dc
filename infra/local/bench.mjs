// npm run bench: every figure of docs/performance.md, on its own PostgreSQL with everything durable.
// npm run bench -- writer|http|doors|telemetry|vendors|processes|logs|operators|overload|uploads|streams|site|backup: some of it. BENCH_ROUNDS, BENCH_ROWS: how long, how much.
import fs from 'node:fs';
import path from 'node:path';
import { provideChromium } from './chromium.mjs';
import { hasDebianTools, unpackPackages, unpackedEnv } from './debian.mjs';
import { allOrFirstError, runAttached, runTool } from './lifecycle.mjs';
import { engineEnv, installEngines } from './offline-engines.mjs';
import { build, dataDirOf, installDependencies, npmEnv, onPath, pinnedNode, projectEnv, root } from './project.mjs';
import { withRunFolder } from './run-folder.mjs';
import { apiHeap, operatorHeap, startStores } from './stack.mjs';
import { Failure, printFailure } from './terminal.mjs';

const dataDir = path.join(dataDirOf(), 'bench');
const program = path.join(root, 'apps/api/dist/bench/main.js');
const parts = [
  'writer',
  'http',
  'doors',
  'telemetry',
  'vendors',
  'processes',
  'logs',
  'operators',
  'overload',
  'uploads',
  'streams',
  'site',
  'backup',
];
const selected = process.argv.slice(2);
const unknown = selected.filter((name) => !parts.includes(name));
const isSelected = (part) => selected.length === 0 || selected.includes(part);

if (unknown.length > 0) {
  const hints = [`npm run bench -- ${parts.join(' | ')}`, 'or npm run bench for all of it'];
  printFailure(new Failure(`the bench has no part ${unknown.join(', ')}`, { hints }), 'npm run bench');
  process.exit(1);
}

process.exitCode = await withRunFolder({ title: 'npm run bench', dataDir }, async (run) => {
  const { steps, toolsDir, onEnd } = run;
  console.log('\nSetting up\n');
  await steps.run('dependencies', () => installDependencies(dataDir));
  const stores = startStores({ ...run, userEnv: {}, fresh: true });
  const [storeEnv] = await allOrFirstError([stores, steps.run('build', build)]);
  await steps.run('offline engines', () => installEngines(toolsDir));
  const tools = await provideTools(run);
  console.log('');
  const flags = { API_FLAGS: apiHeap.join(' '), OPERATOR_FLAGS: operatorHeap.join(' ') };
  const settings = { NODE_ENV: 'development', BENCH_OUT: process.env.BENCH_OUT || dataDir };
  const env = { ...projectEnv(), ...settings, ...storeEnv, ...engineEnv(toolsDir), ...tools, ...flags };
  return runAttached(pinnedNode, ['--enable-source-maps', program, ...selected], { cwd: root, env, onEnd });
});

/** What the figures are compared with and measured in; a part without its tool says that it skips the comparison. */
async function provideTools({ steps, toolsDir }) {
  let [pgbench, haproxy, gateway, browser] = ['', '', {}, {}];
  await steps.run('pgbench', async () => {
    pgbench = await providePgbench(toolsDir);
    return pgbench || 'none: the ratios to it will be skipped';
  });
  if (isSelected('processes'))
    await steps.run('haproxy', async () => {
      haproxy = await provideHaproxy(toolsDir);
      return haproxy || 'none: several processes will not be compared with one';
    });
  if (isSelected('vendors'))
    await steps.run('gateway', async () => {
      gateway = await provideGateway(toolsDir);
      return gateway.program ? '@portkey-ai/gateway, to compare with' : `none to compare with: ${gateway.reason}`;
    });
  if (isSelected('site'))
    await steps.run('browser', async () => {
      browser = await provideChromium();
      return browser.path ?? `none: ${browser.reason}`;
    });
  return {
    PGBENCH: pgbench,
    HAPROXY: haproxy,
    CHROMIUM_PATH: browser.path ?? '',
    GATEWAY_PROGRAM: gateway.program ?? '',
  };
}

/** @returns {Promise<string>} the system's pgbench, or one unpacked under DATA_DIR, or '' if it cannot be had */
async function providePgbench(toolsDir) {
  const found = process.env.PGBENCH || findPgbench('/') || onPath('pgbench');
  if (found) return found;
  const dir = path.join(toolsDir, 'pgbench-bin');
  const wrapper = path.join(dir, 'pgbench');
  if (!fs.existsSync(wrapper) && hasDebianTools()) {
    const finish = (work) => writeWrapper({ work, dir, program: findPgbench(work), name: 'pgbench' });
    await unpackPackages({ packages: ['postgresql-contrib'], dir, finish }).catch(() => undefined);
  }
  return fs.existsSync(wrapper) ? wrapper : '';
}

/** The program itself, not Debian's Perl wrapper of the same name on PATH. */
function findPgbench(prefix) {
  const folder = path.join(prefix, 'usr/lib/postgresql');
  const versions = fs.existsSync(folder) ? fs.readdirSync(folder).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => path.join(folder, version, 'bin/pgbench')).find((file) => fs.existsSync(file));
}

/** @returns {Promise<string>} the system's HAProxy, or one unpacked under DATA_DIR, or '' if it cannot be had */
async function provideHaproxy(toolsDir) {
  const found = process.env.HAPROXY || onPath('haproxy');
  if (found) return found;
  const dir = path.join(toolsDir, 'haproxy-bin');
  const wrapper = path.join(dir, 'haproxy');
  if (!fs.existsSync(wrapper) && hasDebianTools()) {
    const finish = (work) => writeWrapper({ work, dir, program: path.join(work, 'usr/sbin/haproxy'), name: 'haproxy' });
    await unpackPackages({ packages: ['haproxy'], dir, finish }).catch(() => undefined);
  }
  return fs.existsSync(wrapper) ? wrapper : '';
}

/** Beside its libraries. `work`: where the package is unpacked; `dir`: where it will be. */
function writeWrapper({ work, dir, program, name }) {
  if (!program || !fs.existsSync(program)) throw new Error(`the package brought no ${name}`);
  const libraries = unpackedEnv(dir).LD_LIBRARY_PATH;
  const text = `#!/bin/sh\nLD_LIBRARY_PATH='${libraries}' exec '${program.replace(work, dir)}' "$@"\n`;
  fs.writeFileSync(path.join(work, name), text, { mode: 0o755 });
}

/**
 * The third-party gateway that part vendors is compared with. It is installed here and not with the dependencies, because
 * nobody else needs its 25 MB.
 * @returns {Promise<{program?: string, reason?: string}>} the program, or why there is none
 */
async function provideGateway(toolsDir) {
  const [name, version] = ['@portkey-ai/gateway', '1.15.2'];
  const dir = path.join(toolsDir, `gateway-${version}`);
  const program = path.join(dir, 'node_modules', name, 'build/start-server.js');
  // npm writes this file last
  const isThere = () => fs.existsSync(path.join(dir, 'node_modules/.package-lock.json')) && fs.existsSync(program);
  if (isThere()) return { program };
  fs.mkdirSync(dir, { recursive: true });
  const options = ['--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const args = ['install', '--prefix', dir, ...options, `${name}@${version}`];
  const { code, output } = await runTool('npm', args, { cwd: dir, env: npmEnv(toolsDir) });
  return code === 0 && isThere()
    ? { program }
    : { reason: output.trim().split('\n').at(-1) || `npm ended with ${code}` };
}
