import { type ErrorCode, Refusal } from '@yiqiao/domain/errors';
import type { Choice } from './channel-choice.js';

/** What is refused because of a channel that the member may have left since it was read. */
const OUTDATED: readonly ErrorCode[] = [
  'CHANNEL_CHANGED',
  'CHANNEL_UNAVAILABLE',
  'CHANNEL_NOT_INCLUDED',
  'PAIR_NOT_SUPPORTED',
  'LANGUAGE_NOT_DETECTED',
  'MAIN_ACCOUNT_ONLY',
];

const is = (error: unknown, codes: readonly ErrorCode[]): boolean =>
  error instanceof Refusal && codes.includes(error.code);

/**
 * Works through the member's channel as it is: `chosen` may be half a second old, and the channel may change once more until the hold.
 * On another channel it is another translation, as nothing is held yet.
 */
export async function onPresentChannel<T>(
  chosen: Promise<Choice>,
  anew: () => Promise<Choice>,
  work: (choice: Choice) => Promise<T>,
): Promise<T> {
  try {
    return await work(await chosen);
  } catch (error) {
    if (!is(error, OUTDATED)) throw error;
    const now = await anew();
    const before = await chosen.catch(() => null);
    if (before?.own === now.own && !is(error, ['CHANNEL_CHANGED'])) throw error;
    return await work(now).catch(async (again: unknown) => {
      if (!is(again, ['CHANNEL_CHANGED'])) throw again;
      return work(await anew());
    });
  }
}
