import { readFileSync } from 'node:fs';
import type { ChannelCode } from '@yiqiao/domain/channels';
import { z } from 'zod';
import type { Config, Settings } from '../../platform/config.js';
import type { Bilingual, ChannelLanguages } from './channel.js';
import { chatgpt } from './chatgpt.js';
import { deepl } from './deepl.js';
import { google } from './google.js';
import { libretranslate } from './libretranslate.js';
import { microsoft } from './microsoft.js';
import { tencent } from './tencent.js';
import { type AccountOrigin, isOpenAddress, type Vendor, type VendorAccount, type VendorClient } from './vendor.js';
import { upstream, type UpstreamSettings, VENDOR_CODES, type VendorCode } from './vendor-settings.js';
import { youdao } from './youdao.js';

/** The vendors by the code of their channel. */
const VENDORS: Readonly<Record<VendorCode, Vendor>> = {
  google,
  microsoft,
  tencent,
  youdao,
  deepl,
  chatgpt,
  libretranslate,
};

export const clientOf = (account: VendorAccount): VendorClient => VENDORS[account.code].client(account);

/** The message of a channel without an account; null for the offline engines, which need none. */
export const unavailableReason = (code: ChannelCode): Bilingual | null =>
  code === 'offline' ? null : VENDORS[code].unavailable;

/** The languages that a vendor documents, with or without an account. */
export const publishedLanguages = (code: VendorCode): ChannelLanguages => VENDORS[code].languages.published();

/** The name of the account from environment variables. */
const SIMPLE = 'default';

/** Problems across rows. Only names, because rows contain secrets. */
const rowProblems = (rows: readonly UpstreamSettings[]): string[] =>
  rows.flatMap((row, at) => {
    const vendor = VENDORS[row.code];
    const missing = vendor.required.filter((field) => row[field] === undefined);
    const problem = vendor.accountProblem?.(row) ?? null;
    const isDuplicate = rows.findIndex(({ code, name }) => code === row.code && name === row.name) !== at;
    return [
      ...missing.map((field) => `${at}.${field}: missing, ${row.code} needs it`),
      ...(problem === null ? [] : [`${at}.${problem}`]),
      ...(isDuplicate ? [`${at}.name: ${row.code} has another of this name`] : []),
      ...(row.name === SIMPLE ? [`${at}.name: this one is for the account of the simple settings`] : []),
    ];
  });

/** A problem of one account of the console, by its field; null: none. */
export function accountProblem(row: UpstreamSettings, isProduction: boolean): string | null {
  const vendor = VENDORS[row.code];
  const missing = vendor.required.find((field) => row[field] === undefined);
  if (missing !== undefined) return missing;
  const problem = vendor.accountProblem?.(row) ?? null;
  if (problem !== null) return problem.split(':', 1)[0] ?? problem;
  return isProduction && isOpenAddress(vendor, row.baseUrl) ? 'baseUrl' : null;
}

/** Reports all problems of the file at the start, without quoting it. */
const upstreamsFile = z
  .string()
  .transform((path, ctx): UpstreamSettings[] => {
    const refuse = (message: string) => ctx.addIssue({ code: 'custom', message });
    let given: unknown;
    try {
      given = JSON.parse(readFileSync(path, 'utf8'));
    } catch {
      refuse(`the file ${path} cannot be read as JSON`);
      return z.NEVER;
    }
    const read = z.array(upstream).safeParse(given);
    if (!read.success) for (const { path: at, message } of read.error.issues) refuse(`${at.join('.')}: ${message}`);
    else for (const message of rowProblems(read.data)) refuse(message);
    return read.data ?? z.NEVER;
  })
  .default([]);

const shape = {
  /** Any number of accounts, besides the one from each vendor's variables. */
  TRANSLATION_UPSTREAMS_FILE: upstreamsFile,
  /** The sandbox plays every vendor without an account. */
  SANDBOX_VENDORS: z.enum(['0', '1']).default('0'),
};

const accountSettings: Settings<typeof shape> = {
  shape,
  problems: (given, values, isProduction) => {
    const isSandboxed = given['SANDBOX_VENDORS'] === '1';
    const rows = values?.TRANSLATION_UPSTREAMS_FILE ?? [];
    return [
      ...(isSandboxed && !given['SANDBOX_URL'] ? ['SANDBOX_URL: missing, while SANDBOX_VENDORS is set'] : []),
      ...(isSandboxed && isProduction ? ['SANDBOX_VENDORS: the sandbox is for development only'] : []),
      ...(values === null || isSandboxed ? [] : VENDOR_CODES.flatMap((code) => uselessSettings(code, given, rows))),
      ...rows.flatMap(({ code, baseUrl }, at) =>
        isProduction && isOpenAddress(VENDORS[code], baseUrl)
          ? [`TRANSLATION_UPSTREAMS_FILE: ${at}.baseUrl: https in production`]
          : [],
      ),
    ];
  },
};

/** A problem for each variable without an account of its vendor that could use it. */
function uselessSettings(
  code: VendorCode,
  given: Readonly<Record<string, unknown>>,
  rows: readonly UpstreamSettings[],
): string[] {
  const { accountOnly } = VENDORS[code];
  if (!accountOnly || given[accountOnly.needs] || rows.some((row) => row.code === code)) return [];
  return accountOnly.names
    .filter((name) => given[name] && given[name] !== 'off')
    .map(
      (name) => `${accountOnly.needs}, or a ${code} row of TRANSLATION_UPSTREAMS_FILE: missing, while ${name} is set`,
    );
}

/** The settings of every vendor and of their accounts, for `loadConfig`. */
export const vendorSettings: readonly Settings[] = [accountSettings, ...Object.values(VENDORS)];

/**
 * All accounts of the settings, unordered: from the variables, from the file, and with SANDBOX_VENDORS two at the sandbox for each vendor without an account.
 */
export function configuredAccounts(config: Config): VendorAccount[] {
  const { SANDBOX_URL: sandbox } = config.env;
  const { TRANSLATION_UPSTREAMS_FILE: rows, SANDBOX_VENDORS } = config.read(accountSettings);
  const simple = VENDOR_CODES.flatMap((code) => simpleRow(code, config));
  const given = [...simple, ...rows];
  const accounts = given.map((row) => accountOf(row, simple.includes(row) ? 'environment' : 'file', config));
  const missing = VENDOR_CODES.filter((code) => !given.some((row) => row.code === code));
  return SANDBOX_VENDORS === '1' && sandbox
    ? [...accounts, ...missing.flatMap((code) => sandboxAccounts(code, sandbox))]
    : accounts;
}

/** What an account of the console without an address gets in development when its key is one of the sandbox. */
export function sandboxDefaults(code: VendorCode, config: Config): Partial<VendorAccount> {
  const { SANDBOX_URL: sandbox } = config.env;
  if (config.production || sandbox === undefined) return {};
  return { baseUrl: sandboxUrl(code, sandbox), ...VENDORS[code].sandbox };
}

const sandboxUrl = (code: VendorCode, sandbox: string): string =>
  `${sandbox.replace(/\/+$/, '')}/vendors/${code}${VENDORS[code].sandboxPath ?? ''}`;

/** The servers and models behind a channel where an operator chooses them; empty elsewhere. */
export function servedBy(code: ChannelCode | null, accounts: readonly VendorAccount[]): string {
  if (code === null || code === 'offline' || !VENDORS[code].isOperatorsChoice) return '';
  const servers = accounts.filter((account) => account.code === code);
  return JSON.stringify([...new Set(servers.map(({ baseUrl, model }) => `${model ?? ''} ${baseUrl}`))].sort());
}

const UNCAPPED = { weight: 1, requestsPerSecond: null, charsPerMinute: null, charsPerDay: null } as const;

function simpleRow(code: VendorCode, config: Config): UpstreamSettings[] {
  const account = VENDORS[code].account(config.read(VENDORS[code]));
  return account === null ? [] : [{ name: SIMPLE, code, ...UNCAPPED, ...account }];
}

/** A row with the defaults of its vendor. */
export function accountOf(row: UpstreamSettings, origin: AccountOrigin, config: Config): VendorAccount {
  const { code, name, key = '', weight, requestsPerSecond, charsPerMinute, charsPerDay } = row;
  const vendor = VENDORS[code];
  const env = config.read(vendor);
  const { SANDBOX_URL: sandbox } = config.env;
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
    sandbox: sandbox !== undefined && new URL(baseUrl).origin === new URL(sandbox).origin,
    origin,
  };
}

const sandboxAccounts = (code: VendorCode, sandbox: string): VendorAccount[] =>
  [1, 2].map((number) => ({
    code,
    name: `sandbox-${number}`,
    baseUrl: sandboxUrl(code, sandbox),
    key: `sandbox-${code}-${number}`,
    secret: `sandbox-${code}-secret-${number}`,
    region: null,
    model: null,
    ...UNCAPPED,
    sandbox: true,
    origin: 'sandbox' as const,
    ...VENDORS[code].sandbox,
  }));
