/** Member groups (plans). A package on sale IS a member group; group 1 is the free trial and never on sale (decisions §4). */
export const TRIAL_GROUP_ID = 1;

export type BillingMode = 'char' | 'time';

/** In words. */
export const BILLING_MODES = {
  char: { zh: '按字符', en: 'per character' },
  time: { zh: '按时长', en: 'per period' },
} as const satisfies Record<BillingMode, { zh: string; en: string }>;
