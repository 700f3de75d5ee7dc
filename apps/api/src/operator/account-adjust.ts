import { CommandBus } from '@nestjs/cqrs';
import { CHANGE_MAX, DAYS_CHANGE_MAX } from '@yiqiao/domain/limits';
import { type Adjustment, AdjustQuota } from '../operators/members/adjust-quota.js';
import { UsageError } from '../platform/cli-messages.js';
import { changeBy, changeLines, titleOf } from './account-lines.js';
import { integer, readArguments, requireWords, type ParsedArguments } from './command-line.js';
import { findMember } from './find-member.js';
import type { OperatorTask } from './operator-app.js';

/**
 * `account adjust <user> --chars n --voice n --images n --days n --reason "…"`: adds or takes quota (SYS_ADJUST), never below zero. With
 * `--key` a repeated command has no effect.
 */
export function accountAdjust(args: string[]): OperatorTask {
  const parsed = readArguments(args, { options: ['chars', 'voice', 'images', 'days', 'reason', 'by', 'key'] });
  const [who = ''] = requireWords(parsed, ['user']);
  const adjustment = adjustmentOf(parsed);
  const by = changeBy('adjust', parsed);
  return async (operator) => {
    const { app, language, print } = operator;
    const member = await findMember(app, who);
    const change = await app.get(CommandBus).execute(new AdjustQuota(member.id, adjustment, by));
    print(await titleOf(operator, member));
    for (const line of changeLines(change, language)) print(line);
  };
}

function adjustmentOf(parsed: ParsedArguments): Adjustment {
  const read = (name: string, most: number): number =>
    integer(`--${name}`, parsed.options.get(name) ?? '0', [-most, most]);
  const adjustment = {
    charNum: read('chars', CHANGE_MAX),
    voiceNum: read('voice', CHANGE_MAX),
    imageNum: read('images', CHANGE_MAX),
    days: read('days', DAYS_CHANGE_MAX),
  };
  if (Object.values(adjustment).every((n) => n === 0))
    throw new UsageError({
      zh: '没有要调整的数量：--chars、--voice、--images 或 --days',
      en: 'Nothing to adjust. Use --chars, --voice, --images or --days.',
    });
  return adjustment;
}
