/** Where the sandbox listens and what it may keep. A port of 0 means "any free one" (specs). */
export interface SandboxConfig {
  readonly host: string;
  readonly httpPort: number;
  readonly smtpPort: number;
  /** Root of the kept data; null keeps everything in memory only. */
  readonly dataDir: string | null;
  /** File with the keys of the payment gateways; null leaves them unconnected. */
  readonly gatewaysFile: string | null;
}

/** Why the sandbox cannot start, in words for the person at the terminal. */
export class StartRefused extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

function port(env: Environment, name: string, fallback: number): number {
  const raw = env[name];
  if (raw === undefined || raw === '') return fallback;
  const value = Number(raw);
  if (!/^\d+$/.test(raw) || value > 65_535) throw new StartRefused(`${name} must be a port (0-65535), not "${raw}"`);
  return value;
}

/**
 * Reads SANDBOX_PORT (8081), SMTP_PORT (8082), HOST (127.0.0.1), DATA_DIR (none) and SANDBOX_GATEWAYS (none).
 * Throws StartRefused on an impossible port and in production: the sandbox shows everybody's mail to
 * whoever asks, so decisions §8 keeps it to development.
 */
export function readConfig(env: Environment): SandboxConfig {
  if (env['NODE_ENV'] === 'production') {
    throw new StartRefused('The sandbox is for development only and does not start when NODE_ENV=production');
  }
  const httpPort = port(env, 'SANDBOX_PORT', 8081);
  const smtpPort = port(env, 'SMTP_PORT', 8082);
  if (httpPort === smtpPort && httpPort !== 0) {
    throw new StartRefused(`SANDBOX_PORT and SMTP_PORT are both ${httpPort}`);
  }
  return {
    host: env['HOST'] || '127.0.0.1',
    httpPort,
    smtpPort,
    dataDir: env['DATA_DIR'] || null,
    gatewaysFile: env['SANDBOX_GATEWAYS'] || null,
  };
}
