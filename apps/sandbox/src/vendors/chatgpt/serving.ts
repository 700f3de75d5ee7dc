import type { FastifyReply, FastifyRequest } from 'fastify';

import { accountAt, type Account } from '../account.js';
import { exchange, type VendorWorld } from '../exchange.js';
import { headerOf } from '../request-body.js';
import { VendorRefusal, type Deed } from '../vendor-answer.js';
import type { CallKind } from '../vendor-calls.js';
import { CHATGPT, INVALID_KEY } from './chatgpt-error.js';

/** Where the API begins, its version included. */
export const BASE = '/vendors/chatgpt/v1';

/** What every call of this vendor goes through: its key first. */
export const serving =
  (world: VendorWorld) =>
  (call: CallKind, work: (request: FastifyRequest, account: Account) => Deed) =>
  (request: FastifyRequest, reply: FastifyReply) => {
    const checked = () => work(request, accountIn(request));
    return exchange(reply, { ...world, wire: CHATGPT, call, name: keyIn(request), work: checked });
  };

const keyIn = (request: FastifyRequest): string | null =>
  /^Bearer (\S+)$/.exec(headerOf(request, 'authorization'))?.[1] ?? null;

function accountIn(request: FastifyRequest): Account {
  const account = accountAt('chatgpt', keyIn(request));
  if (!account) throw new VendorRefusal(INVALID_KEY);
  return account;
}
