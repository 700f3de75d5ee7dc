/** Entry point: the API, which also serves the site. */
import 'reflect-metadata';
import { loadConfig } from './platform/config.js';
import { BACKLOG } from './platform/http-server.js';
import { exitWithError, handleShutdownSignals } from './platform/process.js';
import { startTelemetry } from './platform/telemetry/telemetry.js';
import { buildHttp } from './serve.js';
import { vendorSettings } from './translation/channels/vendors.js';
import { prepareDetection } from './translation/detect-language.js';
import { TextChannels } from './translation/text-channels.js';

const started = handleShutdownSignals();
try {
  const config = loadConfig(process.env, vendorSettings);
  await startTelemetry(config, 'api');
  const [app] = await Promise.all([buildHttp(config), prepareDetection()]);
  await app.get(TextChannels).warmUp();
  started(config.env.DRAIN_SECONDS);
  await app.listen({ port: config.env.PORT, host: config.host, backlog: BACKLOG });
} catch (error) {
  exitWithError(error);
}
