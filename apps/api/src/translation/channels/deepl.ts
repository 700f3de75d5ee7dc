/** DeepL API, v2: one POST for up to 50 texts. */
import { z } from 'zod';
import type { VendorAccount } from './account.js';
import { askedPair, neededPair } from './asked-pair.js';
import { DeeplGlossaries } from './deepl-glossaries.js';
import { langCodeOf } from './language-codes.js';
import {
  type VendorAnswer,
  type VendorClient,
  VendorFailure,
  type VendorFailureKind,
  type VendorLimits,
  type VendorRequest,
} from './vendor.js';
import { answered, kindOfStatus, refused, understood, VendorHttp, type VendorReply } from './vendor-call.js';
import { vendorLanguages } from './vendor-languages.js';

/** It takes bodies of 128 KiB; how fast it may be asked, it says when it is too fast. */
const LIMITS: VendorLimits = {
  charsPerRequest: 20_000,
  bytesPerRequest: 100_000,
  textsPerRequest: 50,
  requestsPerSecond: null,
  charsPerMinute: null,
  inFlight: 100,
  requestMs: 10_000,
};

const QUOTA_EXCEEDED = 456;
const TOO_MANY_FOR_NOW = 529;

const translations = z.object({
  translations: z.array(z.object({ text: z.string(), detected_source_language: z.string().optional() })),
});

const refusal = z.object({ message: z.string() });

/** Where an account lives: the keys of free ones end in `:fx`, and neither host knows the other's. */
export const deeplHost = (key: string): string =>
  key.endsWith(':fx') ? 'https://api-free.deepl.com' : 'https://api.deepl.com';

export function deepl(account: VendorAccount): VendorClient {
  const http = new VendorHttp(account.baseUrl, LIMITS.inFlight);
  const headers = { 'content-type': 'application/json', authorization: `DeepL-Auth-Key ${account.key}` };
  const path = http.path('/v2/translate');
  const glossaries = new DeeplGlossaries(http, headers);

  async function translate(request: VendorRequest): Promise<VendorAnswer> {
    const { source, target } = neededPair('deepl', request);
    const { terms, texts } = request;
    const glossary = terms ? glossaries.idOf(terms) : undefined;
    if (glossary === null) throw new VendorFailure('bad-request', 'its glossary is gone');
    const asked = { text: texts, target_lang: target, source_lang: source ?? undefined, glossary_id: glossary };
    const body = JSON.stringify(asked);
    const reply = await http.post({ path, headers, body, signal: request.signal });
    if (terms && messageOf(reply).includes('glossary')) glossaries.forget(terms);
    if (reply.status !== 200) throw failureOf(reply);
    const said = understood(translations, reply).translations;
    return answered(
      request,
      said.map(({ text }) => text),
      said.map(({ detected_source_language: code }) => (code === undefined ? null : langCodeOf('deepl', code))),
    );
  }

  return {
    limits: LIMITS,
    supports: (source, target) => askedPair('deepl', source, target) !== null,
    languages: () => vendorLanguages('deepl'),
    translate,
    uses: (terms) => (glossaries.idOf(terms) === null ? null : 'vendor'),
    keepOnlyTerms: (familyId, current) => glossaries.keepOnly(familyId, current),
    close: () => http.close(),
  };
}

function failureOf(reply: VendorReply) {
  return refused(kindOf(reply.status, messageOf(reply)), reply);
}

const messageOf = ({ json }: VendorReply): string => refusal.safeParse(json).data?.message ?? '';

function kindOf(status: number, message: string): VendorFailureKind {
  if (message.includes('glossary')) return 'bad-request';
  if (status === 400 && /(target|source)_lang|not supported/.test(message)) return 'unsupported';
  if (status === QUOTA_EXCEEDED) return 'quota';
  if (status === TOO_MANY_FOR_NOW) return 'rate';
  return kindOfStatus(status);
}
