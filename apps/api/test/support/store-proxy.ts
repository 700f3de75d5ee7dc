import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A way to a store that can be cut, or fall silent as a machine that lost its power. */
export type StoreProxy = {
  url: string;
  /** Refuses new connections and cuts the open ones. */
  close: () => void;
  /** Listens again, on the same port. */
  open: () => Promise<void>;
  /** Lets nothing through any more; connections stay open and new ones are accepted. */
  freeze: () => void;
  /** Lets nothing more through the open connections, as when their machine is gone and another has its name; new ones work. */
  forget: () => void;
};

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'redis:': 6379, 'postgresql:': 5432 };

/** `alter`: changes what the client sends first on each connection. */
export async function storeProxy(url: string, alter: (first: Buffer) => Buffer = (same) => same): Promise<StoreProxy> {
  const { hostname, port, protocol } = new URL(url);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let machine = 0;
  const server = createServer((near) => {
    const mine = machine;
    const gate = (change: (chunk: Buffer) => Buffer): Transform =>
      new Transform({
        transform: (chunk: Buffer, _, done) => (isFrozen || mine < machine ? done() : done(null, change(chunk))),
      });
    const far = connect(Number(port || DEFAULT_PORTS[protocol]), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    let isFirst = true;
    const first = (chunk: Buffer): Buffer => {
      const sent = isFirst ? alter(chunk) : chunk;
      isFirst = false;
      return sent;
    };
    near.pipe(gate(first)).pipe(far);
    far.pipe(gate((chunk) => chunk)).pipe(near);
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
  });
  const open = async (at: number): Promise<void> => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  };
  await open(0);
  const { port: own } = server.address() as AddressInfo;
  const way = new URL(url);
  way.hostname = '127.0.0.1';
  way.port = String(own);
  return {
    url: way.href,
    open: () => open(own),
    freeze: () => void (isFrozen = true),
    forget: () => void machine++,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const START = 196_608;

/** Drops the parameters that PgBouncer in transaction mode is told to ignore: `options`, and with it the role. */
export function likePooler(first: Buffer): Buffer {
  if (first.readInt32BE(4) !== START) return first;
  const fields = first.subarray(8, -1).toString('latin1').split('\0');
  const kept: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [name = '', value = ''] = fields.slice(at, at + 2);
    if (name !== '' && !/^(options|.*_timeout)$/.test(name)) kept.push(name, value);
  }
  const body = Buffer.from([...kept, '', ''].join('\0'), 'latin1');
  const head = Buffer.alloc(8);
  head.writeInt32BE(body.length + 8, 0);
  head.writeInt32BE(START, 4);
  return Buffer.concat([head, body]);
}
