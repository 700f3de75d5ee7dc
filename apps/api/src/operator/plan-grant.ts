import { EntityManager } from '@mikro-orm/postgresql';
import { credited } from '@yiqiao/domain/conversion';
import { Refusal } from '@yiqiao/domain/errors';
import type { Entry } from '@yiqiao/domain/ledger';
import { SALES_NUM_MAX } from '@yiqiao/domain/limits';
import { priceAt, TRIAL_GROUP_ID, versionAt } from '@yiqiao/domain/plans';
import { Members, type Recharge } from '../members/members.js';
import { Plans } from '../plans/plans.js';
import { accountLines, titleOf } from './account-lines.js';
import { integer, readArguments, requireWords } from './command-line.js';
import { findMember, lockMember } from './find-member.js';
import { commandIdFor, managerIdOf, managerAndReason, recordAction } from './managers.js';
import type { Operator, OperatorTask } from './operator-app.js';
import { CommandError } from '../platform/cli-messages.js';
import { changes } from './table.js';

/**
 * `plan grant <user> <plan> <quantity> --reason "…"`: the effect of a purchase, free of charge. The entry names the operator and the reason.
 */
export function planGrant(args: string[]): OperatorTask {
  const parsed = readArguments(args, { options: ['reason', 'by', 'key'] });
  const [who = '', plan = '', count = ''] = requireWords(parsed, ['user', 'plan', 'quantity']);
  const quantity = integer('quantity', count, [1, SALES_NUM_MAX]);
  const groupId = integer('plan', plan, [1, 2 ** 31 - 1]);
  const { manager, reason } = managerAndReason(parsed);
  const cmdId = commandIdFor('grant', parsed);
  return async (operator) => {
    const { app, language, print } = operator;
    const member = await findMember(app, who);
    if (!member.isMain())
      throw new CommandError({
        zh: '套餐只能给主账号',
        en: 'Only main accounts can have plans; this is a sub-account.',
      });
    const lines = await app
      .get(EntityManager)
      .fork()
      .transactional(async (em) => {
        await lockMember(app, em, member);
        const purchase = await purchaseOf(operator, em, { groupId, quantity });
        const managerId = await managerIdOf(em, manager);
        const fresh = await recordAction(em, {
          cmdId,
          managerId,
          userId: member.id,
          familyId: member.familyId,
          reason,
        });
        const before = await accountLines(operator, em, member.id);
        const recharge = { userId: member.id, purchase, amount: 0, orderId: null, managerId, cmdId };
        const entry = await app.get(Members, { strict: false }).recharge(em, recharge);
        if (!fresh) await requireSame(operator, em, entry, { groupId, quantity });
        return fresh ? changes(before, await accountLines(operator, em, member.id)) : null;
      });
    print(await titleOf(operator, member));
    for (const line of lines ?? [alreadyDone[language]]) print(line);
  };
}

export const alreadyDone = {
  zh: '  这个 --key 已经执行过，没有重复',
  en: '  already done with this --key; not repeated',
};

type Asked = { groupId: number; quantity: number };

async function purchaseOf(
  { app }: Operator,
  em: EntityManager,
  { groupId, quantity }: Asked,
): Promise<Recharge['purchase']> {
  const plans = app.get(Plans, { strict: false });
  const group = await plans.findGroup(em, groupId);
  if (!group) throw new CommandError({ zh: `没有套餐 ${groupId}`, en: `No such plan: ${groupId}` });
  if (group.id === TRIAL_GROUP_ID)
    throw new CommandError({
      zh: '免费试用每个邮箱只有一次，请用 account adjust',
      en: 'The free trial is given once per mailbox. Use account adjust instead.',
    });
  return { ...(await plans.current(em, groupId)), quantity };
}

/** Throws unless the key granted the same before: compares with the plan and prices of that time. */
async function requireSame({ app }: Operator, em: EntityManager, entry: Entry, asked: Asked): Promise<void> {
  const plans = app.get(Plans, { strict: false });
  const version = versionAt(await plans.versions(em, asked.groupId), entry.createdAt);
  const history = await plans.priceHistory(em);
  const price = (channelId: number | null): number => priceAt(history, channelId ?? 0, entry.createdAt);
  const same =
    version !== undefined &&
    entry.memberGroupId === asked.groupId &&
    entry.charChange + entry.minChange ===
      credited(
        { num: version.num, quantity: asked.quantity, referencePrice: price(version.referenceChannelId) },
        price(entry.lastTranChannelId),
      );
  if (!same) throw new Refusal('IDEMPOTENCY_KEY_REUSED');
}
