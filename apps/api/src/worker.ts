/** Entry point: the worker. It carries facts, runs deliveries and does the chores; it serves nothing but its health. */
import 'reflect-metadata';
import { createServer } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { loadConfig } from './platform/config.js';
import { Health } from './platform/health.js';
import { NestLog, openLog } from './platform/logger.js';
import { dieWith, endInTime } from './platform/process.js';
import { vendorSettings } from './translation/channels/vendors.js';
import { WorkerModule } from './worker.module.js';

/** Loopback only; for the start script and the container. */
const serveHealth = (health: Health, port: number): void => {
  const server = createServer((_, response) => {
    void health.report({ needsRedis: true }).then((report) => {
      response.writeHead(report.status === 'ok' ? 200 : 503, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(report));
    });
  });
  server.listen(port, '127.0.0.1');
  server.unref();
};

const started = endInTime();
try {
  const config = loadConfig(process.env, vendorSettings);
  const log = openLog(config, 'worker');
  for (const doubtful of config.warnings) log.warn(doubtful);
  const app = await NestFactory.createApplicationContext(WorkerModule.with(config), {
    logger: new NestLog(log),
    abortOnError: false,
  });
  // By an exit, which writes down the lines that are left of the log.
  app.enableShutdownHooks([], { useProcessExit: true });
  started();
  serveHealth(app.get(Health), config.env.WORKER_PORT);
} catch (error) {
  dieWith(error);
}
