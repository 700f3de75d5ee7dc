// npm test: every test, from a bare checkout to one line that counts them.
// Words after `--` select test files: npm test -- ledger
import fs from 'node:fs';
import path from 'node:path';
import { provideChromium } from './chromium.mjs';
import { gatewayEnv, gatewayKeys, vendorEnv } from './environment.mjs';
import { allOrFirstError } from './lifecycle.mjs';
import { engineEnv, installEngines } from './offline-engines.mjs';
import { installPackagingTools } from './packaging-tools.mjs';
import { internalPortBase, nextFreePort } from './ports.mjs';
import { locateCluster } from './postgres.mjs';
import { build, dataDirOf, installDependencies, root } from './project.mjs';
import { findRedisServer } from './redis.mjs';
import { withRunFolder } from './run-folder.mjs';
import { createApp, runOperator, startStack, startStores } from './stack.mjs';
import { bundleSuites, runJest } from './test-runner.mjs';

const dataDir = path.join(dataDirOf(), 'test');
const filter = process.argv.slice(2);
// For two cores. Suites of the api and journeys also wait, for clocks, stores, the browser and other programs.
const suites = {
  'packages/domain': { folders: { src: 2 }, workers: 2 },
  'packages/contracts': { folders: { src: 2 }, workers: 2 },
  'apps/api': {
    folders: { test: 16, src: 4 },
    workers: 3,
    slowest: [
      'bench',
      'orders-crash',
      'image',
      'operator',
      'voice',
      'routing',
      'ledger-export-proof',
      'auth-login',
      'glossary-media',
    ],
  },
  'apps/sandbox': { folders: { src: 4 }, workers: 2 },
  'apps/console': { folders: { src: 4 }, workers: 2, slowest: ['bundle'] },
};
const journeys = {
  workspace: 'apps/console',
  config: 'jest.e2e.config.mjs',
  folders: { e2e: 16 },
  workers: 3,
  slowest: ['axe', 'notices', 'recharge', 'translate-channels', 'console-shell', 'reminders', 'sub-accounts'],
};
// never DATABASE_URL and REDIS_URL, which name the product's stores: tests create and drop databases
const userEnv = { DATABASE_URL: process.env.TEST_DATABASE_URL, REDIS_URL: process.env.TEST_REDIS_URL };

const total = { passed: 0, failed: 0, skipped: 0 };
const add = (counted) => Object.keys(total).forEach((key) => (total[key] += counted[key]));

const code = await withRunFolder({ title: 'npm test', dataDir }, async (run) => {
  const { steps } = run;
  console.log('\nSetting up\n');
  const browser = provideChromium();
  const engines = prepareEngines(run);
  // apt does not run twice at once
  const packaging = engines.then(() => preparePackaging(run));
  await steps.run('dependencies', () => installDependencies(dataDir));
  const env = await startTestServices(run);
  Object.assign(env, await packaging);
  const chromium = await browser;
  if (chromium.path) env.CHROMIUM_PATH = chromium.path;
  for (const [workspace, rest] of Object.entries(suites)) {
    heading(workspace);
    add(await runSuites({ workspace, name: workspace.replace('/', '-'), env, ...rest }));
  }
  if (isSelected(journeys)) await runJourneys(run, chromium);
  return total.failed > 0 ? 1 : 0;
});

if (code !== 0 && total.failed === 0) total.failed = 1; // the set-up broke off
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exit(code);

/** Whether any suite of these folders passes the filter; the journeys need a stack of their own, which takes a while to start. */
function isSelected({ workspace, folders }) {
  if (filter.length === 0) return true;
  const files = Object.keys(folders).flatMap((folder) =>
    fs
      .readdirSync(path.join(root, workspace, folder), { recursive: true })
      .map((file) => path.join(root, workspace, folder, file)),
  );
  return files.some((file) => filter.some((word) => new RegExp(word, 'i').test(file)));
}

/** Suites are bundled, unless a filter selects some of them. */
function runSuites({ workspace, name, config, env, workers, ...which }) {
  const to = path.join(dataDir, 'bundles', name);
  const bundled = filter.length > 0 ? [] : bundleSuites({ workspace, to, ...which });
  const args = [`--maxWorkers=${workers}`, ...bundled];
  return runJest({ workspace, config, args, env, report: path.join(dataDir, `${name}.report.json`), filter });
}

function prepareEngines({ steps, toolsDir }) {
  return steps
    .run('offline engines', () => installEngines(toolsDir))
    .catch((error) => {
      steps.log(`tests of the offline engines will fail or be skipped: ${error.message.split('\n')[0]}`);
    });
}

/** Tests of the packaging fail without these, whatever the reason: they would otherwise prove nothing. */
function preparePackaging({ steps, toolsDir }) {
  return steps
    .run('packaging tools', () => installPackagingTools(toolsDir))
    .catch((error) => {
      steps.log(`tests of the packaging will fail: ${error.message.split('\n')[0]}`);
      return {};
    });
}

/** The stores and a sandbox. Suites create their own databases through DATABASE_URL, whose user is a superuser. */
async function startTestServices({ folder, steps, toolsDir, register }) {
  const stores = startStores({ folder, toolsDir, steps, register, userEnv, durable: false, fresh: true });
  const [storeEnv] = await allOrFirstError([stores, steps.run('build', build)]);
  const base = internalPortBase(dataDir);
  const [smtp, http] = [await nextFreePort(base + 2), await nextFreePort(base + 3)];
  const ports = { HOST: '127.0.0.1', SMTP_PORT: String(smtp), SANDBOX_PORT: String(http) };
  const gateways = { SANDBOX_GATEWAYS: gatewayKeys(dataDir).file };
  await steps.run('sandbox', async () => {
    const sandbox = createApp({ name: 'sandbox', env: { NODE_ENV: 'development', ...ports, ...gateways }, folder });
    register(sandbox);
    await sandbox.start();
  });
  return {
    // suites that need a cluster of their own, whatever TEST_DATABASE_URL is
    ...locateCluster(dataDir).env,
    ...storeEnv,
    ...(await redisProgram(toolsDir)),
    SMTP_URL: `smtp://127.0.0.1:${smtp}`,
    SANDBOX_URL: `http://localhost:${http}`,
    ...gateways,
    ...gatewayEnv(dataDir, `http://localhost:${http}`),
    ...vendorEnv({}),
    ...engineEnv(toolsDir),
    // Tests start the product's programs dozens of times.
    NODE_COMPILE_CACHE: path.join(dataDir, 'compile-cache'),
  };
}

/** A server that tests can start themselves, for a primary that dies under its Sentinels. */
async function redisProgram(toolsDir) {
  const found = await findRedisServer(toolsDir).catch(() => undefined);
  return found ? { REDIS_SERVER: found.command, REDIS_LIBRARIES: found.env.LD_LIBRARY_PATH ?? '' } : {};
}

/** The browser tests, against a separate product that is started as npm start does. */
async function runJourneys({ steps, toolsDir, onEnd }, browser) {
  heading('browser journeys');
  if (!browser.path) {
    const count = countJourneys(path.join(root, journeys.workspace, 'e2e'));
    console.log(`\n!!! ${count} BROWSER JOURNEYS SKIPPED: ${browser.reason}\n`);
    add({ passed: 0, failed: 0, skipped: count });
    return;
  }
  const product = path.join(dataDir, 'product');
  const onStack = (stack) => onEnd(() => stack.stop());
  // Each journey registers its own members, all from one address.
  const oneAddress = { LIMIT_CODES_PER_IP: '1000', LIMIT_REGISTER_PER_IP: '1000' };
  const journeyEnv = { SANDBOX_VENDORS: '1', LIMIT_CODE_PAUSE_SECONDS: '10', ...oneAddress };
  const options = { dataDir: product, toolsDir, userEnv, env: journeyEnv, durable: false, fresh: true };
  const stack = await startStack({ ...options, steps, onStack });
  const env = {
    BASE_URL: stack.urls.api,
    OPERATORS_URL: stack.urls.operators,
    SANDBOX_URL: stack.urls.sandbox,
    DEMO_ACCOUNT: stack.demo?.account ?? '',
    DEMO_PASSWORD: stack.demo?.password ?? '',
    OPERATOR_DATA_DIR: product,
    CHROMIUM_PATH: browser.path,
  };
  add(await runSuites({ ...journeys, name: 'journeys', env }));
  add(await auditAfter(stack));
}

/** After all journeys, every balance must still follow from its entries (decisions §4). */
async function auditAfter(stack) {
  const { code, output } = await runOperator(stack.env, ['ledger', 'audit']);
  console.log(`\n${output.trimEnd()}`);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

function countJourneys(folder) {
  const files = fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true }).map(String) : [];
  const texts = files
    .filter((name) => /\.e2e\.tsx?$/.test(name))
    .map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
  return texts.reduce((sum, text) => sum + (text.match(/^\s*(it|journey|inTurn)(\.each)?\s*[(`]/gm)?.length ?? 0), 0);
}

function heading(name) {
  console.log(`\n── ${name} ${'─'.repeat(Math.max(4, 70 - name.length))}\n`);
}
