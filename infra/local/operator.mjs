// npm run operator -- <command>: the operator's tool, with the environment of the product that runs here, if one does.
import fs from 'node:fs';
import path from 'node:path';
import { backupEnv, gatewayKeys, productEnv, signingKeyFile } from './environment.mjs';
import { runAttached } from './lifecycle.mjs';
import { engineEnv } from './offline-engines.mjs';
import { locateCluster } from './postgres.mjs';
import { build, dataDirOf, installDependencies, pinnedNode, projectEnv, root } from './project.mjs';
import { persistentSecret, runningIn, withRunFolder } from './run-folder.mjs';
import { createApp, operatorArgs, operatorProgram, startStores } from './stack.mjs';

const dataDir = dataDirOf();
const { env } = process;
// operator commands send no mail, but the product does not start without SMTP_URL
const smtp = { SMTP_URL: env.SMTP_URL || 'smtp://127.0.0.1:1' };

if (env.NODE_ENV === 'production') process.exit(await operate({}));
fs.mkdirSync(dataDir, { recursive: true });
if (env.DATABASE_URL && env.REDIS_URL) process.exit(await operate({ ...smtp, ...secret() }));
const running = runningIn(dataDir);
const isRestore = process.argv[2] === 'restore' && process.argv[3] !== 'finish';
if (running?.env && !isRestore)
  process.exit(await operate({ ...gatewayKeys(dataDir).merchant, ...running.env, ...secret() }));

process.exitCode = await withRunFolder({ title: 'operator', dataDir, quiet: true }, async (run) => {
  if (!fs.existsSync(operatorProgram)) {
    await installDependencies(dataDir);
    await build();
  }
  if (isRestore) return restore(run);
  const stores = await startStores(run);
  const settings = { NODE_ENV: 'development', ...smtp, DATA_DIR: dataDir, ...engineEnv(run.toolsDir) };
  return operate({ ...settings, ...stores, ...secret() }, run.onEnd);
});

/** Into the folder's own cluster while nothing runs, then what follows a restore, with the sandbox for a gateway. */
async function restore(run) {
  const { data, env: server } = locateCluster(dataDir);
  const args = process.argv.slice(2);
  const isElsewhere = args.some((arg) => arg.startsWith('--into'));
  const unknown = { DATABASE_URL: 'postgresql://yiqiao@127.0.0.1:1/yiqiao', REDIS_URL: 'redis://127.0.0.1:1' };
  const settings = { NODE_ENV: 'development', ...smtp, DATA_DIR: dataDir, ...unknown, ...server, ...secret() };
  const code = await operate(settings, run.onEnd, isElsewhere ? args : [...args, '--into', data]);
  if (code !== 0 || isElsewhere) return code;
  // the restored schema may be an older build's
  fs.rmSync(path.join(dataDir, 'prepared.json'), { force: true });
  const stores = await startStores(run);
  const product = await productEnv({ dataDir, toolsDir: run.toolsDir, userEnv: env }, stores);
  const sandbox = createApp({ name: 'sandbox', env: product, folder: run.folder });
  run.register(sandbox);
  await sandbox.start();
  const migrated = await operate({ ...product, ...secret() }, run.onEnd, ['migrate']);
  return migrated || operate({ ...product, ...secret() }, run.onEnd, ['restore', 'finish']);
}

function secret() {
  return {
    ...backupEnv(dataDir, { BACKUP_KEY: env.BACKUP_KEY, BACKUP_URL: env.BACKUP_URL || path.join(dataDir, 'backups') }),
    APP_SECRET: env.APP_SECRET || persistentSecret(path.join(dataDir, 'secret')),
    CLOSE_SIGNING_KEY: env.CLOSE_SIGNING_KEY || signingKeyFile(dataDir),
  };
}

/** @returns {Promise<number>} the program's exit code */
function operate(settings, onEnd, command = process.argv.slice(2)) {
  return runAttached(pinnedNode, [...operatorArgs, ...command], {
    cwd: root,
    env: { ...projectEnv(), ...settings },
    onEnd,
  });
}
