// The product's own processes: the outside world in miniature (sandbox), the api that also serves the web, the worker.
import path from 'node:path';
import { createPart } from './parts.mjs';
import { httpAnswers } from './ports.mjs';
import { runTool, spawnService, untilAnswers } from './processes.mjs';
import { pinnedNode, projectEnv, root } from './project.mjs';
import { Failure } from './failure.mjs';

// As in infra/entry.sh: room for what is young, so that little of a request outlives it, and an end to what is old.
export const apiHeap = ['--max-semi-space-size=32', `--max-old-space-size=${process.env.API_HEAP_MB || 1024}`];

const programs = {
  api: { file: 'apps/api/dist/src/http.js', flags: apiHeap, portOf: (env) => env.PORT },
  worker: { file: 'apps/api/dist/src/worker.js', portOf: (env) => env.WORKER_PORT },
  sandbox: { file: 'apps/sandbox/dist/main.js', portOf: (env) => env.SANDBOX_PORT },
};

/** @param {{name: 'api' | 'worker' | 'sandbox', env: Record<string, string>, folder: object}} options */
export function createApp({ name, env, folder }) {
  const { file, flags = [], portOf } = programs[name];
  const launch = async (started) => {
    const service = spawnService({
      name,
      command: pinnedNode,
      args: ['--enable-source-maps', ...flags, path.join(root, file)],
      env: { ...projectEnv(), ...env },
      cwd: root,
      logFile: folder.log(name),
    });
    started(service);
    await untilAnswers(service, () => httpAnswers(`http://127.0.0.1:${portOf(env)}/health`), 60_000);
    return service;
  };
  return createPart({ name, launch });
}

// A replay reads millions of rows and keeps none: room for what is young would only be memory.
export const operatorHeap = ['--max-semi-space-size=8'];

export const operatorProgram = path.join(root, 'apps/api/dist/src/operator.js');

/** Migrates and seeds in one go; answers the demo account that the seed printed, if it printed one. */
export async function prepareData(env, { demo }) {
  const args = ['--enable-source-maps', ...operatorHeap, operatorProgram, 'prepare', ...(demo ? ['--demo'] : [])];
  const all = { ...projectEnv(), ...env, ...(demo ? { DEMO: '1' } : {}) };
  const { code, output } = await runTool(pinnedNode, args, { cwd: root, env: all });
  if (code !== 0) {
    throw new Failure(`migration or seeding ended with ${code}`, { detail: output.split('\n').slice(-25).join('\n') });
  }
  const line = output.split('\n').findLast((text) => text.startsWith('{"demo":'));
  return line ? JSON.parse(line).demo : undefined;
}
