import type { ApiKeyScope } from '@yiqiao/contracts/api-key-scopes';
import type { TestApi } from './api.js';
import { makeKey } from './api-keys.js';
import { makeMainWith } from './family.js';
import type { TestMember } from './test-members.js';

export type DoorReply = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Null when it is not JSON. */
  readonly body: unknown;
};

/** Sends a request as it is and reads the whole answer. */
export async function ask(url: string, init: RequestInit = {}): Promise<DoorReply> {
  const reply = await fetch(url, init);
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, text, body: jsonIn(text) };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A POST of JSON. */
export const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** A POST of a form; lists repeat their name. */
export function form(
  fields: Record<string, string | readonly string[]>,
  headers: Record<string, string> = {},
): RequestInit {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    for (const each of typeof value === 'string' ? [value] : value) body.append(name, each);
  return { method: 'POST', headers, body };
}

const EVERY_SCOPE: ApiKeyScope[] = ['text', 'glossary.read', 'glossary.write', 'usage'];

/** A main account with characters on a channel, by default the one it begins with, a key that may do everything, and a token for addresses. */
export async function keyHolder(
  api: TestApi,
  { chars = 100_000, channelId }: { chars?: number; channelId?: number } = {},
): Promise<{ main: TestMember; secret: string; token: string }> {
  const main = await makeMainWith(api, chars, channelId);
  const { secret } = await makeKey(main, { scopes: EVERY_SCOPE });
  const { secret: token } = await makeKey(main, { kind: 'url', scopes: ['text'] });
  return { main, secret, token };
}
