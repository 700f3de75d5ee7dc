// One jest run in one workspace, counted from its own report; a run that breaks off counts as a failure.
import fs from 'node:fs';
import path from 'node:path';
import { runTool, sleep } from './processes.mjs';
import { pinnedNode, projectEnv, root } from './project.mjs';

const longest = 50 * 60_000;

/**
 * @param {{workspace: string, config?: string, args?: string[], env: object, report: string, filter?: string[]}} options
 * @returns {Promise<{passed: number, failed: number, skipped: number}>}
 */
export async function runJest({ workspace, config = 'jest.config.mjs', args = [], env, report, filter = [] }) {
  fs.rmSync(report, { force: true });
  const jest = path.join(root, 'node_modules/jest/bin/jest.js');
  const all = [jest, '--config', config, '--json', '--outputFile', report, '--passWithNoTests', ...args, ...filter];
  // Every file loads its modules anew: with room for what is young, a tenth less of the time goes into collecting it.
  const vm = '--experimental-vm-modules --disable-warning=ExperimentalWarning --max-semi-space-size=64';
  const controller = new AbortController();
  const run = runTool(pinnedNode, all, {
    cwd: path.join(root, workspace),
    env: { ...projectEnv(), ...env, NODE_ENV: 'test', NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${vm}`.trim() },
    signal: controller.signal,
    // jest tells people on stderr; its report in JSON goes to the file
    onOutput: (text) => process.stdout.write(text),
  });
  const { code } = await Promise.race([run, endOfPatience(report, controller.signal)]);
  controller.abort();
  await run;
  return count(report, code, workspace);
}

/** A finished run whose process stays (something was left open) is ended 20 s after its report. */
async function endOfPatience(report, signal) {
  const deadline = Date.now() + longest;
  let reportedAt;
  while (!signal.aborted && Date.now() < deadline) {
    if (fs.existsSync(report)) reportedAt ??= Date.now();
    if (reportedAt && Date.now() - reportedAt > 20_000)
      return { code: 'it did not end by itself: something was left open' };
    await sleep(500);
  }
  return { code: `it took longer than ${longest / 60_000} minutes` };
}

function count(report, code, workspace) {
  let result;
  try {
    result = JSON.parse(fs.readFileSync(report, 'utf8'));
  } catch {
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
