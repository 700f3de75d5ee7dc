// Requests that carry a key, remembered until it is known what became of each of them.
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { sleep } from '../processes.mjs';
import { deliveredOf } from './spent.mjs';

const outcomes = ['acknowledged', 'refused', 'failed', 'unknown'];
const patience = 150_000; // since the last one that was answered: a slow machine has more of them open
const pace = 40; // so many ms apart, nobody is told to slow down: 50 a second are allowed (decisions §3)

/** What an answer says about its request: what nobody answered, or nobody could finish, may have happened or not. */
export const outcomeOf = ({ status, body }) => {
  if (status === 200 && body?.success) return 'acknowledged';
  return status === 0 || status === 429 || status >= 500 ? 'unknown' : 'refused';
};

/**
 * @param {(request: object, key: string) => Promise<object>} send answers `{ status, body }`
 * @param {(answer: object) => string} judge what an answer says; `failed` is for failures that are known to have changed nothing
 * @returns {object} `ask(request)`, `settle()`, `again(entry)`, `all()`, `tally()`
 */
export function createAsked(send, judge = outcomeOf) {
  const entries = [];
  const attempt = async (entry) => {
    const { status, body } = await send(entry.request, entry.key);
    entry.outcome = judge({ status, body });
    entry.data = body?.data;
    entry.code = body?.code ?? status;
    return entry;
  };
  return {
    async ask(request) {
      const entry = { key: randomUUID(), request, outcome: 'unknown' };
      entries.push(entry);
      return attempt(entry);
    },
    /** Asks again under the same key, without touching what is remembered. */
    again: async ({ key, request }) => attempt({ key, request }),
    /** Asks again, with the same key, wherever no answer came: every request ends acknowledged or refused. */
    async settle() {
      const open = entries.filter(({ outcome }) => outcome === 'unknown');
      const total = open.length;
      let deadline = Date.now() + patience;
      const one = async () => {
        for (let entry = open.pop(); entry; entry = open.pop()) {
          while (entry.outcome === 'unknown' && Date.now() < deadline) {
            await attempt(entry);
            if (entry.outcome === 'unknown') await sleep(500);
            else deadline = Date.now() + patience;
          }
        }
      };
      await Promise.all(Array.from({ length: 8 }, one));
      return total;
    },
    all: () => entries,
    tally: () => Object.fromEntries(outcomes.map((name) => [name, entries.filter(({ outcome }) => outcome === name)])),
  };
}

/** Sentences about the last keys that do not answer again as they did. A batch that delivered nothing is not kept (docs/decisions/0016). */
export async function differentAgain({ account, asked }) {
  const found = [];
  const kept = asked.tally().acknowledged.filter((entry) => deliveredOf(entry).length > 0);
  for (const entry of kept.slice(-40)) {
    const again = await asked.again(entry);
    if (again.outcome !== 'acknowledged' || !isDeepStrictEqual(again.data, entry.data))
      found.push(`${account}: key ${entry.key} answers differently (${again.outcome} ${again.code})`);
    await sleep(pace);
  }
  return found;
}
