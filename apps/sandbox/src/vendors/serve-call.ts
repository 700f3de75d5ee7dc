import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

import { parseVendorAccount } from './account.js';
import { type AcceptedCall, type VendorReply, VendorRefusal, type VendorProtocol } from './vendor-answer.js';
import type { CallKind, PendingCall, VendorCalls } from './vendor-calls.js';
import { type AppliedFaults, isWorkKind, type VendorFaults } from './vendor-faults.js';

/** Services shared by all vendors: fault switches, call log, rate limit. */
export interface VendorServices {
  readonly faults: VendorFaults;
  readonly calls: VendorCalls;
  readonly rateLimit: RateLimit;
}

/** A request to serve. `name` is the claimed account, not verified until `handle` runs. */
export interface VendorCall {
  readonly wire: VendorProtocol;
  readonly call: CallKind;
  readonly name: string | null;
  /** Verifies and parses the request. Throws VendorRefusal. */
  readonly handle: () => AcceptedCall;
}

/** Serves one request of any vendor: verify it, log it, then apply the fault switches of its account. */
export async function serveCall(reply: FastifyReply, options: VendorServices & VendorCall) {
  const { wire, faults, calls, rateLimit } = options;
  const result = attempt(options.handle);
  const known = parseVendorAccount(wire.vendor, options.name);
  const nothing = { call: options.call, texts: [], source: null, target: null };
  const pending = known && calls.begin(known.name, 'accepted' in result ? result.accepted.details : nothing);
  if ('answer' in result) return send(reply, { answer: result.answer, pending });
  const { account, respond } = result.accepted;
  if (!account || !isWorkKind(options.call)) return send(reply, { answer: respond([]), pending });
  const perSecond = faults.pace(account.name) ?? account.perSecond;
  if (perSecond !== null && !rateLimit.allows(account.name, perSecond)) {
    return send(reply, { answer: wire.refusals.rate({}), pending });
  }
  const applied = faults.take(account.name, options.call);
  pending?.applied(applied.kinds);
  if (applied.delayMs > 0) await pause(applied.delayMs, undefined, { ref: false });
  if (applied.ending === null)
    return send(reply, { answer: respond(applied.corruptions), pending, damage: applied.damage });
  const { kind } = applied.ending;
  if (kind === 'hang' || kind === 'drop') return leaveUnanswered(reply, { kind, pending });
  return send(reply, { answer: wire.refusals[kind](applied.ending), pending });
}

function attempt(work: () => AcceptedCall): { readonly accepted: AcceptedCall } | { readonly answer: VendorReply } {
  try {
    return { accepted: work() };
  } catch (error) {
    if (error instanceof VendorRefusal) return { answer: error.answer };
    throw error;
  }
}

interface Sending {
  readonly answer: VendorReply;
  readonly pending: PendingCall | null;
  readonly damage?: AppliedFaults['damage'];
}

/** `malformed` sends a complete response with truncated JSON; `cut` closes the connection before Content-Length is reached. */
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

/** Sends no response: `drop` closes the connection, `hang` keeps it open until the client disconnects. */
async function leaveUnanswered(
  reply: FastifyReply,
  { kind, pending }: { kind: 'hang' | 'drop'; pending: PendingCall | null },
) {
  const { socket } = reply.request.raw;
  reply.hijack();
  if (kind === 'drop') socket.destroy();
  else if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
  pending?.end(null, null);
  return reply;
}

/** A little less than a second, so that network jitter does not reject evenly spaced requests. */
const WINDOW_MS = 800;

/** Sliding-window rate limit per account. */
export class RateLimit {
  readonly #seen = new Map<string, readonly number[]>();

  /** Whether one more request is within the limit; counts it only then. `now` in ms. */
  allows(account: string, perSecond: number, now = performance.now()): boolean {
    const recent = (this.#seen.get(account) ?? []).filter((at) => now - at < WINDOW_MS);
    const allowed = recent.length < perSecond;
    this.#seen.set(account, allowed ? [...recent, now] : recent);
    return allowed;
  }
}
