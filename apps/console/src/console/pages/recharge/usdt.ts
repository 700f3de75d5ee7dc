import { usdtPayInfo } from '@yiqiao/contracts/site-documents';
import type { User } from '../../../shared/auth/user.js';
import type { Plan } from './plan.js';

/** The configured page, or null when switched off, missing or not a safe URL. Never throws. */
export function usdtPage(valued: string): URL | null {
  try {
    const info = usdtPayInfo.safeParse(JSON.parse(valued));
    const url = info.success && info.data.enabled ? URL.parse(info.data.url) : null;
    return url && /^https?:$/.test(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

type Wanted = { plan: Pick<Plan, 'id' | 'name'>; quantity: number };

/** That page with the buyer and the purchase in its query (specification §4). It creates no order here. */
export function usdtAddress(page: URL, user: Pick<User, 'userId' | 'nickname' | 'username'>, wanted: Wanted): string {
  const url = new URL(page);
  const told = {
    userId: user.userId,
    nickname: user.nickname,
    username: user.username,
    memberGroupName: wanted.plan.name,
    memberGroupId: wanted.plan.id,
    salesNum: wanted.quantity,
  };
  for (const [name, value] of Object.entries(told)) url.searchParams.set(name, String(value));
  return url.href;
}
