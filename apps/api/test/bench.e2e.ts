/** Every part of `npm run bench` at a tiny scale: it runs and prints its table and targets. Nothing is measured. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ask, startChild } from '../bench/child.js';

const program = path.resolve(import.meta.dirname, '../dist/bench/main.js');
const TINY = { BENCH_SCALE: '0.01', BENCH_ROUNDS: '1', BENCH_ROWS: '2000' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'bench-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Saved = { targets: { name: string; found: number | null; verdict: string }[] };

// The first line of each part's table, and its number of targets.
it.each([
  ['writer', 'ledger writer, one hot account', 4],
  ['http', 'metered translation over HTTP, one hot account', 2],
  ['doors', 'a request with an API key', 5],
  ['telemetry', 'a metered translation, processor time of the api', 2],
  ['vendors', 'a vendor that answers in 100 ms', 15],
  ['processes', 'processor time of a translation', 6],
  ['logs', 'replay of', 27],
  ['jobs', 'jobs of the worker', 2],
  ['operators', 'operators on a ledger', 10],
  ['overload', 'translations of 200 accounts', 5],
  ['uploads', 'text translation beside', 2],
  ['streams', 'a notice, from publishing it', 4],
  ['site', 'slow 4G', 7],
  ['backup', 'Backup of', 0],
])('runs the part %s to its end', async (part, table, targets) => {
  const env = { ...process.env, NODE_ENV: 'development', ...TINY, BENCH_OUT: folder };
  const { stdout } = await promisify(execFile)(process.execPath, ['--enable-source-maps', program, part], {
    env,
    timeout: 110_000,
    killSignal: 'SIGKILL',
  });
  const saved = JSON.parse(await readFile(path.join(folder, `${part}.json`), 'utf8')) as Saved;
  expect(stdout).toContain(table);
  expect(saved.targets).toHaveLength(targets);
  const list = stdout.slice(stdout.indexOf('— all targets'));
  for (const { name, found, verdict } of saved.targets) {
    expect(list).toContain(name);
    // Comparisons need pgbench or a browser; everything else has a figure.
    if (verdict !== 'skipped') expect(found).toEqual(expect.any(Number));
  }
});

it('rejects when a process ends before it replies', async () => {
  // This program does not exist beside the sources.
  const child = startChild('nothing');
  await expect(ask(child, {})).rejects.toThrow('nothing.js ended before it answered');
  await expect(ask(child, {})).rejects.toThrow('nothing.js ended before it answered');
});
