import { z } from 'zod';
import { kindOfStatus, refused, type VendorReply } from './vendor-http.js';
import type { VendorFailure, VendorFailureKind } from './vendor-failure.js';

/** The parameters that a server accepts: OpenAI's newer models refuse those of local servers, and the other way round. */
export type Dialect = {
  readonly temperature: boolean;
  readonly length: 'max_completion_tokens' | 'max_tokens' | null;
  readonly jsonMode: boolean;
};

/** The first try. */
export const DEFAULT_DIALECT: Dialect = { temperature: true, length: 'max_completion_tokens', jsonMode: true };

export type ChatRequest = {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  /** Code points to translate. */
  readonly size: number;
  readonly json: boolean;
};

/** Enough for any translation and for a reasoning model; a limit when a text persuades the model to write more. */
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

/** The message when request and maximum answer exceed the model's context window. */
export const CONTEXT = /context (length|window|size)/i;

/**
 * The dialect for the next try after a refusal with 400, or null when no optional parameter is the reason. Every step gives up a parameter, so
 * it ends.
 */
export function adjusted(
  sent: Readonly<Record<string, unknown>>,
  dialect: Dialect,
  { param, message }: { readonly param: string; readonly message: string },
): Dialect | null {
  const about = (name: string): boolean =>
    name in sent && (param === name || new RegExp(`\\b${name}\\b`).test(message));
  // The length first: its refusal may mention its other name, too. It also counts against a small context window.
  if (dialect.length && (about(dialect.length) || CONTEXT.test(message)))
    return { ...dialect, length: dialect.length === 'max_completion_tokens' ? 'max_tokens' : null };
  if (about('temperature')) return { ...dialect, temperature: false };
  if (about('response_format')) return { ...dialect, jsonMode: false };
  return null;
}

const word = z.string().catch('');
const refusal = z.object({ error: z.object({ message: word, type: word, param: word, code: word }) });
export type ChatError = z.infer<typeof refusal>['error'];

/** The error in a refusal of a server with OpenAI's API. */
export const chatErrorIn = (reply: Pick<VendorReply, 'json'>): ChatError =>
  refusal.safeParse(reply.json).data?.error ?? { message: '', type: '', param: '', code: '' };

/** The failure of such a refusal. */
export function failureOf(reply: VendorReply): VendorFailure {
  const error = chatErrorIn(reply);
  return refused(kindOf(reply.status, error), reply, error.code || error.type);
}

function kindOf(status: number, { code, type, message }: ChatError): VendorFailureKind {
  const said = [code, type];
  // Only this distinguishes the two kinds of 429: a rate limit, which passes in seconds, and an exhausted quota.
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

/** A model's answer without wrappers that the source does not have: thoughts, code fences, quotes. */
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
  // `"A" and "B"` only looks wrapped, and a quoted source keeps its quotes.
  if (!wrapped || inside.includes(answer.charAt(0))) return answer;
  return ALL_QUOTES.test(source) ? answer : inside.trim();
}

/** A quotation mark of any language at either end of a source. */
const ALL_QUOTES = /^["“”'‘’「『«»„‟]|["“”'‘’」』«»]$/;
