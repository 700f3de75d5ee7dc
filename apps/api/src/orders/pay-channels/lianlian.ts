import type { Config } from '../../platform/config.js';
import { LianlianChannel } from './lianlian/channel.js';
import { LianlianClient } from './lianlian/client.js';
import { LianlianNotifications } from './lianlian/notifications.js';
import type { GatewayDoors } from './pay-channel.js';

/** Null without keys. `now` in milliseconds. */
export function openLianlian(config: Config, now: () => number = Date.now): GatewayDoors | null {
  const { LIANLIAN_MCH_ID: mchId, LIANLIAN_PRIVATE_KEY: privateKey, LIANLIAN_PUBLIC_KEY: publicKey } = config.env;
  if (!mchId || !privateKey || !publicKey) return null;
  const { LIANLIAN_URL: url, PAY_GATEWAY_TIMEOUT_MS: patienceMs } = config.env;
  const client = new LianlianClient({ url, mchId, privateKey, publicKey, patienceMs, now });
  return {
    channels: {
      ALI_LIAN: new LianlianChannel(client, 'ALIPAY_NATIVE', config.notifyUrl),
      WC_LIAN: new LianlianChannel(client, 'WECHAT_NATIVE', config.notifyUrl),
    },
    notifications: new LianlianNotifications({ mchId, publicKey }),
  };
}
