import type { VendorAccount, VendorCode } from './account.js';
import { chatgpt } from './chatgpt.js';
import { deepl } from './deepl.js';
import { google } from './google.js';
import { libretranslate } from './libretranslate.js';
import { microsoft } from './microsoft.js';
import { tencent } from './tencent.js';
import type { VendorClient } from './vendor.js';
import { youdao } from './youdao.js';

/** Who speaks which vendor's protocol. */
export const VENDOR_CLIENTS = {
  google,
  microsoft,
  tencent,
  youdao,
  deepl,
  chatgpt,
  libretranslate,
} as const satisfies Record<VendorCode, (account: VendorAccount) => VendorClient>;

export const clientOf = (account: VendorAccount): VendorClient => VENDOR_CLIENTS[account.code](account);
