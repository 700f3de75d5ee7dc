import type { FastifyRequest } from 'fastify';
import { Failure } from './failure.js';

/** The key of `Authorization: <scheme> <key>`; null without one. Schemes ignore case. */
export function authorizationKey({ headers }: FastifyRequest, ...schemes: readonly string[]): string | null {
  const [scheme = '', key, ...rest] = (headers.authorization ?? '').trim().split(/\s+/);
  if (key === undefined || rest.length > 0) return null;
  return schemes.some((each) => each.toLowerCase() === scheme.toLowerCase()) ? key : null;
}

/** What tokens for addresses begin with: they may do nothing but translate, and can be told from keys in any log. */
const URL_TOKEN = 'yqu_';

/** A token in an address. Throws for a key, which does not belong there. */
export function addressToken(token: string | undefined): string | null {
  if (token === undefined || token === '') return null;
  if (!token.startsWith(URL_TOKEN)) throw new Failure('key', { detail: 'Only a URL token may be part of an address.' });
  return token;
}

export const queryValue = ({ url }: FastifyRequest, name: string): string | undefined => {
  const query = url.indexOf('?');
  return query === -1 ? undefined : (new URLSearchParams(url.slice(query + 1)).get(name) ?? undefined);
};
