import type { BillingMode } from '@yiqiao/domain/plans';
import { billingModeOf, isMain, useMember } from '../../../shared/auth/user.js';
import type { Own } from './channel-order.js';

/** How the signed-in account pays. */
export type Payer = {
  own: Own;
  mode: BillingMode;
  /** Characters left, or null while they do not count. */
  balance: number | null;
  /** What it lacks comes from its main account by itself. */
  helped: boolean;
};

/** A sub-account always pays by character (decisions §3). */
export function usePayer(): Payer {
  const user = useMember();
  const { memberAccount, tranChannelId, autoDistribution } = user;
  const main = isMain(user);
  const mode = billingModeOf(user);
  const { usableCharNum } = memberAccount;
  return {
    own: { id: tranChannelId, main },
    mode,
    balance: mode === 'time' ? null : usableCharNum,
    helped: !main && autoDistribution === 1,
  };
}
