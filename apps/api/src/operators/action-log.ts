import { hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { lockKey } from '../platform/database.js';

/** Who acts: an operator in a session, the command line of a system user, or the product itself. */
export type Actor = {
  /** The operator's name, `cli:<system user>` or `system`. */
  readonly actor: string;
  readonly ip?: string;
  /** The first digits of the session's digest. */
  readonly session?: string;
  readonly requestId?: string;
};

/** `before` and `after` hold only what changed, and never a secret. */
export type ActionRecord = {
  readonly action: string;
  readonly target?: { readonly kind: string; readonly id: string };
  readonly before?: object | null;
  readonly after?: object | null;
  readonly reason?: string | null;
  /** The approved request that it carries out. */
  readonly approvalId?: number;
  /** The command whose ledger entries it made. */
  readonly cmdId?: string;
};

/** The hash before the first action. */
export const FIRST_ACTION_HEAD = '0'.repeat(64);

/** The link of an action in the chain, in hex. */
export const actionHash = (head: string, body: string): string =>
  hash('sha256', Buffer.concat([Buffer.from(head, 'hex'), Buffer.from(body)]), 'hex');

/** The action log (operators §5): numbered without gaps and chained like the ledger, written in the transaction of the change. */
@Injectable()
export class ActionLog {
  constructor(private readonly clock: Clock) {}

  /** Appends one action in the transaction of `em`; others wait until it ends. Raw: the columns are generated from the body. */
  async record(em: EntityManager, { actor, ...from }: Actor, what: ActionRecord): Promise<number> {
    await lockKey(em, 'operator actions');
    const [last] = await em.execute<{ n: number; hash: string }[]>(
      `SELECT n, encode(hash, 'hex') AS hash FROM operator_action ORDER BY n DESC LIMIT 1`,
    );
    const n = (last?.n ?? 0) + 1;
    const body = JSON.stringify({ n, at: this.clock.now().getTime(), actor, ...what, ...from });
    const link = actionHash(last?.hash ?? FIRST_ACTION_HEAD, body);
    await em.execute(`INSERT INTO operator_action (n, body, hash) VALUES (?, ?, decode(?, 'hex'))`, [n, body, link]);
    return n;
  }
}
