import type { NOTICE_STATES } from '@yiqiao/contracts/operator/notices';
import type { Notice } from './notice.entity.js';

/** The state of a notice at `now` (operators §10). */
export function noticeState(
  { publishedAt, startsAt, endsAt, withdrawnAt }: Notice,
  now: Date,
): (typeof NOTICE_STATES)[number] {
  if (withdrawnAt) return 'withdrawn';
  if (!publishedAt) return 'draft';
  if (startsAt && startsAt > now) return 'scheduled';
  return endsAt && endsAt <= now ? 'ended' : 'shown';
}
