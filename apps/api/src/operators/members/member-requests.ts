import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { adjustment, grant } from '@yiqiao/contracts/operator/member-changes';
import { Refusal } from '@yiqiao/domain/errors';
import { Ledger } from '../../ledger/ledger.js';
import { Member } from '../../members/member.entity.js';
import type { Approved, Asked, RequestChange, RequestKind, RequestPreview } from '../requests/request-kind.js';
import { type Adjustment, AdjustQuotaHandler } from './adjust-quota.js';
import { type Grant, GrantPlanHandler } from './grant-plan.js';
import type { ChangeBy } from './member-change.js';
import { MemberLimits, PreviewGrant, PreviewGrantHandler } from './member-limits.js';
import { Plans } from '../../plans/plans.js';

const CHARS = { zh: '字符', en: 'Characters' };
const VOICE = { zh: '语音', en: 'Voice' };
const IMAGES = { zh: '图片', en: 'Images' };
const EXPIRY = { zh: '有效期（天）', en: 'Expiry (days)' };
const MEMBER = { zh: '会员', en: 'Member' };

/** The open member with this id. */
async function memberNamed(em: EntityManager, given: string): Promise<string> {
  const id = /^\d{1,15}$/.test(given) ? Number(given) : 0;
  if ((await em.count(Member, { id, closedAt: null })) === 0) throw new Refusal('NOT_FOUND');
  return String(id);
}

async function subjectOf(em: EntityManager, userId: number): Promise<{ zh: string; en: string }> {
  const [row] = await em.execute<{ name: string }[]>(
    `SELECT shown AS name FROM identity WHERE user_id = ? AND kind = 'username'`,
    [userId],
  );
  const name = `${row?.name ?? ''} #${userId}`.trim();
  return { zh: name, en: name };
}

/** The maker asked, so the member's log names the maker; the checker acts. */
const changeBy = ({ maker, actor, reason, cmdId, approvalId }: Approved): ChangeBy => ({
  author: () => Promise.resolve({ managerId: maker.managerId, reason }),
  actor,
  cmdId,
  approvalId,
});

const signed = (n: number): string => `${n > 0 ? '+' : '−'}${Math.abs(n).toLocaleString('en-US')}`;

/** More quota or days than one operator may give or take. */
@Injectable()
export class AdjustQuotaRequest implements RequestKind<Adjustment> {
  readonly kind = 'quota.adjust';
  readonly targetKind = 'member';
  readonly payload = adjustment;
  readonly target = memberNamed;

  constructor(
    private readonly ledger: Ledger,
    private readonly limits: MemberLimits,
    private readonly command: AdjustQuotaHandler,
  ) {}

  async preview(em: EntityManager, { target, payload }: Asked<Adjustment>): Promise<RequestPreview> {
    const userId = Number(target);
    const member = await em.findOne(Member, { id: userId, closedAt: null }, { disableIdentityMap: true });
    if (!member) throw new Refusal('NOT_FOUND');
    if (payload.days !== 0 && !member.isMain()) throw new Refusal('EXPIRY_OF_MAIN');
    const { accounts } = await this.ledger.view(em, { userIds: [userId] });
    const [account] = accounts;
    if (!account) throw new Refusal('NOT_FOUND');
    const changes = changesOf(account.state, payload);
    if (changes.some(({ after }) => typeof after === 'number' && after < 0)) throw new Refusal('QUOTA_NOT_ENOUGH');
    const { amount } = await this.limits.valueOf(em, userId, payload);
    const days = payload.days === 0 ? [] : [{ label: EXPIRY, before: 0, after: payload.days }];
    const parts = namesOf(payload);
    return {
      title: { zh: `调整额度：${parts.zh}`, en: `Adjust: ${parts.en}` },
      subject: await subjectOf(em, userId),
      amount,
      facts: [{ label: MEMBER, value: (await subjectOf(em, userId)).zh }],
      changes: [...changes, ...days],
      checks: [
        {
          state: 'note',
          text: { zh: '会员在账变日志中读到申请人和原因', en: 'The member reads who asked and why in the account log' },
        },
      ],
    };
  }

  async carryOut(em: EntityManager, { target, payload }: Asked<Adjustment>, approved: Approved): Promise<void> {
    await this.command.apply(em, Number(target), payload, changeBy(approved));
  }
}

type Held = { charNum: number; voiceNum: number; imageNum: number };

const changesOf = (held: Held, change: Held): RequestChange[] =>
  (
    [
      ['charNum', CHARS],
      ['voiceNum', VOICE],
      ['imageNum', IMAGES],
    ] as const
  )
    .filter(([name]) => change[name] !== 0)
    .map(([name, label]) => ({ label, before: held[name], after: held[name] + change[name] }));

const namesOf = ({ days, ...quota }: Adjustment): { zh: string; en: string } => {
  const parts = [
    [quota.charNum, '字符', 'characters'],
    [quota.voiceNum, '次语音', 'voice uses'],
    [quota.imageNum, '张图片', 'images'],
    [days, '天', 'days'],
  ] as const;
  const some = parts.filter(([n]) => n !== 0);
  return {
    zh: some.map(([n, zh]) => `${signed(n)} ${zh}`).join('、'),
    en: some.map(([n, , en]) => `${signed(n)} ${en}`).join(', '),
  };
};

/** A plan that is more than one operator may give. */
@Injectable()
export class GrantPlanRequest implements RequestKind<Grant> {
  readonly kind = 'plan.grant';
  readonly targetKind = 'member';
  readonly payload = grant;
  readonly target = memberNamed;

  constructor(
    private readonly plans: Plans,
    private readonly grants: PreviewGrantHandler,
    private readonly command: GrantPlanHandler,
  ) {}

  async preview(em: EntityManager, { target, payload }: Asked<Grant>): Promise<RequestPreview> {
    const userId = Number(target);
    const { before, after } = await this.grants.execute(new PreviewGrant(userId, payload));
    const plan = await this.plans.group(em, payload.memberGroupId);
    const subject = await subjectOf(em, userId);
    return {
      title: { zh: `赠送套餐：${plan.name} × ${payload.quantity}`, en: `Grant: ${plan.enName} × ${payload.quantity}` },
      subject,
      amount: plan.salePrice * payload.quantity,
      facts: [
        { label: MEMBER, value: subject.zh },
        { label: { zh: '套餐', en: 'Plan' }, value: { zh: plan.name, en: plan.enName } },
        { label: { zh: '份数', en: 'Quantity' }, value: payload.quantity },
      ],
      changes: [
        { label: CHARS, before: before.charNum, after: after.charNum },
        { label: VOICE, before: before.voiceNum, after: after.voiceNum },
        { label: IMAGES, before: before.imageNum, after: after.imageNum },
        { label: { zh: '到期', en: 'Expires' }, before: before.expireDateTime, after: after.expireDateTime },
        { label: { zh: '套餐', en: 'Plan' }, before: before.memberGroup, after: after.memberGroup },
      ],
      checks: [],
    };
  }

  async carryOut(em: EntityManager, { target, payload }: Asked<Grant>, approved: Approved): Promise<void> {
    await this.command.apply(em, Number(target), payload, changeBy(approved));
  }
}
