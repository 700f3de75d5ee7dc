import type { VendorCode } from './account.js';
import type { ChannelLanguages } from './channel.js';
import { type Vendor, VENDORS } from './channels.js';
import { vendorCode } from './language-codes.js';
import { languages } from './languages.js';

const NOTHING: ChannelLanguages = { sources: new Set(), targets: new Set(), auto: false };

const known = new Map<VendorCode, ChannelLanguages>();

/** What a vendor is known to do before anybody asks it; of LibreTranslate nothing: that depends on the server. */
export function vendorLanguages(code: VendorCode): ChannelLanguages {
  const found = known.get(code) ?? read(code);
  known.set(code, found);
  return found;
}

/** Any language to any other by name: of a model nobody knows which it does badly. */
const everything = (): ChannelLanguages => {
  const all = new Set(languages().map(({ langCode }) => langCode));
  return { sources: all, targets: all, auto: true };
};

const read = (code: VendorCode): ChannelLanguages => {
  if (code === 'chatgpt') return everything();
  const vendor = VENDORS.find((each) => each === code);
  if (vendor === undefined) return NOTHING;
  // Tencent once took `auto` and does no more.
  return { sources: side(vendor, 'source'), targets: side(vendor, 'target'), auto: vendor !== 'tencent' };
};

const side = (vendor: Vendor, which: 'source' | 'target'): ReadonlySet<string> =>
  new Set(languages().flatMap(({ langCode }) => (vendorCode(vendor, langCode, which) === null ? [] : [langCode])));
