import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keptSettings } from './kept-settings.js';

let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'kept-'));
  file = path.join(folder, 'one');
  await writeFile(file, 'content');
});
afterAll(() => rm(folder, { recursive: true }));

const kept = (given: Record<string, string>) => keptSettings(given, { BACKUP_FILES: [] });

describe('what a full copy keeps beside the database', () => {
  it('is the files that settings name', async () => {
    const content = Buffer.from('content').toString('base64');
    expect((await kept({ ALIPAY_PRIVATE_KEY: file, PHRASEBOOK_DIR: folder })).files).toEqual([{ path: file, content }]);
  });

  // The units of infra/systemd set APP_DIR: a release is larger than what fits, and is installed, not restored.
  it.each(['APP_DIR', 'WEB_DIR', 'POSTGRES_BIN_DIR', 'DISK_PATHS'])('is not what %s leads to', async (name) => {
    expect(await kept({ [name]: folder })).toEqual({ settings: { [name]: folder }, files: [] });
  });

  it('is every setting, but what opens the backup itself', async () => {
    const settings = {
      LEDGER_DATABASE_URL: 'postgresql://yiqiao@db/yiqiao',
      DATABASE_POOL_MAX: '24',
      LEDGER_CONNECTIONS: '2',
      SENTINEL_PASSWORD: 'secret',
      WORKER_HOST: '0.0.0.0',
      DRAIN_SECONDS: '5',
      METRICS_PORT: '9464',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    };
    const apart = { BACKUP_KEY: '00', BACKUP_S3_SECRET: 'secret', PATH: '/bin' };
    expect(await kept({ ...settings, ...apart })).toEqual({ settings, files: [] });
  });
});
