import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '../../../test/support/wait-until.js';
import { type Bounds, BoundedPrograms } from './bounded-programs.js';

const MB = 1024 * 1024;
// Node reserves most of a gigabyte by itself; the tests need hardly any.
const BOUNDS: Bounds = { wallMs: 60_000, cpuSeconds: 60, memoryBytes: 2_048 * MB, outputBytes: MB };
const env = { PATH: '/usr/bin:/bin' };

const programs = new BoundedPrograms();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'bounded-'));
});
afterEach(() => programs.killAll());
afterAll(() => rm(folder, { recursive: true }));

const shell = (script: string, bounds: Partial<Bounds> = {}, input?: string) =>
  programs.run(
    { path: '/bin/sh', args: ['-c', script], env, ...(input !== undefined && { input }) },
    { ...BOUNDS, ...bounds },
  );
const node = (script: string, bounds: Partial<Bounds> = {}) =>
  programs.run({ path: process.execPath, args: ['-e', script], env }, { ...BOUNDS, ...bounds });

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** The process whose number a script wrote into the file, once it is there. */
const pidIn = (file: string): Promise<number> =>
  waitUntil(
    async () => Number(await readFile(file, 'utf8').catch(() => '')),
    (pid) => pid > 0,
  );

/** A process that exits is gone at once; a killed one may still have to be reaped. */
const isGone = async (pid: number): Promise<boolean> => {
  const said = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return said === null ? !isAlive(pid) : / Z /.test(said);
};

describe('a program', () => {
  it('gets its input and a clean environment', async () => {
    process.env['A_SECRET_OF_OURS'] = 'hidden';
    const outcome = await shell('cat; echo "[$A_SECRET_OF_OURS]"; echo said >&2', {}, 'given ');
    delete process.env['A_SECRET_OF_OURS'];
    expect(outcome).toEqual({ kind: 'ok', output: Buffer.from('given []\n'), said: 'said\n' });
  });

  it('gets its arguments unchanged, whatever a shell would make of them', async () => {
    const args = ['%s|', '$(id)', '`id`', '"', "'", ';id', '-n', '*', 'a b', ''];
    const outcome = await programs.run({ path: '/usr/bin/printf', args, env }, BOUNDS);
    expect(outcome).toMatchObject({ kind: 'ok', output: Buffer.from(`${args.slice(1).join('|')}|`) });
  });

  it('runs at the lowest CPU priority', async () => {
    const outcome = await shell('nice');
    expect(outcome.kind === 'ok' && outcome.output.toString().trim()).toBe('19');
  });

  it('may ignore its input', async () => {
    expect(await shell('exit 0', {}, 'x'.repeat(4 * MB))).toMatchObject({ kind: 'ok' });
  });

  it('reports its exit status and the end of its stderr when it fails', async () => {
    expect(await shell('echo why >&2; exit 3')).toEqual({ kind: 'failed', code: 3, said: 'why\n' });
    const long = await shell(
      'i=0; while [ $i -lt 9000 ]; do echo complaint >&2; i=$((i+1)); done; echo end >&2; exit 1',
    );
    expect(long.kind === 'failed' && [long.said.length <= 4_096, long.said.endsWith('end\n')]).toEqual([true, true]);
    expect(await shell('kill -9 $$')).toMatchObject({ kind: 'failed', code: null });
  });

  it('is reported as missing if it is not installed', async () => {
    expect(await programs.run({ path: '/no/such/program', args: [], env }, BOUNDS)).toEqual({ kind: 'missing' });
    expect(await programs.run({ path: '/etc/hostname', args: [], env }, BOUNDS)).toEqual({ kind: 'missing' });
  });
});

describe('limits', () => {
  it('kill the program and its children after the time-out', async () => {
    const file = path.join(folder, 'timeout');
    const outcome = shell(`sleep 300 & echo $! > ${file}; wait`, { wallMs: 1_500 });
    const pid = await pidIn(file);
    expect(await outcome).toEqual({ kind: 'timeout' });
    await waitUntil(() => isGone(pid), Boolean);
  });

  it('kill it at the CPU limit', async () => {
    expect(await shell('while :; do :; done', { cpuSeconds: 1 })).toEqual({ kind: 'timeout' });
  });

  it('kill it at the memory limit', async () => {
    const script = 'const all = []; for (;;) all.push(Buffer.alloc(8_000_000, 1));';
    const outcome = await node(script, { memoryBytes: 1_024 * MB });
    expect(outcome.kind === 'too-much-memory' || (outcome.kind === 'failed' && outcome.code !== 0)).toBe(true);
  });

  it('kill it at the output limit', async () => {
    expect(await shell('while :; do echo yes; done', { outputBytes: 10_000 })).toEqual({ kind: 'too-much-output' });
    expect(await shell('printf 12345', { outputBytes: 5 })).toMatchObject({ kind: 'ok' });
    expect(await shell('printf 123456', { outputBytes: 5 })).toEqual({ kind: 'too-much-output' });
  });
});

describe('cancellation', () => {
  it('kills a running program, and starts nothing for an aborted signal', async () => {
    const file = path.join(folder, 'stopped');
    const giveUp = new AbortController();
    const outcome = shell(`echo $$ > ${file}; sleep 300`, { signal: giveUp.signal });
    const pid = await pidIn(file);
    giveUp.abort();
    expect(await outcome).toEqual({ kind: 'stopped' });
    await waitUntil(() => isGone(pid), Boolean);
    const late = path.join(folder, 'late');
    expect(await shell(`touch ${late}`, { signal: giveUp.signal })).toEqual({ kind: 'stopped' });
    await expect(readFile(late)).rejects.toThrow();
  });

  it('kills running programs when the service stops', async () => {
    const file = path.join(folder, 'shutdown');
    const outcome = shell(`echo $$ > ${file}; sleep 300`);
    const pid = await pidIn(file);
    programs.killAll();
    expect(await outcome).toMatchObject({ kind: 'failed', code: null });
    await waitUntil(() => isGone(pid), Boolean);
  });
});
