/**
 * Replay, audit and log pages on a ledger of BENCH_ROWS entries (a million; 10000000 for the figures of docs/performance.md).
 * Needs DATABASE_URL (a superuser's). BENCH_DATABASE names a ledger that was laid before and is kept; otherwise one is made and dropped.
 */
import pg from 'pg';
import { layHistory } from './history-ground.js';
import { measurePages, reportPages } from './pages.js';
import { measureReplay, reportReplay } from './replay.js';
import type { Findings, Setting } from './verdicts.js';

export async function benchLogs(setting: Setting): Promise<Findings> {
  const { server, say } = setting;
  const rows = Number(process.env['BENCH_ROWS'] ?? 1_000_000);
  const kept = process.env['BENCH_DATABASE'];
  const name = kept ?? `bench_logs_${process.pid}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  const admin = new pg.Client(server);
  await admin.connect();
  try {
    const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (!rowCount) {
      say(`laying a ledger of ${rows.toLocaleString('en-US')} entries …`);
      await layHistory(url.href, rows, say);
    }
    const replay = await measureReplay(url.href, setting);
    const replayed = reportReplay(replay);
    say('log pages …');
    const pages = reportPages(replay.rows, await measurePages(url.href, replay.rows));
    return {
      text: `${replayed.text}\n${pages.text}`,
      json: { replay: replayed.json, pages: pages.json },
      targets: [...replayed.targets, ...pages.targets],
    };
  } finally {
    if (!kept) await admin.query(`DROP DATABASE IF EXISTS ${admin.escapeIdentifier(name)} WITH (FORCE)`);
    await admin.end();
  }
}
