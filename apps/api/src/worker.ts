/** Entry point: the worker. It relays events, runs their jobs and the scheduled jobs; over HTTP it serves only its health. */
import 'reflect-metadata';
import { createServer } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { signingSettings } from './ledger/closes/close-keys.js';
import { loadConfig } from './platform/config.js';
import { Health } from './platform/health.js';
import { NestLogger, createLogger } from './platform/logger.js';
import { ProcessReports } from './platform/process-reports.js';
import { exitWithError, handleShutdownSignals } from './platform/process.js';
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

const started = handleShutdownSignals();
try {
  const config = loadConfig(process.env, [...vendorSettings, signingSettings]);
  const log = createLogger(config, 'worker');
  for (const warning of config.warnings) log.warn(warning);
  const app = await NestFactory.createApplicationContext(WorkerModule.with(config), {
    logger: new NestLogger(log),
    abortOnError: false,
  });
  // Ends by process.exit, which flushes the log.
  app.enableShutdownHooks([], { useProcessExit: true });
  started();
  app.get(ProcessReports).begin('worker');
  serveHealth(app.get(Health), config.env.WORKER_PORT);
} catch (error) {
  exitWithError(error);
}
