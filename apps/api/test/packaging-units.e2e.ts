/** The systemd units, held against systemd itself without starting anything (docs/decisions/0064). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { documentedSettings, infra, program, run } from './support/packaging.js';

const source = infra('systemd');
const units = [
  'yiqiao-api@8081.service',
  'yiqiao-worker.service',
  'yiqiao-operators.service',
  'yiqiao-proxy.service',
  'yiqiao-command@prepare.service',
  'yiqiao-backup.service',
  'yiqiao-drill.timer',
  'yiqiao.target',
];
const services = units.filter((name) => name.endsWith('.service'));

/** A file system with these units, the system's own, and the programs that they start. */
let fs: string;
const installed = (...parts: string[]): string => path.join(fs, 'etc/systemd/system', ...parts);

beforeAll(() => {
  fs = mkdtempSync(path.join(tmpdir(), 'units-'));
  const { command } = program('SYSTEMD_ANALYZE');
  const own = path.join(path.dirname(command), '../lib/systemd/system');
  const system = existsSync(path.join(own, 'sysinit.target')) ? own : '/lib/systemd/system';
  cpSync(system, path.join(fs, 'usr/lib/systemd/system'), { recursive: true });
  cpSync(source, installed(), { recursive: true });
  for (const file of ['opt/yiqiao/current/infra/entry.sh', 'usr/sbin/haproxy', 'bin/kill']) {
    mkdirSync(path.join(fs, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(fs, file), '#!/bin/sh\n', { mode: 0o755 });
  }
});
afterAll(() => rmSync(fs, { recursive: true, force: true }));

/** What systemd says of them: nothing when all is well, whatever its exit code. */
const complaints = async (): Promise<string> => {
  const { out, err } = await run('SYSTEMD_ANALYZE', ['verify', `--root=${fs}`, '--man=no', ...units]);
  return (out + err).trim();
};

const withFile = async <T>(file: string, change: (text: string) => string, then: () => Promise<T>): Promise<T> => {
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, change(before));
  try {
    return await then();
  } finally {
    writeFileSync(file, before);
  }
};

describe('the units', () => {
  it('are understood by systemd', async () => {
    expect(await complaints()).toBe('');
  });

  it.each([
    ['yiqiao-worker.service', 'RestartSec=1', 'RestartSek=1', "Unknown key 'RestartSek'"],
    ['yiqiao-.service.d/10-confined.conf', 'ProtectHome=yes', 'ProtectHome=perhaps', 'Failed to parse'],
    ['yiqiao-api@.service', 'entry.sh api', 'missing.sh api', 'is not executable'],
    ['yiqiao-drill.timer', '04:25:00', '25:25:00', 'Failed to parse calendar'],
  ])('would not be with an error in %s', async (file, right, wrong, message) => {
    const said = await withFile(installed(file), (text) => text.replace(right, wrong), complaints);
    expect(said).toContain(message);
  });

  it.each(services)('leave %s little to do harm with', async (unit) => {
    const { out, err } = await run('SYSTEMD_ANALYZE', [
      'security',
      `--root=${fs}`,
      '--offline=true',
      '--no-pager',
      unit,
    ]);
    const exposure = Number(/Overall exposure level for .*: ([\d.]+)/.exec(out + err)?.[1]);
    expect(exposure).toBeGreaterThan(0);
    expect(exposure).toBeLessThanOrEqual(2);
  });

  it('would leave more without what holds for all of them', async () => {
    const { out, err } = await withFile(
      installed('yiqiao-.service.d/10-confined.conf'),
      () => '',
      () =>
        run('SYSTEMD_ANALYZE', ['security', `--root=${fs}`, '--offline=true', '--no-pager', 'yiqiao-worker.service']),
    );
    expect(Number(/Overall exposure level for .*: ([\d.]+)/.exec(out + err)?.[1])).toBeGreaterThan(8);
  });

  it('start what is there, and set only what is documented', () => {
    const texts = readdirSync(source)
      .filter((name) => name.endsWith('.service'))
      .map((name) => readFileSync(path.join(source, name), 'utf8'));
    const known = documentedSettings();
    for (const text of texts) {
      const names = [...text.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) =>
        line.split(' ').map((pair) => pair.split('=')[0] ?? ''),
      );
      expect(names.filter((name) => name !== 'PATH' && !known.has(name))).toEqual([]);
      for (const [, command = ''] of text.matchAll(/^ExecStart=\/opt\/yiqiao\/current\/(\S+)/gm))
        expect(existsSync(infra('..', command))).toBe(true);
    }
    expect(existsSync(infra('haproxy/haproxy.cfg'))).toBe(true);
  });
});
