import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../platform/config.js';
import { DATA_POLICY } from './content-policy.js';

/** Browser features for the Permissions-Policy: all off, except the microphone in the console. */
const FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
];
const allowing = (own: readonly string[]): string =>
  FEATURES.map((name) => `${name}=${own.includes(name) ? '(self)' : '()'}`).join(', ');

/** The console records voice (specification §2). */
export const CONSOLE_FEATURES = allowing(['microphone']);

/** Operators sign in with passkeys (operators §2). */
export const OPERATOR_FEATURES = allowing(['publickey-credentials-get']);

/** For answers of the API; pages override some (`static-site.ts`). */
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
/** HSTS for a year. */
const ALWAYS_TLS = 'max-age=31536000; includeSubDomains';

type Mode = Pick<Config, 'production'>;

/** The security headers of every answer. */
export const securityHeaders = ({ production }: Mode): readonly (readonly [name: string, value: string])[] =>
  production ? [...HEADERS, ['Strict-Transport-Security', ALWAYS_TLS]] : HEADERS;

/** Sets the security headers; also used for answers that skip the hooks, such as to malformed URLs. */
export const secure = (response: ServerResponse, { production }: Mode): void => {
  for (const [name, value] of HEADERS) response.setHeader(name, value);
  if (production) response.setHeader('Strict-Transport-Security', ALWAYS_TLS);
};

/** Sets the security headers of every answer. Register it before other hooks, because a hook that refuses ends the request. */
export const secureHeaders = (fastify: FastifyInstance, config: Config): void => {
  fastify.addHook('onRequest', (_, { raw }, done) => {
    secure(raw, config);
    done();
  });
};
