import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ACCOUNTS, HOT, insertEntry, insertLine } from './fixture.js';
import type { Settings } from './targets.js';

export type Load = 'hot' | 'spread';
type Form = 'separate' | 'cte' | 'function';
const FORMS: readonly Form[] = ['separate', 'cte', 'function'];

const UPDATE = `UPDATE member_account SET usable_char_num = usable_char_num - :n, used_char_total = used_char_total + :n,
  entry_seq = entry_seq + 1, type_seqs[7] = type_seqs[7] + 1, usage_seq = usage_seq + 1, last_written_at = now()
  WHERE user_id = :u AND usable_char_num - held_char_num >= :n`;

const line = (sql: string): string => sql.replaceAll(/\s+/g, ' ');

/** One metered charge per transaction, in the three usual forms. */
const BODIES: Record<Form, string> = {
  separate: [
    'BEGIN;',
    'SELECT usable_char_num, expire_at FROM member_account WHERE user_id = :u FOR NO KEY UPDATE;',
    `${line(UPDATE)};`,
    'SELECT gen_random_uuid() AS cmd \\gset',
    `${line(insertEntry('a', ':n::bigint', ':cmd::uuid', 'FROM member_account a WHERE user_id = :u'))};`,
    `${line(insertLine('a', ':n::bigint', ':cmd::uuid', 'FROM member_account a WHERE user_id = :u'))};`,
    'COMMIT;',
  ].join('\n'),
  cte: line(`WITH a AS (${UPDATE} RETURNING *, gen_random_uuid() AS cmd),
    e AS (${insertEntry('a', ':n::bigint', 'a.cmd', 'FROM a')}),
    l AS (${insertLine('a', ':n::bigint', 'a.cmd', 'FROM a')}) SELECT usable_char_num FROM a;`),
  function: 'SELECT bench_consume(:u, :n, gen_random_uuid());',
};

type Case = { load: Load; form: Form; clients: number };
export type Runner = { run: (which: Case, seconds: number) => Promise<number>; close: () => Promise<void> };

/** Runs pgbench (PGBENCH, else the one on PATH) against the fixture; null if there is none. */
export async function pgbenchOf(url: string): Promise<Runner | null> {
  const program = process.env['PGBENCH'] ?? 'pgbench';
  if (!(await output(program, ['--version']).catch(() => null))) {
    process.stdout.write('!! pgbench was not found (set PGBENCH=/path/to/pgbench): the ratios to it are SKIPPED.\n');
    return null;
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ledger-bench-'));
  const file = (load: Load, form: Form): string => path.join(folder, `${form}-${load}.sql`);
  for (const form of FORMS)
    for (const [load, user] of [
      ['hot', String(HOT)],
      ['spread', `random(1, ${ACCOUNTS})`],
    ] as const)
      await writeFile(file(load, form), `\\set u ${user}\n\\set n random(10, 500)\n${BODIES[form]}\n`);
  return {
    run: async ({ load, form, clients }, seconds) => {
      const threads = String(Math.min(2, clients));
      // pgbench takes whole seconds only; a tiny run counts transactions instead.
      const long = seconds < 1 ? ['-t', '5'] : ['-T', String(Math.round(seconds))];
      const args = ['-n', '-M', 'prepared', '-c', String(clients), '-j', threads, ...long];
      const text = await output(program, [...args, '-f', file(load, form), url]);
      const rate = /tps = ([\d.]+) \(without/.exec(text)?.[1] ?? /tps = ([\d.]+)/.exec(text)?.[1];
      // pgbench prints no rate if the disk stalls all the time.
      if (/actually processed: 0\b/.test(text)) return 0;
      if (!rate) throw new Error(`pgbench said:\n${text}`);
      return Number(rate);
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

function output(program: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    let complaints = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(text) : reject(new Error(`pgbench ended with ${code}: ${complaints}`)),
    );
  });
}

const CLIENTS = { hot: [1, 4, 8], spread: [8, 16, 32] };

/** The best rate that PostgreSQL reaches with one transaction per charge, in charges per second; null without pgbench. */
export type Baseline = { best: (seconds: number) => Promise<number | null> };

/** Tries every form and number of clients briefly; the rounds then repeat the best two and use the better one. */
export async function baselineOf(runner: Runner | null, load: Load, { scale, log }: Settings): Promise<Baseline> {
  if (!runner) return { best: () => Promise.resolve(null) };
  const trials: { which: Case; rate: number }[] = [];
  for (const form of FORMS)
    for (const clients of CLIENTS[load]) {
      const which = { load, form, clients };
      trials.push({ which, rate: await runner.run(which, scale) });
    }
  trials.sort((a, b) => b.rate - a.rate);
  const rates = trials.map(({ which, rate }) => `${which.form}×${which.clients} ${Math.round(rate)}`);
  log(`pgbench ${load}: ${rates.join(' · ')}`);
  const cases = trials.slice(0, 2).map(({ which }) => which);
  return {
    best: async (seconds) => {
      let best = 0;
      for (const which of cases) best = Math.max(best, await runner.run(which, seconds));
      return best;
    },
  };
}
