import type { Config } from '../platform/config.js';

/** Whether a visitor may be sent there: HTTPS (HTTP, too, outside of production), a host, nobody's name or password in it. */
export function isSafeLink(link: string, { production }: Pick<Config, 'production'>): boolean {
  if (!URL.canParse(link)) return false;
  const { protocol, hostname, username, password } = new URL(link);
  const protocols = production ? ['https:'] : ['https:', 'http:'];
  return protocols.includes(protocol) && hostname !== '' && username === '' && password === '';
}
