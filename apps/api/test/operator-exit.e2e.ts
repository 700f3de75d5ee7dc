/** A command of the operator ends by itself. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startApi, type TestApi } from './support/api.js';

const LATE_READ = path.resolve(import.meta.dirname, 'support/late-read.mjs');
const ENDS_WITHIN_MS = 30_000;

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

it('after a read that came when the database was closed already, which opens a connection again', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [LATE_READ], {
    env: { PATH: process.env['PATH'] ?? '', ...api.env },
    timeout: ENDS_WITHIN_MS,
  });
  expect(stdout).toBe('read\n');
});
