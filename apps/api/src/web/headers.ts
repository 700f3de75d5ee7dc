import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../platform/config.js';
import { DATA_POLICY } from './content-policy.js';

/** What browsers may be asked for by a page; none of ours needs any of it, but the console a microphone. */
const FEATURES = [
  ...['accelerometer', 'camera', 'display-capture', 'encrypted-media', 'fullscreen', 'geolocation', 'gyroscope'],
  ...['magnetometer', 'microphone', 'midi', 'payment', 'picture-in-picture', 'publickey-credentials-get'],
  ...['screen-wake-lock', 'serial', 'usb', 'xr-spatial-tracking'],
];
const allowing = (own: readonly string[]): string =>
  FEATURES.map((name) => `${name}=${own.includes(name) ? '(self)' : '()'}`).join(', ');

/** The console records what shall be transcribed (specification §2, voice). */
export const CONSOLE_FEATURES = allowing(['microphone']);

/** As the answers of the API need them; pages replace some (`static-site.ts`). */
const HEADERS: readonly [name: string, value: string][] = [
  ['Content-Security-Policy', DATA_POLICY],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Origin-Agent-Cluster', '?1'],
  ['Permissions-Policy', allowing([])],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-DNS-Prefetch-Control', 'off'],
  ['X-Frame-Options', 'DENY'],
];
/** A year of nothing but TLS. */
const ALWAYS_TLS = 'max-age=31536000; includeSubDomains';

type Mode = Pick<Config, 'production'>;

/** The security headers of every answer. */
export const securityHeaders = ({ production }: Mode): readonly (readonly [name: string, value: string])[] =>
  production ? [...HEADERS, ['Strict-Transport-Security', ALWAYS_TLS]] : HEADERS;

/** Writes the security headers; also for an answer that no hook sees, such as to an address that cannot be read. */
export const secure = (response: ServerResponse, { production }: Mode): void => {
  for (const [name, value] of HEADERS) response.setHeader(name, value);
  if (production) response.setHeader('Strict-Transport-Security', ALWAYS_TLS);
};

/** Security headers of every answer, streams included. Before any other hook: one that refuses ends the request. */
export const secureHeaders = (fastify: FastifyInstance, config: Config): void => {
  fastify.addHook('onRequest', (_, { raw }, done) => {
    secure(raw, config);
    done();
  });
};
