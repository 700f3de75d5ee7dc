/** Entry point: the worker. It relays events, runs their jobs and the scheduled jobs; over HTTP it answers only probes of its health. */
import 'reflect-metadata';
import { backupSettings } from './backup/backup.js';
import { signingSettings } from './ledger/closes/close-keys.js';
import { loadConfig } from './platform/config.js';
import { createHealthServer } from './platform/health-server.js';
import { Health } from './platform/health.js';
import { NestLogger, createLogger } from './platform/logger.js';
import { ProcessReports } from './platform/process-reports.js';
import { exitWithError, handleShutdownSignals } from './platform/process.js';
import { startTelemetry } from './platform/telemetry/telemetry.js';
import { vendorSettings } from './translation/channels/vendors.js';
import { buildWorker } from './worker.module.js';

const started = handleShutdownSignals();
try {
  const config = loadConfig(process.env, [...vendorSettings, signingSettings, backupSettings]);
  await startTelemetry(config, 'worker');
  const log = createLogger(config, 'worker');
  for (const warning of config.warnings) log.warn(warning);
  const app = await buildWorker(config, new NestLogger(log));
  // Ends by process.exit, which flushes the log.
  app.enableShutdownHooks([], { useProcessExit: true });
  started();
  app.get(ProcessReports).begin('worker');
  createHealthServer(app.get(Health)).listen(config.env.WORKER_PORT, config.env.WORKER_HOST).unref();
} catch (error) {
  exitWithError(error);
}
