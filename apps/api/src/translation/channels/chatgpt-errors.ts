import { z } from 'zod';
import { CONTEXT } from './chatgpt-manners.js';
import type { VendorFailure, VendorFailureKind } from './vendor.js';
import { kindOfStatus, refused, type VendorReply } from './vendor-call.js';

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
