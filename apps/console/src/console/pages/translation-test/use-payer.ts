import type { BillingMode } from '@yiqiao/domain/plans';
import { billingModeOf, isMain, useMember } from '../../../shared/auth/user.js';
import type { Own } from './channel-order.js';

/** How the signed-in account is charged. */
export type Payer = {
  own: Own;
  mode: BillingMode;
  /** Characters left, or null in time mode. */
  balance: number | null;
  /** Shortfalls are topped up from its main account automatically. */
  helped: boolean;
};

/** A sub-account is always charged by character (decisions §3). */
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
