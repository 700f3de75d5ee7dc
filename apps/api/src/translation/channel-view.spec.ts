import { expect, it } from '@jest/globals';
import { type ErrorCode, Refusal } from '@yiqiao/domain/errors';
import { type ChannelView, withCurrentChannel } from './channel-view.js';

const choice = (own: number) => ({ own }) as ChannelView;

/** `channels`: the member's own channel at each read. `refusals`: the refusal of each attempt, null for none. */
async function tried(channels: [number, ...number[]], refusals: (ErrorCode | null)[]) {
  const through: number[] = [];
  const [first, ...later] = channels;
  const anew = () => Promise.resolve(choice(later.shift() ?? channels.at(-1) ?? 0));
  const done = withCurrentChannel(Promise.resolve(choice(first)), anew, ({ own }) => {
    through.push(own);
    const code = refusals[through.length - 1];
    return code ? Promise.reject(new Refusal(code)) : Promise.resolve('done');
  });
  const outcome = await done.catch((error: unknown) => (error as Refusal).code);
  return { through, outcome };
}

it('works once when the channel has not changed', async () => {
  expect(await tried([1], [null])).toEqual({ through: [1], outcome: 'done' });
});

it('recovers from a stale cached channel and from one more change meanwhile', async () => {
  expect(await tried([1, 2], ['CHANNEL_CHANGED', null])).toEqual({ through: [1, 2], outcome: 'done' });
  const twice = await tried([1, 2, 1], ['CHANNEL_CHANGED', 'CHANNEL_CHANGED', null]);
  expect(twice).toEqual({ through: [1, 2, 1], outcome: 'done' });
  const thrice = await tried([1, 2, 1], ['CHANNEL_CHANGED', 'CHANNEL_CHANGED', 'CHANNEL_CHANGED']);
  expect(thrice.outcome).toBe('CHANNEL_CHANGED');
});

it('returns a refusal only if the channel has not changed meanwhile', async () => {
  expect(await tried([1, 2], ['PAIR_NOT_SUPPORTED', null])).toEqual({ through: [1, 2], outcome: 'done' });
  expect(await tried([1, 1], ['PAIR_NOT_SUPPORTED'])).toEqual({ through: [1], outcome: 'PAIR_NOT_SUPPORTED' });
});

it('does not repeat errors that are unrelated to the channel', async () => {
  expect(await tried([1, 2], ['QUOTA_NOT_ENOUGH'])).toEqual({ through: [1], outcome: 'QUOTA_NOT_ENOUGH' });
});
