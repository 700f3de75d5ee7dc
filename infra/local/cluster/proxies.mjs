// Two HAProxy: the product's own in front of the api processes, and one that sends the product to PostgreSQL's primary.
import fs from 'node:fs';
import path from 'node:path';
import { acceptsConnections } from '../ports.mjs';
import { root } from '../project.mjs';
import { REST_PORT } from './patroni.mjs';

const WEB = 8080;
const POSTGRES = 5432;
/** Where one of the standbys is. */
export const STANDBY_PORT = 5433;

/**
 * In front of PostgreSQL: whoever Patroni calls the primary. Those that are not are asked five times a second, because nobody serves until the next
 * one has said yes. On another port one standby, always the first of those that are there, because an audit shares a snapshot.
 */
export function createDatabaseProxy({ machine, tools, nodes, dataDir }) {
  const file = path.join(dataDir, 'database-proxy.cfg');
  const servers = nodes.map(
    ({ machine: { name, address } }) => `  server ${name} ${address}:${POSTGRES} check port ${REST_PORT}`,
  );
  const text = `global
  maxconn 2000
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 2s
  # a server that is down is not asked again: connections of the pool would hang at it
  retries 0
  option clitcpka
  option srvtcpka
listen primary
  bind ${machine.address}:${POSTGRES}
  option httpchk OPTIONS /primary
  http-check expect status 200
  # sessions with a server that hangs or was demoted must not stay
  default-server inter 1s fastinter 500ms downinter 200ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
listen standby
  bind ${machine.address}:${STANDBY_PORT}
  balance first
  option httpchk OPTIONS /replica
  http-check expect status 200
  default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
  fs.writeFileSync(file, text);
  const { command, env } = tools.haproxy;
  const program = () => ({ command, args: ['-db', '-f', file], env });
  const isReady = () => acceptsConnections({ host: machine.address, port: POSTGRES });
  return { machine, service: machine.service({ program, isReady }) };
}

/** In front of the api processes, with the configuration that is shipped. */
export function createWebProxy({ machine, tools, apis }) {
  const { command, env } = tools.haproxy;
  const addresses = apis.map(({ machine: { address } }, at) => [`API_${at + 1}`, `${address}:${WEB}`]);
  const said = {
    BIND: `${machine.address}:${WEB}`,
    METRICS_BIND: `${machine.address}:9101`,
    ...Object.fromEntries(addresses),
  };
  const args = ['-db', '-f', path.join(root, 'infra/haproxy/haproxy.cfg')];
  const program = () => ({ command, args, env: { ...env, ...said } });
  const isReady = () => acceptsConnections({ host: machine.address, port: WEB });
  return { machine, service: machine.service({ program, isReady }), url: `http://${machine.address}:${WEB}` };
}
