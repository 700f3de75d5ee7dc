// Runs jest in a workspace and counts the results; bundles test suites, so that they share the modules that they load.
import fs from 'node:fs';
import path from 'node:path';
import { runTool, sleep } from './lifecycle.mjs';
import { pinnedNode, projectEnv, readJson, root } from './project.mjs';

const RUN_TIMEOUT_MS = 50 * 60_000;

/**
 * A run that breaks off counts as a failure.
 * @param {{workspace: string, config?: string, args?: string[], env: object, report: string, filter?: string[]}} options
 * @returns {Promise<{passed: number, failed: number, skipped: number}>}
 */
export async function runJest({ workspace, config = 'jest.config.mjs', args = [], env, report, filter = [] }) {
  fs.rmSync(report, { force: true });
  const jest = path.join(root, 'node_modules/jest/bin/jest.js');
  const all = [jest, '--config', config, '--json', '--outputFile', report, '--passWithNoTests', ...args, ...filter];
  // Every test file loads its modules again: a large young generation saves a tenth of the time.
  const vm = '--experimental-vm-modules --disable-warning=ExperimentalWarning --max-semi-space-size=64';
  const controller = new AbortController();
  const run = runTool(pinnedNode, all, {
    cwd: path.join(root, workspace),
    env: { ...projectEnv(), ...env, NODE_ENV: 'test', NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${vm}`.trim() },
    signal: controller.signal,
    // jest prints for people on stderr; its JSON report goes to the file
    onOutput: (text) => process.stdout.write(text),
  });
  const { code } = await Promise.race([run, timeout(report, controller.signal)]);
  controller.abort();
  await run;
  return count(report, code, workspace);
}

/** A jest process that is still there 20 s after its report (something was left open) is ended. */
async function timeout(report, signal) {
  const deadline = Date.now() + RUN_TIMEOUT_MS;
  let reportedAt;
  while (!signal.aborted && Date.now() < deadline) {
    if (fs.existsSync(report)) reportedAt ??= Date.now();
    if (reportedAt && Date.now() - reportedAt > 20_000)
      return { code: 'it did not end by itself: something was left open' };
    await sleep(500);
  }
  return { code: `it took longer than ${RUN_TIMEOUT_MS / 60_000} minutes` };
}

function count(report, code, workspace) {
  const result = readJson(report);
  if (!result) {
    console.log(`\n✗ ${workspace}: jest gave no report (${code})`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const broken = result.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  let failed = result.numFailedTests + broken.length;
  if (code !== 0 && failed === 0) {
    console.log(`\n✗ ${workspace}: every test passed, yet jest ended with: ${code}`);
    failed = 1;
  }
  return { passed: result.numPassedTests, failed, skipped: result.numPendingTests + result.numTodoTests };
}

/**
 * Distributes the suites of each folder over as many files as `folders` says, which jest runs in their place: loading all
 * modules for every file would take longer than most of the tests. Each suite stays a `describe` with its own hooks and
 * databases, and a failure names it.
 * @param {object} options
 * @param {string} options.workspace
 * @param {Record<string, number>} options.folders  their names in the workspace, and the number of files for each
 * @param {string[]} [options.slowest]  names of the slowest suites, without suffix: they run first
 * @param {string} options.to           where the files are written
 * @returns {string[]} arguments for jest
 */
export function bundleSuites({ workspace, folders, slowest = [], to }) {
  fs.rmSync(to, { recursive: true, force: true });
  fs.mkdirSync(to, { recursive: true });
  for (const [folder, count] of Object.entries(folders)) {
    const bundles = deal(listSuites(path.join(root, workspace, folder), slowest), count);
    for (const [n, files] of bundles.entries())
      fs.writeFileSync(path.join(to, `${folder}-${String(n + 1).padStart(2, '0')}.mjs`), bundleSource(files));
  }
  const order = path.join(root, 'infra/local/jest-sequencer.mjs');
  return ['--roots', to, '--testMatch', '**/*.mjs', `--testSequencer=${order}`];
}

/** Deals forwards, then backwards: a bundle that got a slow suite gets a fast one next. */
function deal(suites, count) {
  const bundles = Array.from({ length: Math.min(count, suites.length) }, () => []);
  for (const [n, suite] of suites.entries()) {
    const [round, at] = [Math.floor(n / bundles.length), n % bundles.length];
    bundles[round % 2 === 0 ? at : bundles.length - 1 - at].push(suite);
  }
  return bundles;
}

/** The slowest first, then the others by size, which roughly predicts their duration. */
function listSuites(folder, slowest) {
  const suffix = /\.(spec|e2e)\.ts$/;
  const rank = (name) => (slowest.includes(name) ? slowest.indexOf(name) : slowest.length);
  return fs
    .readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .filter((file) => suffix.test(file))
    .map((file) => ({
      file,
      rank: rank(path.basename(file).replace(suffix, '')),
      size: fs.statSync(file).size,
    }))
    .sort((a, b) => a.rank - b.rank || b.size - a.size || a.file.localeCompare(b.file))
    .map(({ file }) => file);
}

/** A suite that cannot be loaded fails alone: the others still run. */
const bundleSource = (files) => `import { createRequire } from 'node:module';
import { describe, it } from '@jest/globals';

const load = createRequire(import.meta.url);
const suites = ${JSON.stringify(files, null, 2)};
for (const file of suites)
  describe(file.replace(/^.*\\//, ''), () => {
    try {
      load(file);
    } catch (error) {
      it('can be loaded', () => {
        throw error;
      });
    }
  });
`;
