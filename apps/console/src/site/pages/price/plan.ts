import type { Response } from '@yiqiao/contracts/endpoint';
import type { listSale } from '@yiqiao/contracts/plans';
import { language } from '../../../shared/i18n/language.js';

/** A package on sale. */
export type Plan = Response<typeof listSale>[number];

export const planName = ({ name, enName }: Plan): string => (language === 'zh' ? name : enName);
export const isTimed = (plan: Plan): boolean => plan.translationBillingMode === 'time';

/** What ten thousand characters cost, in yuan with two decimals. */
export const unitPrice = ({ salePrice, num }: Pick<Plan, 'salePrice' | 'num'>): string =>
  ((salePrice / num) * 100).toFixed(2);
