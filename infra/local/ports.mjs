// Ports: free or not, the next free one, and whether somebody answers there in the language we expect.
import net from 'node:net';
import { createHash } from 'node:crypto';
import { Failure } from './failure.mjs';

const canListen = (port, host) =>
  new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', (error) => resolve(['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(error.code)));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });

/** `localhost` may mean either family: a port counts as free when both are. */
export const isPortFree = async (port) => (await canListen(port, '127.0.0.1')) && (await canListen(port, '::1'));

const taken = new Set();

/** The next free port from `from` on; one answer is never given twice by the same run. */
export async function nextFreePort(from) {
  for (let port = from; port < from + 500 && port < 65_536; port++) {
    if (taken.has(port) || !(await isPortFree(port))) continue;
    taken.add(port);
    return port;
  }
  throw new Failure(`no free port from ${from} on`);
}

/**
 * Where a run looks for its inner ports: below the range that systems hand out to outgoing connections (a killed
 * server must get its port back), and different per folder, so that runs side by side do not race for the same one.
 */
export const innerPortBase = (dataDir) =>
  20_000 + (createHash('sha256').update(dataDir).digest().readUInt16BE(0) % 1_200) * 10;

function ask({ host = '127.0.0.1', port }, bytes, isAnswer) {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host });
    const done = (value) => {
      socket.destroy();
      resolve(value);
    };
    socket.setTimeout(1_500, () => done(false));
    socket.once('error', () => done(false));
    socket.once('close', () => resolve(false));
    socket.once('connect', () => (bytes ? socket.write(bytes) : done(true)));
    socket.once('data', (data) => done(isAnswer(data)));
  });
}

export const somebodyListens = (address) => ask(address, undefined, undefined);

export const redisAnswers = (port, password) =>
  ask({ port }, `AUTH ${password}\r\nPING\r\n`, (data) => /^\+OK/.test(data.toString()));

/** A start-up packet that is answered by a request for a password proves that the server takes connections. */
export function postgresAnswers(port, user) {
  const body = Buffer.from(`user\0${user}\0database\0postgres\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(body.length + 8, 0);
  head.writeInt32BE(196_608, 4);
  return ask({ port }, Buffer.concat([head, body]), (data) => data[0] === 0x52);
}

export async function httpAnswers(url) {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(3_000) })).ok;
  } catch {
    return false;
  }
}
