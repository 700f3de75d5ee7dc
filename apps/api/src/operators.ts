/** Entry point: the operators' console and its API, at an address of their own. */
import 'reflect-metadata';
import { loadConfig } from './platform/config.js';
import { exitWithError, handleShutdownSignals } from './platform/process.js';
import { startTelemetry } from './platform/telemetry/telemetry.js';
import { buildOperators } from './operators/serve-operators.js';
import { vendorSettings } from './translation/channels/vendors.js';

const started = handleShutdownSignals();
try {
  const config = loadConfig(process.env, vendorSettings);
  await startTelemetry(config, 'operators');
  const app = await buildOperators(config);
  started(config.env.DRAIN_SECONDS);
  await app.listen({ port: config.operatorPort, host: config.env.OPERATOR_HOST });
} catch (error) {
  exitWithError(error);
}
