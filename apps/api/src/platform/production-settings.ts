/** Checks of the settings that guard money and addresses in production (docs/operations.md). */
import { BlockList, isIPv6 } from 'node:net';
import { inPrivateNetwork } from './private-network.js';

type GuardedSettings = {
  APP_SECRET: string;
  DATABASE_URL: string;
  DATABASE_MIGRATION_URL?: string | undefined;
  PUBLIC_URL?: string | undefined;
  REDIS_URL: string;
  SMTP_URL: string;
  TRUSTED_PROXIES: readonly string[];
};

const PROTOCOLS = {
  DATABASE_URL: ['postgresql:', 'postgres:'],
  DATABASE_MIGRATION_URL: ['postgresql:', 'postgres:'],
  PUBLIC_URL: ['https:', 'http:'],
  REDIS_URL: ['redis:', 'rediss:'],
  SMTP_URL: ['smtps:', 'smtp:'],
} as const satisfies Partial<Record<keyof GuardedSettings, readonly string[]>>;

/** Minimum prefix length of a network that can consist of one's own proxies. */
const LEAST_BITS = { ipv4: 8, ipv6: 16 };

/** 64 random hexadecimal digits contain fewer different digits with a probability below 10⁻¹². */
const LEAST_DIGITS = 8;

/**
 * `refused`: the process does not start. `warnings`: it starts and logs them, because a private network may justify the setting. Each begins
 * with the name of the variable and shows no secret.
 */
export function unsafeSettings(env: GuardedSettings): { refused: string[]; warnings: string[] } {
  const refused: string[] = [];
  const warnings: string[] = [];
  if (isGuessable(env.APP_SECRET)) refused.push('APP_SECRET: not random (openssl rand -hex 32)');
  for (const proxy of env.TRUSTED_PROXIES)
    if (isAnybody(proxy)) refused.push(`TRUSTED_PROXIES: ${proxy} would let anybody claim any address`);
  const unreadable = Object.entries(PROTOCOLS).filter(
    ([name, protocols]) => !isAddress(env[name as keyof typeof PROTOCOLS], protocols),
  );
  if (unreadable.length > 0) {
    const problems = unreadable.map(([name, protocols]) => `${name}: an address that begins with ${protocols[0]}//`);
    return { refused: [...refused, ...problems], warnings };
  }

  const open = (url: string, problem: string): void => void (inPrivateNetwork(url) ? warnings : refused).push(problem);
  if (env.PUBLIC_URL?.startsWith('http:'))
    open(env.PUBLIC_URL, 'PUBLIC_URL: https, or passwords and sessions travel in the open');
  if (new URL(env.REDIS_URL).password === '')
    open(env.REDIS_URL, 'REDIS_URL: without a password, whoever reaches it empties queues and limits');
  const smtp = new URL(env.SMTP_URL);
  const isEncrypted = smtp.searchParams.get('requireTLS') === 'true' && smtp.searchParams.get('ignoreTLS') !== 'true';
  if (smtp.protocol === 'smtp:' && !isEncrypted)
    open(env.SMTP_URL, 'SMTP_URL: smtps://, or smtp://…?requireTLS=true, or codes travel in the open');
  return { refused, warnings };
}

const MAPPED_BITS = 96;
const MAPPED = new BlockList();
MAPPED.addSubnet('::ffff:0:0', MAPPED_BITS, 'ipv6');

const isGuessable = (secret: string): boolean =>
  new Set(secret.toLowerCase()).size < LEAST_DIGITS || /^(.{1,32})\1+$/.test(secret.toLowerCase());

function isAnybody(proxy: string): boolean {
  const [address = '', bits] = proxy.split('/', 2);
  if (bits === undefined) return false;
  // IPv4-mapped IPv6 addresses.
  if (MAPPED.check(address, 'ipv6')) return Number(bits) - MAPPED_BITS < LEAST_BITS.ipv4;
  return Number(bits) < LEAST_BITS[isIPv6(address) ? 'ipv6' : 'ipv4'];
}

const isAddress = (text: string | undefined, protocols: readonly string[]): boolean =>
  text === undefined || (URL.canParse(text) && protocols.includes(new URL(text).protocol));
