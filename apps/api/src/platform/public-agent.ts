import { lookup as lookupHost } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction, Socket } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { isPublicAddress } from './private-network.js';

/** All addresses of a host name. */
export type Resolver = (hostname: string) => Promise<LookupAddress[]>;

/** The target's address is not one that members may have us connect to. Nothing was sent. */
export class AddressRefused extends Error {
  constructor(address: string) {
    super(`${address} is not a public address`);
    this.name = 'AddressRefused';
  }
}

export type PublicAgentOptions = {
  /** Also private addresses: in development and tests, whose receivers are on this machine. */
  allowPrivate: boolean;
  connectMs: number;
  resolver?: Resolver;
};

/**
 * Requests to addresses that members typed: only to the public Internet. Judged is the address that the socket connects to, not what a name
 * resolved to before: a name is resolved once for each connection, all of its addresses must be public, and the connection goes to one of
 * these. Each request has a connection of its own. Neither redirects nor proxies of the environment are followed.
 */
export function publicAgent({ allowPrivate, connectMs, resolver = resolveHost }: PublicAgentOptions): Agent {
  const isAllowed = (address: string): boolean => allowPrivate || isPublicAddress(address);
  const lookup: LookupFunction = (hostname, options, callback) => {
    resolver(hostname).then(
      (addresses) => {
        const [first] = addresses;
        const refused = addresses.find(({ address }) => !isAllowed(address));
        if (refused || !first) callback(new AddressRefused(refused?.address ?? hostname), []);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, []),
    );
  };
  const connectTo = buildConnector({ timeout: connectMs, lookup });
  return new Agent({
    // No keep-alive: a connection is for the address that was judged for its request.
    pipelining: 0,
    connect: (options, callback) => {
      // No name, so nothing would be looked up.
      const host = options.hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) !== 0 && !isAllowed(host)) {
        callback(new AddressRefused(host), null);
        return;
      }
      connectTo(options, (error, socket) => {
        const remote = socket instanceof Socket ? (socket.remoteAddress ?? '') : '';
        if (error !== null) callback(error, null);
        else if (isAllowed(plain(remote))) callback(null, socket);
        else {
          socket.destroy();
          callback(new AddressRefused(remote), null);
        }
      });
    },
  });
}

/** A dual-stack socket shows the IPv4 address that it connected to as a mapped one. */
const plain = (address: string): string =>
  address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;

const resolveHost: Resolver = (hostname) => lookupHost(hostname, { all: true });
