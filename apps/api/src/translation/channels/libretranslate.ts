/** A LibreTranslate server or a compatible one. Its languages depend on its installation, so it is queried for them. */
import { z } from 'zod';
import type { ChannelLanguages } from './channel.js';
import { languages } from './languages.js';
import { answered, kindOfStatus, refused, understood, VendorHttp, type VendorReply } from './vendor-http.js';
import {
  defineVendor,
  type VendorAccount,
  type VendorAnswer,
  type VendorClient,
  type VendorLimits,
  type VendorRequest,
} from './vendor.js';
import { VendorFailure, type VendorFailureKind } from './vendor-failure.js';
import { VendorLanguages } from './vendor-languages.js';
import { address, key } from './vendor-settings.js';

/** The server lists its languages. Older servers use their own codes. */
const vendorCodes = new VendorLanguages({ codes: 'unknown', aliases: { zt: 'zh-Hant', pb: 'pt-BR' } });

/** It has no limits by default, but often only one processor: small requests finish in time. */
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

function client(account: VendorAccount): VendorClient {
  const http = new VendorHttp(account.baseUrl, LIMITS.inFlight);
  const list = new LibretranslateLanguages(http);
  // Its errors are recognised by their English messages.
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
    const found = (said.detectedLanguage ?? []).map(({ language }) => vendorCodes.langCodeOf(language));
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

const FRESH_MS = 10 * 60_000;
/** The pause after a failure. */
const PAUSE_MS = 2_000;
const PATIENCE_MS = 5_000;

/** Older servers list no targets: then all of their languages are targets. */
const rows = z.array(z.object({ code: z.string(), targets: z.array(z.string()).optional() }));

/** The languages of a server, with its own codes, because older servers use others. */
type Known = {
  /** From a langCode to the server's own code. */
  readonly codes: ReadonlyMap<string, string>;
  /** From a source to its targets, langCodes. */
  readonly targets: ReadonlyMap<string, ReadonlySet<string>>;
  readonly languages: ChannelLanguages;
};

/**
 * The languages of one server: queried on demand and refreshed in the background. Until its first answer every pair counts as supported, and
 * `pair` waits for the list: a member must not be refused a language because the list is late. Afterwards its last answer applies.
 */
export class LibretranslateLanguages {
  #known: Known | null = null;
  #askAgainAt = 0;
  #asking: Promise<void> | null = null;
  #failure: VendorFailure | null = null;

  /** `now` in milliseconds. */
  constructor(
    private readonly http: VendorHttp,
    private readonly now: () => number = Date.now,
  ) {
    this.#refresh();
  }

  languages(): ChannelLanguages {
    this.#refresh();
    return this.#known?.languages ?? anyLanguage();
  }

  supports(source: string | null, target: string): boolean {
    this.#refresh();
    if (this.#known === null) return source !== target && anyLanguage().targets.has(target);
    const { languages, targets } = this.#known;
    if (source === null) return languages.targets.has(target);
    return source !== target && (targets.get(source)?.has(target) ?? false);
  }

  /** The server's codes of a request's pair. Waits for the first list. Throws VendorFailure. */
  async pair({ source, target, signal }: VendorRequest): Promise<{ source: string; target: string }> {
    this.#refresh();
    if (this.#known === null && this.#asking) await Promise.race([this.#asking, aborted(signal)]);
    if (signal.aborted) throw new VendorFailure('timeout', 'no list of languages in time');
    if (this.#known === null) throw this.#failure ?? new VendorFailure('transient', 'no list of languages');
    const { codes } = this.#known;
    const [from, to] = [source === null ? 'auto' : codes.get(source), codes.get(target)];
    if (from === undefined || to === undefined || !this.supports(source, target))
      throw new VendorFailure('unsupported', `${source ?? 'auto'} to ${target}`);
    return { source: from, target: to };
  }

  /** Refreshes an old list in the background. */
  #refresh(): void {
    if (this.#asking || this.now() < this.#askAgainAt) return;
    this.#asking = this.#ask()
      .then(
        (known) => {
          this.#known = known;
          this.#askAgainAt = this.now() + FRESH_MS;
        },
        (error: unknown) => {
          this.#failure =
            error instanceof VendorFailure ? error : new VendorFailure('bad-answer', 'a list of languages');
          this.#askAgainAt = this.now() + PAUSE_MS;
        },
      )
      .finally(() => {
        this.#asking = null;
      });
  }

  async #ask(): Promise<Known> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const reply = await this.http.get({ path: this.http.path('/languages'), headers: {}, signal });
    if (reply.status !== 200) throw refused(kindOfStatus(reply.status), reply);
    return knownFrom(understood(rows, reply));
  }
}

let all: ChannelLanguages | undefined;
const anyLanguage = (): ChannelLanguages => {
  if (all) return all;
  const every = new Set(languages().map(({ langCode }) => langCode));
  return (all = { sources: every, targets: every, auto: true });
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

function knownFrom(said: z.output<typeof rows>): Known {
  const named = said.flatMap(({ code, targets }) => {
    const langCode = vendorCodes.langCodeOf(code);
    return langCode === null ? [] : [{ code, langCode, targets: targets ?? said.map((row) => row.code) }];
  });
  // A server may have two codes for one langCode (`pt` and `pt-BR`): the one that equals ours is used.
  named.sort((a, b) => Number(a.code === a.langCode) - Number(b.code === b.langCode));
  const codes = new Map(named.map(({ langCode, code }) => [langCode, code]));
  const byServer = new Map(named.map(({ langCode, code }) => [code, langCode]));
  const targets = new Map(
    named.map((row) => {
      const others = row.targets.map((code) => byServer.get(code)).filter((code) => code !== undefined);
      return [row.langCode, new Set(others.filter((code) => code !== row.langCode))] as const;
    }),
  );
  const sources = new Set([...targets].filter(([, set]) => set.size > 0).map(([source]) => source));
  return {
    codes,
    targets,
    languages: { sources, targets: new Set([...targets.values()].flatMap((set) => [...set])), auto: true },
  };
}

export const libretranslate = defineVendor({
  shape: { LIBRETRANSLATE_URL: address.optional(), LIBRETRANSLATE_API_KEY: key.optional() },
  dependencies: [{ set: 'LIBRETRANSLATE_API_KEY', needs: ['LIBRETRANSLATE_URL'] }],
  addresses: ['LIBRETRANSLATE_URL'],
  isOperatorsChoice: true,
  required: ['baseUrl'],
  languages: vendorCodes,
  client,
  unavailable: {
    zh: '需要配置 LibreTranslate 服务的地址（如有密钥，一并配置）',
    en: 'Needs the address of a LibreTranslate server (and its key, if it has one).',
  },
  account: ({ LIBRETRANSLATE_URL: baseUrl, LIBRETRANSLATE_API_KEY: apiKey }) =>
    baseUrl === undefined ? null : { baseUrl, key: apiKey },
  // Each account names its own.
  baseUrl: (env) => env.LIBRETRANSLATE_URL ?? '',
});
