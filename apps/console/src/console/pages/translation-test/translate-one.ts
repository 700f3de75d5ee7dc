import type { Request, Response } from '@yiqiao/contracts/endpoint';
import { translateText } from '@yiqiao/contracts/translation';
import { call } from '../../../shared/api/call.js';
import { unreadable } from '../../../shared/api/failures.js';

/** One text through one channel; the page never sends several at once. */
export type Asked = Omit<Request<typeof translateText>, 'text'> & { text: string };
export type Answer = Exclude<Response<typeof translateText>, { items: unknown }>;

/** Translates one text under its Idempotency-Key. Throws ApiError. */
export async function translateOne(asked: Asked, idempotencyKey: string): Promise<Answer> {
  const answer = await call(translateText, asked, { idempotencyKey });
  if ('items' in answer) throw unreadable(200); // what only several texts are answered with
  return answer;
}
