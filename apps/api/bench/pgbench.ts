import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ACCOUNTS, HOT, insertEntry, insertLine } from './ground.js';

export type Load = 'hot' | 'spread';
export type Form = 'separate' | 'cte' | 'function';
export const FORMS: readonly Form[] = ['separate', 'cte', 'function'];

const UPDATE = `UPDATE member_account SET usable_char_num = usable_char_num - :n, used_char_total = used_char_total + :n,
  entry_seq = entry_seq + 1, type_seqs[7] = type_seqs[7] + 1, usage_seq = usage_seq + 1, last_written_at = now()
  WHERE user_id = :u AND usable_char_num - held_char_num >= :n`;

const line = (sql: string): string => sql.replaceAll(/\s+/g, ' ');

/** One metered charge as one transaction, in the three ways in which applications write it. */
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

export type Case = { load: Load; form: Form; clients: number };
export type Runner = { run: (which: Case, seconds: number) => Promise<number>; close: () => Promise<void> };

/** Runs pgbench (PGBENCH, else the one on PATH) against the ground; null when there is none. */
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
      // It counts whole seconds; whoever only tries whether it runs has none to spare.
      const long = seconds < 1 ? ['-t', '5'] : ['-T', String(Math.round(seconds))];
      const args = ['-n', '-M', 'prepared', '-c', String(clients), '-j', threads, ...long];
      const text = await output(program, [...args, '-f', file(load, form), url]);
      const rate = /tps = ([\d.]+) \(without/.exec(text)?.[1] ?? /tps = ([\d.]+)/.exec(text)?.[1];
      // A disk that stalls for the whole time: pgbench names no rate then.
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
