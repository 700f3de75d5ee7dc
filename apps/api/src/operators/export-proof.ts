import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { EntityManager } from '@mikro-orm/postgresql';
import { Logger } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import type pg from 'pg';
import { writeExport } from '../ledger/export/write-export.js';
import { Clock } from '../platform/clock.js';
import { ConcurrencyLimiter } from '../platform/concurrency-limiter.js';
import { Config } from '../platform/config.js';
import { appConnection, openPool, OPERATOR_ROLE } from '../platform/database.js';
import { FileAnswer } from '../platform/file-answer.js';
import { serializeError } from '../platform/logger.js';
import { RateLimits } from '../platform/rate-limits.js';
import { Standby } from '../platform/standby.js';
import { ActionLog, type Actor } from './action-log.js';
import { type CurrentOperator, OperatorSessions } from './operator-sessions.js';

/** Exports the proof of an account (operators §3), once it has been found whole. Throws NOT_FOUND, PROOF_OFF. */
export class ExportProof extends Command<FileAnswer> {
  constructor(
    readonly userId: number,
    readonly operator: CurrentOperator,
    readonly actor: Actor,
  ) {
    super();
  }
}

/** A client that takes nothing for so long is gone: the snapshot that it keeps open costs the database. */
const SLOW_MS = 60_000;
/** Of the snapshot. */
const CONNECTIONS = 2;

@CommandHandler(ExportProof)
export class ExportProofHandler implements ICommandHandler<ExportProof> {
  readonly #log = new Logger('ExportProof');
  // Each replays an account in this process.
  readonly #exports = new ConcurrencyLimiter({ width: 2, queue: 20 });

  constructor(
    private readonly em: EntityManager,
    private readonly config: Config,
    private readonly standby: Standby,
    private readonly clock: Clock,
    private readonly rates: RateLimits,
    private readonly sessions: OperatorSessions,
    private readonly actions: ActionLog,
  ) {}

  /** Answers as soon as the account is proven; the place among the exports is free again once the file is sent. */
  async execute(command: ExportProof): Promise<FileAnswer> {
    await this.rates.take('exports', this.sessions.downloader(command.operator).key);
    await this.#refuseReadOnly(command.userId);
    const answered = Promise.withResolvers<FileAnswer>();
    this.#exports.run(() => this.#export(command, answered.resolve)).catch(answered.reject);
    return answered.promise;
  }

  async #refuseReadOnly(userId: number): Promise<void> {
    const [account] = await this.em
      .fork()
      .execute<{ readOnly: boolean }[]>('SELECT read_only AS "readOnly" FROM member_account WHERE user_id = ?', [
        userId,
      ]);
    if (!account) throw new Refusal('NOT_FOUND');
    if (account.readOnly) throw new Refusal('PROOF_OFF');
  }

  /** Replays the account once to see whether it is whole, and a second time for the file: it may be too long to be kept meanwhile. */
  async #export({ userId, actor }: ExportProof, answer: (file: FileAnswer) => void): Promise<void> {
    const pool = (await this.standby.pool('yiqiao-proof', CONNECTIONS)) ?? this.#primary();
    try {
      const { entries, head, difference } = await writeExport(pool, { userId }, () => Promise.resolve());
      if (difference) throw new Refusal('PROOF_OFF');
      const target = { kind: 'member', id: String(userId) };
      await this.em
        .fork()
        .transactional((em) =>
          this.actions.record(em, actor, { action: 'proof.export', target, after: { entries, head } }),
        );
      const file = new PassThrough();
      const name = `ledger-proof-${userId}-${this.clock.day(this.clock.now())}.json`;
      answer(new FileAnswer({ name, type: 'application/json' }, file));
      await this.#send(pool, userId, file);
    } finally {
      await pool.end();
    }
  }

  #primary(): pg.Pool {
    return openPool({ ...appConnection(this.config, 'yiqiao-proof', OPERATOR_ROLE), max: CONNECTIONS });
  }

  /** An error breaks the connection: a truncated file must not look complete. */
  async #send(pool: pg.Pool, userId: number, to: PassThrough): Promise<void> {
    const gone = new AbortController();
    to.once('close', () => gone.abort());
    try {
      const { difference } = await writeExport(pool, { userId }, async (part) => {
        if (to.destroyed) throw new Error('the client has gone');
        if (to.write(part)) return;
        await once(to, 'drain', { signal: AbortSignal.any([gone.signal, AbortSignal.timeout(SLOW_MS)]) });
      });
      if (difference) throw new Error('the account has been changed meanwhile');
      to.end();
    } catch (error) {
      this.#log.warn({ msg: 'a proof was not sent whole', userId, error: serializeError(error) });
      to.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
