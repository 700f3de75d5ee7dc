/** DeepL API, v2: one POST for up to 50 texts. */
import { z } from 'zod';
import type { PairTerms } from '@yiqiao/domain/glossary';
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
import { VendorFailure, type VendorFailureKind } from './vendor-failure.js';
import { VendorLanguages } from './vendor-languages.js';
import { address, key } from './vendor-settings.js';

const languages = new VendorLanguages({
  codes: `
    zh-Hans=zh-HANS zh-Hant=zh-HANT en=en-US ja ko fr de es pt-BR ru ar vi th id ms it tr hi ace af sq an hy as ay
    az bn ba eu be bho bs br bg yue ca ceb hr cs da prs nl en-GB eo et fil=tl fi gl ka el gn gu ht ha he hu is ig ga
    jv kk gom kmr ckb ky la lv ln lt lmo lb mk mai mg ml mt mi mr mn my ne no=nb oc om pam pag ps fa pl pt-PT pa qu
    ro sa sr-Cyrl=sr scn sk sl st es-419 su sw sv tg ta tt te ts tn tk uk ur uz cy wo xh yi zu
  `,
  // A source has neither region nor script.
  format: (code, side) => (side === 'source' ? (code.split('-', 1)[0] ?? code) : code).toUpperCase(),
});

/** Its codes of the targets with a `formality`. */
const FORMAL: ReadonlySet<string> = new Set('DE FR IT ES ES-419 NL PL PT-BR PT-PT JA RU'.split(' '));
const isFormal = (target: string): boolean => FORMAL.has(languages.code(target, 'target') ?? '');
/** Where its list is shorter one day, the text is to be translated all the same. */
const FORMALITY = { formal: 'prefer_more', informal: 'prefer_less' } as const;

/** It accepts bodies of 128 KiB and publishes no rate limit. */
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

/** The host of an account: keys of free accounts end in `:fx`, and neither host accepts the other's keys. */
export const deeplHost = (key: string): string =>
  key.endsWith(':fx') ? 'https://api-free.deepl.com' : 'https://api.deepl.com';

function client(account: VendorAccount): VendorClient {
  const http = new VendorHttp(account.baseUrl, LIMITS.inFlight);
  const headers = { 'content-type': 'application/json', authorization: `DeepL-Auth-Key ${account.key}` };
  const path = http.path('/v2/translate');
  const glossaries = new DeeplGlossaries(http, headers);

  async function translate(request: VendorRequest): Promise<VendorAnswer> {
    const { source, target } = languages.requiredPair(request);
    const { terms, texts, register } = request;
    const glossary = terms ? glossaries.idOf(terms) : undefined;
    if (glossary === null) throw new VendorFailure('bad-request', 'its glossary is gone');
    const body = JSON.stringify({
      text: texts,
      target_lang: target,
      source_lang: source ?? undefined,
      glossary_id: glossary,
      formality: register && isFormal(request.target) ? FORMALITY[register] : undefined,
    });
    const reply = await http.post({ path, headers, body, signal: request.signal });
    if (terms && messageOf(reply).includes('glossary')) glossaries.forget(terms);
    if (reply.status !== 200) throw failureOf(reply);
    const said = understood(translations, reply).translations;
    return answered(
      request,
      said.map(({ text }) => text),
      said.map(({ detected_source_language: code }) => (code === undefined ? null : languages.langCodeOf(code))),
    );
  }

  return {
    limits: LIMITS,
    supports: (source, target) => languages.pair(source, target) !== null,
    languages: () => languages.published(),
    hasRegisters: isFormal,
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

const PATH = '/v2/glossaries';
const CALL_MS = 10_000;
/** How long a refused glossary is not tried again: the plan has no room for it, or the pair is not supported. */
const REFUSED_MS = 10 * 60_000;

const made = z.object({ glossary_id: z.string(), name: z.string() });
const listed = z.object({ glossaries: z.array(made) });

/** `id` null: it is being created or was refused; after `until` (ms since 1970) it may be created again. */
type Known = { readonly id: string | null; readonly until: number };

/** The name of a glossary: its family, its pair and a digest of its terms. */
const nameOf = ({ familyId, source, target, digest }: PairTerms): string =>
  `${prefixOf(familyId)}${source}:${target}:${digest}`;
const prefixOf = (familyId: number): string => `yiqiao:${familyId}:`;

/**
 * The glossaries of one account at DeepL. They are created in the background, while requests do without them, and removed when the terms of
 * their family change.
 */
class DeeplGlossaries {
  readonly #known = new Map<string, Known>();

  constructor(
    private readonly http: VendorHttp,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** The glossary with these terms; null while DeepL has none: then it is created in the background. */
  idOf(terms: PairTerms): string | null {
    const name = nameOf(terms);
    const known = this.#known.get(name);
    if (known && (known.id !== null || Date.now() < known.until)) return known.id;
    this.#known.set(name, { id: null, until: Date.now() + REFUSED_MS });
    this.#make(name, terms).then(
      (id) => id !== null && this.#known.set(name, { id, until: Infinity }),
      () => undefined,
    );
    return null;
  }

  /** Called when DeepL no longer has it: the next request creates it again. */
  forget(terms: PairTerms): void {
    this.#known.delete(nameOf(terms));
  }

  /** Removes this family's glossaries from DeepL, except `current`. Throws VendorFailure. */
  async keepOnly(familyId: number, current: readonly PairTerms[]): Promise<void> {
    const names = new Set(current.map(nameOf));
    for (const { glossary_id: id, name } of await this.#list())
      if (name.startsWith(prefixOf(familyId)) && !names.has(name)) {
        this.#known.delete(name);
        await this.http.delete({ ...this.#call(), path: this.http.path(`${PATH}/${encodeURIComponent(id)}`) });
      }
  }

  /** Null: refused. Another process, or this one before a restart, may have created it already. */
  async #make(name: string, terms: PairTerms): Promise<string | null> {
    const pair = languages.pair(terms.source, terms.target);
    if (pair === null) return null;
    const known = (await this.#list()).find((one) => one.name === name);
    if (known) return known.glossary_id;
    const base = (code: string): string => (code.split('-', 1)[0] ?? code).toLowerCase();
    const body = JSON.stringify({
      name,
      source_lang: base(pair.source),
      target_lang: base(pair.target),
      entries: terms.list.map(({ term, translation }) => `${term}\t${translation}`).join('\n'),
      entries_format: 'tsv',
    });
    const reply = await this.http.post({ ...this.#call(), body });
    return made.safeParse(reply.json).data?.glossary_id ?? null;
  }

  async #list(): Promise<readonly z.infer<typeof made>[]> {
    const reply = await this.http.get(this.#call());
    return listed.safeParse(reply.json).data?.glossaries ?? [];
  }

  #call(): { path: string; headers: Readonly<Record<string, string>>; signal: AbortSignal } {
    return { path: this.http.path(PATH), headers: this.headers, signal: AbortSignal.timeout(CALL_MS) };
  }
}

export const deepl = defineVendor({
  shape: {
    DEEPL_API_KEY: key.optional(),
    /** By default the host of the key's plan. */
    DEEPL_URL: address.optional(),
  },
  addresses: ['DEEPL_URL'],
  required: ['key'],
  languages,
  client,
  unavailable: needsKey(' DeepL ', 'DeepL'),
  account: (env) => (env.DEEPL_API_KEY === undefined ? null : { key: env.DEEPL_API_KEY }),
  baseUrl: (env, accountKey) => env.DEEPL_URL ?? deeplHost(accountKey),
});
