import type { BillingMode } from '@yiqiao/domain/plans';
import { isMain, useMember } from '../../shared/auth/user.js';
import { wireMs, wireNow } from '../../shared/wire-time.js';
import type { Own } from './channel-order.js';

/** How the signed-in account pays. */
export type Payer = {
  own: Own;
  mode: BillingMode;
  /** Characters left, or null while they do not count. */
  balance: number | null;
  /** What it lacks comes from its main account by itself. */
  helped: boolean;
  expired: boolean;
};

/** A sub-account always pays by character (decisions §3). */
export function usePayer(): Payer {
  const user = useMember();
  const { memberGroup, memberAccount, tranChannelId, autoDistribution } = user;
  const main = isMain(user);
  const mode = main ? memberGroup.translationBillingMode : 'char';
  const { expireDateTime, usableCharNum } = memberAccount;
  return {
    own: { id: tranChannelId, main },
    mode,
    balance: mode === 'time' ? null : usableCharNum,
    helped: !main && autoDistribution === 1,
    expired: expireDateTime !== null && wireMs(expireDateTime) <= wireMs(wireNow()),
  };
}
