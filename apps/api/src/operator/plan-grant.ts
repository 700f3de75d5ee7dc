import { CommandBus } from '@nestjs/cqrs';
import { SALES_NUM_MAX } from '@yiqiao/domain/limits';
import { GrantPlan } from '../operators/members/grant-plan.js';
import { changeBy, changeLines, titleOf } from './account-lines.js';
import { integer, readArguments, requireWords } from './command-line.js';
import { findMember } from './find-member.js';
import type { OperatorTask } from './operator-app.js';

/**
 * `plan grant <user> <plan> <quantity> --reason "…"`: the effect of a purchase, free of charge. The entry names the operator and the reason.
 */
export function planGrant(args: string[]): OperatorTask {
  const parsed = readArguments(args, { options: ['reason', 'by', 'key'] });
  const [who = '', plan = '', count = ''] = requireWords(parsed, ['user', 'plan', 'quantity']);
  const quantity = integer('quantity', count, [1, SALES_NUM_MAX]);
  const memberGroupId = integer('plan', plan, [1, 2 ** 31 - 1]);
  const by = changeBy('grant', parsed);
  return async (operator) => {
    const { app, language, print } = operator;
    const member = await findMember(app, who);
    const change = await app.get(CommandBus).execute(new GrantPlan(member.id, { memberGroupId, quantity }, by));
    print(await titleOf(operator, member));
    for (const line of changeLines(change, language)) print(line);
  };
}
