import type { Response } from '@yiqiao/contracts/endpoint';
import type { getChildUser } from '@yiqiao/contracts/sub-accounts';

export type ChildUser = Response<typeof getChildUser>;

/** A sub-account without a nickname has its account name as nickname; the column then shows a dash. */
export const nicknameOf = ({ nickname, account }: ChildUser): string | null =>
  nickname === '' || nickname === account ? null : nickname;

/** The total quota of several sub-accounts. */
export const holdingOfAll = (children: readonly ChildUser[]): ChildUser['memberAccount'] =>
  children.reduce(
    (sum, { memberAccount: own }) => ({
      usableCharNum: sum.usableCharNum + own.usableCharNum,
      usableVoiceNum: sum.usableVoiceNum + own.usableVoiceNum,
      usableImageNum: sum.usableImageNum + own.usableImageNum,
    }),
    { usableCharNum: 0, usableVoiceNum: 0, usableImageNum: 0 },
  );

/** `11-20 14:30`; with the year if it differs from `now`'s. Both are wire times. */
export const shortTime = (time: string, now: string): string =>
  time.slice(0, 4) === now.slice(0, 4) ? time.slice(5, 16) : time.slice(0, 16);
