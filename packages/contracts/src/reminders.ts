import { CHANGE_MAX, REMINDER_DAYS_MAX } from '@yiqiao/domain/limits';
import { z } from 'zod';
import { done, endpoint } from './endpoint.js';
import { flag, orMissing } from './fields.js';

/**
 * When a member is warned (docs/decisions/0022): below so many characters of its own balance, so many days before the package ends; 0 is
 * never. `byMail`: by a letter too, one for each time; 0 for sub-accounts, which have no mailbox.
 */
export const reminders = z.object({ lowCharNum: z.int(), expiryDays: z.int(), byMail: z.literal([0, 1]) });

const from0To = (most: number) =>
  z
    .int({ error: orMissing('REQUIRED') })
    .min(0, { error: 'TOO_SMALL' })
    .max(most, { error: 'TOO_BIG' });

/** Each member's own setting, whole. A sub-account that wants mail: 422 NO_MAILBOX. Not in the specification. */
export const changeReminders = endpoint({
  method: 'POST',
  path: '/user/changeReminders',
  access: 'member',
  request: z.strictObject({ lowCharNum: from0To(CHANGE_MAX), expiryDays: from0To(REMINDER_DAYS_MAX), byMail: flag }),
  response: done,
});
