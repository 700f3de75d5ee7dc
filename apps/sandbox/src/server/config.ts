/** Where the sandbox listens and stores data. Port 0 picks any free one (specs). */
export interface SandboxConfig {
  readonly host: string;
  readonly httpPort: number;
  readonly smtpPort: number;
  /** Root folder of stored data; null keeps everything in memory. */
  readonly dataDir: string | null;
  /** File with the keys of the payment gateways; null disables them. */
  readonly gatewaysFile: string | null;
  /** File with the demo operators; null without any. */
  readonly operatorsFile: string | null;
}

/** The sandbox cannot start; the message is meant for the terminal. */
export class StartupError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

function port(env: Environment, name: string, fallback: number): number {
  const raw = env[name];
  if (raw === undefined || raw === '') return fallback;
  const value = Number(raw);
  if (!/^\d+$/.test(raw) || value > 65_535) throw new StartupError(`${name} must be a port (0-65535), not "${raw}"`);
  return value;
}

/**
 * Reads SANDBOX_PORT (8081), SMTP_PORT (8082), HOST (127.0.0.1), DATA_DIR, SANDBOX_GATEWAYS and DEMO_OPERATORS (none).
 * Throws StartupError on an invalid port and in production: the sandbox shows all mail to anyone,
 * so decisions §8 restricts it to development.
 */
export function readConfig(env: Environment): SandboxConfig {
  if (env['NODE_ENV'] === 'production') {
    throw new StartupError('The sandbox is for development only and does not start when NODE_ENV=production');
  }
  const httpPort = port(env, 'SANDBOX_PORT', 8081);
  const smtpPort = port(env, 'SMTP_PORT', 8082);
  if (httpPort === smtpPort && httpPort !== 0) {
    throw new StartupError(`SANDBOX_PORT and SMTP_PORT are both ${httpPort}`);
  }
  return {
    host: env['HOST'] || '127.0.0.1',
    httpPort,
    smtpPort,
    dataDir: env['DATA_DIR'] || null,
    gatewaysFile: env['SANDBOX_GATEWAYS'] || null,
    operatorsFile: env['DEMO_OPERATORS'] || null,
  };
}
