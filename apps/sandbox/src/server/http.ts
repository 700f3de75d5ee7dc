import { createServer, type Server } from 'node:http';

import fastify, { type FastifyInstance } from 'fastify';

import { StartupError, type SandboxConfig } from './config.js';
import { listenOn } from './listen.js';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1']);

/** The HTTP server of the sandbox. `listen` returns its URL. */
export interface Http {
  readonly app: FastifyInstance;
  listen(): Promise<string>;
  stop(): Promise<void>;
}

/** Builds the HTTP server: strict JSON bodies, security headers, loopback only unless HOST says otherwise. */
export function openHttp(config: SandboxConfig): Http {
  const app = fastify({
    forceCloseConnections: true,
    bodyLimit: 64 * 1024,
    // Reject a switch with a misspelt or wrongly typed field instead of ignoring the field.
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false } },
  });
  const local = LOOPBACK.has(config.host);
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    if (local && !LOOPBACK.has(hostName(request.headers.host))) {
      // DNS rebinding: a foreign name that resolves to this machine would let any web page read the codes in the mails.
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
        // "localhost" is ::1 for some clients and 127.0.0.1 for others; listen on both.
        overIpv6 = createServer((request, response) => app.routing(request, response));
        await listenOn(overIpv6, { host: '::1', port }).catch((error: unknown) => {
          if (error instanceof StartupError) throw error;
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

/** The host name in a Host header, without port and brackets. */
function hostName(header: string | undefined): string {
  return (header ?? '')
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase();
}
