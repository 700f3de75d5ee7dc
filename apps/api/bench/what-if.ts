/** What-if of a month (operators §8), beside an audit of the same entries. */
import { emptyTally, isSound } from '@yiqiao/domain/what-if-tally';
import pg from 'pg';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { replayWhatIf } from '../src/ledger/what-if/replay-what-if.js';
import { withHistory } from './history-fixture.js';
import { overRounds, rate, type Settings, some, type Target, targetLine } from './targets.js';

const TRANSLATIONS = 1_000_000;
const DAYS = 30;
/** Every price of these changes. */
const CHANGES = { channels: { 1: 45, 6: 96 }, plans: { 4: { salePrice: 41_800, num: 11_000_000 } } };

/** Entries per second of a what-if with changes, divided by those of the audit. */
export function measureWhatIf(settings: Settings): Promise<Target> {
  const size = { rows: some(TRANSLATIONS, settings.scale), days: DAYS };
  return withHistory(settings, size, (url) => compare(url, settings), '');
}

async function compare(url: string, { rounds, log }: Settings): Promise<Target> {
  const pool = new pg.Pool({ connectionString: url, max: 6 });
  // Its connections may still be closing when the database is dropped.
  pool.on('error', () => undefined);
  const found: number[] = [];
  try {
    for (let i = 0; i < rounds; i++) {
      const works = { audit: () => audit(pool), whatIf: () => whatIf(pool) };
      const names = ['audit', 'whatIf'] as const;
      const perSecond = { audit: 0, whatIf: 0 };
      // Alternate the order, because the second one finds warmer caches.
      for (const name of i % 2 === 0 ? names : names.toReversed()) {
        const begun = performance.now();
        const entries = await works[name]();
        perSecond[name] = (entries * 1_000) / (performance.now() - begun);
      }
      found.push(perSecond.whatIf / perSecond.audit);
      log(`what-if ${i + 1}: ${rate(perSecond.whatIf)}/s, audit ${rate(perSecond.audit)}/s`);
    }
  } finally {
    await pool.end();
  }
  const target = overRounds(found, {
    name: "what-if of a month ÷ the audit's rate",
    kind: 'at least',
    gate: 0.5,
    unit: '×',
  });
  log(targetLine(target));
  return target;
}

async function audit(pool: pg.Pool): Promise<number> {
  const { entries, difference } = await auditLedger(pool);
  if (difference) throw new Error(`the bench's own ledger is not whole: ${JSON.stringify(difference)}`);
  return entries;
}

async function whatIf(pool: pg.Pool): Promise<number> {
  const tally = emptyTally();
  await replayWhatIf(pool, { span: { from: 0, to: Date.now(), after: 0 }, changes: CHANGES, tally });
  if (!isSound(tally)) throw new Error(`the bench's own month is not sound: ${JSON.stringify(tally.differences[0])}`);
  return tally.entries;
}
