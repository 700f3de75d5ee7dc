/** Microsoft Translator, v3: one POST for up to 1,000 texts. */
import { randomUUID } from 'node:crypto';
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

/**
 * It takes 50,000 characters, of which an emoji may count as two. The rate is that of tier S1, 40 million an hour; an account of tier F0
 * needs a cap of its own (33,000 a minute).
 */
const LIMITS: VendorLimits = {
  charsPerRequest: 25_000,
  bytesPerRequest: null,
  textsPerRequest: 1_000,
  requestsPerSecond: null,
  charsPerMinute: 660_000,
  inFlight: 100,
  requestMs: 10_000,
};

const translations = z.array(
  z.object({
    detectedLanguage: z.object({ language: z.string() }).optional(),
    translations: z.array(z.object({ text: z.string() })).length(1),
  }),
);

const refusal = z.object({ error: z.object({ code: z.coerce.number().int() }) });

/** By the six-digit code, whose first three digits are the status. What is not listed means what its status means. */
const KINDS: Readonly<Record<number, VendorFailureKind>> = {
  400019: 'unsupported',
  400023: 'unsupported',
  400035: 'unsupported',
  400036: 'unsupported',
  400050: 'too-long',
  400072: 'too-long',
  400077: 'too-long',
  403001: 'quota',
};

export function microsoft(account: VendorAccount): VendorClient {
  const http = new VendorHttp(account.baseUrl, LIMITS.inFlight);
  const headers = {
    'content-type': 'application/json; charset=UTF-8',
    'ocp-apim-subscription-key': account.key,
    // A global resource has none, and refuses any.
    ...(account.region === null ? {} : { 'ocp-apim-subscription-region': account.region }),
  };

  async function translate(request: VendorRequest): Promise<VendorAnswer> {
    const { source, target } = neededPair('microsoft', request);
    const query = new URLSearchParams({ 'api-version': '3.0' });
    if (source !== null) query.set('from', source);
    query.set('to', target);
    query.set('textType', 'plain');
    const reply = await http.post({
      path: http.path(`/translate?${query.toString()}`),
      headers: { ...headers, 'x-clienttraceid': randomUUID() },
      body: JSON.stringify(request.texts.map((text) => ({ Text: text }))),
      signal: request.signal,
    });
    if (reply.status !== 200) throw failureOf(reply);
    const said = understood(translations, reply);
    return answered(
      request,
      said.map((each) => each.translations[0]?.text ?? ''),
      said.map(({ detectedLanguage: found }) => (found ? langCodeOf('microsoft', found.language) : null)),
    );
  }

  return {
    limits: LIMITS,
    supports: (source, target) => vendorPairOf('microsoft', source, target) !== null,
    languages: () => vendorLanguages('microsoft'),
    translate,
    close: () => http.close(),
  };
}

function failureOf(reply: VendorReply) {
  const code = refusal.safeParse(reply.json).data?.error.code;
  return refused((code && KINDS[code]) || kindOfStatus(reply.status), reply, code);
}

export const microsoftVendor: Vendor = {
  client: microsoft,
  unavailable: needsKey('微软翻译', 'Microsoft'),
  account: ({ MICROSOFT_TRANSLATOR_KEY: key, MICROSOFT_TRANSLATOR_REGION: region }) =>
    key === undefined ? null : { key, region },
  baseUrl: (env) => env.MICROSOFT_TRANSLATOR_URL,
  sandbox: { region: 'eastasia' },
};
