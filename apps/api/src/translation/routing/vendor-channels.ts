import type { VendorAccount, VendorCode } from '../channels/account.js';
import { clientOf } from '../channels/vendors.js';
import { realTime } from './time.js';
import { Upstream } from './upstream.js';
import { VendorChannel } from './vendor-channel.js';

/** A channel for every vendor that has an account. `today`: the calendar day that daily caps are counted by. */
export const vendorChannels = (
  accounts: readonly VendorAccount[],
  today: () => string,
): Partial<Record<VendorCode, VendorChannel>> => {
  const surroundings = { time: realTime, today };
  const byCode = Map.groupBy(accounts, ({ code }) => code);
  return Object.fromEntries(
    [...byCode].flatMap(([code, all]) => {
      const [first, ...rest] = all.map((account) => new Upstream(account, clientOf(account), surroundings));
      return first ? [[code, new VendorChannel([first, ...rest], realTime)]] : [];
    }),
  );
};
