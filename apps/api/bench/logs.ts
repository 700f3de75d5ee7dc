/**
 * Replay, audit and log pages on a ledger of BENCH_ROWS entries (a million; 10000000 for the figures of docs/performance.md).
 * Needs DATABASE_URL (a superuser's). BENCH_DATABASE names a ledger that is kept and reused; otherwise one is created and dropped.
 */
import pg from 'pg';
import { loadHistory } from './history-fixture.js';
import { measurePages, reportPages } from './pages.js';
import { measureReplay, reportReplay } from './replay.js';
import type { Report, Settings } from './targets.js';

export async function benchLogs(settings: Settings): Promise<Report> {
  const { server, log } = settings;
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
      log(`loading a ledger of ${rows.toLocaleString('en-US')} entries …`);
      await loadHistory(url.href, rows, log);
    }
    const replay = await measureReplay(url.href, settings);
    const replayed = reportReplay(replay);
    log('log pages …');
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
