// npm run operator -- <command>: the operator's tool, with the environment of the product that runs here, if one does.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { apertiumDir } from './apertium.mjs';
import { mediaDir } from './media.mjs';
import { operatorHeap, operatorProgram } from './apps.mjs';
import { build } from './build.mjs';
import { gatewayKeys } from './gateway-keys.mjs';
import { installDependencies } from './install.mjs';
import { dataDirOf, pinnedNode, projectEnv, root } from './project.mjs';
import { keptSecret, runningIn } from './run-folder.mjs';
import { startServices } from './services.mjs';
import { runSession } from './session.mjs';

const dataDir = dataDirOf();
const own = process.env;
// the operator's commands send no mail, but the product does not start without an address to send it to
const nowhere = 'smtp://127.0.0.1:1';

if (own.NODE_ENV === 'production') process.exit(await operate({}));
fs.mkdirSync(dataDir, { recursive: true });
if (own.DATABASE_URL && own.REDIS_URL) process.exit(await operate({ SMTP_URL: own.SMTP_URL || nowhere, ...secret() }));
const running = runningIn(dataDir);
if (running?.env) process.exit(await operate({ ...gatewayKeys(dataDir).merchant, ...running.env, ...secret() }));

process.exitCode = await runSession(
  { title: 'operator', dataDir, quiet: true },
  async ({ folder, steps, toolsDir, adopt, onEnd }) => {
    if (!fs.existsSync(operatorProgram)) {
      await installDependencies(dataDir);
      await build();
    }
    const stores = await startServices({ folder, toolsDir, steps, adopt });
    const rest = {
      NODE_ENV: 'development',
      SMTP_URL: own.SMTP_URL || nowhere,
      DATA_DIR: dataDir,
      APERTIUM_DIR: apertiumDir(toolsDir),
      MEDIA_DIR: mediaDir(toolsDir),
    };
    return operate({ ...rest, ...stores, ...secret() }, onEnd);
  },
);

function secret() {
  return { APP_SECRET: own.APP_SECRET || keptSecret(path.join(dataDir, 'secret')) };
}

/** @returns {Promise<number>} the program's exit code */
function operate(env, onEnd = () => {}) {
  const args = ['--enable-source-maps', ...operatorHeap, operatorProgram, ...process.argv.slice(2)];
  const child = spawn(pinnedNode, args, { cwd: root, env: { ...projectEnv(), ...env }, stdio: 'inherit' });
  onEnd(() => child.kill());
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}
