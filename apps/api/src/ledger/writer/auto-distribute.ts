import { charsOf } from '@yiqiao/domain/ledger';
import { autoDistribution, autoShare } from '@yiqiao/domain/movements';
import { commandIdOf } from '../../platform/command-id.js';
import type { Command } from './commands.js';
import type { Found, Read } from './read.js';
import { moveAccount } from '../rows/move-account.js';
import type { Writes } from './writes.js';

/**
 * Gives a sub-account that lacks characters for a text what is missing, from what its main account has free (decisions §4), in the
 * transaction of the hold. False, and nothing changed: it may not, or the main account has too little.
 */
export function autoDistribute(
  command: Extract<Command, { do: 'hold' }>,
  { account, now }: Found,
  { read, writes }: { read: Read; writes: Writes },
): boolean {
  const main = read.accounts.get(account.familyId);
  if (!command.withMain || command.ask.kind !== 'text' || !main || !read.sharers.has(account.userId)) return false;
  const lacking = charsOf(command.ask) - (account.state.charNum - account.held.charNum);
  const share = autoShare(lacking, main.state.charNum - main.held.charNum);
  if (share === null) return false;
  // The hold and its share are committed together, so a hold that stands is never given to again. One that was released and begins
  // anew under its old id is a new occasion: the number of the entry keeps the two apart.
  const at = { cmdId: commandIdOf(`auto-distribution:${command.id}:${account.state.seq + 1}`), now };
  // The first thing that a sub-account is given says on which channel, as in a distribution by hand.
  const tranChannelId = account.state.tranChannelId ?? main.state.tranChannelId;
  const [ofMain, ofSub] = autoDistribution({ mainId: main.userId, childId: account.userId }, share, tranChannelId);
  // The sub-account first: it alone can refuse, when it would hold too much.
  const received = moveAccount(account, { ...ofSub.movement, tranChannelId }, at);
  const given = moveAccount(main, ofMain.movement, at);
  writes.share([given, received], [main, account]);
  return true;
}
