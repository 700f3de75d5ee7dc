import { isIP } from 'node:net';
import type { FieldCode } from '@yiqiao/contracts/field-messages';
import { isPrivateHost, isPublicAddress } from '../platform/private-network.js';

type Rules = {
  readonly allowPrivate: boolean;
  /** Whether http is refused. */
  readonly production: boolean;
};

/** Everything that serves the web usually, and nothing that other services of a network listen at. */
const isWebPort = (port: string): boolean =>
  ['', '80', '443'].includes(port) || (Number(port) >= 8000 && Number(port) <= 9999);

/**
 * What is wrong with the address of an endpoint, as far as it can be told without connecting; null: nothing. Where its name leads is judged
 * with every connection (platform/public-agent.ts).
 */
export function problemOfTarget(url: string, { allowPrivate, production }: Rules): FieldCode | null {
  const { protocol, hostname, port } = new URL(url);
  if (production && protocol !== 'https:') return 'URL_INSECURE';
  if (allowPrivate) return null;
  if (!isWebPort(port)) return 'URL_PORT';
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  return (isIP(host) === 0 ? !isPrivateHost(host) : isPublicAddress(host)) ? null : 'URL_PRIVATE';
}
