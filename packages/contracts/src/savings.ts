import { USAGE_DAYS, USAGE_DAYS_MAX } from '@yiqiao/domain/limits';
import { z } from 'zod';
import { endpoint, nothing } from './endpoint.js';
import { queryInt } from './fields.js';

/**
 * What remembered translations saved on each of the last days, oldest first, today included: the whole family for a main account, itself
 * for a sub-account. `texts` were answered without asking a channel; `charNum` is what they would have cost, which is nothing in time mode.
 * `kept`: translations that the family remembers now. Not in the specification (docs/decisions/0020).
 */
export const getSavings = endpoint({
  method: 'GET',
  path: '/translation/savings',
  access: 'member',
  request: z.strictObject({
    days: queryInt
      .pipe(z.int().min(1, { error: 'TOO_SMALL' }).max(USAGE_DAYS_MAX, { error: 'TOO_BIG' }))
      .default(USAGE_DAYS),
  }),
  response: z.object({
    days: z.array(z.object({ date: z.string(), texts: z.int(), charNum: z.int() })),
    texts: z.int(),
    charNum: z.int(),
    kept: z.int(),
  }),
});

/**
 * Forgets what is remembered: a main account everything of its family, a sub-account what itself had translated. What was saved stays
 * counted. `count`: so many translations are gone. Not in the specification (docs/decisions/0020).
 */
export const forgetTranslations = endpoint({
  method: 'POST',
  path: '/translation/forget',
  access: 'member',
  request: nothing,
  response: z.object({ count: z.int() }),
});
