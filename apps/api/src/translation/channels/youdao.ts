/**
 * Youdao's text translation with signature v3: `/api` for one text, `/v2/api` for several. Every response is HTTP 200; `errorCode` reports
 * failures.
 */
import { createHash, randomUUID } from 'node:crypto';
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
import { NoAnswer, VendorFailure, type VendorFailureKind } from './vendor-failure.js';
import { VendorLanguages } from './vendor-languages.js';
import { address, key } from './vendor-settings.js';

const languages = new VendorLanguages({
  codes: `
    zh-Hans=zh-CHS zh-Hant=zh-CHT en ja ko fr de es pt-BR=pt ru ar vi th id ms it tr hi af sq am hy az bn eu be bs
    bg yue ca ceb co hr cs da nl eo et fj fil=tl fi gl ka el gu ht ha haw he mww hu is ig ga jv=jw kn kk km tlh
    kmr=ku ky lo la lv lt lb mk mg ml mt mi mr mn my ne no ny ps fa pa otq ro sm gd sr-Cyrl sr-Latn sn sd si sk sl
    so st su sw sv ty tg ta te to uk ur uz cy fy xh yi yo yua zu
  `,
});

const LIMITS: VendorLimits = {
  charsPerRequest: 5_000,
  bytesPerRequest: null,
  textsPerRequest: 20,
  requestsPerSecond: null,
  charsPerMinute: null,
  inFlight: 20,
  requestMs: 10_000,
};

const WRONG_SIGNATURE = '202';
const REPLAYED = '207';
/** The errors of an app without the batch service. */
const NO_SUCH_SERVICE = new Set(['104', '107', '110', '205']);

const code = z.union([z.string(), z.number()]).transform(String);
const refusal = z.object({ errorCode: code });
const one = z.object({ translation: z.array(z.string()), l: z.string().optional() });
const several = z.object({
  translateResults: z.array(z.object({ translation: z.string(), type: z.string().optional() })),
  errorIndex: z.array(z.unknown()).optional(),
});

type Pair = { source: string; target: string };

class Youdao implements VendorClient {
  readonly #http: VendorHttp;
  /** How this account's signatures count characters; learnt from the first text for which it matters. */
  #counting: Counting = 'utf16';
  #several = true;

  constructor(private readonly account: VendorAccount) {
    this.#http = new VendorHttp(account.baseUrl, LIMITS.inFlight);
  }

  get limits(): VendorLimits {
    return this.#several ? LIMITS : { ...LIMITS, textsPerRequest: 1 };
  }

  supports(source: string | null, target: string): boolean {
    return languages.pair(source, target) !== null;
  }

  languages() {
    return languages.published();
  }

  async translate(request: VendorRequest): Promise<VendorAnswer> {
    const { source, target } = languages.requiredPair(request);
    const pair = { source: source ?? 'auto', target };
    const { texts, detected } =
      request.texts.length === 1 ? await this.#one(request, pair) : await this.#all(request, pair);
    return answered(request, texts, detected);
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #one(request: VendorRequest, pair: Pair): Promise<VendorAnswer> {
    const reply = await this.#signed('/api', request, pair);
    if (codeOf(reply) !== '0') throw failureOf(reply);
    const { translation, l } = understood(one, reply);
    // Usually one string; a text of several lines may come back as its lines.
    const whole = translation.length === 1 || translation.length === request.texts[0]?.split('\n').length;
    return { texts: whole ? [translation.join('\n')] : [], detected: [found(l, pair.target)] };
  }

  async #all(request: VendorRequest, pair: Pair): Promise<VendorAnswer> {
    if (!this.#several) throw oneAtATime();
    const reply = await this.#signed('/v2/api', request, pair);
    if (NO_SUCH_SERVICE.has(codeOf(reply)) || reply.status === 404) {
      this.#several = false;
      throw oneAtATime();
    }
    if (codeOf(reply) !== '0') throw failureOf(reply);
    const { translateResults, errorIndex = [] } = understood(several, reply);
    if (errorIndex.length > 0) throw new NoAnswer(`${errorIndex.length} texts left out`);
    return {
      texts: translateResults.map(({ translation }) => translation),
      detected: translateResults.map(({ type }) => found(type, pair.target)),
    };
  }

  /** A signature may be refused for its way of counting or for a repeated salt: each allows one more try. */
  async #signed(path: string, request: VendorRequest, pair: Pair): Promise<VendorReply> {
    const text = request.texts.join('');
    const ask = (counting: Counting) => this.#fresh(path, { request, pair, input: signedInput(text, counting) });
    const counting = this.#counting;
    const reply = await ask(counting);
    if (codeOf(reply) !== WRONG_SIGNATURE) return reply;
    const other = counting === 'utf16' ? 'codePoints' : 'utf16';
    if (signedInput(text, counting) === signedInput(text, other)) return reply;
    const second = await ask(other);
    if (codeOf(second) !== WRONG_SIGNATURE) this.#counting = other;
    return second;
  }

  async #fresh(path: string, asked: Asked): Promise<VendorReply> {
    const reply = await this.#post(path, asked);
    return codeOf(reply) === REPLAYED ? this.#post(path, asked) : reply;
  }

  #post(path: string, { request, pair, input }: Asked): Promise<VendorReply> {
    const { key: appKey, secret } = this.account;
    const salt = randomUUID();
    const curtime = String(Math.floor(Date.now() / 1_000));
    const sign = youdaoSign({ appKey, input, salt, curtime }, secret ?? '');
    const form = new URLSearchParams();
    for (const text of request.texts) form.append('q', text);
    // Without `strict` it may reverse the direction.
    const rest = { from: pair.source, to: pair.target, appKey, salt, sign, signType: 'v3', curtime, strict: 'true' };
    for (const [name, value] of Object.entries(rest)) form.append(name, value);
    return this.#http.post({
      path: this.#http.path(path),
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
      body: form.toString(),
      signal: request.signal,
    });
  }
}

/** Splits a batch that was formed before this was known, without blaming the app. */
const oneAtATime = (): VendorFailure => new VendorFailure('too-long', 'this app takes one text at a time');

type Asked = { request: VendorRequest; pair: Pair; input: string };

const codeOf = (reply: VendorReply): string => refusal.safeParse(reply.json).data?.errorCode ?? '';

/** The source in `en2zh-CHS`; `target` is the requested one. */
function found(direction: string | undefined, target: string): string | null {
  const source = direction?.endsWith(`2${target}`)
    ? direction.slice(0, -target.length - 1)
    : direction?.slice(0, direction.lastIndexOf('2'));
  return source === undefined ? null : languages.langCodeOf(source);
}

function failureOf(reply: VendorReply): VendorFailure {
  const said = codeOf(reply);
  if (said === '') return refused(reply.status === 200 ? 'bad-answer' : kindOfStatus(reply.status), reply);
  return refused(KINDS.get(said) ?? 'transient', reply, said);
}

const KINDS: ReadonlyMap<string, VendorFailureKind> = new Map([
  ['101', 'bad-request'], // a parameter is missing
  ['102', 'unsupported'],
  ['103', 'too-long'],
  ['104', 'bad-request'],
  ['105', 'bad-request'],
  ['106', 'bad-request'],
  ['107', 'bad-request'],
  ['108', 'auth'], // appKey
  ['109', 'auth'],
  ['110', 'auth'], // the service is not bound to the app
  ['111', 'auth'],
  ['112', 'auth'],
  ['113', 'bad-request'], // nothing to translate
  ['201', 'auth'],
  ['202', 'auth'], // signature
  ['203', 'auth'], // our address is not on its list
  ['205', 'auth'],
  ['206', 'auth'], // our clock
  ['207', 'transient'], // a salt seen before
  ['301', 'transient'],
  ['302', 'transient'],
  ['303', 'transient'],
  ['401', 'quota'], // in arrears
  ['411', 'rate'],
  ['412', 'rate'],
]);

/**
 * How the length of a text is counted for its signature. Youdao's own examples disagree: two count UTF-16 units, one counts code points.
 * It makes a difference for characters outside the BMP only, such as emoji.
 */
type Counting = 'utf16' | 'codePoints';

const WHOLE = 20;
const END = 10;

/** The part of a text that is signed: all of it, or its two ends around its length. */
export function signedInput(text: string, counting: Counting): string {
  const units = counting === 'utf16' ? text.split('') : [...text];
  if (units.length <= WHOLE) return text;
  return `${units.slice(0, END).join('')}${units.length}${units.slice(-END).join('')}`;
}

type YoudaoSigned = {
  readonly appKey: string;
  readonly input: string;
  readonly salt: string;
  /** Unix seconds. */
  readonly curtime: string;
};

/** `sign` of signType v3, in lower-case hex. */
export const youdaoSign = ({ appKey, input, salt, curtime }: YoudaoSigned, appSecret: string): string =>
  createHash('sha256')
    .update(appKey + input + salt + curtime + appSecret, 'utf8')
    .digest('hex');

export const youdao = defineVendor({
  shape: {
    YOUDAO_APP_KEY: key.optional(),
    YOUDAO_APP_SECRET: key.optional(),
    YOUDAO_URL: address.default('https://openapi.youdao.com'),
  },
  dependencies: [
    { set: 'YOUDAO_APP_KEY', needs: ['YOUDAO_APP_SECRET'] },
    { set: 'YOUDAO_APP_SECRET', needs: ['YOUDAO_APP_KEY'] },
  ],
  addresses: ['YOUDAO_URL'],
  required: ['key', 'secret'],
  languages,
  client: (account) => new Youdao(account),
  unavailable: needsKey('有道翻译', 'Youdao'),
  account: ({ YOUDAO_APP_KEY: key, YOUDAO_APP_SECRET: secret }) => (key === undefined ? null : { key, secret }),
  baseUrl: (env) => env.YOUDAO_URL,
});
