// npm test: everything, from a bare checkout to one plain line that counts it.
// Words after `--` choose among test files: npm test -- ledger
import fs from 'node:fs';
import path from 'node:path';
import { apertiumDir, findApertium, installApertium } from './apertium.mjs';
import { createApp, operatorProgram } from './apps.mjs';
import { build } from './build.mjs';
import { provideChromium } from './chromium.mjs';
import { gatewayEnv, gatewayKeys } from './gateway-keys.mjs';
import { installDependencies } from './install.mjs';
import { runJest } from './jest-run.mjs';
import { installMedia, mediaDir } from './media.mjs';
import { innerPortBase, nextFreePort } from './ports.mjs';
import { runTool } from './processes.mjs';
import { dataDirOf, pinnedNode, projectEnv, root } from './project.mjs';
import { startServices } from './services.mjs';
import { runSession } from './session.mjs';
import { allOrFirstError, startStack } from './stack.mjs';
import { together } from './together.mjs';
import { vendorEnv } from './vendor-env.mjs';

const dataDir = path.join(dataDirOf(), 'test');
const filter = process.argv.slice(2);
const workspaces = ['packages/domain', 'packages/contracts', 'apps/api', 'apps/sandbox', 'apps/console'];
// Two cores are what counts on. Suites of the api wait for about half of their time (for clocks, stores and other programs): a third worker
// has what is left of the cores.
const workers = { 'apps/api': 3 };
const longest = [
  'bench',
  'orders-crash',
  'image',
  'operator',
  'voice',
  'routing',
  'ledger-export-proof',
  'auth-login',
  'glossary-media',
];
const journeys = { workspace: 'apps/console', config: 'jest.e2e.config.mjs' };
// never the stores that an environment names for the product: tests create and drop databases
const given = { DATABASE_URL: process.env.TEST_DATABASE_URL, REDIS_URL: process.env.TEST_REDIS_URL };

const total = { passed: 0, failed: 0, skipped: 0 };
const add = (counted) => Object.keys(total).forEach((key) => (total[key] += counted[key]));

const code = await runSession({ title: 'npm test', dataDir }, async (session) => {
  const { steps } = session;
  console.log('\nSetting up\n');
  const browser = provideChromium();
  const engine = prepareEngine(session);
  await steps.run('dependencies', () => installDependencies(dataDir));
  const env = await startSurroundings(session);
  await engine;
  const chromium = await browser;
  if (chromium.path) env.CHROMIUM_PATH = chromium.path;
  for (const workspace of workspaces) {
    if (!has(workspace, 'jest.config.mjs')) continue;
    heading(workspace);
    const args = [`--maxWorkers=${workers[workspace] ?? 2}`, ...inCompany(workspace)];
    add(await runJest({ workspace, args, env, report: reportOf(workspace), filter }));
  }
  await runJourneys(session, chromium);
  return total.failed > 0 ? 1 : 0;
});

if (code !== 0 && total.failed === 0) total.failed = 1; // the set-up broke off
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exit(code);

/** All suites of the api share what they load; those that somebody chose are run as they are. */
function inCompany(workspace) {
  if (workspace !== 'apps/api' || filter.length > 0) return [];
  return together({ workspace, from: 'test', longest, parts: 16, folder: path.join(dataDir, 'together') });
}

function prepareEngine({ steps, toolsDir }) {
  const install = async () => {
    if (!findApertium(toolsDir)) await installApertium(toolsDir);
    await installMedia(toolsDir);
  };
  return steps.run('offline engines', install).catch((error) => {
    steps.say(`tests of the offline engines will fail or be skipped: ${error.message.split('\n')[0]}`);
  });
}

/** The stores and a sandbox: suites make databases of their own from DATABASE_URL, whose user is a superuser. */
async function startSurroundings({ folder, steps, toolsDir, adopt }) {
  const services = startServices({ folder, toolsDir, steps, adopt, given, durable: false, fresh: true });
  const [stores] = await allOrFirstError([services, steps.run('build', build)]);
  const base = innerPortBase(dataDir);
  const [smtp, http] = [await nextFreePort(base + 2), await nextFreePort(base + 3)];
  const ports = { HOST: '127.0.0.1', SMTP_PORT: String(smtp), SANDBOX_PORT: String(http) };
  const gateways = { SANDBOX_GATEWAYS: gatewayKeys(dataDir).file };
  await steps.run('sandbox', async () => {
    const sandbox = createApp({ name: 'sandbox', env: { NODE_ENV: 'development', ...ports, ...gateways }, folder });
    adopt(sandbox);
    await sandbox.start();
  });
  return {
    ...stores,
    SMTP_URL: `smtp://127.0.0.1:${smtp}`,
    SANDBOX_URL: `http://localhost:${http}`,
    ...gatewayEnv(dataDir, `http://localhost:${http}`),
    ...vendorEnv({}),
    APERTIUM_DIR: apertiumDir(toolsDir),
    MEDIA_DIR: mediaDir(toolsDir),
    // Tests start the product's programs dozens of times.
    NODE_COMPILE_CACHE: path.join(dataDir, 'compile-cache'),
  };
}

/** The browser against a whole product of its own, started as npm start does. */
async function runJourneys({ steps, toolsDir, onEnd }, browser) {
  if (!has(journeys.workspace, journeys.config)) return;
  heading('browser journeys');
  if (!browser.path) {
    const count = countJourneys(path.join(root, journeys.workspace, 'e2e'));
    console.log(`\n!!! ${count} BROWSER JOURNEYS SKIPPED: ${browser.reason}\n`);
    add({ passed: 0, failed: 0, skipped: count });
    return;
  }
  const product = path.join(dataDir, 'product');
  const onStack = (stack) => onEnd(() => stack.stop());
  // Each journey registers members of its own, all from one address.
  const journeyEnv = { SANDBOX_VENDORS: '1', LIMIT_CODES_PER_IP: '1000', LIMIT_CODE_PAUSE_SECONDS: '10' };
  const stack = await startStack({
    ...{ dataDir: product, toolsDir, given, env: journeyEnv, durable: false, fresh: true },
    ...{ steps, onStack },
  });
  const env = {
    BASE_URL: stack.urls.api,
    SANDBOX_URL: stack.urls.sandbox,
    DEMO_ACCOUNT: stack.demo?.account ?? '',
    DEMO_PASSWORD: stack.demo?.password ?? '',
    OPERATOR_DATA_DIR: product,
    CHROMIUM_PATH: browser.path,
  };
  add(await runJest({ ...journeys, args: ['--maxWorkers=2'], env, report: reportOf('journeys'), filter }));
  add(await auditAfter(stack));
}

/** Whatever all the journeys did, every balance must follow from its entries (decisions §4). */
async function auditAfter(stack) {
  const env = { ...projectEnv(), ...stack.env };
  const { code, output } = await runTool(pinnedNode, [operatorProgram, 'ledger', 'audit'], { cwd: root, env });
  console.log(`\n${output.trimEnd()}`);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

function countJourneys(folder) {
  const files = fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true }).map(String) : [];
  const texts = files
    .filter((name) => /\.e2e\.tsx?$/.test(name))
    .map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
  return texts.reduce((sum, text) => sum + (text.match(/^\s*(it|test)(\.each)?\s*[(`]/gm)?.length ?? 0), 0);
}

function heading(name) {
  console.log(`\n── ${name} ${'─'.repeat(Math.max(4, 70 - name.length))}\n`);
}

function has(workspace, file) {
  return fs.existsSync(path.join(root, workspace, file));
}

function reportOf(name) {
  return path.join(dataDir, `${name.replace('/', '-')}.report.json`);
}
