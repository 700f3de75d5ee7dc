import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type ActionRecord, type Actor, appendAction } from '../platform/action-chain.js';
import { Clock } from '../platform/clock.js';

export { actionHash, type ActionRecord, type Actor, FIRST_ACTION_HEAD } from '../platform/action-chain.js';

/** The action log (operators §5): numbered without gaps and chained like the ledger, written in the transaction of the change. */
@Injectable()
export class ActionLog {
  constructor(private readonly clock: Clock) {}

  /** Appends one action in the transaction of `em`; others wait until it ends. */
  record(em: EntityManager, actor: Actor, what: ActionRecord): Promise<number> {
    return appendAction((sql, values) => em.execute(sql, [...values]), actor, { ...what, at: this.clock.now() });
  }
}

/** The action of a backup that somebody has made and recorded. */
export const BACKUP_ACTION = 'backup.record';
/** Of a copy that was restored beside the running system, or could not be. */
export const DRILL_ACTION = 'backup.drill';
/** Of a restored database that was taken into use. */
export const RESTORE_ACTION = 'backup.restore';
