/** Runs programs of the bench in separate processes, so that they do not burden the measured one. */
import { fork, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';

export type Child = { process: ChildProcess; stop: () => Promise<void> };
export type Server = Child & { url: string };

/** The flags that the product gives its processes; the sizes of the heap affect performance. */
const API_FLAGS = process.env['API_FLAGS']?.split(' ') ?? [];
const OPERATOR_FLAGS = process.env['OPERATOR_FLAGS']?.split(' ') ?? [];
const FLAGS: Readonly<Record<string, string[]>> = {
  'http-server': API_FLAGS,
  'streams-server': API_FLAGS,
  '../src/worker': OPERATOR_FLAGS,
};

/** Starts `<program>.js` of this folder with only `env` as its environment. */
export function startChild(program: string, env: NodeJS.ProcessEnv = {}, args: string[] = []): Child {
  const child = fork(path.join(import.meta.dirname, `${program}.js`), args, {
    env: { PATH: process.env['PATH'], NODE_ENV: 'development', ...env },
    execArgv: FLAGS[program] ?? [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill();
    await exited;
  };
  return { process: child, stop };
}

/** The same for a program that sends `{ listening: port }` to its parent. */
export async function startServer(program: string, env: NodeJS.ProcessEnv = {}, args: string[] = []): Promise<Server> {
  const child = startChild(program, env, args);
  const { listening } = await answerOf<{ listening: number }>(child);
  return { ...child, url: `http://127.0.0.1:${listening}` };
}

/** Sends a message and returns the reply; rejects if the child ends instead. */
export function ask<Answer>(child: Child, message: object): Promise<Answer> {
  const answer = answerOf<Answer>(child);
  // A failure to send shows in the reply.
  child.process.send(message, () => undefined);
  return answer;
}

/** In a child: answers each message of the parent with the turns of its event loop so far. */
export const tellTurns = (): void =>
  void process.on('message', () => process.send?.({ turns: performance.nodeTiming.uvMetricsInfo.loopCount }));

async function answerOf<Answer>({ process: { spawnargs }, process: child }: Child): Promise<Answer> {
  const over = new AbortController();
  const ended = async (): Promise<never> => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit', { signal: over.signal });
    throw new Error(`${path.basename(spawnargs.find((arg) => arg.endsWith('.js')) ?? '')} ended before it answered`);
  };
  try {
    const [answer] = (await Promise.race([once(child, 'message', { signal: over.signal }), ended()])) as [Answer];
    return answer;
  } finally {
    over.abort();
  }
}

/** Below the range from which the system gives ports to whoever connects or listens in the meantime; each worker of jest has its own part. */
const PORTS = 2_000;
const firstPort = 20_000 + (Number(process.env['JEST_WORKER_ID'] ?? 0) % 5) * PORTS;
let tried = randomInt(PORTS);

/** A port for a server that is started later, perhaps after another one was killed there; never the same twice. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PORTS; tries++) {
    const port = firstPort + (tried++ % PORTS);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port from ${firstPort} on`);
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen({ port, host: '0.0.0.0', exclusive: true }, () => server.close(() => resolve(true)));
  });
