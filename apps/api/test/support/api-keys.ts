import { createApiKey } from '@yiqiao/contracts/api-keys';
import type { Request, Response } from '@yiqiao/contracts/endpoint';
import { TestClient } from './client.js';
import type { TestMember } from './test-members.js';

type Made = Response<typeof createApiKey>;

/** A key of `member` that may do all it can, and a client with it. */
export async function makeKey(
  member: TestMember,
  given: Partial<Request<typeof createApiKey>> = {},
): Promise<Made & { client: TestClient }> {
  const settings = { name: 'shop', scopes: ['text', 'glossary.read', 'usage'] as const, ...given };
  const made = await member.client.call(createApiKey, { ...settings, scopes: [...settings.scopes] });
  return { ...made, client: clientWith(member.client.url, made.secret) };
}

export const clientWith = (url: string, secret: string): TestClient =>
  new TestClient(url, null, { Authorization: `Bearer ${secret}` });
