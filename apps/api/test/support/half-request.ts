import { connect, type Socket } from 'node:net';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { login } from '@yiqiao/contracts/login';

/** A connection that has sent only `text`. */
export function half(url: string, text: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  socket.write(text);
  return socket;
}

/** A command whose body does not arrive. */
const BODILESS = `POST ${BASE_PATH}${login.path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`;

/** Holds the slots for commands that this address may have, until the returned function is called. */
export function holdSlots(url: string): () => void {
  const held: Socket[] = [];
  // A slot of a request that does not move is given away after a second.
  const holding = setInterval(() => held.push(half(url, BODILESS)), 50);
  return () => {
    clearInterval(holding);
    for (const socket of held) socket.destroy();
  };
}
