// npm start: from a bare checkout to a running product, in a short list of steps.
import path from 'node:path';
import { allOrFirstError, onShutdownSignal, sleep, stopTools, supervise } from './lifecycle.mjs';
import { ensureApertium, installMedia, lastInstallFailed } from './offline-engines.mjs';
import { choosePublicPorts } from './ports.mjs';
import { dataDirOf, installDependencies, root } from './project.mjs';
import { findRedisServer } from './redis.mjs';
import { acquireRunFolder } from './run-folder.mjs';
import { startStack } from './stack.mjs';
import { createSteps, Failure, printFailure } from './terminal.mjs';

const dataDir = dataDirOf();
const steps = createSteps();
let folder;
let stack;
let stopping = false;

async function cleanUp() {
  stopping = true;
  steps.end();
  stopTools();
  await stack?.stop();
  folder?.release();
}

async function stop(code, reason) {
  if (stopping) return;
  steps.end();
  console.log(reason ? `\n${reason}: stopping` : '\nStopping');
  await cleanUp();
  console.log('Stopped');
  process.exit(code);
}

onShutdownSignal(() => void stop(0));

try {
  if (process.env.NODE_ENV === 'production')
    throw new Failure(
      'npm start is for development: it has demo accounts and a sandbox. docs/operations.md says how to run in production.',
    );
  console.log('\nYiqiao · 译桥\n');
  folder = await acquireRunFolder(dataDir, steps.log);
  const { port, sandboxPort, operatorPort } = await choosePublicPorts(steps.log);
  const engineTimeout = lastInstallFailed(dataDir) ? 0 : 20_000;
  const engines = prepareEngines();
  const redis = process.env.REDIS_URL ? undefined : findRedisServer(dataDir).catch(() => undefined);
  await allOrFirstError([steps.run('dependencies', () => installDependencies(dataDir)), redis]);
  const onStack = (made) => (stack = made);
  await startStack({ dataDir, folder, port, sandboxPort, operatorPort, steps, history: true, onStack });
  const giveUp = (reason) => void stop(1, reason);
  supervise({ services: stack.services(), log: steps.log, onRestart: stack.save, giveUp });
  await Promise.race([engines, sleep(engineTimeout)]);
  if (!stopping) announce();
} catch (error) {
  if (!stopping) {
    await cleanUp();
    printFailure(error, 'npm start');
    process.exit(1);
  }
}

/** The offline engines are optional: a slow installation goes on in the background, a failed one is only reported. */
async function prepareEngines() {
  const suggest = (missing) => () => {
    if (!stopping) steps.log(`${missing}: npm run setup:offline`);
  };
  const text = async () => ((await ensureApertium(dataDir)) === '/' ? "Apertium, the system's" : 'Apertium');
  await steps
    .run('offline engine', text)
    .catch(suggest('offline translation is limited to Chinese; for other languages'));
  const media = async () => void (await installMedia(dataDir));
  await steps.run('pictures and voice', media).catch(suggest('recordings are not recognised, pictures only in part'));
}

function announce() {
  steps.end();
  const { urls, demo, env } = stack;
  const lines = [
    `Ready: ${urls.api}`,
    '',
    ...(demo ? [`  Demo account   ${demo.account}`, `  Password       ${demo.password}`] : []),
    `  Operators      ${urls.operators}`,
    `  Their codes    ${urls.sandbox}/authenticator  (owner, finance, support, viewer)`,
    `  Inbox          ${urls.sandbox}/mail`,
    `  Cashier        ${urls.sandbox}/cashier`,
    ...(env.SANDBOX_VENDORS === '1'
      ? [`  Vendors        ${urls.sandbox}/vendors  (played by the sandbox: what they say is made up)`]
      : []),
    `  Logs           ${path.relative(root, path.join(dataDir, 'logs')) || dataDir}`,
    '',
    '  Ctrl-C stops everything; the data stays.',
  ];
  console.log(`\n${lines.join('\n')}\n`);
}
