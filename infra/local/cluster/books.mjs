// What was acknowledged, compared with the ledger: a witness outside of the database, because an audit cannot miss what was never there.
import { sleep } from '../lifecycle.mjs';
import { query } from './patroni.mjs';
import { operate } from './product.mjs';

const HOLD_TIMEOUT_MS = 120_000;

const KEYS = `
SELECT k.key,
  (SELECT count(*)::int FROM translation_log t WHERE t.cmd_id = k.command_id) AS lines,
  (SELECT count(*)::int FROM account_log a WHERE a.cmd_id = k.command_id) AS entries
FROM idempotency_key k WHERE k.key LIKE $1`;
const LINES = 'SELECT count(*)::int AS lines FROM translation_log';
const HOLDS = 'SELECT count(*)::int AS open FROM ledger_hold WHERE released_at IS NULL';

/** Opens the ledger before a load; `compare` after it says what is lost and what is doubled. */
export async function openBooks(env) {
  const url = env.DATABASE_MIGRATION_URL;
  const [{ lines: before }] = await query(url, LINES);
  return {
    /** @returns {Promise<{lost: number, doubled: number}>} translations */
    async compare({ run, acknowledged }) {
      const rows = await query(url, KEYS, [`${run}-%`]);
      const [{ lines: after }] = await query(url, LINES);
      const found = new Map(rows.map((row) => [row.key, row]));
      const lost = acknowledged.filter((key) => !(found.get(key)?.lines >= 1 && found.get(key)?.entries >= 1)).length;
      const twice = rows.filter(({ lines, entries }) => lines > 1 || entries > 1).length;
      // a second line under another command, of a key that was forgotten in between
      const tooMany = after - before - (acknowledged.length - lost);
      return { lost, doubled: Math.max(twice, tooMany) };
    },
  };
}

/** Waits until nothing is reserved any more; returns how many stayed. */
export async function openHolds(env) {
  for (const deadline = Date.now() + HOLD_TIMEOUT_MS; ; await sleep(1_000)) {
    const [{ open }] = await query(env.DATABASE_MIGRATION_URL, HOLDS);
    if (open === 0 || Date.now() > deadline) return open;
  }
}

/** @returns {Promise<string>} what is wrong; empty if the audit is clean */
export async function audit(cluster) {
  const { code, output } = await operate(cluster, ['ledger', 'audit']);
  return code === 0 ? '' : output.trim().slice(-2_000);
}
