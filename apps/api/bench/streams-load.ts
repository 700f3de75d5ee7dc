/**
 * The readers of the streams bench, in a separate process. Runs one `Task` after another from its parent and replies with `Milestones`.
 * Bare sockets, because reading ten thousand streams must not take longer than writing them.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { BASE_PATH } from '@yiqiao/contracts/envelope';

export type Task =
  /** Opens one stream for each of `headers` and waits until each is ready. */
  | { do: 'open'; port: number; headers: readonly Record<string, string>[] }
  /** Waits until every stream has received one more event of this name. */
  | { do: 'wait'; event: string }
  | { do: 'close' };

/** When half of the streams, and all of them, were done: ns of the machine's clock, which all processes share. */
export type Milestones = { half: string; all: string };

const AT_ONCE = 64;
/** As long as the longest line that is held for. */
const TAIL_CHARS = 64;
const LONGEST_MS = 180_000;

type Reader = { socket: Socket; rest: string; events: Map<string, number> };

const readers: Reader[] = [];
/** Called whenever a stream has received events. */
let onEvents: (reader: Reader) => void = () => undefined;
let ids = 0;

function read(reader: Reader, bytes: Buffer): void {
  const text = reader.rest + bytes.toString('latin1');
  let from = 0;
  for (const { 1: name = '', index, 0: line } of text.matchAll(/event: ([a-z-]+)\n/g)) {
    reader.events.set(name, (reader.events.get(name) ?? 0) + 1);
    from = index + line.length;
  }
  if (from > 0) onEvents(reader);
  reader.rest = text.slice(Math.max(from, text.length - TAIL_CHARS));
}

async function open(port: number, headers: Record<string, string>): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port });
  const reader: Reader = { socket, rest: '', events: new Map() };
  socket.on('error', () => undefined).on('data', (bytes) => read(reader, bytes));
  await once(socket, 'connect');
  readers.push(reader);
  const lines = Object.entries({ Host: '127.0.0.1', Accept: 'text/event-stream', ...headers });
  const path = `${BASE_PATH}/notice/openSse/bench-${process.pid}-${++ids}`;
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`);
}

/** Resolves once every reader has received `event` that many times. */
function allReceived(event: string, times: number): Promise<Milestones> {
  const missing = new Set(readers.filter((reader) => (reader.events.get(event) ?? 0) < times));
  const half = missing.size >> 1;
  const milestones: Milestones = { half: now(), all: now() };
  if (missing.size === 0) return Promise.resolve(milestones);
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new Error(`${missing.size} of ${readers.length} streams had no ${event}`));
    const timer = setTimeout(late, LONGEST_MS);
    onEvents = (reader) => {
      if ((reader.events.get(event) ?? 0) < times || !missing.delete(reader)) return;
      if (missing.size === half) milestones.half = now();
      if (missing.size > 0) return;
      clearTimeout(timer);
      resolve({ ...milestones, all: now() });
    };
  });
}

const waited = new Map<string, number>();

async function run(task: Task): Promise<Milestones> {
  if (task.do === 'open') {
    const queue = [...task.headers];
    const work = async (): Promise<void> => {
      for (let next = queue.pop(); next; next = queue.pop()) await open(task.port, next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return allReceived('ready', 1);
  }
  if (task.do === 'wait') {
    const times = (waited.get(task.event) ?? 0) + 1;
    waited.set(task.event, times);
    return allReceived(task.event, times);
  }
  waited.clear();
  for (const { socket } of readers.splice(0)) socket.destroy();
  return { half: now(), all: now() };
}

const now = (): string => String(process.hrtime.bigint());

process.on('message', (task: Task) => {
  void run(task).then((milestones) => process.send?.(milestones));
});
process.once('disconnect', () => process.exit());
