import type { Text } from '../../platform/cli-messages.js';

/** `look`: it works, but somebody should know. `unneeded`: this installation does without. */
export type FindingState = 'right' | 'look' | 'wrong' | 'unneeded';

/** What was found about one thing: how it is, or how to mend it. */
export type Finding = { readonly about: Text; readonly state: FindingState; readonly says: Text };

const found =
  (state: FindingState) =>
  (about: Text, says: Text): Finding => ({ about, state, says });

export const right = found('right');
export const look = found('look');
export const wrong = found('wrong');
export const unneeded = found('unneeded');

/** A reason for people: the code of a failed connection, the message of anything else. Never a stack, a statement or an address. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause : error;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}

/** `work`, or a rejection after `ms`. */
export async function atMost<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1_000} s`)), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
