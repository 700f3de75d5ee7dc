import type { INestApplicationContext } from '@nestjs/common';
import { loadConfig } from '../../src/platform/config.js';
import { NestLogger, createLogger } from '../../src/platform/logger.js';
import { buildWorker } from '../../src/worker.module.js';
import { startApi, type TestApi } from './api.js';

/** The real worker in this process, on the database and Redis of `env`. */
export async function startWorker(
  env: Record<string, string>,
): Promise<{ app: INestApplicationContext; stop: () => Promise<void> }> {
  const config = loadConfig(env);
  const app = await buildWorker(config, new NestLogger(createLogger(config, 'worker')));
  return { app, stop: () => app.close() };
}

/** The api with a worker on its stores; `stop` stops both. */
export async function startApiWithWorker(extra: Record<string, string> = {}): Promise<TestApi> {
  const api = await startApi(extra);
  const worker = await startWorker(api.env);
  const stop = async (): Promise<void> => {
    await worker.stop();
    await api.stop();
  };
  return { ...api, stop };
}
