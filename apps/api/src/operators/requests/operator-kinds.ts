import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { OPERATOR_ROLES, operatorRoles, type OperatorRole } from '@yiqiao/domain/operators';
import { z } from 'zod';
import { Clock } from '../../platform/clock.js';
import { lockKey } from '../../platform/database.js';
import { Manager } from '../../platform/manager-actions.js';
import { ActionLog } from '../action-log.js';
import { OperatorAccount, OperatorEnrolment, OperatorPasskey } from '../operator.entity.js';
import { OperatorSessions } from '../operator-sessions.js';
import { findOperator } from '../sign-in.js';
import type { Approved, Asked, RequestCheck, RequestKind, RequestPreview } from './request-kind.js';

const ROLE = { zh: '角色', en: 'Role' };
const SESSIONS = { zh: '会话', en: 'Sessions' };
const STATE = { zh: '状态', en: 'State' };
const ACTIVE = { zh: '启用', en: 'Active' };
const ENDED = { zh: '停用', en: 'Ended' };

/** By name or by id. */
async function operatorNamed(em: EntityManager, given: string): Promise<string> {
  const byName = await findOperator(em, given);
  const byId = /^\d{1,15}$/.test(given) ? await em.findOne(OperatorAccount, { id: Number(given) }) : null;
  const found = byName ?? byId;
  if (!found) throw new Refusal('NOT_FOUND');
  return found.name;
}

/** The operator, locked if it is to be changed. Refuses one that has ended. */
async function activeOperator(em: EntityManager, name: string, lockMode: LockMode): Promise<OperatorAccount> {
  const operator = await em.findOne(OperatorAccount, { name }, { lockMode, disableIdentityMap: true });
  if (!operator) throw new Refusal('NOT_FOUND');
  if (operator.disabledAt) throw new Refusal('OPERATOR_ENDED');
  return operator;
}

/** How many other owners can sign in; refuses to take the last one away. */
async function otherOwners(em: EntityManager, { id, role }: OperatorAccount): Promise<number> {
  const others = await em.count(OperatorAccount, {
    id: { $ne: id },
    role: 'owner',
    disabledAt: null,
    enrolledAt: { $ne: null },
  });
  if (role === 'owner' && others === 0) throw new Refusal('LAST_OWNER');
  return others;
}

/** One change of roles at a time, so that the last two owners cannot take each other away. */
const lockRoles = (em: EntityManager): Promise<void> => lockKey(em, 'operator roles');

const ownersLeft = (others: number): RequestCheck => ({
  state: 'met',
  text: { zh: `还有 ${others} 位所有者`, en: `${others} other owners remain` },
});

const signedOutAtOnce: RequestCheck = {
  state: 'note',
  text: { zh: '批准后该操作员的所有会话立即结束', en: 'All sessions of this operator end at once' },
};

/** Another role for an operator. */
@Injectable()
export class ChangeOperatorRole implements RequestKind<{ role: OperatorRole }> {
  readonly kind = 'operator.changeRole';
  readonly targetKind = 'operator';
  readonly payload = z.strictObject({ role: z.enum(operatorRoles, { error: 'WRONG_VALUE' }) });
  readonly target = operatorNamed;

  constructor(
    private readonly actions: ActionLog,
    private readonly sessions: OperatorSessions,
  ) {}

  async preview(em: EntityManager, asked: Asked<{ role: OperatorRole }>): Promise<RequestPreview> {
    const { target, payload } = asked;
    const operator = await this.#changeable(em, asked, LockMode.NONE);
    const [was, will] = [OPERATOR_ROLES[operator.role], OPERATOR_ROLES[payload.role]];
    const others = await otherOwners(em, operator);
    return {
      title: { zh: `改角色：${was.zh} → ${will.zh}`, en: `Role: ${was.en} → ${will.en}` },
      subject: { zh: target, en: target },
      amount: null,
      facts: [
        { label: { zh: '操作员', en: 'Operator' }, value: target },
        { label: { zh: '新角色', en: 'New role' }, value: will },
      ],
      changes: [
        { label: ROLE, before: was, after: will },
        { label: SESSIONS, before: (await this.sessions.live(em, { operatorId: operator.id })).length, after: 0 },
      ],
      checks: [...(operator.role === 'owner' ? [ownersLeft(others)] : []), signedOutAtOnce],
    };
  }

  async carryOut(em: EntityManager, asked: Asked<{ role: OperatorRole }>, approved: Approved): Promise<void> {
    const { target, payload } = asked;
    await lockRoles(em);
    const operator = await this.#changeable(em, asked, LockMode.PESSIMISTIC_WRITE);
    await otherOwners(em, operator);
    await em.nativeUpdate(OperatorAccount, { id: operator.id }, { role: payload.role });
    await this.sessions.endAll(em, operator.id);
    await this.actions.record(em, approved.actor, {
      action: this.kind,
      target: { kind: 'operator', id: target },
      before: { role: operator.role },
      after: { role: payload.role },
      reason: approved.reason,
      approvalId: approved.approvalId,
    });
  }

  async #changeable(
    em: EntityManager,
    { target, payload }: Asked<{ role: OperatorRole }>,
    lockMode: LockMode,
  ): Promise<OperatorAccount> {
    const operator = await activeOperator(em, target, lockMode);
    if (operator.role === payload.role) throw new Refusal('ROLE_UNCHANGED');
    return operator;
  }
}

/** The end of an operator: no more sign-in, neither here nor on the command line. What they did stays. */
@Injectable()
export class EndOperator implements RequestKind<object> {
  readonly kind = 'operator.end';
  readonly targetKind = 'operator';
  readonly payload = z.strictObject({});
  readonly target = operatorNamed;

  constructor(
    private readonly actions: ActionLog,
    private readonly sessions: OperatorSessions,
    private readonly clock: Clock,
  ) {}

  async preview(em: EntityManager, { target }: Asked<object>): Promise<RequestPreview> {
    const operator = await activeOperator(em, target, LockMode.NONE);
    const others = await otherOwners(em, operator);
    return {
      title: { zh: `停用操作员 ${target}`, en: `End operator ${target}` },
      subject: OPERATOR_ROLES[operator.role],
      amount: null,
      facts: [
        { label: { zh: '操作员', en: 'Operator' }, value: target },
        { label: ROLE, value: OPERATOR_ROLES[operator.role] },
      ],
      changes: [
        { label: STATE, before: ACTIVE, after: ENDED },
        { label: SESSIONS, before: (await this.sessions.live(em, { operatorId: operator.id })).length, after: 0 },
      ],
      checks: [...(operator.role === 'owner' ? [ownersLeft(others)] : []), signedOutAtOnce],
    };
  }

  async carryOut(em: EntityManager, { target }: Asked<object>, approved: Approved): Promise<void> {
    await lockRoles(em);
    const operator = await activeOperator(em, target, LockMode.PESSIMISTIC_WRITE);
    await otherOwners(em, operator);
    const now = this.clock.now();
    await em.nativeUpdate(OperatorAccount, { id: operator.id }, { disabledAt: now });
    await em.nativeUpdate(OperatorEnrolment, { operatorId: operator.id, usedAt: null }, { usedAt: now });
    await em.nativeDelete(OperatorPasskey, { operatorId: operator.id });
    await em.nativeUpdate(Manager, { id: operator.managerId }, { listed: false });
    await this.sessions.endAll(em, operator.id);
    await this.actions.record(em, approved.actor, {
      action: this.kind,
      target: { kind: 'operator', id: target },
      before: { ended: false },
      after: { ended: true },
      reason: approved.reason,
      approvalId: approved.approvalId,
    });
  }
}
