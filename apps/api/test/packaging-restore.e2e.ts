/** The commands that restore with Docker Compose and with systemd: what they call, in which order, and what they do when a step fails. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { composeText, readCompose, withOverlay } from './support/compose.js';
import { infra } from './support/packaging.js';

const MOMENT = ['--to', '2026-11-20 14:03:05'];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'restore-'));
  // Each writes down how it was called, one word of it in brackets, and fails where it is told to.
  for (const name of ['docker', 'systemctl', 'systemd-run', 'yiqiao-operator']) {
    const file = path.join(folder, name);
    const line = `${name}$(printf ' [%s]' "$@")`;
    writeFileSync(
      file,
      `#!/bin/sh\nline="${line}"\necho "$line" >> "$CALLS"\ncase "$line" in *"$FAIL"*) exit 1;; esac\n`,
    );
    chmodSync(file, 0o755);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `fail`: words of the call that fails. */
async function restore(script: string, fail = 'nothing'): Promise<{ code: number; calls: string[]; said: string }> {
  const calls = path.join(folder, 'calls');
  writeFileSync(calls, '');
  const env = { PATH: `${folder}:/usr/bin:/bin`, CALLS: calls, FAIL: fail };
  const { code, said } = await new Promise<{ code: number; said: string }>((resolve) => {
    execFile('sh', [script, ...MOMENT], { env, cwd: folder }, (error, _, err) =>
      resolve({ code: Number(error?.code ?? 0), said: err }),
    );
  });
  const lines = readFileSync(calls, 'utf8').trim().split('\n');
  return { code, calls: lines.map((line) => line.replaceAll(/\[([^\s\]]*)\]/g, '$1')), said };
}

describe('infra/compose-restore.sh', () => {
  const script = infra('compose-restore.sh');
  const into = '/var/lib/postgresql/18/docker';
  const stop = 'docker compose stop api-1 api-2 api-3 worker operators backup postgres';
  const run = `docker compose run --rm restore operator restore --into ${into} --to [2026-11-20 14:03:05]`;
  const finish = ['docker compose run --rm migrate', 'docker compose run --rm migrate operator restore finish'];
  const up = 'docker compose up -d';

  it('stops what writes, restores, finishes, and starts everything', async () => {
    expect(await restore(script)).toEqual({ code: 0, calls: [stop, run, ...finish, up], said: '' });
  });

  it('starts everything again where nothing was restored', async () => {
    const { code, calls, said } = await restore(script, '[--into]');
    expect([code, calls]).toEqual([1, [stop, run, up]]);
    expect(said).toContain('Nothing was restored');
  });

  it.each(['[migrate]', '[finish]'])('leaves it stopped, and says how to go on, where %s fails', async (step) => {
    const { code, calls, said } = await restore(script, step);
    expect([code, calls]).toEqual([1, [stop, run, ...finish.slice(0, step === '[finish]' ? 2 : 1)]]);
    expect(said).toContain([...finish, up].join(' && '));
  });

  it('stops every service that has a database, and names services that exist', () => {
    const { services } = withOverlay(
      readCompose(composeText('docker-compose.yml')),
      readCompose(composeText('docker-compose.backup.yml')),
    );
    const writers = Object.entries(services)
      .filter(([name, { environment = {} }]) => name === 'postgres' || 'DATABASE_URL' in environment)
      .map(([name]) => name);
    // these run to their end, and only when they are asked to
    const commands = ['migrate', 'restore'];
    expect(stop.split(' ').slice(3).toSorted()).toEqual(writers.filter((name) => !commands.includes(name)).toSorted());
    expect(services['restore']?.command).toEqual(['operator', 'restore', '--into', into]);
  });
});

describe('infra/systemd/yiqiao-restore', () => {
  const script = infra('systemd/yiqiao-restore');
  const stop = 'systemctl stop yiqiao.target postgresql';
  const finish = ['yiqiao-operator migrate', 'yiqiao-operator restore finish'];
  const start = 'systemctl start yiqiao.target';
  const run: unknown = expect.stringMatching(
    /^systemd-run .* User=postgres .* restore --into \/var\/lib\/postgresql\/18\/main --to \[2026-11-20 14:03:05\]$/,
  );

  it('stops what writes, restores, finishes, and starts everything', async () => {
    const calls = [stop, run, 'systemctl start postgresql', ...finish, start];
    expect(await restore(script)).toEqual({ code: 0, calls, said: '' });
  });

  it('starts everything again where nothing was restored', async () => {
    const { code, calls, said } = await restore(script, '[--into]');
    expect([code, calls]).toEqual([1, [stop, run, 'systemctl start postgresql yiqiao.target']]);
    expect(said).toContain('Nothing was restored');
  });

  it.each(['[migrate]', '[finish]'])('leaves it stopped, and says how to go on, where %s fails', async (step) => {
    const { code, calls, said } = await restore(script, step);
    const done = finish.slice(0, step === '[finish]' ? 2 : 1);
    expect([code, calls]).toEqual([1, [stop, run, 'systemctl start postgresql', ...done]]);
    expect(said).toContain([...finish, start].join(' && '));
  });

  it('stops every unit of the product with its target', () => {
    const units = readdirSync(infra('systemd')).filter((name) => /^yiqiao-(?!command).*\.service$/.test(name));
    expect(units.length).toBeGreaterThan(3);
    for (const unit of units) expect(readFileSync(infra('systemd', unit), 'utf8')).toMatch(/^PartOf=yiqiao\.target$/m);
  });
});
