import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { auditLedger } from '../src/ledger/audit.js';
import { entriesOf, linesOf } from '../src/ledger/audit-rows.js';
import { replayLedger } from '../src/ledger/replay-at.js';

/** One round, entries per second each. `drain`: the same rows by the same COPY, read and thrown away by the same process. */
export type ReplayRound = { drain: number; replay: number; audit: number; drainAll: number };
export type ReplayFigures = { rows: number; rounds: ReplayRound[]; peakMegabytes: number };

// As the product reads them.
const SETTINGS = 'BEGIN READ ONLY; SET LOCAL enable_sort = off; SET LOCAL jit = off';

/**
 * Replaying entries and chain against reading the same rows and doing nothing, in alternated rounds; and the whole audit, which reads the
 * translation log too, against reading both logs. `url`: a database that layHistory has filled.
 */
export async function measureReplay(url: string, rounds: number, say: (text: string) => void): Promise<ReplayFigures> {
  const pool = new pg.Pool({ connectionString: url, max: 5 });
  const figures: ReplayFigures = { rows: 0, rounds: [], peakMegabytes: 0 };
  try {
    for (let i = 1; i <= rounds; i++) {
      // Turn by turn the other way round: whoever comes second finds warmer memory.
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
      say(
        `round ${i}: ${names.map((name) => `${name} ${Math.round(round[name]).toLocaleString('en-US')}/s`).join(' · ')}`,
      );
    }
  } finally {
    await pool.end();
  }
  figures.peakMegabytes = await peakOfAudit(url);
  return figures;
}

/** Reads what these answer, side by side, and throws it away; answers the rows of the first. */
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

async function peakOfAudit(url: string): Promise<number> {
  const program = path.join(import.meta.dirname, 'audit-once.js');
  const { stdout } = await promisify(execFile)(process.execPath, [program, url]);
  return Number(stdout);
}

/** What the plan asks for. */
const TARGETS = { ratio: 0.6, megabytes: 200 };

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
const verdict = (met: boolean): string => (met ? 'met' : 'MISSED');

export function reportReplay({ rows, rounds, peakMegabytes }: ReplayFigures): { text: string; json: unknown } {
  const replay = rounds.map((r) => r.replay / r.drain);
  const audit = rounds.map((r) => r.audit / r.drainAll);
  const list = (ratios: number[]): string =>
    `${median(ratios).toFixed(2)} [${ratios.map((n) => n.toFixed(2)).join(' ')}]`;
  const text = [
    '',
    `replay of ${rows.toLocaleString('en-US')} entries with their chain`,
    `  entries/s, replay                                    ${Math.round(median(rounds.map((r) => r.replay))).toLocaleString('en-US')}`,
    `  replay ÷ raw binary COPY (target ≥ ${TARGETS.ratio})               ${list(replay)}  ${verdict(median(replay) >= TARGETS.ratio)}`,
    `  whole audit ÷ raw COPY of both logs                  ${list(audit)}`,
    `  memory of an audit's process, MB (target < ${TARGETS.megabytes})              ${peakMegabytes}  ${verdict(peakMegabytes < TARGETS.megabytes)}`,
  ].join('\n');
  return {
    text,
    json: { rows, rounds, replayRatio: median(replay), auditRatio: median(audit), peakMegabytes, targets: TARGETS },
  };
}
