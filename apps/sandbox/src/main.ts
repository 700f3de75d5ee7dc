import { readConfig, StartupError } from './server/config.js';
import { startSandbox } from './sandbox.js';

/** Longest shutdown before the process exits anyway, in ms: `npm start` waits for it on Ctrl-C. */
const STOP_WITHIN = 800;

try {
  const sandbox = await startSandbox(readConfig(process.env));
  process.stdout.write(`Sandbox: ${sandbox.url}, mail at smtp://${sandbox.smtpAddress}\n`);
  const stop = () => {
    setTimeout(() => process.exit(0), STOP_WITHIN).unref();
    void sandbox.stop().finally(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
} catch (error) {
  process.stderr.write(`${error instanceof StartupError ? error.message : String(error)}\n`);
  process.exit(1);
}
