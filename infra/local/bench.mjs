// npm run bench: every figure of docs/performance.md, on a PostgreSQL of its own with everything durable.
// npm run bench -- writer|http|vendors|logs|overload|uploads|streams|site: some of it. BENCH_ROUNDS, BENCH_ROWS: how long, how much.
import path from 'node:path';
import { spawn } from 'node:child_process';
import { apertiumDir, findApertium, installApertium } from './apertium.mjs';
import { apiHeap, operatorHeap } from './apps.mjs';
import { build } from './build.mjs';
import { provideChromium } from './chromium.mjs';
import { Failure, printFailure } from './failure.mjs';
import { provideGateway } from './gateway.mjs';
import { installDependencies } from './install.mjs';
import { installMedia, mediaDir } from './media.mjs';
import { providePgbench } from './pgbench.mjs';
import { dataDirOf, pinnedNode, projectEnv, root } from './project.mjs';
import { startServices } from './services.mjs';
import { runSession } from './session.mjs';
import { allOrFirstError } from './stack.mjs';

const dataDir = path.join(dataDirOf(), 'bench');
const program = path.join(root, 'apps/api/dist/bench/main.js');
const parts = ['writer', 'http', 'vendors', 'logs', 'overload', 'uploads', 'streams', 'site'];
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !parts.includes(name));

if (unknown.length > 0) {
  const ways = [`npm run bench -- ${parts.join(' | ')}`, 'or npm run bench for all of it'];
  printFailure(new Failure(`the bench has no part ${unknown.join(', ')}`, { ways }), 'npm run bench');
  process.exit(1);
}

process.exitCode = await runSession(
  { title: 'npm run bench', dataDir },
  async ({ folder, steps, toolsDir, adopt, onEnd }) => {
    console.log('\nSetting up\n');
    await steps.run('dependencies', () => installDependencies(dataDir));
    const services = startServices({ folder, toolsDir, steps, adopt, given: {}, fresh: true });
    const [stores] = await allOrFirstError([services, steps.run('build', build)]);
    let pgbench = '';
    let browser = {};
    let gateway = {};
    await steps.run('offline engines', async () => {
      if (!findApertium(toolsDir)) await installApertium(toolsDir);
      await installMedia(toolsDir);
    });
    await steps.run(
      'pgbench',
      async () => (pgbench = await providePgbench(toolsDir)) || 'none: the ratios to it will be skipped',
    );
    if (chosen.length === 0 || chosen.includes('vendors'))
      await steps.run('gateway', async () => {
        gateway = await provideGateway(toolsDir);
        return gateway.program ? '@portkey-ai/gateway, to compare with' : `none to compare with: ${gateway.reason}`;
      });
    if (chosen.length === 0 || chosen.includes('site'))
      await steps.run('browser', async () => {
        browser = await provideChromium();
        return browser.path ?? `none: ${browser.reason}`;
      });
    console.log('');
    const out = process.env.BENCH_OUT || dataDir;
    const engines = { APERTIUM_DIR: apertiumDir(toolsDir), MEDIA_DIR: mediaDir(toolsDir) };
    const tools = { PGBENCH: pgbench, CHROMIUM_PATH: browser.path ?? '', GATEWAY_PROGRAM: gateway.program ?? '' };
    const flags = { API_FLAGS: apiHeap.join(' '), OPERATOR_FLAGS: operatorHeap.join(' ') };
    const env = { ...projectEnv(), NODE_ENV: 'development', ...stores, ...engines, ...tools, ...flags, BENCH_OUT: out };
    const args = ['--enable-source-maps', program, ...chosen];
    const child = spawn(pinnedNode, args, { cwd: root, env, stdio: 'inherit' });
    onEnd(() => child.kill());
    return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  },
);
