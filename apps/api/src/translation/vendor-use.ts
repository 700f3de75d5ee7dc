import type { VendorUse } from '../ledger/ledger.js';

/** All of them together, under the account of the first; null when no vendor had a part. */
export const joinUses = (uses: readonly (VendorUse | null | undefined)[]): VendorUse | null => {
  const [first, ...rest] = uses.filter((use) => use !== null && use !== undefined);
  return first ? { ...first, cost: rest.reduce((sum, { cost }) => sum + cost, first.cost) } : null;
};
