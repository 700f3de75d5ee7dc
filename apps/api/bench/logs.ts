/**
 * Replay, audit and log pages on a ledger of BENCH_ROWS entries (a million; 10000000 for the figures of docs/performance.md).
 * Needs DATABASE_URL (a superuser's). BENCH_DATABASE names a ledger that is kept and reused; otherwise one is created and dropped.
 */
import { measureAnchors, reportAnchors } from './anchors.js';
import { measureArchive, reportArchive } from './archive.js';
import { YEAR_DAYS } from './history.js';
import { withHistory } from './history-fixture.js';
import { measurePages, reportPages } from './pages.js';
import { measureReplay, reportReplay } from './replay.js';
import type { Report, Settings } from './targets.js';

export function benchLogs(settings: Settings): Promise<Report> {
  const rows = Number(process.env['BENCH_ROWS'] ?? 1_000_000);
  return withHistory(settings, { rows, days: YEAR_DAYS }, async (url) => {
    const replay = await measureReplay(url, settings);
    const replayed = reportReplay(replay);
    settings.log('audit since the anchors …');
    const anchors = reportAnchors(await measureAnchors(url, settings));
    settings.log('log pages …');
    const pages = reportPages(replay.rows, await measurePages(url, replay.rows));
    settings.log('cold files …');
    const archive = reportArchive(await measureArchive(url, settings));
    return {
      text: [replayed, anchors, pages, archive].map(({ text }) => text).join('\n'),
      json: { replay: replayed.json, anchors: anchors.json, pages: pages.json, archive: archive.json },
      targets: [...replayed.targets, ...anchors.targets, ...pages.targets],
    };
  });
}
