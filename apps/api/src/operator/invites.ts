import { EntityManager } from '@mikro-orm/postgresql';
import { InviteHold } from '../members/invite-hold.entity.js';
import { Members } from '../members/members.js';
import { Clock } from '../platform/clock.js';
import { CommandError, UsageError } from '../platform/cli-messages.js';
import { integer, readArguments, requireWords } from './command-line.js';
import { logOf, managerIdOf, managerAndReason } from './managers.js';
import type { OperatorTask } from './operator-app.js';
import { table } from './table.js';

type Waiting = { user_id: number; inviter_id: number; held_at: Date; inviter: string | null; waiting: number };

const HEAD = {
  zh: ['新会员', '等待时间', '邀请人', '邀请人编号', '同一邀请人等待中'],
  en: ['member', 'since', 'inviter', 'inviter id', 'waiting for this inviter'],
} as const;

/** `invites list`: the rewards held for an operator, oldest first (docs/decisions/0041). */
export function invitesList(args: string[]): OperatorTask {
  requireWords(readArguments(args, {}), []);
  return async ({ app, language, print }) => {
    const rows = await app.get(EntityManager).fork().execute<Waiting[]>(WAITING);
    const clock = app.get(Clock);
    const cells = rows.map((row) => [
      String(row.user_id),
      clock.toWire(row.held_at),
      row.inviter ?? '–',
      String(row.inviter_id),
      String(row.waiting),
    ]);
    print(
      cells.length > 0
        ? table(HEAD[language], cells)
        : { zh: '没有等待处理的邀请奖励', en: 'No invite rewards are pending.' }[language],
    );
  };
}

// Raw SQL: a report with a window function.
const WAITING = `
SELECT h.user_id, h.inviter_id, h.held_at, i.shown AS inviter, count(*) OVER (PARTITION BY h.inviter_id) AS waiting
FROM invite_hold h LEFT JOIN identity i ON i.user_id = h.inviter_id AND i.kind = 'username'
WHERE h.decision IS NULL ORDER BY h.held_at, h.user_id`;

/** `invites release <member> … --reason "…"`: grants these new members their held rewards. */
export const invitesRelease = (args: string[]): OperatorTask => decide(args, 'released');

/** `invites refuse <member> … --reason "…"`: refuses the rewards for good. */
export const invitesRefuse = (args: string[]): OperatorTask => decide(args, 'refused');

function decide(args: string[], decision: 'released' | 'refused'): OperatorTask {
  const parsed = readArguments(args, { options: ['reason', 'by'] });
  if (parsed.words.length === 0)
    throw new UsageError({ zh: '缺少 <会员编号>', en: 'Missing <member>: use ids from the list.' });
  const userIds = [
    ...new Set(parsed.words.map((word) => integer('<member>', word, [1, Number.MAX_SAFE_INTEGER]))),
  ].sort((a, b) => a - b);
  const { manager, reason } = managerAndReason(parsed);
  return async ({ app, language, print }) => {
    const members = app.get(Members, { strict: false });
    const empty: number[] = [];
    await app
      .get(EntityManager)
      .fork()
      .transactional(async (em) => {
        const managerId = await managerIdOf(em, manager);
        for (const userId of userIds) {
          const decidedAt = app.get(Clock).now();
          const decided = await em.nativeUpdate(
            InviteHold,
            { userId, decision: null },
            { decision, decidedAt, managerId, reason },
          );
          if (decided === 0)
            throw new CommandError({
              zh: `会员 ${userId} 没有等待处理的邀请奖励，未作任何更改`,
              en: `Member ${userId} has no pending reward. Nothing was changed.`,
            });
          await logOf({ app })(em, {
            action: `invite.${decision === 'released' ? 'release' : 'refuse'}`,
            target: { kind: 'member', id: String(userId) },
            reason,
          });
          if (decision === 'released' && !(await members.releaseInviteReward(em, userId))) empty.push(userId);
        }
      });
    const told = {
      released: { zh: '已发放邀请奖励', en: 'Rewards released' },
      refused: { zh: '已拒绝邀请奖励', en: 'Rewards declined' },
    }[decision];
    const others = userIds.filter((userId) => !empty.includes(userId));
    if (others.length > 0) print(`${told[language]}: ${others.join(', ')}`);
    const nothing = {
      zh: '未发放任何奖励（账号已注销，或该邮箱已领取过），不再等待处理',
      en: 'No reward was given (the account is closed, or its mailbox already had one); no longer pending',
    }[language];
    if (empty.length > 0) print(`${nothing}: ${empty.join(', ')}`);
  };
}
