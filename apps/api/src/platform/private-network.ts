import { BlockList, isIP } from 'node:net';

const own = new BlockList();
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  own.addSubnet(network, bits, 'ipv4');
own.addAddress('::1', 'ipv6');
own.addSubnet('fc00::', 7, 'ipv6');

/**
 * Whether a URL stays within the operator's own network, judged by its host: a private IP address, a name without a dot (a container's) or a
 * suffix that no public name has.
 */
export const inPrivateNetwork = (url: string): boolean => isPrivateHost(new URL(url).hostname);

/** The same for a host; an IPv6 address may be in brackets. */
export function isPrivateHost(name: string): boolean {
  const host = name.replace(/^\[|\]$/g, '');
  const version = isIP(host);
  if (version !== 0) return own.check(host, version === 6 ? 'ipv6' : 'ipv4');
  return !host.includes('.') || /\.(local|localhost|internal|lan|home\.arpa)$/.test(host);
}
