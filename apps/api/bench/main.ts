/**
 * `npm run bench [-- writer|http|vendors|logs|overload|uploads|streams|site …]`: every figure that the plan asks for, as ratios within one run. Needs DATABASE_URL (a
 * superuser's), REDIS_URL (for http, vendors, overload, uploads, streams and site), CHROMIUM_PATH (for site) and, for the comparisons, PGBENCH or pgbench on PATH. Ends with 0 even when a target is missed:
 * it measures.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { benchLogs } from './logs.js';
import { benchMetered } from './metered.js';
import { targetLine, withVerdict, type Findings, type Setting, type Target } from './verdicts.js';
import { benchOverload } from './overload.js';
import { benchSite } from './site.js';
import { benchStreams } from './streams.js';
import { benchUploads } from './uploads.js';
import { benchVendors } from './vendors.js';
import { benchWriter } from './writer.js';

const PARTS = new Map<string, (setting: Setting) => Promise<Findings>>([
  ['writer', benchWriter],
  ['http', benchMetered],
  ['vendors', benchVendors],
  ['logs', benchLogs],
  ['overload', benchOverload],
  ['uploads', benchUploads],
  ['streams', benchStreams],
  ['site', benchSite],
]);

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function keep(folder: string, name: string, json: unknown): Promise<void> {
  const file = path.join(folder, `${name}.json`);
  await mkdir(folder, { recursive: true });
  await writeFile(file, JSON.stringify(json, null, 2));
  say(`written to ${file}`);
}

async function main(chosen: string[]): Promise<void> {
  const server = process.env['DATABASE_URL'];
  if (!server) throw new Error('DATABASE_URL is missing: run it with `npm run bench`');
  const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
  if (!(rounds >= 1)) throw new Error('BENCH_ROUNDS must be a number from 1');
  const scale = Number(process.env['BENCH_SCALE'] ?? 1);
  if (!(scale > 0 && scale <= 1)) throw new Error('BENCH_SCALE must be a number above 0 and up to 1');
  const folder = path.resolve(process.env['BENCH_OUT'] ?? '.data/bench');
  const targets: Target[] = [];
  for (const name of chosen.length > 0 ? chosen : PARTS.keys()) {
    const part = PARTS.get(name);
    if (!part) throw new Error(`the bench has no part "${name}": ${[...PARTS.keys()].join(', ')}`);
    say(`\n— ${name}\n`);
    const found = await part({ server, rounds, scale, say });
    say(`${found.text}\n`);
    await keep(folder, name, { rounds, targets: found.targets.map(withVerdict), figures: found.json });
    targets.push(...found.targets);
  }
  say(['\n— what is asked, side by side\n', ...targets.map(targetLine), ''].join('\n'));
  await keep(folder, 'targets', targets.map(withVerdict));
}

await main(process.argv.slice(2));
