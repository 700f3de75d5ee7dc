import { BlockList, isIP } from 'node:net';

/**
 * Networks that are not the public Internet (the registries of special-purpose addresses of IANA). `own`: those in which an operator's own
 * servers are.
 */
const SPECIAL: readonly (readonly [network: string, bits: number, own?: 'own'])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8, 'own'],
  // Shared by carriers (CGNAT). Also where some clouds answer for their metadata: 100.100.100.200.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8, 'own'],
  // Link-local, with the metadata of most clouds: 169.254.169.254.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12, 'own'],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16, 'own'],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, reserved and broadcast.
  ['224.0.0.0', 3],
  // A public address at which Azure answers its machines.
  ['168.63.129.16', 32],
  ['::1', 128, 'own'],
  ['fc00::', 7, 'own'],
  // Of 2000::/3, which alone is public: protocol assignments with Teredo, documentation, 6to4.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const blockList = (rows: typeof SPECIAL): BlockList => {
  const list = new BlockList();
  for (const [network, bits] of rows) list.addSubnet(network, bits, familyOf(network));
  return list;
};

const own = blockList(SPECIAL.filter(([, , mark]) => mark === 'own'));
const special = blockList(SPECIAL);
const unicast = blockList([['2000::', 3]]);

/**
 * Whether a URL stays within the operator's own network, judged by its host: a private IP address, a name without a dot (a container's) or a
 * suffix that no public name has.
 */
export const inPrivateNetwork = (url: string): boolean => isPrivateHost(new URL(url).hostname);

/** The same for a host; an IPv6 address may be in brackets. */
export function isPrivateHost(name: string): boolean {
  const host = name.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return own.check(host, familyOf(host));
  return !host.includes('.') || /\.(local|localhost|internal|lan|home\.arpa)$/.test(host);
}

/**
 * Whether an IP address is one of the public Internet. No address of IPv6 that stands for one of IPv4 is (mapped, translated, 6to4): whoever
 * reaches those by a name has a name for the other as well.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4');
    case 6:
      return !address.includes('%') && unicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
    default:
      return false;
  }
}
