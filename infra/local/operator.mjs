// npm run operator -- <command>: the operator's tool, with the environment of the product that runs here, if one does.
import fs from 'node:fs';
import path from 'node:path';
import { gatewayKeys, signingKeyFile } from './environment.mjs';
import { runAttached } from './lifecycle.mjs';
import { engineEnv } from './offline-engines.mjs';
import { build, dataDirOf, installDependencies, pinnedNode, projectEnv, root } from './project.mjs';
import { persistentSecret, runningIn, withRunFolder } from './run-folder.mjs';
import { operatorArgs, operatorProgram, startStores } from './stack.mjs';

const dataDir = dataDirOf();
const { env } = process;
// operator commands send no mail, but the product does not start without SMTP_URL
const smtp = { SMTP_URL: env.SMTP_URL || 'smtp://127.0.0.1:1' };

if (env.NODE_ENV === 'production') process.exit(await operate({}));
fs.mkdirSync(dataDir, { recursive: true });
if (env.DATABASE_URL && env.REDIS_URL) process.exit(await operate({ ...smtp, ...secret() }));
const running = runningIn(dataDir);
if (running?.env) process.exit(await operate({ ...gatewayKeys(dataDir).merchant, ...running.env, ...secret() }));

process.exitCode = await withRunFolder({ title: 'operator', dataDir, quiet: true }, async (run) => {
  if (!fs.existsSync(operatorProgram)) {
    await installDependencies(dataDir);
    await build();
  }
  const stores = await startStores(run);
  const settings = { NODE_ENV: 'development', ...smtp, DATA_DIR: dataDir, ...engineEnv(run.toolsDir) };
  return operate({ ...settings, ...stores, ...secret() }, run.onEnd);
});

function secret() {
  return {
    APP_SECRET: env.APP_SECRET || persistentSecret(path.join(dataDir, 'secret')),
    CLOSE_SIGNING_KEY: env.CLOSE_SIGNING_KEY || signingKeyFile(dataDir),
  };
}

/** @returns {Promise<number>} the program's exit code */
function operate(settings, onEnd) {
  const args = [...operatorArgs, ...process.argv.slice(2)];
  return runAttached(pinnedNode, args, { cwd: root, env: { ...projectEnv(), ...settings }, onEnd });
}
