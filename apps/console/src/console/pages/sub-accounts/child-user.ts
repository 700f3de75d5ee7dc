import type { Response } from '@yiqiao/contracts/endpoint';
import type { getChildUser } from '@yiqiao/contracts/sub-accounts';

export type ChildUser = Response<typeof getChildUser>;

/** One that was never given a nickname carries its account name; the column then shows a dash. */
export const nicknameOf = ({ nickname, account }: ChildUser): string | null =>
  nickname === '' || nickname === account ? null : nickname;

/** What several hold together. */
export const holdingOfAll = (children: readonly ChildUser[]): ChildUser['memberAccount'] =>
  children.reduce(
    (sum, { memberAccount: own }) => ({
      usableCharNum: sum.usableCharNum + own.usableCharNum,
      usableVoiceNum: sum.usableVoiceNum + own.usableVoiceNum,
      usableImageNum: sum.usableImageNum + own.usableImageNum,
    }),
    { usableCharNum: 0, usableVoiceNum: 0, usableImageNum: 0 },
  );

/** `11-20 14:30`; of another year than `now`'s with the year. Both are times of the wire. */
export const shortTime = (time: string, now: string): string =>
  time.slice(0, 4) === now.slice(0, 4) ? time.slice(5, 16) : time.slice(0, 16);
