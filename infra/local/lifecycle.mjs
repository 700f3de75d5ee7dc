// The lifecycle of processes: start, wait until ready, watch, restart, stop, and shut down with this process.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Failure } from './terminal.mjs';

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Like Promise.all, but throws only after all have settled, so that everything they started can be stopped. */
export async function allOrFirstError(promises) {
  const results = await Promise.allSettled(promises);
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
  return results.map(({ value }) => value);
}

/**
 * Calls `stop` once, on the first of SIGINT, SIGTERM, SIGHUP, or when the parent process is gone: killing npm ends npm
 * and its shell, but sends nothing to this process.
 */
export function onShutdownSignal(stop) {
  let received = false;
  const once = (signal) => {
    if (received) return;
    received = true;
    stop(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => once(signal));
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && once('SIGHUP'), 300).unref();
  // a closed terminal must not turn the shutdown into a crash
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

const linuxStat = (pid) => {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], startedAt: fields[19] };
  } catch {
    return undefined;
  }
};
const ps = (pid, field) => spawnSync('ps', ['-o', `${field}=`, '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim();
const startedAt = (pid) => (process.platform === 'linux' ? linuxStat(pid)?.startedAt : ps(pid, 'lstart'));

/** A zombie counts as dead: in a container without an init nobody reaps orphans. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  return linuxStat(pid)?.state !== 'Z';
}

/** Pids are reused; a pid with its start time identifies one process. */
export const identityOf = (pid) => ({ pid, startedAt: startedAt(pid) });
export const isRunning = (identity) =>
  Boolean(identity?.pid) && isAlive(identity.pid) && startedAt(identity.pid) === identity.startedAt;

/** Is `pid` a process of this name working in this folder? Check it before killing a pid that was read from a file. */
export function isProcessIn(pid, folder, name) {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return new RegExp(name).test(ps(pid, 'comm') ?? '');
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(folder);
  } catch {
    return false;
  }
}

/** Sends `signal`, then SIGKILL if the process still runs after `gracePeriod` ms. */
export async function terminate(pid, signal = 'SIGTERM', gracePeriod = 10_000) {
  const send = (what) => {
    try {
      process.kill(pid, what);
    } catch {
      // it has exited in the meantime
    }
  };
  if (!isAlive(pid)) return;
  send(signal);
  for (const deadline = Date.now() + gracePeriod; Date.now() < deadline; await sleep(25)) if (!isAlive(pid)) return;
  send('SIGKILL');
  for (let i = 0; i < 80 && isAlive(pid); i++) await sleep(25);
}

const tools = new Set();
let toolsStopped = false;

/**
 * Runs a tool to its end and returns `{ code, output }`. `onOutput` gets the output live; `signal` kills the tool.
 * Tools run in their own process group: Ctrl-C reaches them only through stopTools(), which takes their children too.
 */
export function runTool(command, args, { cwd, env, uid, gid, input, onOutput, signal } = {}) {
  if (toolsStopped) return Promise.resolve({ code: 'stopped', output: '' });
  return new Promise((resolve) => {
    const stdio = [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'];
    const child = spawn(command, args, { cwd, env, uid, gid, stdio, detached: true });
    const kill = () => signalGroup(child, 'SIGKILL');
    signal?.addEventListener('abort', kill, { once: true });
    tools.add(child);
    let output = '';
    const append = (chunk) => {
      output = (output + chunk).slice(-200_000);
      onOutput?.(String(chunk));
    };
    child.stdout?.on('data', append);
    child.stderr?.on('data', append);
    if (input !== undefined) child.stdin.end(input);
    const done = (code) => {
      tools.delete(child);
      signal?.removeEventListener('abort', kill);
      resolve({ code, output });
    };
    child.once('error', (error) => {
      output += error.message;
      done(127);
    });
    child.once('close', (code, signal) => done(code ?? `signal ${signal}`));
  });
}

/** Stops all running tools and lets no other start. */
export function stopTools() {
  toolsStopped = true;
  for (const child of tools) signalGroup(child, 'SIGTERM');
}

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // it has exited already, or never started
  }
}

/** Runs a program on this terminal and returns its exit code; `onEnd` gets the function that stops it. */
export function runAttached(command, args, { cwd, env, onEnd = () => {} }) {
  const child = spawn(command, args, { cwd, env, stdio: 'inherit' });
  onEnd(() => child.kill());
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

/** Starts a long-running process in its own session, which writes to its log. `exited` resolves with the reason. */
export function spawnDaemon({ name, command, args, env, cwd, uid, gid, logFile }) {
  fs.mkdirSync(path.dirname(logFile), { recursive: true });
  if (fs.existsSync(logFile) && fs.statSync(logFile).size > 20_000_000) fs.renameSync(logFile, `${logFile}.1`);
  const log = fs.openSync(logFile, 'a');
  const child = spawn(command, args, { cwd, env, uid, gid, stdio: ['ignore', log, log], detached: true });
  fs.closeSync(log);
  const daemon = { name, pid: child.pid, logFile, exitReason: undefined };
  daemon.exited = new Promise((resolve) => {
    const done = (reason) => resolve((daemon.exitReason ??= reason));
    child.once('exit', (code, signal) => done(signal ?? `exit code ${code}`));
    child.once('error', (error) => done(error.message));
  });
  return daemon;
}

/** Polls `isReady()`. A process that exits or is not ready in time becomes a Failure with the end of its log. */
export async function waitUntilReady(daemon, isReady, timeout = 30_000) {
  const fail = (what) => {
    const { name, logFile } = daemon;
    throw new Failure(`${name} ${what}`, { detail: tail(logFile), hints: [`the whole log: ${logFile}`] });
  };
  for (const deadline = Date.now() + timeout; ; await sleep(40)) {
    if (daemon.exitReason) fail(`ended (${daemon.exitReason})`);
    if (await isReady()) return;
    if (Date.now() > deadline) fail(`did not answer within ${timeout / 1000} s`);
  }
}

function tail(file) {
  try {
    return fs.readFileSync(file, 'utf8').trimEnd().split('\n').slice(-15).join('\n');
  } catch {
    return '';
  }
}

/**
 * A service is one process that can be started, killed, restarted and stopped.
 * @param {{name: string, launch: (onSpawn: (daemon: object) => void) => Promise<object>, stopSignal?: NodeJS.Signals, gracePeriod?: number}} options
 *   launch spawns the process, reports it to `onSpawn` and resolves when it is ready; gracePeriod: ms before SIGKILL on stop
 */
export function createService({ name, launch, stopSignal = 'SIGTERM', gracePeriod = 10_000 }) {
  let daemon;
  let exitExpected = true;
  let stopped = false;
  let exitListener = () => {};
  let spawnListener = () => {};

  const service = {
    name,
    identity: () => (daemon && isAlive(daemon.pid) ? { name, ...identityOf(daemon.pid) } : undefined),
    async start() {
      stopped = false;
      // the process is known as soon as it exists: a failed start leaves nothing behind
      daemon = await launch((spawned) => {
        daemon = spawned;
        if (stopped) {
          void terminate(spawned.pid, stopSignal, gracePeriod);
          throw new Failure(`${name} was stopped while it started`);
        }
        spawnListener(service);
      });
      exitExpected = false;
      const current = daemon;
      void current.exited.then((reason) => {
        if (!exitExpected && daemon === current) exitListener(service, reason);
      });
    },
    /** Ends it at once, as a crash would. */
    async kill(signal = 'SIGKILL') {
      exitExpected = true;
      await terminate(daemon.pid, signal);
      await daemon.exited;
    },
    async restart() {
      if (daemon && !daemon.exitReason) await service.stop();
      await service.start();
    },
    async stop() {
      exitExpected = true;
      stopped = true;
      if (daemon && !daemon.exitReason) await terminate(daemon.pid, stopSignal, gracePeriod);
    },
    /** Called when the process exits without having been stopped or killed here. */
    onUnexpectedExit(listener) {
      exitListener = listener;
    },
    onSpawn(listener) {
      spawnListener = listener;
    },
  };
  return service;
}

const MAX_RESTARTS = 5;
const RESTART_WINDOW_MS = 60_000;

/**
 * Restarts a service that exits, and says so. A service that keeps exiting ends the run.
 * @param {{services: object[], log: (line: string) => void, onRestart: () => void, giveUp: (reason: string) => void}} options
 */
export function supervise({ services, log, onRestart, giveUp }) {
  const exits = new Map();
  const restart = async (service, reason) => {
    const { name } = service;
    const recent = (exits.get(name) ?? []).filter((at) => Date.now() - at < RESTART_WINDOW_MS);
    exits.set(name, [...recent, Date.now()]);
    if (recent.length >= MAX_RESTARTS) {
      giveUp(`${name} ended ${MAX_RESTARTS + 1} times within a minute (${reason})`);
      return;
    }
    log(`${name} ended (${reason}): starting it again`);
    try {
      await service.start();
      onRestart();
      log(`${name} is back`);
    } catch (error) {
      giveUp(error.message);
    }
  };
  for (const service of services) service.onUnexpectedExit(restart);
}
