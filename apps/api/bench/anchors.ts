/** The audit since the anchors beside the full one, with one entry in a hundred after the anchors (docs/decisions/0067). */
import { generateKeyPairSync } from 'node:crypto';
import { FIRST_CLOSE } from '@yiqiao/domain/closes';
import pg from 'pg';
import { auditLedger, type AuditResult, type Depth } from '../src/ledger/audit/audit.js';
import { CloseKeys } from '../src/ledger/closes/close-keys.js';
import { sha256 } from '../src/ledger/closes/close-rows.js';
import { loadConfig } from '../src/platform/config.js';
import { median, overRounds, rate, ratios, type Report, type Settings, targetLine } from './targets.js';

const NEW_SHARE = 0.01;
const NOWHERE = { REDIS_URL: 'redis://none', SMTP_URL: 'smtp://none', APP_SECRET: '0'.repeat(64) };

/** In seconds. */
type Round = { full: number; anchors: number };
export type AnchorFigures = { accounts: number; entries: number; fresh: number; making: number; rounds: Round[] };

/** `url`: a database filled by loadHistory. Makes one close in it, and from that the anchors. */
export async function measureAnchors(url: string, { rounds, log }: Settings): Promise<AnchorFigures> {
  const { privateKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const keys = new CloseKeys(loadConfig({ ...NOWHERE, DATABASE_URL: url, CLOSE_SIGNING_KEY: privateKey }));
  const pool = new pg.Pool({ connectionString: url, max: 6 });
  // Its connections may still be closing when the database is dropped.
  pool.on('error', () => undefined);
  const audit = async (depth: Depth): Promise<AuditResult & { seconds: number }> => {
    const begun = performance.now();
    const result = await auditLedger(pool, { depth, anchors: { keys, store: pool } });
    const { difference } = result;
    if (difference) throw new Error(`the bench's own ledger is not whole: ${JSON.stringify(difference)}`);
    return { ...result, seconds: (performance.now() - begun) / 1_000 };
  };
  try {
    await makeClose(pool, keys);
    const making = await audit('full');
    await pool.query('ANALYZE account_anchor');
    const figures: AnchorFigures = {
      accounts: making.accounts,
      entries: making.entries,
      fresh: 0,
      making: making.seconds,
      rounds: [],
    };
    for (let i = 1; i <= rounds; i++) {
      const round: Round = { full: 0, anchors: 0 };
      // Alternate the order, because the second one finds warmer caches.
      for (const depth of i % 2 === 0 ? (['anchors', 'full'] as const) : (['full', 'anchors'] as const)) {
        const { seconds, entries } = await audit(depth);
        round[depth] = seconds;
        if (depth === 'anchors') figures.fresh = entries;
      }
      figures.rounds.push(round);
      log(`round ${i}: full ${round.full.toFixed(2)} s · since the anchors ${round.anchors.toFixed(2)} s`);
    }
    return figures;
  } finally {
    await pool.end();
  }
}

/** A close as the worker would have made it when 99 of 100 entries were written, but for its books. */
export async function makeClose(pool: pg.Pool, keys: CloseKeys): Promise<void> {
  await pool.query('TRUNCATE account_anchor, account_archive, cold_file, anchor_batch');
  const client = await pool.connect();
  try {
    await client.query(
      `SET session_replication_role = replica; DELETE FROM close_leaf; DELETE FROM close_account; DELETE FROM ledger_close`,
    );
    const { rows } = await client.query<{ at: Date }>(
      `SELECT created_at AS at FROM account_log ORDER BY created_at
       OFFSET (SELECT floor(count(*) * ${1 - NEW_SHARE}) FROM account_log) LIMIT 1`,
    );
    const cutAt = rows[0]?.at ?? new Date();
    await client.query(
      `INSERT INTO close_account (user_id, leaf, account_key)
       SELECT user_id, row_number() OVER (ORDER BY user_id) - 1, sha256(int8send(user_id)) FROM member_account WHERE entry_seq > 0`,
    );
    await client.query(
      `INSERT INTO close_leaf (user_id, n, seq, head) SELECT a.user_id, 1, e.seq, e.hash FROM member_account a CROSS JOIN LATERAL (
         SELECT seq, hash FROM account_log WHERE user_id = a.user_id AND created_at < $1 ORDER BY seq DESC LIMIT 1) e`,
      [cutAt],
    );
    const date = cutAt.toISOString().slice(0, 10);
    const root = sha256('bench');
    const books = sha256('{}');
    const figures = { number: 1, date, cutAt: cutAt.toISOString(), entries: 0, accounts: 1, previous: FIRST_CLOSE };
    const close = keys.signer?.({ ...figures, root, books });
    if (!close) throw new Error('the bench has no key');
    await client.query(
      `INSERT INTO ledger_close (n, date, cut_at, entries, accounts, root, books, changed, previous, public_key, signature)
       VALUES (1, $1, $2, 0, 1, decode($3, 'hex'), '{}', '', decode($4, 'hex'), decode($5, 'hex'), decode($6, 'hex'))`,
      [date, cutAt, root, FIRST_CLOSE, close.publicKey, close.signature],
    );
    await client.query('ANALYZE close_leaf; ANALYZE close_account');
  } finally {
    await client.query('RESET session_replication_role');
    client.release();
  }
}

export function reportAnchors({ accounts, entries, fresh, making, rounds }: AnchorFigures): Report {
  const target = overRounds(
    ratios(
      rounds,
      (r) => r.anchors,
      (r) => r.full,
    ),
    { name: 'audit since the anchors ÷ full audit', kind: 'at most', gate: 0.1, unit: '×' },
  );
  const text = [
    '',
    `audit of ${rate(entries)} entries in ${rate(accounts)} accounts, ${rate(fresh)} since the anchors`,
    `  full, which makes the anchors                          ${making.toFixed(2)} s`,
    `  full                                                   ${median(rounds.map((r) => r.full)).toFixed(2)} s`,
    `  since the anchors                                      ${median(rounds.map((r) => r.anchors)).toFixed(2)} s`,
    targetLine(target),
  ].join('\n');
  return { text, json: { accounts, entries, fresh, making, rounds, ratio: target.found }, targets: [target] };
}
