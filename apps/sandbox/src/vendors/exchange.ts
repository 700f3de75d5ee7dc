import { setTimeout as pause } from 'node:timers/promises';

import type { FastifyReply } from 'fastify';

import { accountAt } from './account.js';
import type { Pace } from './pace.js';
import { VendorRefusal, type Deed, type VendorAnswer, type VendorWire } from './vendor-answer.js';
import type { CallKind, Underway, VendorCalls } from './vendor-calls.js';
import type { Met, VendorFaults } from './vendor-faults.js';
import { isWork } from './work-kinds.js';

/** What all vendors share: the switches, the record of calls, the count of requests. */
export interface VendorWorld {
  readonly faults: VendorFaults;
  readonly calls: VendorCalls;
  readonly pace: Pace;
}

/** A request on its way: `name` is whom it says to be from, which `work` has not believed yet. */
export interface Exchange {
  readonly wire: VendorWire;
  readonly call: CallKind;
  readonly name: string | null;
  /** Verifies and understands. Throws VendorRefusal. */
  readonly work: () => Deed;
}

/** Answers one request of any vendor: verified first, then taken down, then met by the switches of its account. */
export async function exchange(reply: FastifyReply, asked: VendorWorld & Exchange) {
  const { wire, faults, calls, pace } = asked;
  const result = attempt(asked.work);
  const known = accountAt(wire.vendor, asked.name);
  const nothing = { call: asked.call, texts: [], source: null, target: null };
  const underway = known && calls.begin(known.name, 'deed' in result ? result.deed.asked : nothing);
  if ('answer' in result) return send(reply, { answer: result.answer, underway });
  const { account, answer } = result.deed;
  if (!account || !isWork(asked.call)) return send(reply, { answer: answer([]), underway });
  const perSecond = faults.pace(account.name) ?? account.perSecond;
  if (perSecond !== null && !pace.allows(account.name, perSecond)) {
    return send(reply, { answer: wire.refusals.rate({}), underway });
  }
  const met = faults.meet(account.name, asked.call);
  underway?.met(met.kinds);
  if (met.delayMs > 0) await pause(met.delayMs, undefined, { ref: false });
  if (met.ending === null) return send(reply, { answer: answer(met.spoils), underway, damage: met.damage });
  const { kind } = met.ending;
  if (kind === 'hang' || kind === 'drop') return leave(reply, { kind, underway });
  return send(reply, { answer: wire.refusals[kind](met.ending), underway });
}

function attempt(work: () => Deed): { readonly deed: Deed } | { readonly answer: VendorAnswer } {
  try {
    return { deed: work() };
  } catch (error) {
    if (error instanceof VendorRefusal) return { answer: error.answer };
    throw error;
  }
}

interface Sending {
  readonly answer: VendorAnswer;
  readonly underway: Underway | null;
  readonly damage?: Met['damage'];
}

/** `malformed` is a whole message whose JSON ends in the middle; `cut` promises more bytes than come. */
function send(reply: FastifyReply, { answer, underway, damage }: Sending) {
  underway?.end(damage === 'cut' ? null : answer.status, answer.error);
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
async function leave(reply: FastifyReply, { kind, underway }: { kind: 'hang' | 'drop'; underway: Underway | null }) {
  const { socket } = reply.request.raw;
  reply.hijack();
  if (kind === 'drop') socket.destroy();
  else if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
  underway?.end(null, null);
  return reply;
}
