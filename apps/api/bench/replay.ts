import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { entriesOf, linesOf } from '../src/ledger/audit/audit-rows.js';
import { replayLedger } from '../src/ledger/audit/replay-ledger.js';
import {
  median,
  overRounds,
  rate,
  ratios,
  targetLine,
  times,
  type Report,
  type Settings,
  type Target,
} from './targets.js';

/** One round in entries per second. `drain`: reads the same rows by the same COPY and discards them. */
export type ReplayRound = { drain: number; replay: number; audit: number; drainAll: number };
/** `peaks`: MB. */
export type ReplayFigures = { rows: number; rounds: ReplayRound[]; peaks: { audit: number; replay: number } };

/** Including Node itself. */
const MEGABYTES = 200;

// As the product reads.
const SETTINGS = 'BEGIN READ ONLY; SET LOCAL enable_sort = off; SET LOCAL jit = off';

/**
 * Compares the replay of entries and chain with just reading the same rows, in alternating rounds, and the whole audit with reading both
 * logs. `url`: a database filled by loadHistory.
 */
export async function measureReplay(url: string, { rounds, log }: Settings): Promise<ReplayFigures> {
  const pool = new pg.Pool({ connectionString: url, max: 6 });
  // Its connections may still be closing when the database is dropped.
  pool.on('error', () => undefined);
  const figures: ReplayFigures = { rows: 0, rounds: [], peaks: { audit: 0, replay: 0 } };
  try {
    for (let i = 1; i <= rounds; i++) {
      // Alternate the order, because the second run finds warmer caches.
      const works = {
        drain: () => drain(pool, [entriesOf({})]),
        replay: async () => whole(await replayLedger(pool, { onAccount: () => undefined })),
        drainAll: () => drain(pool, [entriesOf({}), linesOf({})]),
        audit: async () => whole(await auditLedger(pool)),
      };
      const names = Object.keys(works) as (keyof typeof works)[];
      const round: ReplayRound = { drain: 0, replay: 0, audit: 0, drainAll: 0 };
      for (const name of i % 2 === 0 ? names.reverse() : names) {
        const started = performance.now();
        const rows = await works[name]();
        figures.rows = rows;
        round[name] = (rows * 1000) / (performance.now() - started);
      }
      figures.rounds.push(round);
      log(
        `round ${i}: ${names.map((name) => `${name} ${Math.round(round[name]).toLocaleString('en-US')}/s`).join(' · ')}`,
      );
    }
  } finally {
    await pool.end();
  }
  figures.peaks = { audit: await peakOf('audit', url), replay: await peakOf('replay', url) };
  return figures;
}

/** Reads and discards the rows of all queries in parallel; returns the number of rows of the first. */
async function drain(pool: pg.Pool, selects: string[]): Promise<number> {
  const counts = await Promise.all(
    selects.map(async (select) => {
      const client = await pool.connect();
      await client.query(SETTINGS);
      const stream = client.query(copyTo(`COPY (${select}) TO STDOUT (FORMAT binary)`, { highWaterMark: 1 << 18 }));
      for await (const chunk of stream) void chunk;
      await client.query('COMMIT');
      client.release();
      return stream.rowCount;
    }),
  );
  return counts[0] ?? 0;
}

function whole({ entries, difference }: { entries: number; difference: unknown }): number {
  if (difference) throw new Error(`the bench's own ledger is not whole: ${JSON.stringify(difference)}`);
  return entries;
}

/** Peak MB of a separate process with the heap limit of the operator's command. */
async function peakOf(work: 'audit' | 'replay', url: string): Promise<number> {
  const program = path.join(import.meta.dirname, 'peak-memory.js');
  const flags = process.env['OPERATOR_FLAGS']?.split(' ') ?? [];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, program, work, url]);
  return Number(stdout);
}

export function reportReplay({ rows, rounds, peaks }: ReplayFigures): Report {
  const replay = overRounds(
    ratios(
      rounds,
      (r) => r.replay,
      (r) => r.drain,
    ),
    { name: 'replay with chain ÷ raw binary COPY', kind: 'at least', gate: 0.6, aim: 0.9, unit: '×' },
  );
  const audit = ratios(
    rounds,
    (r) => r.audit,
    (r) => r.drainAll,
  );
  const memory = (['audit', 'replay'] as const).map((work): Target => ({
    name: `peak memory, ${work} of ${rate(rows)} entries`,
    kind: 'below',
    gate: MEGABYTES,
    unit: ' MB',
    found: peaks[work],
  }));
  const text = [
    '',
    `replay of ${rate(rows)} entries with their chain`,
    `  raw binary COPY, entries/s                             ${rate(median(rounds.map((r) => r.drain)))}`,
    `  replay, entries/s                                      ${rate(median(rounds.map((r) => r.replay)))}`,
    `  whole audit ÷ raw COPY of both logs                    ${times(median(audit))}`,
    targetLine(replay),
    ...memory.map(targetLine),
  ].join('\n');
  const json = { rows, rounds, replayRatio: replay.found, auditRatio: median(audit), peakMegabytes: peaks };
  return { text, json, targets: [replay, ...memory] };
}
