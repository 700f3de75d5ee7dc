import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '../../../test/support/wait-until.js';
import type { Bounds, ProgramOutcome } from './bounded-programs.js';
import { ProgramLauncher } from './program-launcher.js';

const MB = 1024 * 1024;
const BOUNDS: Bounds = { wallMs: 60_000, cpuSeconds: 60, memoryBytes: 256 * MB, outputBytes: 4 * MB };

let launcher: ProgramLauncher;
let folder: string;
beforeEach(async () => {
  launcher = new ProgramLauncher();
  folder = await mkdtemp(path.join(tmpdir(), 'launcher-'));
});
afterEach(async () => {
  launcher.onApplicationShutdown();
  await rm(folder, { recursive: true });
});

type More = { input?: Buffer; signal?: AbortSignal };
const shell = (script: string, { input, signal }: More = {}): Promise<ProgramOutcome> =>
  launcher.run(
    { path: '/bin/sh', args: ['-c', script], env: { PATH: '/usr/bin:/bin' }, ...(input && { input }) },
    { ...BOUNDS, ...(signal && { signal }) },
  );

/** A script that writes its process number and its launcher's into a file, and then waits for ever. */
const waiting = (name: string): string => `echo $$ $PPID > '${path.join(folder, name)}'; exec sleep 1000`;
const numbersOf = (name: string): Promise<number[]> =>
  waitUntil(
    async () => {
      const text = await readFile(path.join(folder, name), 'utf8').catch(() => '');
      return text.trim().split(' ').map(Number);
    },
    ([pid = 0, parent = 0]) => pid > 0 && parent > 0,
  );

/** A killed process may still have to be reaped. */
const isGone = async (pid: number): Promise<boolean> => {
  const said = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return said === null || / Z /.test(said);
};
const untilGone = (pid: number): Promise<boolean> =>
  waitUntil(
    () => isGone(pid),
    (gone) => gone,
  );

describe('the program launcher', () => {
  it('passes all input, output and stderr through', async () => {
    const input = Buffer.from(Uint8Array.from({ length: 2 * MB }, (_, i) => (i * 31) % 251));
    const outcome = await shell('cat; echo said >&2', { input });
    expect(outcome).toMatchObject({ kind: 'ok', said: 'said\n' });
    expect(outcome.kind === 'ok' && input.equals(outcome.output)).toBe(true);
  });

  it('reports the outcome of each of many programs', async () => {
    const outcomes = await Promise.all([
      shell('sleep 0.3; echo slow'),
      shell('echo quick'),
      shell('exit 3'),
      launcher.run({ path: '/nonexistent/program', args: [], env: {} }, BOUNDS),
    ]);
    expect(outcomes).toEqual([
      { kind: 'ok', output: Buffer.from('slow\n'), said: '' },
      { kind: 'ok', output: Buffer.from('quick\n'), said: '' },
      { kind: 'failed', code: 3, said: '' },
      { kind: 'missing' },
    ]);
  });

  it('passes no secrets to programs or to itself', async () => {
    process.env['A_SECRET_OF_OURS'] = 'hidden';
    const outcome = await shell("tr '\\0' '\\n' < /proc/$PPID/environ; env");
    delete process.env['A_SECRET_OF_OURS'];
    expect(outcome).toMatchObject({ kind: 'ok' });
    expect(outcome.kind === 'ok' && outcome.output.toString()).not.toContain('SECRET');
  });

  it('stops only the programs whose callers are gone', async () => {
    const stopping = new AbortController();
    const stopped = shell(waiting('stopped'), { signal: stopping.signal });
    const [pid = 0] = await numbersOf('stopped');
    const other = shell('sleep 0.5; echo there');
    stopping.abort();
    expect(await stopped).toEqual({ kind: 'stopped' });
    await untilGone(pid);
    expect(await other).toMatchObject({ kind: 'ok', output: Buffer.from('there\n') });
    expect(await shell('true', { signal: stopping.signal })).toEqual({ kind: 'stopped' });
  });

  it('fails its running programs when it is killed, and restarts for the next one', async () => {
    const lost = shell(waiting('lost'));
    const [pid = 0, parent = 0] = await numbersOf('lost');
    process.kill(parent, 'SIGKILL');
    expect(await lost).toEqual({ kind: 'failed', code: null, said: '' });
    expect(await shell('echo again')).toMatchObject({ kind: 'ok', output: Buffer.from('again\n') });
    // Only its own limits can end it now.
    process.kill(pid, 'SIGKILL');
  });

  it('exits with the service and all its programs', async () => {
    const running = shell(waiting('running'));
    const [pid = 0, parent = 0] = await numbersOf('running');
    launcher.onApplicationShutdown();
    expect(await running).toMatchObject({ kind: 'failed' });
    await untilGone(pid);
    await untilGone(parent);
  });
});
