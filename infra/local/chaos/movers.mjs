// A main account that gives quota to its sub-accounts and takes it back, and adds and deletes sub-accounts, without pause.
import { randomUUID } from 'node:crypto';
import { sleep } from '../processes.mjs';
import { createAsked, outcomeOf } from './asked.mjs';

const quantities = { changeCharNum: 30, changeVoiceNum: 2, changeImageNum: 2 };

/**
 * @param {object} options
 * @param {Function} options.call   the main account's
 * @param {number[]} options.children sub-accounts that stay
 * @param {object} options.dice
 */
export function startMovers({ call, children, dice }) {
  let running = true;
  const moves = createAsked((body, key) => call('POST', '/user/all/distribution', body, { 'Idempotency-Key': key }));
  const short = { born: 0, gone: 0 };
  const distribute = async () => {
    while (running) {
      const change = Object.entries(quantities).map(([name, most]) => [name, dice.between(-most, most)]);
      if (change.some(([, n]) => n !== 0))
        await moves.ask({ childUserId: dice.pick(children), ...Object.fromEntries(change) });
      await sleep(dice.between(150, 600));
    }
  };
  const live = async () => {
    while (running) {
      await liveAndDie(call, moves, short);
      await sleep(dice.between(500, 2_000));
    }
  };
  const work = [distribute(), distribute(), live()];
  return {
    async end() {
      running = false;
      await Promise.all(work);
    },
    settle: () => moves.settle(),
    counts: () => ({ moves: moves.tally().acknowledged.length, ...short }),
    /** What was given to a sub-account in all, less what was taken back. */
    given: (userId) =>
      moves.tally().acknowledged.reduce(
        (total, { request }) =>
          request.childUserId !== userId
            ? total
            : {
                chars: total.chars + request.changeCharNum,
                voice: total.voice + request.changeVoiceNum,
                images: total.images + request.changeImageNum,
              },
        { chars: 0, voice: 0, images: 0 },
      ),
    complaints() {
      const { unknown, refused } = moves.tally();
      const found = unknown.length ? [`${unknown.length} distributions stayed without an answer`] : [];
      if (short.gone === 0) found.push('no sub-account came and went');
      const odd = refused.filter(({ code }) => code !== 'QUOTA_NOT_ENOUGH' && code !== 'NOT_FOUND');
      const reasons = [...new Set(odd.map(({ code }) => code))];
      return odd.length ? [...found, `${odd.length} distributions were refused (${reasons.join(', ')})`] : found;
    },
  };
}

/** A sub-account comes, gets something and goes again: whatever a crash makes of it, its quota is with its main account at the end. */
async function liveAndDie(call, moves, counts) {
  const account = `c${randomUUID().replaceAll('-', '').slice(0, 20)}`;
  await untilKnown(() => call('POST', '/user/saveChildUser', { account, password: 'chaos-123' }));
  const found = await untilKnown(() => call('GET', `/user/page?account=${account}`));
  const userId = found.body?.data?.rows[0]?.userId;
  if (!userId) return;
  counts.born++;
  await moves.ask({ childUserId: userId, changeCharNum: 25, changeVoiceNum: 1, changeImageNum: 1 });
  const gone = await untilKnown(() => call('POST', '/user/delChild', { userId }));
  if (gone.status === 200 || gone.status === 404) counts.gone++;
}

/** Repeats what may be repeated until somebody answers it. */
async function untilKnown(send) {
  for (let tries = 0; ; tries++) {
    const answer = await send();
    if (outcomeOf(answer) !== 'unknown' || tries > 300) return answer;
    await sleep(300);
  }
}
