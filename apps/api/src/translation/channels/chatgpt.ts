/**
 * Any server that speaks OpenAI's chat completions, OpenAI's own first. The member's text is the user's message and nothing else; what to
 * do with it stands in the system's message alone (`chatgpt-prompt.ts`).
 */
import { z } from 'zod';
import type { VendorAccount } from './account.js';
import { type Asked, readAnswer, systemMessage, userMessage, wantsJson } from './chatgpt-prompt.js';
import { adjusted, bodyOf, CONTEXT, type Manners, MANNERS } from './chatgpt-manners.js';
import { languageOf } from './languages.js';
import {
  NoAnswer,
  type VendorAnswer,
  type VendorClient,
  VendorFailure,
  type VendorFailureKind,
  type VendorLimits,
  type VendorRequest,
} from './vendor.js';
import { answered, kindOfStatus, refused, understood, VendorHttp, type VendorReply } from './vendor-call.js';
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

const word = z.string().catch('');
const refusal = z.object({ error: z.object({ message: word, type: word, param: word, code: word }) });
type ChatError = z.infer<typeof refusal>['error'];
const NO_ERROR: ChatError = { message: '', type: '', param: '', code: '' };

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

  async translate(request: VendorRequest): Promise<VendorAnswer> {
    const { texts, source, target } = request;
    const to = languageOf(target);
    const from = source === null ? null : languageOf(source);
    if (to === null || (source !== null && from === null))
      throw new VendorFailure('unsupported', `${source ?? 'auto'} to ${target}`);
    const asked: Asked = { texts, source: from, target: to };
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
      const error = refusal.safeParse(reply.json).data?.error ?? NO_ERROR;
      const next = reply.status === 400 ? adjusted(sent, manners, error) : null;
      if (next === null) throw refused(kindOf(reply.status, error), reply, error.code || error.type);
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

/** The text of a completion that ended by itself. */
function contentOf({ choices: [choice] }: z.infer<typeof completion>): string {
  if (choice?.finish_reason === 'length') throw new VendorFailure('too-long', 'it ran out of tokens');
  if (choice?.finish_reason === 'content_filter' || choice?.message.refusal)
    throw new VendorFailure('blocked', choice.finish_reason === 'content_filter' ? 'content_filter' : 'a refusal');
  return choice?.message.content ?? '';
}

function kindOf(status: number, { code, type, message }: ChatError): VendorFailureKind {
  const said = [code, type];
  // Both kinds of 429 look alike but for this: one passes in seconds, the other when somebody pays.
  if (said.some((word) => QUOTA.has(word))) return 'quota';
  if (said.includes('invalid_api_key')) return 'auth';
  if (said.some((word) => BLOCKED.has(word))) return 'blocked';
  if (status === 400 && (said.includes('context_length_exceeded') || CONTEXT.test(message))) return 'too-long';
  return status === 409 ? 'transient' : kindOfStatus(status);
}

const QUOTA = new Set(['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active']);
const BLOCKED = new Set(['content_policy_violation', 'content_filter']);
