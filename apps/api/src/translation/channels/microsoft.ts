/** Microsoft Translator, v3: one POST for up to 1,000 texts. */
import { randomUUID } from 'node:crypto';
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
import { address, key, word } from './vendor-settings.js';

const languages = new VendorLanguages({
  codes: `
    zh-Hans zh-Hant en ja ko fr de es pt-BR=pt ru ar vi th id ms it tr hi af sq am hy as az bn ba eu bho brx bs bg
    yue ca hne lzh hr cs da prs dv doi nl et fo fj fil fi fr-CA=fr-ca gl lg=lug ka el gu ht ha he mww hu is ig ikt
    iu iu-Latn ga kn ks kk km rw tlh=tlh-Latn tlh-Piqd gom kmr ckb=ku ky lo lv ln lt dsb mk mai mg ml mt
    mni-Mtei=mni mi mr mn=mn-Cyrl mn-Mong my ne nso no=nb ny=nya or ps fa pl pt-PT=pt-pt pa otq ro rn=run sm sr-Cyrl
    sr-Latn sn sd si sk sl so st sw sv ty ta tt te bo ti to tn tk uk hsb ur ug uz cy xh yo yua zu
  `,
});

/**
 * It accepts 50,000 characters, of which an emoji may count as two. The rate is that of tier S1, 40 million per hour; an account of tier F0
 * needs its own cap (33,000 per minute).
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

/** By the six-digit code, whose first three digits are the status. Other codes are judged by their status. */
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

function client(account: VendorAccount): VendorClient {
  const http = new VendorHttp(account.baseUrl, LIMITS.inFlight);
  const headers = {
    'content-type': 'application/json; charset=UTF-8',
    'ocp-apim-subscription-key': account.key,
    // A global resource has no region and refuses the header.
    ...(account.region === null ? {} : { 'ocp-apim-subscription-region': account.region }),
  };

  async function translate(request: VendorRequest): Promise<VendorAnswer> {
    const { source, target } = languages.requiredPair(request);
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
      said.map(({ detectedLanguage: found }) => (found ? languages.langCodeOf(found.language) : null)),
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
  const code = refusal.safeParse(reply.json).data?.error.code;
  return refused((code && KINDS[code]) || kindOfStatus(reply.status), reply, code);
}

export const microsoft = defineVendor({
  shape: {
    MICROSOFT_TRANSLATOR_KEY: key.optional(),
    /** Of a regional or multi-service resource; a global one has none. */
    MICROSOFT_TRANSLATOR_REGION: word.optional(),
    MICROSOFT_TRANSLATOR_URL: address.default('https://api.cognitive.microsofttranslator.com'),
  },
  dependencies: [{ set: 'MICROSOFT_TRANSLATOR_REGION', needs: ['MICROSOFT_TRANSLATOR_KEY'] }],
  addresses: ['MICROSOFT_TRANSLATOR_URL'],
  required: ['key'],
  languages,
  client,
  unavailable: needsKey('微软翻译', 'Microsoft'),
  account: ({ MICROSOFT_TRANSLATOR_KEY: key, MICROSOFT_TRANSLATOR_REGION: region }) =>
    key === undefined ? null : { key, region },
  baseUrl: (env) => env.MICROSOFT_TRANSLATOR_URL,
  sandbox: { region: 'eastasia' },
});
