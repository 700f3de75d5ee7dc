import { USAGE_DAYS, USAGE_DAYS_MAX } from '@yiqiao/domain/limits';
import { z } from 'zod';
import { endpoint, nothing } from './endpoint.js';
import { queryInt } from './fields.js';

/**
 * The savings by the translation memory on each of the last days, oldest first, today included: of the whole family for a main account, its
 * own for a sub-account. `texts` were served without a channel; `charNum` is what they would have cost, 0 in time mode. `kept`: translations
 * now in the family's memory. Not in the specification (docs/decisions/0020).
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
 * Deletes stored translations: all of the family's for a main account, its own for a sub-account. The savings stay counted. `count`: the
 * number of deleted translations. Not in the specification (docs/decisions/0020).
 */
export const forgetTranslations = endpoint({
  method: 'POST',
  path: '/translation/forget',
  access: 'member',
  request: nothing,
  response: z.object({ count: z.int() }),
});
