/** Google Cloud Translation, v2 (Basic), with an API key: one POST for up to 128 texts. */
import { z } from 'zod';
import { answered, kindOfStatus, refused, understood, VendorHttp, type VendorReply } from './vendor-http.js';
import {
  defineVendor,
  needsKey,
  type VendorAccount,
  type VendorAnswer,
  type VendorClient,
  type VendorLimits,
  type VendorRequest,
} from './vendor.js';
import { type VendorFailureKind } from './vendor-failure.js';
import { VendorLanguages } from './vendor-languages.js';
import { address, key } from './vendor-settings.js';

const languages = new VendorLanguages({
  codes: `
    zh-Hans=zh-CN zh-Hant=zh-TW en ja ko fr de es pt-BR=pt ru ar vi th id ms it tr hi ab ace ach af ak sq alz am hy
    as awa ay az ban bm bn ba eu btx bts bbc be bem bew bho bik bs br bg bua yue ca ceb cgg cv co crh hr cs da din
    dv doi dov nl dz eo et ee fj fil fi fr-CA ff gaa gl lg ka el gn gu ht cnh ha haw he=iw hil mww=hmn hu hrx is ig
    ilo ga jv=jw kn kk km rw ktu gom kri kmr=ku ckb ky lo ltg la lv lij li ln lt lmo luo lb mk mai mak mg ms-Arab ml
    mt mni-Mtei mi mr chm min lus mn my ne new nso no nus ny oc or om pam pag pap ps fa pl pt-PT pa pa-Arab qu rom
    ro rn sm sg sa gd sr-Cyrl=sr crs shn sn scn szl sd si sk sl so nr st su sw ss sv tg ta tt te tet ti ts tn tk uk
    ur ug uz cy fy xh yi yo yua zu
  `,
});

/** It accepts bodies of 100 KB and recommends 5,000 characters per request. */
const LIMITS: VendorLimits = {
  charsPerRequest: 5_000,
  bytesPerRequest: 80_000,
  textsPerRequest: 128,
  requestsPerSecond: null,
  charsPerMinute: 6_000_000,
  inFlight: 100,
  requestMs: 10_000,
};

const translations = z.object({
  data: z.object({
    translations: z.array(z.object({ translatedText: z.string(), detectedSourceLanguage: z.string().optional() })),
  }),
});

const reasons = z.array(z.object({ reason: z.string().catch('') })).catch([]);
const refusal = z.object({
  error: z.object({ message: z.string().catch(''), status: z.string().catch(''), errors: reasons, details: reasons }),
});

function client(account: VendorAccount): VendorClient {
  const http = new VendorHttp(account.baseUrl, LIMITS.inFlight);
  // In a header, so that no log of URLs contains it.
  const headers = { 'content-type': 'application/json', 'x-goog-api-key': account.key };
  const path = http.path('/language/translate/v2');

  async function translate(request: VendorRequest): Promise<VendorAnswer> {
    const { source, target } = languages.requiredPair(request);
    // Without `text` the answer is HTML, with entities in place of quotes.
    const body = JSON.stringify({ q: request.texts, target, source: source ?? undefined, format: 'text' });
    const reply = await http.post({ path, headers, body, signal: request.signal });
    if (reply.status !== 200) throw failureOf(reply);
    const said = understood(translations, reply).data.translations;
    return answered(
      request,
      said.map(({ translatedText }) => translatedText),
      said.map(({ detectedSourceLanguage: code }) => (code === undefined ? null : languages.langCodeOf(code))),
    );
  }

  return {
    limits: LIMITS,
    supports: (source, target) => languages.pair(source, target) !== null,
    languages: () => languages.published(),
    translate,
    close: () => http.close(),
  };
}

function failureOf(reply: VendorReply) {
  const { error } = refusal.safeParse(reply.json).data ?? {};
  const { message = '', status = '', errors = [], details = [] } = error ?? {};
  const codes = [...details, ...errors].map(({ reason }) => reason).filter(Boolean);
  return refused(kindOf(reply.status, codes, message), reply, codes[0] ?? status);
}

/** Google's reasons for the same failure vary over time, so the message is checked as well. */
function kindOf(status: number, codes: readonly string[], message: string): VendorFailureKind {
  const says = (code: RegExp, words: RegExp) => codes.some((each) => code.test(each)) || words.test(message);
  if (status === 400) {
    if (says(/^API_KEY_/, /api key/i)) return 'auth';
    if (says(/TOO_LONG|TOO_LARGE/, /too (long|large|many)|exceeds|payload size/i)) return 'too-long';
    return says(/^invalid$/, /invalid value|language/i) ? 'unsupported' : 'bad-request';
  }
  if (status === 403) {
    if (says(/^(dailyLimitExceeded|quotaExceeded)$/, /^(daily limit|quota) exceeded/i)) return 'quota';
    return says(/^(userRateLimitExceeded|rateLimitExceeded|RATE_LIMIT_EXCEEDED)$/, /rate limit exceeded/i)
      ? 'rate'
      : 'auth';
  }
  // An exhausted daily quota is a 429, too, and is not transient.
  if (status === 429 && /per day/i.test(message)) return 'quota';
  return kindOfStatus(status);
}

export const google = defineVendor({
  shape: {
    GOOGLE_TRANSLATE_KEY: key.optional(),
    GOOGLE_TRANSLATE_URL: address.default('https://translation.googleapis.com'),
  },
  addresses: ['GOOGLE_TRANSLATE_URL'],
  required: ['key'],
  languages,
  client,
  unavailable: needsKey('谷歌翻译', 'Google'),
  account: (env) => (env.GOOGLE_TRANSLATE_KEY === undefined ? null : { key: env.GOOGLE_TRANSLATE_KEY }),
  baseUrl: (env) => env.GOOGLE_TRANSLATE_URL,
});
