import { accountOf, VENDORS } from './account.js';
import type { VendorRow } from './browser/vendor-row.js';
import type { VendorWorld } from './exchange.js';

/** Accounts listed beside the product's own. */
const MOST_OTHERS = 100;

/** What the page shows: the accounts that the product has, then whatever others were seen, the latest first; vendor by vendor. */
export function vendorRows({ faults, calls }: Pick<VendorWorld, 'faults' | 'calls'>): readonly VendorRow[] {
  const own = VENDORS.flatMap((vendor) => ['1', '2'].map((suffix) => `sandbox-${vendor}-${suffix}`));
  const seen = [...faults.list(), ...calls.list()].map(({ account }) => account);
  const others = [...new Set(seen)].filter((name) => !own.includes(name)).slice(0, MOST_OTHERS);
  const rows = [...own, ...others].map((name) => {
    const { count, refused, chars, inFlight, calls: latest } = calls.of(name);
    return {
      account: name,
      vendor: accountOf(name)?.vendor ?? '',
      ...{ count, refused, chars, inFlight },
      lastAt: latest[0]?.at ?? null,
      switches: faults.list(name).map(({ account: _, ...shown }) => shown),
    };
  });
  return VENDORS.flatMap((vendor) => rows.filter((row) => row.vendor === vendor));
}
