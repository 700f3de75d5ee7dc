import type { Response } from '@yiqiao/contracts/endpoint';
import type { listCustomerService, listServicePlatforms } from '@yiqiao/contracts/site';
import { CLIENT_TIMEOUT_MS } from '@yiqiao/domain/limits';
import { callRoute } from '../../../shared/api/call.js';
import { urlOf } from '../../../shared/api/send.js';
import { messagesOf } from '../../../shared/i18n/messages.js';

/** Where each call goes; service-routes.spec.ts holds it to the contract. */
export const ROUTES = {
  platforms: { method: 'GET', path: '/customer-service/platform/list' },
  list: { method: 'GET', path: '/customer-service/list' },
  check: { method: 'GET', path: '/customer-service/get' },
} as const;

export type Service = Response<typeof listCustomerService>;
export type ServiceAccount = Service[number]['accountList'][number];

/** An entry of this kind is after-sale, any other pre-sale (specification §2). */
const AFTER_SALE = 1;
export const isAfterSale = ({ accountType }: ServiceAccount): boolean => accountType === AFTER_SALE;

/** Everybody one may write to, with codes of `side` × `side` pixels. */
export const listService = (side: number, signal: AbortSignal): Promise<Service> =>
  callRoute<typeof listCustomerService>(ROUTES.list, { height: `${side}`, width: `${side}` }, { signal });

export const listPlatforms = (signal: AbortSignal): Promise<string[]> =>
  callRoute<typeof listServicePlatforms>(ROUTES.platforms, {}, { signal });

/** Whether the server says, without any doubt, that the account is one of ours; every failure is a no (specification §8). */
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

/** Platforms that have a name in each language. What operators write is the key, compared without regard to case. */
const NAMES: ReadonlyMap<string, 'platformWeChat' | 'platformWeCom' | 'platformDingTalk'> = new Map([
  ['wechat', 'platformWeChat'],
  ['wecom', 'platformWeCom'],
  ['dingtalk', 'platformDingTalk'],
]);

/** What the page calls a platform; one that is not in the table keeps the operator's name. */
export function platformName(platform: string): string {
  const name = NAMES.get(platform.toLowerCase());
  return name ? messagesOf('shared')(name) : platform;
}
