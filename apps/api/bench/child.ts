/** Programs of the bench that run in a process of their own, so that they cost the measured one nothing but the machine. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

export type Child = { process: ChildProcess; stop: () => Promise<void> };
export type Server = Child & { url: string };

/** Starts `<program>.js` beside this file. Its environment is `env` and nothing else. */
export function startChild(program: string, env: NodeJS.ProcessEnv = {}, args: string[] = []): Child {
  const child = fork(path.join(import.meta.dirname, `${program}.js`), args, {
    env: { PATH: process.env['PATH'], NODE_ENV: 'development', ...env },
    execArgv: [],
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

/** The same for a program that tells its parent `{ listening: port }`. */
export async function startServer(program: string, env: NodeJS.ProcessEnv = {}, args: string[] = []): Promise<Server> {
  const child = startChild(program, env, args);
  const port = await new Promise<number>((resolve, reject) => {
    child.process.once('message', (message: { listening: number }) => resolve(message.listening));
    child.process.once('exit', (code) => reject(new Error(`${program} ended with ${code} before it listened`)));
  });
  return { ...child, url: `http://127.0.0.1:${port}` };
}
