import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What happens to a connection. `lost`: cut before the request goes on. `unanswered`: cut when the answer begins. `torn`: cut within it. */
export const FAULTS = ['none', 'lost', 'unanswered', 'torn', 'stalled', 'repeated'] as const;
export type Fault = (typeof FAULTS)[number];

export type FaultyProxy = { url: string; counts: Readonly<Record<Fault, number>>; close: () => void };

/** Longer than the client waits. */
const STALL_MS = 1_500;
/** Bytes of an answer that pass before it is torn. */
const TORN_AFTER = 40;

/**
 * A proxy for clients that send one request per connection; `next` decides the fault of each. A stalled answer arrives when nobody waits for it
 * any more; a repeated request is sent to the server twice, as a proxy does that takes a slow answer for a lost one.
 */
export async function faultyProxy(target: string, next: () => Fault): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const counts = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>;
  const track = (socket: Socket): Socket => {
    open.add(socket);
    return socket.on('error', () => undefined).on('close', () => open.delete(socket));
  };
  const reach = (): Socket => track(connect(Number(port), hostname));
  const server = createServer({ allowHalfOpen: true }, (near) => {
    track(near);
    const fault = next();
    counts[fault]++;
    if (fault === 'lost') return void near.once('data', () => near.destroy());
    const far = reach();
    near.pipe(far);
    near.on('close', () => far.end());
    far.on('close', () => near.destroy());
    if (fault === 'repeated') {
      const again = reach();
      near.on('data', (chunk) => again.write(chunk));
      again.resume();
    }
    if (fault === 'unanswered') return void far.once('data', () => near.destroy());
    if (fault === 'torn')
      return void far.once('data', (chunk: Buffer) => near.write(chunk.subarray(0, TORN_AFTER), () => near.destroy()));
    if (fault === 'stalled') return void far.once('data', () => setTimeout(() => near.destroy(), STALL_MS));
    far.pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, counts, close };
}
