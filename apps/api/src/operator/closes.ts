import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { AnchorCloses } from '../ledger/closes/anchor-closes.js';
import { CloseLedger } from '../ledger/closes/close-ledger.js';
import { VerifyCloses } from '../ledger/closes/verify-closes.js';
import { CommandError } from '../platform/cli-messages.js';
import { readArguments, requireWords } from './command-line.js';
import { systemUser } from './managers.js';
import type { OperatorTask } from './operator-app.js';

/** `operator ledger close`: closes every day that is over, and posts the closes to the witnesses; the worker does so by itself. */
export function ledgerClose(args: string[]): OperatorTask {
  requireWords(readArguments(args, {}), []);
  return async ({ app, language, print }) => {
    const commands = app.get(CommandBus);
    const dates = await commands.execute(new CloseLedger({ actor: `cli:${systemUser()}` }));
    if (dates === null)
      throw new CommandError({
        zh: '没有 CLOSE_SIGNING_KEY，无法签名',
        en: 'There is no CLOSE_SIGNING_KEY to sign with.',
      });
    const accepted = await commands.execute(new AnchorCloses());
    const none = { zh: '没有可日结的日子。', en: 'No day is open.' };
    print(
      dates.length === 0
        ? none[language]
        : { zh: `已日结：${dates.join('、')}`, en: `Closed: ${dates.join(', ')}` }[language],
    );
    print({ zh: `见证人收下 ${accepted} 份。`, en: `Accepted by witnesses: ${accepted}.` }[language]);
  };
}

/** `operator ledger verify-closes`: checks every close against the ledger and the witnesses' copies. */
export function ledgerVerifyCloses(args: string[]): OperatorTask {
  requireWords(readArguments(args, {}), []);
  return async ({ app, language, print }) => {
    const { closes, accounts, differences, unanswered } = await app.get(QueryBus).execute(new VerifyCloses('all'));
    for (const witness of unanswered)
      print({ zh: `见证人没有答复：${witness}`, en: `This witness did not answer: ${witness}` }[language]);
    for (const { account, seq, what, expected, found } of differences) {
      const who = { zh: `账号 ${account}，第 ${seq} 条记录：`, en: `account ${account}, entry ${seq}: ` }[language];
      print(`${{ zh: '发现差异：', en: 'DIFFERENCE ' }[language]}${account === null ? '' : who}${what}`);
      print({ zh: `  应为 ${expected}`, en: `  expected ${expected}` }[language]);
      print({ zh: `  实为 ${found}`, en: `  found    ${found}` }[language]);
    }
    if (differences.length > 0)
      throw new CommandError({
        zh: `${closes} 个日结中有 ${differences.length} 处差异`,
        en: `${differences.length} differences in ${closes} closes`,
      });
    print(
      {
        zh: `${closes} 个日结全部与账本一致（最近一个有 ${accounts} 个账号）。`,
        en: `All ${closes} closes match the ledger (${accounts} accounts in the newest).`,
      }[language],
    );
  };
}
