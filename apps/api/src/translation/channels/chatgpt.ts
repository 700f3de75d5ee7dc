/**
 * Any server that speaks OpenAI's chat completions, OpenAI's own first. The member's text is the user's message and nothing else; what to
 * do with it stands in the system's message alone (`chatgpt-prompt.ts`).
 */
import type { PairTerms, Term } from '@yiqiao/domain/glossary';
import { z } from 'zod';
import type { VendorAccount } from './account.js';
import { type Asked, readAnswer, systemMessage, userMessage, wantsJson } from './chatgpt-prompt.js';
import { chatErrorIn, failureOf } from './chatgpt-errors.js';
import { adjusted, bodyOf, type Manners, MANNERS } from './chatgpt-manners.js';
import { languageOf } from './languages.js';
import {
  NoAnswer,
  type TermsUse,
  type VendorAnswer,
  type VendorClient,
  VendorFailure,
  type VendorLimits,
  type VendorRequest,
} from './vendor.js';
import { answered, understood, VendorHttp, type VendorReply } from './vendor-call.js';
import { vendorLanguages } from './vendor-languages.js';

const LIMITS: VendorLimits = {
  // A model writes some hundred tokens a second: more than this is seldom done within the 15 s of a text, side by side it is.
  charsPerRequest: 1_000,
  bytesPerRequest: null,
  textsPerRequest: 20,
  requestsPerSecond: null,
  charsPerMinute: null,
  inFlight: 20,
  requestMs: 12_000,
};

const completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
});

export function chatgpt(account: VendorAccount): VendorClient {
  return new ChatGpt(account);
}

class ChatGpt implements VendorClient {
  readonly limits = LIMITS;
  readonly #http: VendorHttp;
  /** What this account's server takes: learnt from its refusals, once each. */
  #manners: Manners = MANNERS;

  constructor(private readonly account: VendorAccount) {
    this.#http = new VendorHttp(account.baseUrl, LIMITS.inFlight);
  }

  supports(source: string | null, target: string): boolean {
    return (source === null || languageOf(source) !== null) && languageOf(target) !== null && source !== target;
  }

  languages() {
    return vendorLanguages('chatgpt');
  }

  uses(): TermsUse {
    return 'prompt';
  }

  async translate(request: VendorRequest): Promise<VendorAnswer> {
    const { texts, source, target, terms } = request;
    const to = languageOf(target);
    const from = source === null ? null : languageOf(source);
    if (to === null || (source !== null && from === null))
      throw new VendorFailure('unsupported', `${source ?? 'auto'} to ${target}`);
    const asked: Asked = { texts, source: from, target: to, terms: termsIn(texts, terms) };
    const content = contentOf(understood(completion, await this.#ask(asked, request.signal)));
    const read = readAnswer(asked, content);
    if (read === null) throw new NoAnswer('not the JSON that it was asked for');
    return answered(request, read.texts, read.detected);
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  /** Servers and models differ in which parameters they take. What one refuses is left out, in this request and, once that worked, in all. */
  async #ask(asked: Asked, signal: AbortSignal): Promise<VendorReply> {
    const messages = [
      { role: 'system', content: systemMessage(asked) },
      { role: 'user', content: userMessage(asked) },
    ];
    const size = asked.texts.reduce((sum, text) => sum + [...text].length, 0);
    const request = { model: this.account.model ?? '', messages, size, json: wantsJson(asked) };
    for (let manners = this.#manners; ;) {
      const sent = bodyOf(request, manners);
      const reply = await this.#post(sent, signal);
      if (reply.status === 200) {
        this.#manners = manners;
        return reply;
      }
      const next = reply.status === 400 ? adjusted(sent, manners, chatErrorIn(reply)) : null;
      if (next === null) throw failureOf(reply);
      manners = next;
    }
  }

  #post(body: unknown, signal: AbortSignal): Promise<VendorReply> {
    return this.#http.post({
      path: this.#http.path('/chat/completions'),
      // Some local servers refuse an empty key, and take any other.
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.account.key || 'none'}` },
      body: JSON.stringify(body),
      signal,
    });
  }
}

/** The terms that these texts hold, each once. */
function termsIn(texts: readonly string[], terms: PairTerms | null | undefined): readonly Term[] {
  const found = texts.flatMap((text) => terms?.index.find(text) ?? []);
  return [...new Map(found.map(({ term, translation }) => [term, { term, translation }])).values()];
}

/** The text of a completion that ended by itself. */
function contentOf({ choices: [choice] }: z.infer<typeof completion>): string {
  if (choice?.finish_reason === 'length') throw new VendorFailure('too-long', 'it ran out of tokens');
  if (choice?.finish_reason === 'content_filter' || choice?.message.refusal)
    throw new VendorFailure('blocked', choice.finish_reason === 'content_filter' ? 'content_filter' : 'a refusal');
  return choice?.message.content ?? '';
}
