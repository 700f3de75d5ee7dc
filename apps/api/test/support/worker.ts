import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { loadConfig } from '../../src/platform/config.js';
import { NestLogger, createLogger } from '../../src/platform/logger.js';
import { WorkerModule } from '../../src/worker.module.js';

/** The real worker in this process, on the database and Redis of `env`. */
export async function startWorker(
  env: Record<string, string>,
): Promise<{ app: INestApplicationContext; stop: () => Promise<void> }> {
  const config = loadConfig(env);
  const app = await NestFactory.createApplicationContext(WorkerModule.with(config), {
    logger: new NestLogger(createLogger(config, 'worker')),
    abortOnError: false,
  });
  await app.init();
  return { app, stop: () => app.close() };
}
