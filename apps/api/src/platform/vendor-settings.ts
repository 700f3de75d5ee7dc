import { readFileSync } from 'node:fs';
import { CHANNEL_CODES, type ChannelCode } from '@yiqiao/domain/channels';
import { z } from 'zod';
import { inPrivateNetwork } from './private-network.js';

type Code = Exclude<ChannelCode, 'offline'>;
const codes = CHANNEL_CODES.filter((code): code is Code => code !== 'offline');

/** Goes into a header as it is. */
const key = z.string().regex(/^[\x21-\x7e]+$/, 'printable ASCII without spaces');
const word = z.string().regex(/^[\w.:/@+-]{1,100}$/, 'letters, digits and . : / @ + _ -');

/** Where an account is asked: without a slash at its end. */
const address = z
  .url({ protocol: /^https?$/ })
  .refine((text) => !/[?#@]/.test(text), 'an address without a query, a fragment or a password')
  .transform((text) => text.replace(/\/+$/, ''));

const cap = z.number().int().min(1).max(1_000_000_000).nullable().default(null);

/** One account of TRANSLATION_UPSTREAMS_FILE. What is absent is as for an account of the simple settings. */
const upstream = z.strictObject({
  code: z.enum(codes),
  name: z.string().regex(/^[\w.-]{1,40}$/, 'up to 40 letters, digits and . _ -'),
  baseUrl: address.optional(),
  key: key.optional(),
  secret: key.optional(),
  region: word.optional(),
  model: word.optional(),
  weight: z.number().int().min(1).max(100).default(1),
  requestsPerSecond: z.number().positive().max(10_000).nullable().default(null),
  charsPerMinute: cap,
  charsPerDay: cap,
});
export type UpstreamSettings = z.output<typeof upstream>;

/** What an account of each vendor cannot be without. Some servers that speak as OpenAI does ask for no key. */
const NEEDS: Readonly<Record<Code, readonly (keyof UpstreamSettings)[]>> = {
  google: ['key'],
  microsoft: ['key'],
  tencent: ['key', 'secret'],
  youdao: ['key', 'secret'],
  deepl: ['key'],
  chatgpt: ['model'],
  libretranslate: ['baseUrl'],
};

/** What is wrong with the rows as a whole. Names only: a row holds secrets. */
const wrongRows = (rows: readonly UpstreamSettings[]): string[] =>
  rows.flatMap((row, at) => {
    const missing = NEEDS[row.code].filter((field) => row[field] === undefined);
    const keyless = row.code === 'chatgpt' && row.key === undefined && row.baseUrl === undefined;
    const twice = rows.findIndex(({ code, name }) => code === row.code && name === row.name) !== at;
    return [
      ...missing.map((field) => `${at}.${field}: missing, ${row.code} needs it`),
      ...(keyless ? [`${at}.key: missing, ${row.code} needs it or a baseUrl of its own`] : []),
      ...(twice ? [`${at}.name: ${row.code} has another of this name`] : []),
      ...(row.name === SIMPLE ? [`${at}.name: this one is for the account of the simple settings`] : []),
    ];
  });

/** What the account is called that the simple settings make. */
export const SIMPLE = 'default';

/** Everything that is wrong with the file is found at the start, and nothing of it is quoted. */
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
    else for (const message of wrongRows(read.data)) refuse(message);
    return read.data ?? z.NEVER;
  })
  .default([]);

/** The settings of the translation vendors: one account each by these variables, any number by a file. */
export const vendorSettings = {
  GOOGLE_TRANSLATE_KEY: key.optional(),
  GOOGLE_TRANSLATE_URL: address.default('https://translation.googleapis.com'),
  MICROSOFT_TRANSLATOR_KEY: key.optional(),
  /** Of a regional or multi-service resource; a global one has none. */
  MICROSOFT_TRANSLATOR_REGION: word.optional(),
  MICROSOFT_TRANSLATOR_URL: address.default('https://api.cognitive.microsofttranslator.com'),
  TENCENT_SECRET_ID: key.optional(),
  TENCENT_SECRET_KEY: key.optional(),
  TENCENT_REGION: word.default('ap-guangzhou'),
  TENCENT_TMT_URL: address.default('https://tmt.tencentcloudapi.com'),
  YOUDAO_APP_KEY: key.optional(),
  YOUDAO_APP_SECRET: key.optional(),
  YOUDAO_URL: address.default('https://openapi.youdao.com'),
  DEEPL_API_KEY: key.optional(),
  /** By default the host of the key's plan. */
  DEEPL_URL: address.optional(),
  OPENAI_API_KEY: key.optional(),
  OPENAI_MODEL: word.optional(),
  /** With the version: `…/v1`. */
  OPENAI_BASE_URL: address.optional(),
  /** What hears and speaks for every account of this vendor; `off`: the engines of this machine do. */
  OPENAI_TRANSCRIBE_MODEL: word.default('whisper-1'),
  OPENAI_SPEECH_MODEL: word.default('tts-1'),
  OPENAI_VOICE: word.default('alloy'),
  /** What reads pictures; by default each account's own model. Off: the engines of this machine do. */
  OPENAI_VISION_MODEL: word.optional(),
  OPENAI_VISION: z.enum(['on', 'off']).default('on'),
  LIBRETRANSLATE_URL: address.optional(),
  LIBRETRANSLATE_API_KEY: key.optional(),
  TRANSLATION_UPSTREAMS_FILE: upstreamsFile,
  /** Every vendor without an account of its own is played by the sandbox. */
  SANDBOX_VENDORS: z.enum(['0', '1']).default('0'),
};

/** What is needed, while what is set: one of `needs`. */
const HALVES: readonly { set: string; needs: readonly string[] }[] = [
  { set: 'MICROSOFT_TRANSLATOR_REGION', needs: ['MICROSOFT_TRANSLATOR_KEY'] },
  { set: 'TENCENT_SECRET_ID', needs: ['TENCENT_SECRET_KEY'] },
  { set: 'TENCENT_SECRET_KEY', needs: ['TENCENT_SECRET_ID'] },
  { set: 'YOUDAO_APP_KEY', needs: ['YOUDAO_APP_SECRET'] },
  { set: 'YOUDAO_APP_SECRET', needs: ['YOUDAO_APP_KEY'] },
  { set: 'OPENAI_API_KEY', needs: ['OPENAI_MODEL'] },
  { set: 'OPENAI_BASE_URL', needs: ['OPENAI_MODEL'] },
  { set: 'OPENAI_MODEL', needs: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'] },
  { set: 'LIBRETRANSLATE_API_KEY', needs: ['LIBRETRANSLATE_URL'] },
];

/** One line for each setting that is missing while another of its vendor is there: half a vendor would fail at the first member. */
export function halfVendors(given: Readonly<Record<string, unknown>>): string[] {
  const halves = HALVES.filter(({ set, needs }) => given[set] && !needs.some((name) => given[name]));
  const lines = halves.map(({ set, needs }) => `${needs.join(' or ')}: missing, while ${set} is set`);
  return given['SANDBOX_VENDORS'] === '1' && !given['SANDBOX_URL']
    ? [...lines, 'SANDBOX_URL: missing, while SANDBOX_VENDORS is set']
    : lines;
}

const MODELS = ['OPENAI_VISION_MODEL', 'OPENAI_TRANSCRIBE_MODEL', 'OPENAI_SPEECH_MODEL'] as const;

/** One line for each model that is named while there is nobody to ask for it: whoever names one means it to be used. */
export function modelsOfNobody(
  given: Readonly<Record<string, unknown>>,
  { OPENAI_MODEL, SANDBOX_VENDORS, TRANSLATION_UPSTREAMS_FILE: rows }: z.output<z.ZodObject<typeof vendorSettings>>,
): string[] {
  if (OPENAI_MODEL !== undefined || SANDBOX_VENDORS === '1' || rows.some(({ code }) => code === 'chatgpt')) return [];
  return MODELS.filter((name) => given[name] !== undefined && given[name] !== 'off').map(
    (name) => `OPENAI_MODEL, or a chatgpt row of TRANSLATION_UPSTREAMS_FILE: missing, while ${name} is set`,
  );
}

/** Servers of one's own may be asked in the clear within one's own network; whatever else is asked goes out over https. */
export function openVendorAddresses(env: z.output<z.ZodObject<typeof vendorSettings>>): string[] {
  const { OPENAI_BASE_URL, LIBRETRANSLATE_URL, TRANSLATION_UPSTREAMS_FILE: rows } = env;
  const addresses = [
    { name: 'GOOGLE_TRANSLATE_URL', url: env.GOOGLE_TRANSLATE_URL, ownServer: false },
    { name: 'MICROSOFT_TRANSLATOR_URL', url: env.MICROSOFT_TRANSLATOR_URL, ownServer: false },
    { name: 'TENCENT_TMT_URL', url: env.TENCENT_TMT_URL, ownServer: false },
    { name: 'YOUDAO_URL', url: env.YOUDAO_URL, ownServer: false },
    { name: 'DEEPL_URL', url: env.DEEPL_URL, ownServer: false },
    { name: 'OPENAI_BASE_URL', url: OPENAI_BASE_URL, ownServer: true },
    { name: 'LIBRETRANSLATE_URL', url: LIBRETRANSLATE_URL, ownServer: true },
    ...rows.map(({ code, baseUrl }, at) => ({
      name: `TRANSLATION_UPSTREAMS_FILE: ${at}.baseUrl`,
      url: baseUrl,
      ownServer: code === 'chatgpt' || code === 'libretranslate',
    })),
  ];
  return addresses
    .filter(({ url, ownServer }) => url?.startsWith('http:') && !(ownServer && inPrivateNetwork(url)))
    .map(({ name }) => `${name}: https in production`);
}
