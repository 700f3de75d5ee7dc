/**
 * What the processes bench compares with: an HTTP server whose requests share no read, no statement and no commit. Each makes round trips
 * through a socket, one after the other, and parses and writes some JSON. Sends its port to the parent as `listening`, and tells the turns of its
 * event loop when asked.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, createServer as createEcho, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { tellTurns } from './child.js';

/** About as many turns of the event loop as a translation takes. */
const TRIPS = 8;

const [mode, port = 0] = process.argv.slice(2);
const server =
  mode === 'echo' ? createEcho((socket) => socket.setNoDelay().pipe(socket)) : await createBare(Number(port));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
tellTurns();
process.send?.({ listening: (server.address() as AddressInfo).port });
// The parent has ended.
process.once('disconnect', () => process.exit());

async function createBare(echoPort: number) {
  const echo = connect(echoPort, '127.0.0.1').setNoDelay();
  await once(echo, 'connect');
  const waiting: ((line: string) => void)[] = [];
  createInterface(echo).on('line', (line) => waiting.shift()?.(line));
  const trip = (message: object): Promise<string> => {
    echo.write(`${JSON.stringify(message)}\n`);
    return new Promise((resolve) => waiting.push(resolve));
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    let body: object = { text: Buffer.concat(chunks).toString() };
    for (let i = 0; i < TRIPS; i++) body = JSON.parse(await trip(body)) as object;
    response.end(JSON.stringify(body));
  };
  return createServer({ keepAliveTimeout: 600_000 }, (request, response) => void handle(request, response));
}
