import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { z } from 'zod';
import { liftReadOnly } from '../../ledger/audit-runs/read-only.js';
import { Clock } from '../../platform/clock.js';
import { Live } from '../../platform/live.js';
import { ActionLog } from '../action-log.js';
import { tellOperators } from '../operator-streams.js';
import type { Approved, Asked, RequestCheck, RequestKind, RequestPreview } from '../requests/request-kind.js';

/** Longer than the rest of the transaction of a decision. */
const TELL_MS = 500;

type Closed = { since: Date; what: string; account: number; seq: number | null; audited: string | null };

const LEDGER = { zh: '账本', en: 'Ledger' };
const FAMILY = { zh: '家庭', en: 'Family' };
const READ_ONLY = { zh: '只读', en: 'Read-only' };
const OPEN = { zh: '正常', en: 'Open' };

/** Ends the read-only state of a family after a difference (operators §7). */
@Injectable()
export class LiftReadOnly implements RequestKind<object> {
  readonly kind = 'readOnly.lift';
  readonly targetKind = 'family';
  readonly payload = z.strictObject({});

  constructor(
    private readonly actions: ActionLog,
    private readonly live: Live,
    private readonly clock: Clock,
  ) {}

  async target(em: EntityManager, given: string): Promise<string> {
    if (!/^[1-9]\d{0,14}$/.test(given)) throw new Refusal('NOT_FOUND');
    await closedFamily(em, given);
    return given;
  }

  async preview(em: EntityManager, { target }: Asked<object>): Promise<RequestPreview> {
    const { since, what, account, seq, audited } = await closedFamily(em, target);
    const place = seq === null ? String(account) : `${account}#${seq}`;
    return {
      title: { zh: `解除家庭 #${target} 的只读`, en: `End read-only of family #${target}` },
      subject: null,
      amount: null,
      facts: [
        { label: FAMILY, value: target },
        { label: { zh: '第一处差异', en: 'First difference' }, value: `${place} · ${what}` },
        { label: { zh: '只读自', en: 'Read-only since' }, value: this.clock.toWire(new Date(since)) },
      ],
      changes: [{ label: LEDGER, before: READ_ONLY, after: OPEN }],
      checks: [auditedCheck(audited)],
    };
  }

  async carryOut(em: EntityManager, { target }: Asked<object>, approved: Approved): Promise<void> {
    const familyId = Number(target);
    if (!(await liftReadOnly((sql, values) => em.execute(sql, [...values]), familyId)))
      throw new Refusal('FAMILY_NOT_READ_ONLY');
    await this.actions.record(em, approved.actor, {
      action: this.kind,
      target: { kind: this.targetKind, id: target },
      reason: approved.reason,
      approvalId: approved.approvalId,
    });
    // Read before the commit, it would still be there.
    setTimeout(() => void tellOperators(this.live, 'readOnly', { familyId }), TELL_MS).unref();
  }
}

/**
 * Throws FAMILY_NOT_READ_ONLY. `audited`: how the last audit since then that covers the family has ended; only a full one can say that it
 * is whole.
 */
async function closedFamily(em: EntityManager, familyId: string): Promise<Closed> {
  // Raw: it belongs to the ledger and has no entity.
  const [closed] = await em.execute<Closed[]>(
    `SELECT r.since, r.what, r.account, r.seq, (
       SELECT a.state FROM audit_run a WHERE a.state IN ('whole', 'different') AND a.started_at > r.since
         AND (a.depth = 'full' OR a.state = 'different')
         AND (a.scope = 'all' OR a.scope = 'family' AND a.user_id IN (SELECT user_id FROM member_account WHERE family_id = r.family_id))
       ORDER BY a.id DESC LIMIT 1) AS audited
     FROM family_read_only r WHERE r.family_id = ? AND r.lifted_at IS NULL`,
    [familyId],
  );
  if (!closed) throw new Refusal('FAMILY_NOT_READ_ONLY');
  return closed;
}

const auditedCheck = (state: string | null): RequestCheck => {
  if (state === 'whole')
    return {
      state: 'met',
      text: { zh: '之后的完整核对：没有差异', en: 'A full audit since then found the family whole' },
    };
  return {
    state: 'unmet',
    text:
      state === null
        ? { zh: '之后还没有完整核对过这个家庭', en: 'The family has not been audited in full since' }
        : { zh: '之后的核对仍有差异', en: 'An audit since then still found a difference' },
  };
};
