import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import pg from 'pg';
import { CommandError } from '../platform/cli-messages.js';
import { formatLsn, parseLsn } from './lsn.js';

/** What `pg` passes to a query of one's own; its types leave these out. */
type Connection = {
  stream: { pause(): void; resume(): void };
  query(sql: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
};
type DataRow = { fields: (string | null)[] };

/** A query that only collects what it is asked for. */
abstract class Submitted {
  readonly rows: (string | null)[][] = [];
  readonly #done = Promise.withResolvers<void>();
  readonly done = this.#done.promise;

  constructor(private readonly sql: string) {
    // Whoever waits for it hears of it; nobody else must.
    this.done.catch(() => undefined);
  }

  submit(connection: Connection): void {
    connection.query(this.sql);
  }
  abstract handleCopyData(message: { chunk: Buffer }, connection: Connection): void;
  handleDataRow({ fields }: DataRow): void {
    this.rows.push(fields);
  }
  handleError(error: unknown): void {
    this.#done.reject(error instanceof Error ? error : new Error(String(error)));
  }
  handleReadyForQuery(): void {
    this.#done.resolve();
  }
  handleRowDescription(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
}

const MEGABYTE = 2 ** 20;
const CODE = { archive: 'n', manifest: 'm', data: 'd', progress: 'p', wal: 'w', keepalive: 'k' } as const;

/** The tar of BASE_BACKUP, written to `to` no faster than it takes it. */
class BaseBackup extends Submitted {
  bytes = 0;
  #archive = '';
  #isPaused = false;

  constructor(
    label: string,
    private readonly to: Writable,
  ) {
    super(`BASE_BACKUP (LABEL '${label}', CHECKPOINT 'fast', WAL true, MANIFEST 'no', WAIT true)`);
  }

  handleCopyData({ chunk }: { chunk: Buffer }, { stream }: Connection): void {
    const kind = String.fromCharCode(chunk[0] ?? 0);
    if (kind === CODE.archive) this.#archive = chunk.toString('utf8', 1, chunk.indexOf(0, 1));
    if (kind === CODE.archive && this.#archive !== 'base.tar')
      this.to.destroy(
        new CommandError({
          zh: `数据库用了表空间（${this.#archive}），备份不支持表空间`,
          en: `The database has a tablespace (${this.#archive}); backups do not support tablespaces.`,
        }),
      );
    if (kind !== CODE.data || this.to.destroyed) return;
    this.bytes += chunk.length - 1;
    // The chunk's memory is used again.
    if (this.to.write(Buffer.from(chunk.subarray(1))) || this.#isPaused) return;
    // What was received together still comes.
    this.#isPaused = true;
    stream.pause();
    this.to.once('drain', () => {
      this.#isPaused = false;
      stream.resume();
    });
  }
}

/** Microseconds from 1970 to 2000, where PostgreSQL's times begin. */
const EPOCH_US = 946_684_800_000_000n;
const toDate = (us: bigint): Date => new Date(Number((us + EPOCH_US) / 1000n));

/** A piece of the log with the server's own end of it at that time. A keepalive has no data. */
export type WalMessage = { start: bigint; data: Buffer; serverEnd: bigint; at: Date };

class WalStream extends Submitted {
  connection: Connection | undefined;
  #waiting = 0;
  #order: Promise<void> = Promise.resolve();

  constructor(
    sql: string,
    private readonly take: (message: WalMessage) => Promise<void>,
    private readonly flushed: () => bigint,
  ) {
    super(sql);
  }

  override submit(connection: Connection): void {
    this.connection = connection;
    super.submit(connection);
  }

  handleCopyData({ chunk }: { chunk: Buffer }, connection: Connection): void {
    const kind = String.fromCharCode(chunk[0] ?? 0);
    if (kind === CODE.wal) {
      const data = Buffer.from(chunk.subarray(25));
      const message = {
        start: chunk.readBigUInt64BE(1),
        data,
        serverEnd: chunk.readBigUInt64BE(9),
        at: toDate(chunk.readBigInt64BE(17)),
      };
      this.#queue(message, connection);
    } else if (kind === CODE.keepalive) {
      const serverEnd = chunk.readBigUInt64BE(1);
      this.#queue(
        { start: serverEnd, data: Buffer.alloc(0), serverEnd, at: toDate(chunk.readBigInt64BE(9)) },
        connection,
      );
      if (chunk[17] === 1) this.confirm();
    }
  }

  /** Tells the server what it need not keep any more. */
  confirm(): void {
    const reply = Buffer.alloc(34);
    reply.write('r');
    const flushed = this.flushed();
    for (const at of [1, 9, 17]) reply.writeBigUInt64BE(flushed, at);
    reply.writeBigInt64BE(BigInt(Date.now()) * 1000n - EPOCH_US, 25);
    this.connection?.sendCopyFromChunk(reply);
  }

  /** One after the other; the server waits while more than a megabyte does. */
  #queue(message: WalMessage, { stream }: Connection): void {
    this.#waiting += message.data.length;
    if (this.#waiting > MEGABYTE) stream.pause();
    this.#order = this.#order
      .then(() => this.take(message))
      .then(() => {
        this.#waiting -= message.data.length;
        if (this.#waiting <= MEGABYTE) stream.resume();
      });
    this.#order.catch((error: unknown) => this.handleError(error));
  }

  settled(): Promise<void> {
    return this.#order;
  }
}

export type Identity = { systemId: string; timeline: number; position: bigint };

/** A connection that speaks PostgreSQL's replication protocol (versions 15 to 18). */
export class Replication {
  readonly #lost = Promise.withResolvers<never>();

  private constructor(private readonly client: pg.Client) {
    this.#lost.promise.catch(() => undefined);
    client.on('error', (error) => this.#lost.reject(error));
    client.on('end', () => this.#lost.reject(new Error('the connection to PostgreSQL has ended')));
  }

  /** Throws CommandError, with what to do, for a login that may not replicate. */
  static async open(url: string): Promise<Replication> {
    const settings = { connectionString: url, replication: 'true', application_name: 'yiqiao-backup', keepAlive: true };
    const client = new pg.Client({ ...settings, connectionTimeoutMillis: 10_000 });
    const replication = new Replication(client);
    try {
      await client.connect();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      // Insufficient privilege, and no line of pg_hba.conf for replication.
      if (code === '42501' || code === '28000')
        throw new CommandError({
          zh: `BACKUP_DATABASE_URL 的用户没有复制权限，或 pg_hba.conf 没有放行复制连接：${(error as Error).message}`,
          en: `The login of BACKUP_DATABASE_URL may not replicate, or pg_hba.conf has no line for replication: ${(error as Error).message}`,
        });
      throw error;
    }
    return replication;
  }

  async identify(): Promise<Identity> {
    const [row] = await this.#rows<{ systemid: string; timeline: string; xlogpos: string }>('IDENTIFY_SYSTEM');
    if (!row) throw new Error('IDENTIFY_SYSTEM has no answer');
    return { systemId: row.systemid, timeline: Number(row.timeline), position: parseLsn(row.xlogpos) };
  }

  async setting(name: 'wal_segment_size' | 'server_version'): Promise<string> {
    const [row] = await this.#rows<Record<string, string>>(`SHOW ${name}`);
    return row?.[name] ?? '';
  }

  /** In bytes. */
  async segmentBytes(): Promise<number> {
    const [, n = '16', unit = 'MB'] = /^(\d+)(MB|GB)$/.exec(await this.setting('wal_segment_size')) ?? [];
    return Number(n) * MEGABYTE * (unit === 'GB' ? 1024 : 1);
  }

  /** How the timeline came about; null for the first. */
  async history(timeline: number): Promise<Buffer | null> {
    if (timeline === 1) return null;
    const [row] = await this.#rows<{ content: string }>(`TIMELINE_HISTORY ${timeline}`);
    return row ? Buffer.from(row.content) : null;
  }

  /** Makes the slot, which keeps the log from now on, unless there is one that still has what it promised. */
  async ensureSlot(name: string): Promise<void> {
    const [slot] = await this.#rows<{ slot_type: string | null; restart_lsn: string | null }>(
      `READ_REPLICATION_SLOT ${name}`,
    );
    if (slot?.slot_type && slot.restart_lsn) return;
    if (slot?.slot_type) await this.#rows(`DROP_REPLICATION_SLOT ${name} WAIT`);
    await this.#rows(`CREATE_REPLICATION_SLOT ${name} PHYSICAL (RESERVE_WAL)`);
  }

  /** Writes a full copy, as a tar with the log that it needs, to `to`. */
  async baseBackup(label: string, to: Writable): Promise<BaseBackupEnds> {
    // Until it is over the server keeps the log that the copy needs.
    await this.#rows(
      `CREATE_REPLICATION_SLOT yiqiao_copy_${randomBytes(6).toString('hex')} TEMPORARY PHYSICAL (RESERVE_WAL)`,
    );
    const backup = new BaseBackup(label, to);
    this.client.query(backup as unknown as pg.Submittable);
    const failed = once(to, 'error').then(([error]) => Promise.reject(error as Error));
    failed.catch(() => undefined);
    await Promise.race([backup.done, failed, this.#lost.promise]);
    to.end();
    const [[startLsn, startTimeline] = [], [stopLsn, stopTimeline] = []] = [backup.rows[0], backup.rows.at(-1)];
    return {
      tarBytes: backup.bytes,
      startLsn: String(startLsn),
      timeline: Number(startTimeline),
      stopLsn: String(stopLsn),
      stopTimeline: Number(stopTimeline),
    };
  }

  /**
   * Streams the log from `from` on to `take`, one message at a time. Ends when the server's timeline has ended, with the next; or, with null, some
   * time after `signal`. `flushed`: the position that is safe.
   */
  async stream(
    { slot, timeline, from }: { slot: string; timeline: number; from: bigint },
    { take, flushed, signal }: WalTaker,
  ): Promise<{ timeline: number; from: bigint } | null> {
    const sql = `START_REPLICATION SLOT ${slot} PHYSICAL ${formatLsn(from)} TIMELINE ${timeline}`;
    const wal = new WalStream(sql, take, flushed);
    this.client.query(wal as unknown as pg.Submittable);
    const connection = (this.client as unknown as { connection: Connection & NodeJS.EventEmitter }).connection;
    // The server answers the end of our half with the end of its own.
    const end = (): void => connection.endCopyFrom();
    connection.once('copyDone', end);
    const confirmations = setInterval(() => wal.connection && wal.confirm(), CONFIRM_MS);
    const stopped = once(signal, 'abort').then(() => null);
    try {
      const ended = Promise.race([wal.done, this.#lost.promise]).then(() => wal.settled());
      if (signal.aborted || (await Promise.race([ended, stopped])) === null) {
        await wal.settled();
        wal.confirm();
        return null;
      }
    } finally {
      clearInterval(confirmations);
      connection.off('copyDone', end);
    }
    const [next, start] = wal.rows[0] ?? [];
    return next && start ? { timeline: Number(next), from: parseLsn(start) } : null;
  }

  async close(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }

  async #rows<T extends object>(sql: string): Promise<T[]> {
    const { rows } = await Promise.race([this.client.query<T>(sql), this.#lost.promise]);
    return rows;
  }
}

/** Often enough for any wal_sender_timeout, which is a minute by default. */
const CONFIRM_MS = 2_000;

type WalTaker = {
  take: (message: WalMessage) => Promise<void>;
  flushed: () => bigint;
  signal: AbortSignal;
};

type BaseBackupEnds = {
  tarBytes: number;
  startLsn: string;
  timeline: number;
  stopLsn: string;
  stopTimeline: number;
};
