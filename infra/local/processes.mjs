// Processes: who is alive, who is really ours, how they are started and stopped.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Failure } from './failure.mjs';

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

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

/** A pid comes back after a reboot or a busy day; together with its start time it names one process. */
export const startedAt = (pid) => (process.platform === 'linux' ? linuxStat(pid)?.startedAt : ps(pid, 'lstart'));

/** A zombie counts as dead: in a container without an init nobody reaps orphans. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  return linuxStat(pid)?.state !== 'Z';
}

export const identityOf = (pid) => ({ pid, startedAt: startedAt(pid) });
export const isStillThere = (identity) =>
  Boolean(identity?.pid) && isAlive(identity.pid) && startedAt(identity.pid) === identity.startedAt;

/** Is `pid` a process of this name working in this folder? Guards every kill whose pid came from a file. */
export function worksIn(pid, folder, name) {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return new RegExp(name).test(ps(pid, 'comm') ?? '');
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(folder);
  } catch {
    return false;
  }
}

/** Asks a process to end, and makes it end when it does not within `patience` ms. */
export async function endProcess(pid, signal = 'SIGTERM', patience = 10_000) {
  const send = (what) => {
    try {
      process.kill(pid, what);
    } catch {
      // it has gone in between
    }
  };
  if (!isAlive(pid)) return;
  send(signal);
  for (const deadline = Date.now() + patience; Date.now() < deadline; await sleep(25)) if (!isAlive(pid)) return;
  send('SIGKILL');
  for (let i = 0; i < 80 && isAlive(pid); i++) await sleep(25);
}

const tools = new Set();
let toolsStopped = false;

/**
 * Runs a tool to its end and answers `{ code, output }`. `onOutput` hears it live; `signal` kills it. Tools live in their own process group,
 * so that Ctrl-C reaches them only through stopTools(), after which they take no more children with them.
 */
export function runTool(command, args, { cwd, env, uid, gid, input, onOutput, signal } = {}) {
  if (toolsStopped) return Promise.resolve({ code: 'stopped', output: '' });
  return new Promise((resolve) => {
    const stdio = [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'];
    const child = spawn(command, args, { cwd, env, uid, gid, stdio, detached: true });
    const kill = () => endGroup(child, 'SIGKILL');
    signal?.addEventListener('abort', kill, { once: true });
    tools.add(child);
    let output = '';
    const hear = (chunk) => {
      output = (output + chunk).slice(-200_000);
      onOutput?.(String(chunk));
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
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

/** Ends the tools that run, and lets no other begin: the run is over. */
export function stopTools() {
  toolsStopped = true;
  for (const child of tools) endGroup(child, 'SIGTERM');
}

function endGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // it has ended already, or never began
  }
}

/** Starts a long-running process in its own session, writing to its log. `ended` resolves when it is no more. */
export function spawnService({ name, command, args, env, cwd, uid, gid, logFile }) {
  fs.mkdirSync(path.dirname(logFile), { recursive: true });
  if (fs.existsSync(logFile) && fs.statSync(logFile).size > 20_000_000) fs.renameSync(logFile, `${logFile}.1`);
  const log = fs.openSync(logFile, 'a');
  const child = spawn(command, args, { cwd, env, uid, gid, stdio: ['ignore', log, log], detached: true });
  fs.closeSync(log);
  const service = { name, pid: child.pid, logFile, end: undefined };
  service.ended = new Promise((resolve) => {
    const done = (how) => resolve((service.end ??= how));
    child.once('exit', (code, signal) => done(signal ?? `exit code ${code}`));
    child.once('error', (error) => done(error.message));
  });
  return service;
}

/** Waits until `answers()` is true; a process that ended or stays silent becomes a Failure with the end of its log. */
export async function untilAnswers(service, answers, timeout = 30_000) {
  for (const deadline = Date.now() + timeout; ; await sleep(40)) {
    if (service.end) throw new Failure(`${service.name} ended (${service.end})`, explain(service));
    if (await answers()) return;
    if (Date.now() > deadline)
      throw new Failure(`${service.name} did not answer within ${timeout / 1000} s`, explain(service));
  }
}

const explain = ({ logFile }) => ({ detail: lastLines(logFile), ways: [`the whole log: ${logFile}`] });

export function lastLines(file, count = 15) {
  try {
    return fs.readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  } catch {
    return '';
  }
}
