import type { ChannelCode } from '@yiqiao/domain/channels';
import type { Config } from '../../platform/config.js';
import { SIMPLE, type UpstreamSettings } from '../../platform/vendor-settings.js';
import type { VendorAccount, VendorCode } from './account.js';
import { deeplHost } from './deepl.js';
import { VENDOR_CLIENTS } from './vendors.js';

type Env = Config['env'];

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

/** Channels that are as good as the server and the model that an operator has put behind them. */
const AS_SET_UP: ReadonlySet<ChannelCode> = new Set<ChannelCode>(['chatgpt', 'libretranslate']);

/** What translates for a channel: it changes when an operator has another server or model do it. */
export function servedBy(code: ChannelCode | null, accounts: readonly VendorAccount[]): string {
  if (code === null || !AS_SET_UP.has(code)) return '';
  const servers = accounts.filter((account) => account.code === code);
  return JSON.stringify([...new Set(servers.map(({ baseUrl, model }) => `${model ?? ''} ${baseUrl}`))].sort());
}

const VENDOR_CODES = Object.keys(VENDOR_CLIENTS) as VendorCode[];

type SimpleRow = Pick<UpstreamSettings, 'code' | 'key' | 'secret' | 'region' | 'model' | 'baseUrl'>;

/** Half a vendor was refused at the start. */
const simpleRows = (env: Env): UpstreamSettings[] => {
  const rows: (SimpleRow & { there: string | undefined })[] = [
    { there: env.GOOGLE_TRANSLATE_KEY, code: 'google', key: env.GOOGLE_TRANSLATE_KEY },
    {
      there: env.MICROSOFT_TRANSLATOR_KEY,
      code: 'microsoft',
      key: env.MICROSOFT_TRANSLATOR_KEY,
      region: env.MICROSOFT_TRANSLATOR_REGION,
    },
    { there: env.TENCENT_SECRET_ID, code: 'tencent', key: env.TENCENT_SECRET_ID, secret: env.TENCENT_SECRET_KEY },
    { there: env.YOUDAO_APP_KEY, code: 'youdao', key: env.YOUDAO_APP_KEY, secret: env.YOUDAO_APP_SECRET },
    { there: env.DEEPL_API_KEY, code: 'deepl', key: env.DEEPL_API_KEY },
    { there: env.OPENAI_MODEL, code: 'chatgpt', key: env.OPENAI_API_KEY, model: env.OPENAI_MODEL },
    {
      there: env.LIBRETRANSLATE_URL,
      code: 'libretranslate',
      key: env.LIBRETRANSLATE_API_KEY,
      baseUrl: env.LIBRETRANSLATE_URL,
    },
  ];
  return rows.flatMap(({ there, ...row }) => (there === undefined ? [] : [{ name: SIMPLE, ...UNCAPPED, ...row }]));
};

const UNCAPPED = { weight: 1, requestsPerSecond: null, charsPerMinute: null, charsPerDay: null } as const;

function accountOf(row: UpstreamSettings, env: Env): VendorAccount {
  const { code, name, key = '', weight, requestsPerSecond, charsPerMinute, charsPerDay } = row;
  const baseUrl = row.baseUrl ?? HOSTS[code](env, key);
  return {
    code,
    name,
    baseUrl,
    key,
    secret: row.secret ?? null,
    region: row.region ?? (code === 'tencent' ? env.TENCENT_REGION : null),
    model: row.model ?? null,
    weight,
    requestsPerSecond,
    charsPerMinute,
    charsPerDay,
    sandbox: env.SANDBOX_URL !== undefined && new URL(baseUrl).origin === new URL(env.SANDBOX_URL).origin,
  };
}

/** Where an account is asked that does not say it itself. */
const HOSTS: Readonly<Record<VendorCode, (env: Env, key: string) => string>> = {
  google: (env) => env.GOOGLE_TRANSLATE_URL,
  microsoft: (env) => env.MICROSOFT_TRANSLATOR_URL,
  tencent: (env) => env.TENCENT_TMT_URL,
  youdao: (env) => env.YOUDAO_URL,
  deepl: (env, key) => env.DEEPL_URL ?? deeplHost(key),
  chatgpt: (env) => env.OPENAI_BASE_URL ?? 'https://api.openai.com/v1',
  // Each of its accounts names its own.
  libretranslate: (env) => env.LIBRETRANSLATE_URL ?? '',
};

/** Where the protocol asks for more than keys. */
const SANDBOX: Readonly<Partial<Record<VendorCode, Partial<VendorAccount>>>> = {
  microsoft: { region: 'eastasia' },
  tencent: { region: 'ap-guangzhou' },
  chatgpt: { model: 'sandbox-gpt' },
};

const sandboxAccounts = (code: VendorCode, sandbox: string): VendorAccount[] =>
  [1, 2].map((number) => ({
    code,
    name: `sandbox-${number}`,
    // The base URL of ChatGPT holds the version of the API, as in `OPENAI_BASE_URL`.
    baseUrl: `${sandbox.replace(/\/+$/, '')}/vendors/${code}${code === 'chatgpt' ? '/v1' : ''}`,
    key: `sandbox-${code}-${number}`,
    secret: `sandbox-${code}-secret-${number}`,
    region: null,
    model: null,
    ...UNCAPPED,
    sandbox: true,
    ...SANDBOX[code],
  }));
