/**
 * `npm run bench [-- writer|http|doors|telemetry|vendors|processes|logs|jobs|operators|overload|uploads|streams|site|backup …]`: measures every target, as ratios within one run. Needs
 * DATABASE_URL (a superuser's), REDIS_URL (for http, doors, vendors, processes, jobs, operators, overload, uploads, streams and site), CHROMIUM_PATH (for site), HAPROXY (for processes) and,
 * for the comparisons, PGBENCH or pgbench on PATH. The exit code is 0 even if a target is missed.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { benchBackup } from './backup.js';
import { benchDoors } from './doors.js';
import { benchJobs } from './jobs.js';
import { benchLogs } from './logs.js';
import { benchHttp } from './http.js';
import { targetLine, withVerdict, type Report, type Settings, type Target } from './targets.js';
import { benchOperators } from './operators.js';
import { benchOverload } from './overload.js';
import { benchProcesses } from './processes.js';
import { benchSite } from './site.js';
import { benchStreams } from './streams.js';
import { benchTelemetry } from './telemetry.js';
import { benchUploads } from './uploads.js';
import { benchVendors } from './vendors.js';
import { benchWriter } from './writer.js';

const PARTS = new Map<string, (settings: Settings) => Promise<Report>>([
  ['writer', benchWriter],
  ['http', benchHttp],
  ['doors', benchDoors],
  ['telemetry', benchTelemetry],
  ['vendors', benchVendors],
  ['processes', benchProcesses],
  ['logs', benchLogs],
  ['jobs', benchJobs],
  ['operators', benchOperators],
  ['overload', benchOverload],
  ['uploads', benchUploads],
  ['streams', benchStreams],
  ['site', benchSite],
  ['backup', benchBackup],
]);

const log = (text: string): void => void process.stdout.write(`${text}\n`);

async function save(folder: string, name: string, json: unknown): Promise<void> {
  const file = path.join(folder, `${name}.json`);
  await mkdir(folder, { recursive: true });
  await writeFile(file, JSON.stringify(json, null, 2));
  log(`written to ${file}`);
}

async function main(names: string[]): Promise<void> {
  const server = process.env['DATABASE_URL'];
  if (!server) throw new Error('DATABASE_URL is missing: run it with `npm run bench`');
  const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
  if (!(rounds >= 1)) throw new Error('BENCH_ROUNDS must be a number from 1');
  const scale = Number(process.env['BENCH_SCALE'] ?? 1);
  if (!(scale > 0 && scale <= 1)) throw new Error('BENCH_SCALE must be a number above 0 and up to 1');
  const folder = path.resolve(process.env['BENCH_OUT'] ?? '.data/bench');
  const targets: Target[] = [];
  for (const name of names.length > 0 ? names : PARTS.keys()) {
    const part = PARTS.get(name);
    if (!part) throw new Error(`the bench has no part "${name}": ${[...PARTS.keys()].join(', ')}`);
    log(`\n— ${name}\n`);
    const report = await part({ server, rounds, scale, log });
    log(`${report.text}\n`);
    await save(folder, name, { rounds, targets: report.targets.map(withVerdict), figures: report.json });
    targets.push(...report.targets);
  }
  log(['\n— all targets\n', ...targets.map(targetLine), ''].join('\n'));
  await save(folder, 'targets', targets.map(withVerdict));
}

await main(process.argv.slice(2));
