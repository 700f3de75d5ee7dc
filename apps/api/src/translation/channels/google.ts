/** Google Cloud Translation, v2 (Basic), with an API key: one POST for up to 128 texts. */
import { z } from 'zod';
import { langCodeOf, neededPair, vendorLanguages, vendorPairOf } from './language-codes.js';
import { answered, kindOfStatus, refused, understood, VendorHttp, type VendorReply } from './vendor-http.js';
import {
  type VendorAccount,
  type VendorAnswer,
  type VendorClient,
  type VendorFailureKind,
  type VendorLimits,
  type VendorRequest,
  type Vendor,
  needsKey,
} from './vendor.js';

/** It takes bodies of 100 KB, and advises 5,000 characters a request. */
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

export function google(account: VendorAccount): VendorClient {
  const http = new VendorHttp(account.baseUrl, LIMITS.inFlight);
  // In a header, where no log of addresses keeps it.
  const headers = { 'content-type': 'application/json', 'x-goog-api-key': account.key };
  const path = http.path('/language/translate/v2');

  async function translate(request: VendorRequest): Promise<VendorAnswer> {
    const { source, target } = neededPair('google', request);
    // Without `text` the answer is HTML, with entities in place of quotes.
    const body = JSON.stringify({ q: request.texts, target, source: source ?? undefined, format: 'text' });
    const reply = await http.post({ path, headers, body, signal: request.signal });
    if (reply.status !== 200) throw failureOf(reply);
    const said = understood(translations, reply).data.translations;
    return answered(
      request,
      said.map(({ translatedText }) => translatedText),
      said.map(({ detectedSourceLanguage: code }) => (code === undefined ? null : langCodeOf('google', code))),
    );
  }

  return {
    limits: LIMITS,
    supports: (source, target) => vendorPairOf('google', source, target) !== null,
    languages: () => vendorLanguages('google'),
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

/** Google says the same with different reasons over time: the words are the second witness. */
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
  // A quota of the day comes as 429 too, and does not pass by waiting a moment.
  if (status === 429 && /per day/i.test(message)) return 'quota';
  return kindOfStatus(status);
}

export const googleVendor: Vendor = {
  client: google,
  unavailable: needsKey('谷歌翻译', 'Google'),
  account: ({ GOOGLE_TRANSLATE_KEY: key }) => (key === undefined ? null : { key }),
  baseUrl: (env) => env.GOOGLE_TRANSLATE_URL,
};
