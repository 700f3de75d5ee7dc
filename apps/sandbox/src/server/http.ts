import { createServer, type Server } from 'node:http';

import fastify, { type FastifyInstance } from 'fastify';

import { StartRefused, type SandboxConfig } from './config.js';
import { listenOn } from './listen.js';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1']);

/** The web side of the sandbox. `listen` answers the address to open. */
export interface Http {
  readonly app: FastifyInstance;
  listen(): Promise<string>;
  stop(): Promise<void>;
}

/** Builds the web server: strict JSON bodies, safe headers on every answer, loopback only unless HOST says otherwise. */
export function openHttp(config: SandboxConfig): Http {
  const app = fastify({
    forceCloseConnections: true,
    bodyLimit: 64 * 1024,
    // A switch with a misspelt or wrongly typed field must be refused, not half understood.
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false } },
  });
  const local = LOOPBACK.has(config.host);
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    if (local && !LOOPBACK.has(hostName(request.headers.host))) {
      // A foreign name that resolves to this machine would let any web page read the codes in the mails.
      return reply.code(421).send({ error: 'This sandbox answers to localhost only' });
    }
    return undefined;
  });
  let overIpv6: Server | null = null;

  return {
    app,
    async listen() {
      await app.ready();
      const first = config.host === 'localhost' ? '127.0.0.1' : config.host;
      const port = await listenOn(app.server, { host: first, port: config.httpPort });
      if (local && first === '127.0.0.1') {
        // "localhost" is ::1 for some clients and 127.0.0.1 for others; both are this machine alone.
        overIpv6 = createServer((request, response) => app.routing(request, response));
        await listenOn(overIpv6, { host: '::1', port }).catch((error: unknown) => {
          if (error instanceof StartRefused) throw error;
        });
      }
      return `http://${local ? 'localhost' : config.host}:${port}`;
    },
    async stop() {
      overIpv6?.closeAllConnections();
      overIpv6?.close();
      app.server.closeAllConnections();
      app.server.close();
      await app.close();
    },
  };
}

/** The name in a Host header, without port and brackets. */
function hostName(header: string | undefined): string {
  return (header ?? '')
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase();
}
