// An open-loop load of translations: they arrive at their own rate whatever becomes of them, each with its key, and each is asked
// again under it, not before an answer's Retry-After, until it is acknowledged.
import { randomBytes } from 'node:crypto';
import { signIn } from '../chaos/client.mjs';
import { sleep } from '../lifecycle.mjs';

const SESSIONS_EACH = 4;
const RETRY_PAUSE_MS = 300;
/** After the end of the load, for what is still open. */
const SETTLE_MS = 90_000;
const FIXED = { source: 'zh-Hans', target: 'zh-Hant', text: '国' };

/** Sessions of the demo account and its sub-accounts; the proxy spreads them over the api processes. */
export const openSessions = ({ url, demo }) =>
  Promise.all(
    [demo.account, 'demo日韩', 'demo拉美'].flatMap((account) =>
      Array.from({ length: SESSIONS_EACH }, () => signIn(url, account, demo.password)),
    ),
  );

/**
 * @param {{sessions: Function[], rate: number}} options rate: arrivals per second (a Poisson process)
 * @returns {{acknowledged: () => number, end: () => Promise<object>}} `end` stops the arrivals, and resolves when nothing is open any more
 */
export function startLoad({ sessions, rate }) {
  const run = randomBytes(4).toString('hex');
  const startedAt = Date.now();
  const acknowledged = [];
  const answers = {};
  const open = new Set();
  const gap = { ms: 0, from: 0 };
  let lastAt = startedAt;
  let slowest = 0;
  let count = 0;
  let running = true;
  let deadline = Infinity;

  const acknowledge = (key, askedAt) => {
    const now = Date.now();
    slowest = Math.max(slowest, now - askedAt);
    if (now - lastAt > gap.ms) Object.assign(gap, { ms: now - lastAt, from: lastAt - startedAt });
    lastAt = now;
    acknowledged.push(key);
  };
  const translate = async () => {
    const key = `${run}-${count++}`;
    const call = sessions[count % sessions.length];
    const askedAt = Date.now();
    while (Date.now() < deadline) {
      const headers = { 'Idempotency-Key': key };
      const { status, body, error, retryAfterMs } = await call('POST', '/translation/text', FIXED, headers);
      const answer = status === 200 && body?.success ? 200 : `${status || error} ${body?.code ?? ''}`.trim();
      answers[answer] = (answers[answer] ?? 0) + 1;
      if (answer === 200) return acknowledge(key, askedAt);
      await sleep(Math.max(RETRY_PAUSE_MS, retryAfterMs));
    }
    return undefined;
  };
  const arrive = async () => {
    for (let due = 0; running; await sleep(2))
      for (; due < Date.now() - startedAt; due += (-Math.log(1 - Math.random()) * 1_000) / rate) {
        const one = translate().finally(() => open.delete(one));
        open.add(one);
      }
  };
  const arrivals = arrive();

  return {
    run,
    acknowledged: () => acknowledged.length,
    async end() {
      running = false;
      await arrivals;
      deadline = Date.now() + SETTLE_MS;
      await Promise.all(open);
      return { run, acknowledged, unanswered: count - acknowledged.length, answers, gap, slowest };
    },
  };
}
