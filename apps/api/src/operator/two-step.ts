import { CommandBus } from '@nestjs/cqrs';
import { ResetTwoStep } from '../auth/two-step-commands.js';
import { readArguments, requireWords } from './command-line.js';
import { findMember } from './find-member.js';
import { authorOf, managerAndReason } from './managers.js';
import type { OperatorTask } from './operator-app.js';

/** `account two-step-off <user> --reason "…" [--by name]`: for a member who has lost the app and the recovery codes. */
export function twoStepOff(args: string[]): OperatorTask {
  const parsed = readArguments(args, { options: ['reason', 'by'] });
  const [who = ''] = requireWords(parsed, ['user']);
  managerAndReason(parsed); // the reason is required
  const author = authorOf(parsed);
  return async ({ app, language, print }) => {
    const { id } = await findMember(app, who);
    await app.get(CommandBus).execute(new ResetTwoStep(id, author({ app })));
    print({ zh: `已关闭会员 ${id} 的两步验证`, en: `Two-step sign-in of member ${id} is off.` }[language]);
  };
}
