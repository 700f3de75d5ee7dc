// npm run bench: the ledger writer against pgbench, on a PostgreSQL of its own with everything durable.
import path from 'node:path';
import { spawn } from 'node:child_process';
import { build } from './build.mjs';
import { installDependencies } from './install.mjs';
import { providePgbench } from './pgbench.mjs';
import { dataDirOf, pinnedNode, projectEnv, root } from './project.mjs';
import { startServices } from './services.mjs';
import { runSession } from './session.mjs';
import { allOrFirstError } from './stack.mjs';

const dataDir = path.join(dataDirOf(), 'bench');
const program = path.join(root, 'apps/api/dist/bench/main.js');

process.exitCode = await runSession(
  { title: 'npm run bench', dataDir },
  async ({ folder, steps, toolsDir, adopt, onEnd }) => {
    console.log('\nSetting up\n');
    await steps.run('dependencies', () => installDependencies(dataDir));
    const services = startServices({ folder, toolsDir, steps, adopt, given: {}, fresh: true });
    const [stores] = await allOrFirstError([services, steps.run('build', build)]);
    let pgbench = '';
    await steps.run(
      'pgbench',
      async () => (pgbench = await providePgbench(toolsDir)) || 'none: the ratio will be skipped',
    );
    console.log('');
    const env = { ...projectEnv(), NODE_ENV: 'development', ...stores, PGBENCH: pgbench };
    const args = ['--enable-source-maps', program, ...process.argv.slice(2)];
    const child = spawn(pinnedNode, args, { cwd: root, env, stdio: 'inherit' });
    onEnd(() => child.kill());
    return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  },
);
