/** Privacy policy and refund rules, a chunk of their own in each language. */
import { language } from '../../../shared/i18n/language.js';
import type { Policies } from '../../shared/doc/doc.js';

const load = (): Promise<{ default: Policies }> =>
  language === 'en' ? import('./content.en.js') : import('./content.zh.js');

let policies: Policies | undefined;

/** Awaited before the page is rendered, as texts are. */
export async function loadPolicies(): Promise<void> {
  policies = (await load()).default;
}

export function thePolicies(): Policies {
  if (!policies) throw new Error('the policies were not loaded');
  return policies;
}
