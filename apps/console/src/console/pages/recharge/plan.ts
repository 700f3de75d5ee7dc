import type { Response } from '@yiqiao/contracts/endpoint';
import type { listSale } from '@yiqiao/contracts/plans';
import { language } from '../../../shared/i18n/language.js';

/** A package on sale. */
export type Plan = Response<typeof listSale>[number];

export const planName = ({ name, enName }: Plan): string => (language === 'zh' ? name : enName);

/** The package chosen at first: the linked one, else the member's own, else the second tier, else the first. */
export function firstPlan(plans: readonly Plan[], linked: number | null, own: number): Plan | null {
  const byId = (id: number | null): Plan | undefined => plans.find((plan) => plan.id === id);
  const usual = plans.find((plan) => plan.tier === 'professional' && plan.translationBillingMode === 'char');
  return byId(linked) ?? byId(own) ?? usual ?? plans[0] ?? null;
}
