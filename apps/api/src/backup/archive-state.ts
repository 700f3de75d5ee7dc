import type { EntityManager } from '@mikro-orm/postgresql';
import { SLOT } from './wal-archive.js';

/** How far the archive of the log is, as PostgreSQL knows it. Positions are bytes since the log began. */
export type ArchiveState = {
  isConnected: boolean;
  written: number;
  /** What the archive has confirmed, which it does once it is stored; null: the server has removed what it needs next. */
  stored: number | null;
};

const STATE = `
SELECT active AS "isConnected", pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::float8 AS written,
  pg_wal_lsn_diff(restart_lsn, '0/0')::float8 AS stored
FROM pg_replication_slots WHERE slot_name = ? AND slot_type = 'physical' AND NOT pg_is_in_recovery()`;

/** Null where nobody has ever archived: there is no slot for it. */
export async function readArchive(em: EntityManager): Promise<ArchiveState | null> {
  const [state] = await em.execute<ArchiveState[]>(STATE, [SLOT]);
  return state ?? null;
}

/** Null without a place to go on from. */
export const bytesBehind = ({ written, stored }: ArchiveState): number | null =>
  stored === null ? null : Math.max(0, written - stored);

/** Since when something that was written has waited for the archive, as far as somebody looked. */
export class ArchiveAge {
  /** It has waited since; everything before it is stored. */
  #waiting: { written: number; at: number } | undefined;

  seconds({ written, stored }: ArchiveState, now = performance.now()): number {
    const waiting = this.#waiting;
    // A server that took over may be behind what the one before it had written.
    if (waiting && waiting.written <= written && (stored === null || stored < waiting.written))
      return (now - waiting.at) / 1_000;
    this.#waiting = { written, at: now };
    return 0;
  }
}
