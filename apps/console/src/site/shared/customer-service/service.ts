import type { Response } from '@yiqiao/contracts/endpoint';
import type { listCustomerService, listServicePlatforms } from '@yiqiao/contracts/site';
import { CLIENT_TIMEOUT_MS } from '@yiqiao/domain/limits';
import { callRoute } from '../../../shared/api/call.js';
import { urlOf } from '../../../shared/api/send.js';
import { messagesOf } from '../../../shared/i18n/messages.js';

/** Checked against the contract by service.spec.ts. */
export const ROUTES = {
  platforms: { method: 'GET', path: '/customer-service/platform/list' },
  list: { method: 'GET', path: '/customer-service/list' },
  check: { method: 'GET', path: '/customer-service/get' },
} as const;

export type Service = Response<typeof listCustomerService>;
export type ServiceAccount = Service[number]['accountList'][number];

/** Accounts of this type are after-sale, all others pre-sale (specification §2). */
const AFTER_SALE = 1;
export const isAfterSale = ({ accountType }: ServiceAccount): boolean => accountType === AFTER_SALE;

/** All accounts with QR codes of `side` × `side` pixels. */
export const listService = (side: number, signal: AbortSignal): Promise<Service> =>
  callRoute<typeof listCustomerService>(ROUTES.list, { height: `${side}`, width: `${side}` }, { signal });

export const listPlatforms = (signal: AbortSignal): Promise<string[]> =>
  callRoute<typeof listServicePlatforms>(ROUTES.platforms, {}, { signal });

/** Whether the server confirms that the account is ours; every failure means no (specification §8). */
export async function isVerified(platform: string, account: string): Promise<boolean> {
  try {
    const answer = await fetch(urlOf({ ...ROUTES.check, query: { platform, account } }), {
      signal: AbortSignal.timeout(CLIENT_TIMEOUT_MS),
      credentials: 'omit',
      cache: 'no-store',
    });
    const body: unknown = await answer.json();
    return typeof body === 'object' && body !== null && 'success' in body && 'data' in body
      ? answer.ok && body.success === true && body.data === true
      : false;
  } catch {
    return false;
  }
}

/** Platforms with a name in each language, by the operators' key in any case. */
const NAMES: ReadonlyMap<string, 'platformWeChat' | 'platformWeCom' | 'platformDingTalk'> = new Map([
  ['wechat', 'platformWeChat'],
  ['wecom', 'platformWeCom'],
  ['dingtalk', 'platformDingTalk'],
]);

/** The display name of a platform; unknown ones keep the operator's name. */
export function platformName(platform: string): string {
  const name = NAMES.get(platform.toLowerCase());
  return name ? messagesOf('shared')(name) : platform;
}
