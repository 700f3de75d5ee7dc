/** Checks of the settings that guard money and addresses in production (docs/operations.md). */
import { BlockList, isIPv6 } from 'node:net';
import { inPrivateNetwork, isPrivateHost } from './private-network.js';
import { readRedisUrl } from './redis-address.js';

/** Those that are set, and right by themselves. */
type GuardedSettings = {
  readonly APP_SECRET?: string | undefined;
  readonly OPERATOR_URL?: string | undefined;
  readonly PUBLIC_URL?: string | undefined;
  readonly REDIS_URL?: string | undefined;
  readonly SMTP_URL?: string | undefined;
  readonly TRUSTED_PROXIES?: readonly string[] | undefined;
};

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
  const refuseUnless = (isPrivate: boolean, problem: string): void =>
    void (isPrivate ? warnings : refused).push(problem);
  const { APP_SECRET: secret, TRUSTED_PROXIES: proxies = [], REDIS_URL: redis, SMTP_URL: smtp } = env;
  if (secret !== undefined && isGuessable(secret)) refused.push('APP_SECRET: not random (openssl rand -hex 32)');
  for (const proxy of proxies)
    if (isAnybody(proxy)) refused.push(`TRUSTED_PROXIES: ${proxy} would let anybody claim any address`);
  for (const name of ['PUBLIC_URL', 'OPERATOR_URL'] as const) {
    const url = env[name];
    if (url?.startsWith('http:'))
      refuseUnless(inPrivateNetwork(url), `${name}: https, or passwords and sessions travel in the open`);
  }
  const store = redis === undefined ? null : readRedisUrl(redis);
  if (store?.password === '')
    refuseUnless(
      store.hosts.every(({ host }) => isPrivateHost(host)),
      'REDIS_URL: without a password, whoever reaches it empties queues and limits',
    );
  if (smtp !== undefined && isOpenMail(new URL(smtp)))
    refuseUnless(
      inPrivateNetwork(smtp),
      'SMTP_URL: smtps://, or smtp://…?requireTLS=true, or codes travel in the open',
    );
  return { refused, warnings };
}

const isOpenMail = ({ protocol, searchParams }: URL): boolean =>
  protocol === 'smtp:' && (searchParams.get('requireTLS') !== 'true' || searchParams.get('ignoreTLS') === 'true');

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
