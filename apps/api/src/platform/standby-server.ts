import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Config } from './config.js';
import { openPool, standbyConnection } from './database.js';
import { within } from './health-parts.js';

/**
 * `away`: it does not answer. `behind`: by more than STANDBY_LAG_SECONDS. `foreign`: it is the standby of another cluster, or none any more, so what it
 * says may differ from the primary for ever.
 */
export type StandbyProblem = 'away' | 'behind' | 'foreign' | null;
/** `lagSeconds`: the age of the newest commit that it shows; 0 when it shows every one, null when it is not known. */
export type StandbyState = { problem: StandbyProblem; lagSeconds: number | null };

/** Asks the primary; rejects when it is away. */
export type AskPrimary = <T>(sql: string) => Promise<T[]>;

/** A standby that answers later than this counts as away, and is then left alone for a while. */
const PATIENCE_MS = 1_000;
const KEEP_MS = 1_000;
const RETRY_MS = 5_000;
const POLL_MS = 10;

/**
 * The hot standby of STANDBY_DATABASE_URL: whether it can be read from instead of the primary. It must be ONE server, because an audit shares a
 * snapshot between connections and a download goes on from page to page.
 */
export class StandbyServer {
  #last: { state: StandbyState; at: number } | undefined;
  #checking: Promise<StandbyState> | undefined;
  #probe: pg.Pool | undefined;

  constructor(
    protected readonly config: Config,
    private readonly role: string,
    private readonly askPrimary: AskPrimary,
  ) {}

  get isSet(): boolean {
    return this.config.env.STANDBY_DATABASE_URL !== undefined;
  }

  /** Null without the setting. Never rejects; at most a second old, or five while there is a problem. */
  async state(): Promise<StandbyState | null> {
    if (!this.isSet) return null;
    const keep = this.#last?.state.problem === null ? KEEP_MS : RETRY_MS;
    if (this.#last && performance.now() - this.#last.at < keep) return this.#last.state;
    this.#checking ??= this.#check().finally(() => (this.#checking = undefined));
    return (await within(PATIENCE_MS, this.#checking)) ?? this.lost();
  }

  /**
   * Whether it shows everything that was committed before this call: asks what the primary has written, and waits for it for STANDBY_WAIT_MS. False
   * when the standby must not be used now.
   */
  async hasCaughtUp(): Promise<boolean> {
    if ((await this.state())?.problem !== null) return false;
    const end = performance.now() + this.config.env.STANDBY_WAIT_MS;
    const [written] = await this.askPrimary<{ lsn: string }>(WRITTEN);
    try {
      for (;;) {
        const shown = await within(PATIENCE_MS, this.#ask<{ shows: boolean }>(shows(written?.lsn ?? '')));
        if (shown === null) throw new Error('the standby does not answer');
        if (shown[0]?.shows === true) return true;
        if (performance.now() >= end) return false;
        await sleep(POLL_MS);
      }
    } catch {
      this.lost();
      return false;
    }
  }

  /** Connections to it if it has caught up, else null. Its owner ends the pool. */
  async pool(name: string, max: number): Promise<pg.Pool | null> {
    if (!(await this.hasCaughtUp())) return null;
    return openPool({ ...standbyConnection(this.config, name, this.role), max });
  }

  /** Notes that it did not answer: until it is asked again, the primary is. */
  lost(): StandbyState {
    const state: StandbyState = { problem: 'away', lagSeconds: null };
    this.#last = { state, at: performance.now() };
    return state;
  }

  async close(): Promise<void> {
    await this.#probe?.end();
    this.#probe = undefined;
  }

  async #check(): Promise<StandbyState> {
    const state = await this.#read().catch((): StandbyState => ({ problem: 'away', lagSeconds: null }));
    this.#last = { state, at: performance.now() };
    return state;
  }

  async #read(): Promise<StandbyState> {
    const [there] = await this.askPrimary<Primary>(PRIMARY);
    if (!there) throw new Error('the primary does not answer');
    const [here] = await this.#ask<Here>(
      `SELECT pg_is_in_recovery() AS "isStandby", ${SYSTEM} AS system, ${shown(there.lsn)} AS shows,
         extract(epoch FROM pg_last_xact_replay_timestamp())::float8 AS "replayedAt"`,
    );
    if (!here) throw new Error('the standby does not answer');
    if (!here.isStandby || here.system !== there.system) return { problem: 'foreign', lagSeconds: null };
    if (here.shows === true) return { problem: null, lagSeconds: 0 };
    const lagSeconds = here.replayedAt === null ? null : Math.max(0, there.now - here.replayedAt);
    const isBehind = lagSeconds === null || lagSeconds > this.config.env.STANDBY_LAG_SECONDS;
    return { problem: isBehind ? 'behind' : null, lagSeconds };
  }

  async #ask<T extends object>(sql: string): Promise<T[]> {
    if (!this.#probe) {
      const connection = standbyConnection(this.config, 'yiqiao-standby', this.role);
      this.#probe = openPool({
        ...connection,
        connectionTimeoutMillis: PATIENCE_MS,
        statement_timeout: PATIENCE_MS,
        max: 2,
      });
    }
    const { rows } = await this.#probe.query<T>(sql);
    return rows;
  }
}

type Primary = { lsn: string; now: number; system: string };
type Here = { isStandby: boolean; system: string; shows: boolean | null; replayedAt: number | null };

// A cluster has the same identifier on each of its servers.
const SYSTEM = '(SELECT system_identifier::text FROM pg_control_system())';
const WRITTEN = 'SELECT pg_current_wal_lsn()::text AS lsn';
const PRIMARY = `
SELECT pg_current_wal_lsn()::text AS lsn, extract(epoch FROM clock_timestamp())::float8 AS now, ${SYSTEM} AS system`;

/** `lsn` comes from the primary: only its own letters go into a statement. */
const shown = (lsn: string): string => `pg_last_wal_replay_lsn() >= '${lsn.replaceAll(/[^0-9A-F/]/gi, '')}'::pg_lsn`;
const shows = (lsn: string): string => `SELECT ${shown(lsn)} AS shows`;
