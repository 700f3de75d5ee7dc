// Ports: the public ones, free ones for the rest, and probes that tell whether a server answers in its protocol.
import net from 'node:net';
import { createHash } from 'node:crypto';
import { Failure } from './terminal.mjs';

const canListen = (port, host) =>
  new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', (error) => resolve(['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(error.code)));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });

/** `localhost` may be either family: a port is free when it is free in both. */
const isPortFree = async (port) => (await canListen(port, '127.0.0.1')) && (await canListen(port, '::1'));

const reserved = new Set();

/** The next free port from `from` on; the same run never gets a port twice. */
export async function nextFreePort(from) {
  for (let port = from; port < from + 500 && port < 65_536; port++) {
    if (reserved.has(port) || !(await isPortFree(port))) continue;
    reserved.add(port);
    return port;
  }
  throw new Failure(`no free port from ${from} on`);
}

/**
 * Where a run looks for its internal ports: below the ephemeral range (a killed server must get its port back), and
 * different per folder, so that parallel runs do not compete for the same port.
 */
export const internalPortBase = (dataDir) =>
  20_000 + (createHash('sha256').update(dataDir).digest().readUInt16BE(0) % 1_200) * 10;

/**
 * The ports that people see. A requested port is used or refused; a default one may move, which is reported.
 * @returns {Promise<{port: number, sandboxPort: number, operatorPort: number}>}
 */
export async function choosePublicPorts(log, env = process.env) {
  const port = await choosePort({ name: 'PORT', requested: env.PORT, preferred: 8080, log });
  const sandboxPort = await choosePort({
    name: 'SANDBOX_PORT',
    requested: env.SANDBOX_PORT,
    preferred: port + 1,
    log,
  });
  const operatorPort = await choosePort({
    name: 'OPERATOR_PORT',
    requested: env.OPERATOR_PORT,
    preferred: port + 2,
    log,
  });
  return { port, sandboxPort, operatorPort };
}

async function choosePort({ name, requested, preferred, log }) {
  if (!requested) {
    const port = await nextFreePort(preferred);
    if (port !== preferred) log(`port ${preferred} is taken, using ${port} (choose with ${name}=…)`);
    return port;
  }
  const port = Number(requested);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Failure(`${name}=${requested} is not a port`, {
      hints: [`give a number from 1 to 65535, e.g. ${name}=${preferred}`],
    });
  }
  if (port < 1024 && process.getuid?.() !== 0) {
    throw new Failure(`${name}=${port} needs root`, { hints: [`choose a port above 1023, e.g. ${name}=${preferred}`] });
  }
  if (!(await isPortFree(port))) {
    throw new Failure(`port ${port} is taken (asked for with ${name}=${port})`, {
      hints: [
        `see who has it: ss -ltnp 'sport = :${port}'`,
        `choose another one, e.g. ${name}=${await nextFreePort(port + 1)}`,
      ],
    });
  }
  return port;
}

function probe({ host = '127.0.0.1', port }, request, isExpected) {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host });
    const done = (value) => {
      socket.destroy();
      resolve(value);
    };
    socket.setTimeout(1_500, () => done(false));
    socket.once('error', () => done(false));
    socket.once('close', () => resolve(false));
    socket.once('connect', () => (request ? socket.write(request) : done(true)));
    socket.once('data', (data) => done(isExpected(data)));
  });
}

export const acceptsConnections = (address) => probe(address, undefined, undefined);

export const redisAnswers = (port, password) =>
  probe({ port }, `AUTH ${password}\r\nPING\r\n`, (data) => /^\+OK/.test(data.toString()));

/** A server that asks for a password in reply to a startup packet takes connections. */
export function postgresAnswers(port, user) {
  const body = Buffer.from(`user\0${user}\0database\0postgres\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(body.length + 8, 0);
  head.writeInt32BE(196_608, 4);
  return probe({ port }, Buffer.concat([head, body]), (data) => data[0] === 0x52);
}

export async function httpAnswers(url) {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(3_000) })).ok;
  } catch {
    return false;
  }
}
