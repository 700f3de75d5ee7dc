import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import type { Config } from './config.js';
import { networkOf } from './rate-limits.js';

const HEADERS_MS = 10_000;
/** Longer than a client waits for an answer (decisions §7). */
const REQUEST_MS = 65_000;
/** Longer than proxies keep a connection that is idle: they must be the ones that close it. */
const KEEP_ALIVE_MS = 72_000;
/** So many connections may wait to be accepted: of the next ones the kernel would drop packets, and each would come back after seconds. */
export const BACKLOG = 4_096;
/** How often connections are looked at: a time-out is late by as much. */
const CHECK_MS = 1_000;

/**
 * The server below Fastify. A connection that sends no whole headers ends after ten seconds; there are LIMIT_CONNECTIONS at most, and of one
 * address LIMIT_CONNECTIONS_PER_IP, unless it is a trusted proxy's: those connections are everybody's (docs/decisions/0038).
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
    const there = open.get(network) ?? 0;
    if (there >= env.LIMIT_CONNECTIONS_PER_IP) {
      socket.destroy();
      return;
    }
    open.set(network, there + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
  return server;
}
