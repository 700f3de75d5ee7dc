import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import type { Config } from './config.js';
import { networkOf } from './rate-limits.js';

const HEADERS_MS = 10_000;
/** Longer than the client's time-out (decisions §7). */
const REQUEST_MS = 65_000;
/** Longer than the idle time-out of proxies: they must be the ones to close a connection. */
const KEEP_ALIVE_MS = 72_000;
/** Connections waiting to be accepted. Beyond it the kernel drops packets, and each client retries after seconds. */
export const BACKLOG = 4_096;
/** Interval of the check for timed-out connections. */
const CHECK_MS = 1_000;

/**
 * The server below Fastify. Closes connections without complete headers after ten seconds; limits connections to LIMIT_CONNECTIONS, and to
 * LIMIT_CONNECTIONS_PER_IP per address except for trusted proxies, which carry many clients (docs/decisions/0038).
 */
export function openServer({ env }: Config, handle: RequestListener): Server {
  const server = createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_MS,
    },
    handle,
  );
  server.maxConnections = env.LIMIT_CONNECTIONS;
  const trusts = env.TRUSTED_PROXIES.length > 0 ? proxyAddress.compile(env.TRUSTED_PROXIES) : () => false;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || trusts(remoteAddress, 0)) return;
    const network = networkOf(remoteAddress);
    const count = open.get(network) ?? 0;
    if (count >= env.LIMIT_CONNECTIONS_PER_IP) {
      socket.destroy();
      return;
    }
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
  return server;
}
