import { CHANGE_MAX, REMINDER_DAYS_MAX } from '@yiqiao/domain/limits';
import { z } from 'zod';
import { done, endpoint } from './endpoint.js';
import { flag, orMissing } from './fields.js';

/**
 * A member's reminder thresholds (docs/decisions/0022): characters left in its own balance, and days before the package ends; 0 is never.
 * `byMail`: also by one mail per reminder; 0 for sub-accounts, which have no mailbox.
 */
export const reminders = z.object({ lowCharNum: z.int(), expiryDays: z.int(), byMail: z.literal([0, 1]) });

const from0To = (most: number) =>
  z
    .int({ error: orMissing('REQUIRED') })
    .min(0, { error: 'TOO_SMALL' })
    .max(most, { error: 'TOO_BIG' });

/** Replaces a member's settings. Mail for a sub-account: 422 NO_MAILBOX. Not in the specification. */
export const changeReminders = endpoint({
  method: 'POST',
  path: '/user/changeReminders',
  access: 'member',
  request: z.strictObject({ lowCharNum: from0To(CHANGE_MAX), expiryDays: from0To(REMINDER_DAYS_MAX), byMail: flag }),
  response: done,
});
