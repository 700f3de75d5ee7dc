/** Signs members of the fixture in at an API on its database. */
import { hash, randomBytes } from 'node:crypto';
import { signedHeaders, tokenOf } from '@yiqiao/contracts/signing';
import type pg from 'pg';

export type SignedIn = { sk: string; userId: number };

const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** Creates a session for each member. */
export async function signIn(owner: pg.Client, userIds: readonly number[]): Promise<SignedIn[]> {
  const members = userIds.map((userId) => ({ sk: randomBytes(32).toString('hex'), userId }));
  await owner.query(
    `INSERT INTO session (token_digest, user_id, family_id, client_type)
     SELECT digest, id, family_id, 0 FROM member JOIN unnest($1::text[], $2::bigint[]) AS signed_in (digest, user_id) ON id = user_id`,
    [members.map(({ sk, userId }) => sha256(tokenOf(sk, userId, sha256))), userIds],
  );
  return members;
}

/** The headers of a signed request; valid for five minutes. */
export const headersOf = ({ sk, userId }: SignedIn): Record<string, string> => ({
  ...signedHeaders(tokenOf(sk, userId, sha256), Date.now(), sha256),
});

/** The environment of an API on the fixture's database. REDIS_URL must be set. */
export const apiEnv = (databaseUrl: string, more: Record<string, string>): NodeJS.ProcessEnv => ({
  DATABASE_URL: databaseUrl,
  REDIS_URL: process.env['REDIS_URL'],
  REDIS_PREFIX: `bench-${randomBytes(4).toString('hex')}`,
  SMTP_URL: 'smtp://127.0.0.1:1',
  APP_SECRET: randomBytes(32).toString('hex'),
  WEB_DIR: '/nonexistent',
  // Refusals under load are measured by part `overload`.
  LIMIT_LATENCY_MS: '60000',
  ...more,
});
