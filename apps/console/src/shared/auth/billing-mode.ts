import type { BillingMode } from '@yiqiao/domain/plans';
import { isMain, type User } from './user.js';

/** How this account pays: a sub-account always by character, whatever its main account's group (decisions §3). */
export const billingModeOf = (user: User): BillingMode =>
  isMain(user) ? user.memberGroup.translationBillingMode : 'char';
