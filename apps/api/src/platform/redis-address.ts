type Host = { host: string; port: number };

/** The parts of REDIS_URL that matter here. `sentinels`: null for one server. */
export type RedisAddress = { hosts: readonly Host[]; password: string; sentinels: SentinelAddress | null };
type SentinelAddress = { name: string; username: string; db: number; tls: boolean };

const SENTINELS = /^redis(s?)\+sentinel:\/\/(?:([^:@/]*):([^@/]*)@)?([^/@]+)\/([\w.-]+)(?:\/(\d{1,4}))?$/;
const HOST = /^(\[[0-9a-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i;
const PORT = 6_379;
const SENTINEL_PORT = 26_379;

/**
 * Reads `redis://`, `rediss://` and `redis+sentinel://[user:password@]host:port,host:port/name[/db]` (`rediss+sentinel://`: with TLS to the
 * Sentinels and to Redis); null for anything else.
 */
export function readRedisUrl(url: string): RedisAddress | null {
  const [, tls, username = '', password = '', list, name, db] = SENTINELS.exec(url) ?? [];
  if (list !== undefined && name !== undefined) {
    const hosts = list.split(',').map(hostOf);
    if (!hosts.every((host) => host !== null)) return null;
    const [user, secret] = [decoded(username), decoded(password)];
    if (user === null || secret === null) return null;
    return { hosts, password: secret, sentinels: { name, username: user, db: Number(db ?? 0), tls: tls === 's' } };
  }
  if (!URL.canParse(url)) return null;
  const { protocol, hostname, port, password: plain } = new URL(url);
  if ((protocol !== 'redis:' && protocol !== 'rediss:') || hostname === '') return null;
  return { hosts: [{ host: hostname, port: Number(port || PORT) }], password: plain, sentinels: null };
}

function hostOf(text: string): Host | null {
  const [, host, port] = HOST.exec(text) ?? [];
  if (host === undefined || Number(port ?? SENTINEL_PORT) > 65_535) return null;
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? SENTINEL_PORT) };
}

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

const CONNECT_MS = 1_000;
const RETRY_MS = 1_000;
/** Reconnect, and send the command again. */
const RESEND = 2;

/** Options of ioredis. */
type SentinelConnection = {
  sentinels: Host[];
  name: string;
  db: number;
  username?: string;
  password?: string;
  sentinelPassword?: string;
  tls?: object;
  sentinelTLS?: object;
  enableTLSForSentinelMode?: boolean;
  connectTimeout: number;
  sentinelCommandTimeout: number;
  sentinelRetryStrategy: (times: number) => number;
  reconnectOnError: (error: Error) => 2 | false;
};

/**
 * The connection of `url` for ioredis and BullMQ. With Sentinels, one that answers is asked for the primary at every new connection; a
 * primary that was demoted refuses to write, and is left for its successor. Throws for a URL that {@link readRedisUrl} does not read.
 */
export function redisConnection(url: string, sentinelPassword?: string): { url: string } | SentinelConnection {
  const address = readRedisUrl(url);
  if (!address) throw new RangeError('not the URL of a Redis');
  const { hosts, password, sentinels } = address;
  if (!sentinels) return { url };
  const { name, username, db, tls } = sentinels;
  return {
    sentinels: [...hosts],
    name,
    db,
    ...(username && { username }),
    ...(password && { password }),
    ...(sentinelPassword && { sentinelPassword }),
    ...(tls && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
    // A Sentinel that hangs must not delay a new connection by the ten seconds of the default.
    connectTimeout: CONNECT_MS,
    sentinelCommandTimeout: CONNECT_MS,
    sentinelRetryStrategy: (times) => Math.min(times * 100, RETRY_MS),
    // Not the library's failoverDetector: one that reports while a connection is being made ends the client for good.
    reconnectOnError: ({ message }) => (message.startsWith('READONLY') ? RESEND : false),
  };
}
