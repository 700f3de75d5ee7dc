/** A LibreTranslate server, or one that speaks as it does: what it can do depends on what is installed there, so it is asked. */
import { z } from 'zod';
import type { VendorAccount } from './account.js';
import { langCodeOf } from './language-codes.js';
import { LibretranslateLanguages } from './libretranslate-languages.js';
import {
  type VendorAnswer,
  type VendorClient,
  type VendorFailureKind,
  type VendorLimits,
  type VendorRequest,
} from './vendor.js';
import { answered, kindOfStatus, refused, understood, VendorHttp, type VendorReply } from './vendor-call.js';

/** It has no limits unless its owner sets some, but often one processor for all: small pieces come back in time. */
const LIMITS: VendorLimits = {
  charsPerRequest: 2_000,
  bytesPerRequest: null,
  textsPerRequest: 25,
  requestsPerSecond: null,
  charsPerMinute: null,
  inFlight: 16,
  requestMs: 10_000,
};

const detection = z.object({ language: z.string() });
const oneText = z.object({ translatedText: z.string(), detectedLanguage: detection.optional() });
const manyTexts = z.object({ translatedText: z.array(z.string()), detectedLanguage: z.array(detection).optional() });

const refusal = z.object({ error: z.string() });

export function libretranslate(account: VendorAccount): VendorClient {
  const http = new VendorHttp(account.baseUrl, LIMITS.inFlight);
  const list = new LibretranslateLanguages(http);
  // Its errors are known by their English words.
  const headers = { 'content-type': 'application/json', 'accept-language': 'en' };
  const path = http.path('/translate');

  async function translate(request: VendorRequest): Promise<VendorAnswer> {
    const pair = await list.pair(request);
    const [first = '', ...more] = request.texts;
    const body = JSON.stringify({
      q: more.length === 0 ? first : request.texts,
      ...pair,
      format: 'text',
      api_key: account.key || undefined,
    });
    const reply = await http.post({ path, headers, body, signal: request.signal });
    if (reply.status !== 200) throw failureOf(reply);
    const said = more.length === 0 ? asMany(understood(oneText, reply)) : understood(manyTexts, reply);
    const found = (said.detectedLanguage ?? []).map(({ language }) => langCodeOf('libretranslate', language));
    return answered(request, said.translatedText, found);
  }

  return {
    limits: LIMITS,
    supports: (source, target) => list.supports(source, target),
    languages: () => list.languages(),
    translate,
    close: () => http.close(),
  };
}

const asMany = ({ translatedText, detectedLanguage }: z.output<typeof oneText>): z.output<typeof manyTexts> => ({
  translatedText: [translatedText],
  detectedLanguage: detectedLanguage && [detectedLanguage],
});

function failureOf(reply: VendorReply) {
  return refused(kindOf(reply.status, refusal.safeParse(reply.json).data?.error ?? ''), reply);
}

function kindOf(status: number, error: string): VendorFailureKind {
  if (status !== 400) return kindOfStatus(status);
  if (/api key/i.test(error)) return 'auth';
  if (/not supported|not available as a target/i.test(error)) return 'unsupported';
  return /exceeds|limit/i.test(error) ? 'too-long' : 'bad-request';
}
