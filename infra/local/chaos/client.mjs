// A member's client, as the wire describes it: signs in, signs requests (decisions §2), and repeats requests under their
// idempotency key until their outcome is known.
import { createHash, randomUUID } from 'node:crypto';
import { sleep } from '../lifecycle.mjs';

const SETTLE_TIMEOUT_MS = 150_000; // since the last answer: a slow machine has more open requests
const outcomes = ['acknowledged', 'refused', 'failed', 'unknown'];
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** @returns {Promise<(method: string, path: string, body?: object, headers?: object) => Promise<Answer>>} a signed `call` */
export async function signIn(base, account, password) {
  const { body } = await send(`${base}/client-user/login/login`, 'POST', { account, password }, {});
  if (!body?.success) throw new Error(`${account} cannot sign in: ${JSON.stringify(body)}`);
  const { userId, sk } = body.data;
  const token = sha256(`${sk}${userId}`).toUpperCase();
  return (method, path, data, headers = {}) => {
    const timestamp = String(Date.now());
    const signed = { token, timestamp, signature: sha256(`${token}${timestamp}`) };
    return send(`${base}/client-user${path}`, method, data, { ...signed, ...headers });
  };
}

/** `status` 0: there was no answer, and the outcome of the request is unknown. `retryAfterMs`: how long the answer asks to wait, else 0. */
async function send(url, method, data, headers) {
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(data ? { 'content-type': 'application/json' } : {}) },
      body: data && JSON.stringify(data),
      signal: AbortSignal.timeout(60_000),
    });
    const retryAfterMs = 1_000 * Number(response.headers.get('retry-after') ?? 0);
    return { status: response.status, retryAfterMs, body: await response.json() };
  } catch (error) {
    return { status: 0, retryAfterMs: 0, body: undefined, error: error.cause?.code ?? error.message };
  }
}

/** What an answer says about its request. Without an answer, or with a temporary error, it may have been executed or not. */
export const outcomeOf = ({ status, body }) => {
  if (status === 200 && body?.success) return 'acknowledged';
  return status === 0 || status === 429 || status >= 500 ? 'unknown' : 'refused';
};

/**
 * A log of requests with idempotency keys and their outcomes.
 * @param {(request: object, key: string) => Promise<object>} transport resolves with `{ status, body }`
 * @param {(answer: object) => string} classify the outcome of an answer; `failed`: known to have changed nothing
 * @returns {object} `send(request)`, `settle()`, `repeat(entry)`, `byOutcome()`
 */
export function createRequestLog(transport, classify = outcomeOf) {
  const entries = [];
  const attempt = async (entry) => {
    const { status, body } = await transport(entry.request, entry.key);
    entry.outcome = classify({ status, body });
    entry.data = body?.data;
    entry.code = body?.code ?? status;
    return entry;
  };
  return {
    async send(request) {
      const entry = { key: randomUUID(), request, outcome: 'unknown' };
      entries.push(entry);
      return attempt(entry);
    },
    /** Sends it again under the same key, without changing the log. */
    repeat: async ({ key, request }) => attempt({ key, request }),
    /** Repeats every request whose outcome is unknown; returns how many there were. */
    async settle() {
      const open = entries.filter(({ outcome }) => outcome === 'unknown');
      const { length } = open;
      let deadline = Date.now() + SETTLE_TIMEOUT_MS;
      const worker = async () => {
        for (let entry = open.pop(); entry; entry = open.pop()) {
          while (entry.outcome === 'unknown' && Date.now() < deadline) {
            await attempt(entry);
            if (entry.outcome === 'unknown') await sleep(500);
            else deadline = Date.now() + SETTLE_TIMEOUT_MS;
          }
        }
      };
      await Promise.all(Array.from({ length: 8 }, worker));
      return length;
    },
    byOutcome: () =>
      Object.fromEntries(outcomes.map((name) => [name, entries.filter(({ outcome }) => outcome === name)])),
  };
}

/** A seeded random number generator (mulberry32): the same seed makes the same choices. */
export function createRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    /** An integer in [from, to]. */
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: (list) => list[Math.floor(next() * list.length)],
  };
}
