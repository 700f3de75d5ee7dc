// npm start: from a bare checkout to a running product, told in a short list of steps.
import path from 'node:path';
import { findApertium, installApertium, lastInstallFailed } from './apertium.mjs';
import { Failure, printFailure } from './failure.mjs';
import { installDependencies } from './install.mjs';
import { installMedia, lastMediaInstallFailed } from './media.mjs';
import { sleep, stopTools } from './processes.mjs';
import { dataDirOf, root } from './project.mjs';
import { choosePublicPorts } from './public-ports.mjs';
import { findRedisServer } from './redis.mjs';
import { takeRunFolder } from './run-folder.mjs';
import { allOrFirstError, startStack } from './stack.mjs';
import { createSteps } from './steps.mjs';
import { supervise } from './supervise.mjs';
import { whenTold } from './until-told.mjs';

const dataDir = dataDirOf();
const steps = createSteps();
let folder;
let stack;
let stopping = false;

async function stop(code, reason) {
  if (stopping) return;
  stopping = true;
  steps.end();
  console.log(reason ? `\n${reason}: stopping` : '\nStopping');
  stopTools();
  await stack?.stop();
  folder?.release();
  console.log('Stopped');
  process.exit(code);
}

whenTold(() => void stop(0));

try {
  if (process.env.NODE_ENV === 'production')
    throw new Failure(
      'npm start is for development: it has demo accounts and a sandbox. docs/operations.md says how to run in production.',
    );
  console.log('\nYiqiao · 译桥\n');
  folder = await takeRunFolder(dataDir, steps.say);
  const { port, sandboxPort } = await choosePublicPorts(steps.say);
  const patience = lastInstallFailed(dataDir) || lastMediaInstallFailed(dataDir) ? 0 : 20_000;
  const engines = prepareEngines();
  const fetchRedis = process.env.REDIS_URL ? undefined : findRedisServer(dataDir).catch(() => undefined);
  await allOrFirstError([steps.run('dependencies', () => installDependencies(dataDir)), fetchRedis]);
  const onStack = (made) => (stack = made);
  await startStack({ dataDir, folder, port, sandboxPort, steps, onStack });
  supervise({ stack, say: steps.say, giveUp: (reason) => void stop(1, reason) });
  await Promise.race([engines, sleep(patience)]);
  if (!stopping) announce();
} catch (error) {
  if (!stopping) {
    stopping = true;
    steps.end();
    stopTools();
    await stack?.stop();
    folder?.release();
    printFailure(error, 'npm start');
    process.exit(1);
  }
}

/** The offline engines are welcome, never waited for beyond reason, and never a cause to fail. One after the other: apt is one. */
async function prepareEngines() {
  const offer = (missing) => () => {
    if (!stopping) steps.say(`${missing}: npm run setup:offline`);
  };
  const text = async () => {
    const dir = findApertium(dataDir) ?? (await installApertium(dataDir)).dir;
    return dir === '/' ? "Apertium, the system's" : 'Apertium';
  };
  await steps
    .run('offline engine', text)
    .catch(offer('offline translation is limited to Chinese; for other languages'));
  const media = async () => void (await installMedia(dataDir));
  await steps.run('pictures and voice', media).catch(offer('recordings are not recognised, pictures only in part'));
}

function announce() {
  steps.end();
  const { urls, demo, env } = stack;
  const lines = [
    `Ready: ${urls.api}`,
    '',
    ...(demo ? [`  Demo account   ${demo.account}`, `  Password       ${demo.password}`] : []),
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
