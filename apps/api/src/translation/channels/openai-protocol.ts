import { z } from 'zod';
import { kindOfStatus, refused, type VendorReply } from './vendor-http.js';
import type { VendorFailure, VendorFailureKind } from './vendor-failure.js';

/** Which parameters a server takes: OpenAI's newer models refuse what local servers know alone, and the other way round. */
export type Dialect = {
  readonly temperature: boolean;
  readonly length: 'max_completion_tokens' | 'max_tokens' | null;
  readonly jsonMode: boolean;
};

/** What is tried first. */
export const DEFAULT_DIALECT: Dialect = { temperature: true, length: 'max_completion_tokens', jsonMode: true };

export type ChatRequest = {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  /** Code points to translate. */
  readonly size: number;
  readonly json: boolean;
};

/** Enough for any translation and for a model that thinks first; an end to one that was talked into writing novels. */
const TOKENS_ALWAYS = 2_048;
const TOKENS_PER_CHARACTER = 3;

export function bodyOf(
  { model, messages, size, json }: ChatRequest,
  dialect: Dialect,
): Readonly<Record<string, unknown>> {
  return {
    model,
    messages,
    ...(dialect.temperature && { temperature: 0 }),
    ...(dialect.length && { [dialect.length]: TOKENS_ALWAYS + TOKENS_PER_CHARACTER * size }),
    ...(json && dialect.jsonMode && { response_format: { type: 'json_object' } }),
  };
}

/** What a request says that did not fit into a model's memory together with the answer it may write. */
export const CONTEXT = /context (length|window|size)/i;

/**
 * The dialect for the next try after a refusal with 400, or null when it is about nothing that was sent by choice. Every step gives up
 * something, so there is an end.
 */
export function adjusted(
  sent: Readonly<Record<string, unknown>>,
  dialect: Dialect,
  { param, message }: { readonly param: string; readonly message: string },
): Dialect | null {
  const about = (name: string): boolean =>
    name in sent && (param === name || new RegExp(`\\b${name}\\b`).test(message));
  // The length first: its refusal may name the other name of it too. It also counts against a small model's memory.
  if (dialect.length && (about(dialect.length) || CONTEXT.test(message)))
    return { ...dialect, length: dialect.length === 'max_completion_tokens' ? 'max_tokens' : null };
  if (about('temperature')) return { ...dialect, temperature: false };
  if (about('response_format')) return { ...dialect, jsonMode: false };
  return null;
}

const word = z.string().catch('');
const refusal = z.object({ error: z.object({ message: word, type: word, param: word, code: word }) });
export type ChatError = z.infer<typeof refusal>['error'];

/** What a refusal of a server that speaks as OpenAI does says, as far as it says it. */
export const chatErrorIn = (reply: Pick<VendorReply, 'json'>): ChatError =>
  refusal.safeParse(reply.json).data?.error ?? { message: '', type: '', param: '', code: '' };

/** Its refusal in the words that all vendors share. */
export function failureOf(reply: VendorReply): VendorFailure {
  const error = chatErrorIn(reply);
  return refused(kindOf(reply.status, error), reply, error.code || error.type);
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

const THOUGHTS = /^\s*<think>[\s\S]*?<\/think>/;
const FENCED = /^```[^\n`]*\n([\s\S]*?)\n?```$/;
const QUOTES: ReadonlyMap<string, string> = new Map(
  ['""', '“”', '‘’', '「」', '『』', '«»', '„“'].map((pair) => [pair.charAt(0), pair.charAt(1)]),
);

/** A model's answer without what it put around the translation although the source has no such thing: thoughts, code fences, quotes. */
export function unwrapped(answer: string, source: string): string {
  const thought = source.includes('<think>') ? answer : answer.replace(THOUGHTS, '');
  const bare = thought.trim();
  const fenced = source.trimStart().startsWith('```') ? null : FENCED.exec(bare);
  return unquoted((fenced?.[1] ?? bare).trim(), source.trim());
}

function unquoted(answer: string, source: string): string {
  const close = QUOTES.get(answer.charAt(0));
  const inside = answer.slice(1, -1);
  const wrapped = close !== undefined && answer.length > 2 && answer.endsWith(close);
  // `"A" and "B"` only looks wrapped; and who writes in quotes wants quotes.
  if (!wrapped || inside.includes(answer.charAt(0))) return answer;
  return ALL_QUOTES.test(source) ? answer : inside.trim();
}

/** At either end of a source: a quotation, in whatever marks its language uses. */
const ALL_QUOTES = /^["“”'‘’「『«»„‟]|["“”'‘’」』«»]$/;
