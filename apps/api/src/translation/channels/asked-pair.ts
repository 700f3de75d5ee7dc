import type { Vendor } from './channels.js';
import { vendorCode, vendorPair } from './language-codes.js';
import { VendorFailure, type VendorRequest } from './vendor.js';

/** The vendor's codes of a pair; source null: the vendor finds out. */
export type AskedPair = { readonly source: string | null; readonly target: string };

/** Null when the vendor does not do the pair. Takes langCodes. */
export function askedPair(vendor: Vendor, source: string | null, target: string): AskedPair | null {
  if (source !== null) return vendorPair(vendor, source, target);
  const code = vendorCode(vendor, target, 'target');
  return code === null ? null : { source: null, target: code };
}

/** Throws `unsupported` in place of null. */
export function neededPair(vendor: Vendor, { source, target }: VendorRequest): AskedPair {
  const pair = askedPair(vendor, source, target);
  if (!pair) throw new VendorFailure('unsupported', `${source ?? 'auto'} to ${target}`);
  return pair;
}
