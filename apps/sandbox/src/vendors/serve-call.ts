import { setTimeout as pause } from 'node:timers/promises';

import type { FastifyReply } from 'fastify';

import { accountAt } from './account.js';
import type { RateLimit } from './rate-limit.js';
import { VendorRefusal, type AcceptedCall, type VendorAnswer, type VendorWire } from './vendor-answer.js';
import type { CallKind, PendingCall, VendorCalls } from './vendor-calls.js';
import type { AppliedFaults, VendorFaults } from './vendor-faults.js';
import { isWorkKind } from './vendor-faults.js';

/** What all vendors share: the switches, the record of calls, the count of requests. */
export interface VendorServices {
  readonly faults: VendorFaults;
  readonly calls: VendorCalls;
  readonly rateLimit: RateLimit;
}

/** A request on its way: `name` is whom it says to be from, which `work` has not believed yet. */
export interface VendorCall {
  readonly wire: VendorWire;
  readonly call: CallKind;
  readonly name: string | null;
  /** Verifies and understands. Throws VendorRefusal. */
  readonly work: () => AcceptedCall;
}

/** Answers one request of any vendor: verified first, then taken down, then met by the switches of its account. */
export async function serveCall(reply: FastifyReply, asked: VendorServices & VendorCall) {
  const { wire, faults, calls, rateLimit } = asked;
  const result = attempt(asked.work);
  const known = accountAt(wire.vendor, asked.name);
  const nothing = { call: asked.call, texts: [], source: null, target: null };
  const pending = known && calls.begin(known.name, 'accepted' in result ? result.accepted.asked : nothing);
  if ('answer' in result) return send(reply, { answer: result.answer, pending });
  const { account, answer } = result.accepted;
  if (!account || !isWorkKind(asked.call)) return send(reply, { answer: answer([]), pending });
  const perSecond = faults.pace(account.name) ?? account.perSecond;
  if (perSecond !== null && !rateLimit.allows(account.name, perSecond)) {
    return send(reply, { answer: wire.refusals.rate({}), pending });
  }
  const met = faults.meet(account.name, asked.call);
  pending?.met(met.kinds);
  if (met.delayMs > 0) await pause(met.delayMs, undefined, { ref: false });
  if (met.ending === null) return send(reply, { answer: answer(met.corruptions), pending, damage: met.damage });
  const { kind } = met.ending;
  if (kind === 'hang' || kind === 'drop') return leave(reply, { kind, pending });
  return send(reply, { answer: wire.refusals[kind](met.ending), pending });
}

function attempt(work: () => AcceptedCall): { readonly accepted: AcceptedCall } | { readonly answer: VendorAnswer } {
  try {
    return { accepted: work() };
  } catch (error) {
    if (error instanceof VendorRefusal) return { answer: error.answer };
    throw error;
  }
}

interface Sending {
  readonly answer: VendorAnswer;
  readonly pending: PendingCall | null;
  readonly damage?: AppliedFaults['damage'];
}

/** `malformed` is a whole message whose JSON ends in the middle; `cut` promises more bytes than come. */
function send(reply: FastifyReply, { answer, pending, damage }: Sending) {
  pending?.end(damage === 'cut' ? null : answer.status, answer.error);
  const headers = { 'content-type': 'application/json; charset=utf-8', ...answer.headers };
  const bytes = bytesIn(answer.body);
  if (damage === 'cut') {
    reply.hijack();
    reply.raw.writeHead(answer.status, { ...headers, 'content-length': bytes.length });
    reply.raw.write(half(bytes), () => reply.raw.destroy());
    return reply;
  }
  return reply
    .code(answer.status)
    .headers(headers)
    .send(damage === 'malformed' ? half(bytes) : bytes);
}

function bytesIn(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

const half = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length / 2));

/** No answer: the line is closed, or it stays open until the caller goes. */
async function leave(reply: FastifyReply, { kind, pending }: { kind: 'hang' | 'drop'; pending: PendingCall | null }) {
  const { socket } = reply.request.raw;
  reply.hijack();
  if (kind === 'drop') socket.destroy();
  else if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
  pending?.end(null, null);
  return reply;
}
