import type { ChannelCode } from '@yiqiao/domain/channels';
import type { Config } from '../../platform/config.js';
import { SIMPLE, type UpstreamSettings } from '../../platform/vendor-settings.js';
import type { Bilingual } from './channel.js';
import { chatgptVendor } from './chatgpt.js';
import { deeplVendor } from './deepl.js';
import { googleVendor } from './google.js';
import { libretranslateVendor } from './libretranslate.js';
import { microsoftVendor } from './microsoft.js';
import { tencentVendor } from './tencent.js';
import type { Vendor, VendorAccount, VendorClient, VendorCode } from './vendor.js';
import { youdaoVendor } from './youdao.js';

type Env = Config['env'];

/** The vendors by the code of their channel. A new one is its row of `CHANNELS`, its file and its line here. */
const VENDORS: Readonly<Record<VendorCode, Vendor>> = {
  google: googleVendor,
  microsoft: microsoftVendor,
  tencent: tencentVendor,
  youdao: youdaoVendor,
  deepl: deeplVendor,
  chatgpt: chatgptVendor,
  libretranslate: libretranslateVendor,
};

const VENDOR_CODES = Object.keys(VENDORS) as VendorCode[];

export const clientOf = (account: VendorAccount): VendorClient => VENDORS[account.code].client(account);

/** The message of a channel without an account; null for the offline engines, which need none. */
export const unavailableReason = (code: ChannelCode): Bilingual | null =>
  code === 'offline' ? null : VENDORS[code].unavailable;

/**
 * The accounts that the environment gives, in no order: those of the simple settings, of the file, and with SANDBOX_VENDORS two at the
 * sandbox for each vendor that has none.
 */
export function vendorAccounts({ env }: Config): VendorAccount[] {
  const given = [...simpleRows(env), ...env.TRANSLATION_UPSTREAMS_FILE];
  const accounts = given.map((row) => accountOf(row, env));
  const missing = VENDOR_CODES.filter((code) => !given.some((row) => row.code === code));
  return env.SANDBOX_VENDORS === '1' && env.SANDBOX_URL
    ? [...accounts, ...missing.flatMap((code) => sandboxAccounts(code, env.SANDBOX_URL ?? ''))]
    : accounts;
}

/** The servers and models behind a channel where an operator chooses them; empty elsewhere. */
export function servedBy(code: ChannelCode | null, accounts: readonly VendorAccount[]): string {
  if (code === null || code === 'offline' || !VENDORS[code].isOperatorsChoice) return '';
  const servers = accounts.filter((account) => account.code === code);
  return JSON.stringify([...new Set(servers.map(({ baseUrl, model }) => `${model ?? ''} ${baseUrl}`))].sort());
}

const UNCAPPED = { weight: 1, requestsPerSecond: null, charsPerMinute: null, charsPerDay: null } as const;

const simpleRows = (env: Env): UpstreamSettings[] =>
  VENDOR_CODES.flatMap((code) => {
    const account = VENDORS[code].account(env);
    return account === null ? [] : [{ name: SIMPLE, code, ...UNCAPPED, ...account }];
  });

function accountOf(row: UpstreamSettings, env: Env): VendorAccount {
  const { code, name, key = '', weight, requestsPerSecond, charsPerMinute, charsPerDay } = row;
  const vendor = VENDORS[code];
  const baseUrl = row.baseUrl ?? vendor.baseUrl(env, key);
  return {
    code,
    name,
    baseUrl,
    key,
    secret: row.secret ?? null,
    region: row.region ?? vendor.region?.(env) ?? null,
    model: row.model ?? null,
    weight,
    requestsPerSecond,
    charsPerMinute,
    charsPerDay,
    sandbox: env.SANDBOX_URL !== undefined && new URL(baseUrl).origin === new URL(env.SANDBOX_URL).origin,
  };
}

const sandboxAccounts = (code: VendorCode, sandbox: string): VendorAccount[] =>
  [1, 2].map((number) => ({
    code,
    name: `sandbox-${number}`,
    baseUrl: `${sandbox.replace(/\/+$/, '')}/vendors/${code}${VENDORS[code].sandboxPath ?? ''}`,
    key: `sandbox-${code}-${number}`,
    secret: `sandbox-${code}-secret-${number}`,
    region: null,
    model: null,
    ...UNCAPPED,
    sandbox: true,
    ...VENDORS[code].sandbox,
  }));
