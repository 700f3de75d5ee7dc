/** What a worker does first. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, jest } from '@jest/globals';
import { CqrsModule } from '@nestjs/cqrs';
import { Queue } from 'bullmq';
import { loadConfig } from '../src/platform/config.js';
import { JobRuns } from '../src/platform/job-runs.js';
import { SCHEDULED_JOBS_QUEUE } from '../src/platform/queue.js';
import { startApi } from './support/api.js';
import { waitUntil } from './support/wait-until.js';
import { startWorker } from './support/worker.js';

afterEach(() => {
  jest.restoreAllMocks();
});

it('a worker that starts while a job is due runs it once its handlers are known', async () => {
  const api = await startApi();
  const { REDIS_URL, REDIS_PREFIX: prefix } = loadConfig(api.env).env;
  const queue = new Queue(SCHEDULED_JOBS_QUEUE, { prefix, connection: { url: REDIS_URL } });
  await queue.add('release-stale-holds', {});
  // Handlers are registered late, as on a busy machine.
  const prototype = CqrsModule.prototype as { onApplicationBootstrap: (this: unknown) => void };
  const register = prototype.onApplicationBootstrap;
  const late = async (module: unknown): Promise<void> => {
    await sleep(500);
    register.call(module);
  };
  jest.spyOn(prototype, 'onApplicationBootstrap').mockImplementation(function (this: unknown) {
    return late(this) as unknown as void;
  });
  const worker = await startWorker(api.env);
  const runs = worker.app.get(JobRuns, { strict: false });
  const done = await waitUntil(
    () => runs.last(),
    (last) => last.has('release-stale-holds'),
  );
  expect(done.get('release-stale-holds')).toMatchObject({ ok: true });
  await queue.close();
  await worker.stop();
  await api.stop();
});
