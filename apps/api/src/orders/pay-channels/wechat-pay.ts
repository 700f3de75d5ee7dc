import type { Config } from '../../platform/config.js';
import type { GatewayDoors } from './pay-channel.js';
import { WechatPayChannel } from './wechat-pay/channel.js';
import { WechatPayClient } from './wechat-pay/client.js';
import { WechatPayNotifications } from './wechat-pay/notifications.js';

/** Null without keys. `now` in milliseconds. */
export function openWechatPay(config: Config, now: () => number = Date.now): GatewayDoors | null {
  const { env } = config;
  const { WECHAT_PAY_APP_ID: appId, WECHAT_PAY_MCH_ID: mchId, WECHAT_PAY_SERIAL: serial } = env;
  const { WECHAT_PAY_PRIVATE_KEY: privateKey, WECHAT_PAY_V3_KEY: v3Key } = env;
  if (!appId || !mchId || !serial || !privateKey || !v3Key) return null;
  const { WECHAT_PAY_PUBLIC_KEY_ID: id, WECHAT_PAY_PUBLIC_KEY: key } = env;
  const { WECHAT_PAY_URL: url, PAY_GATEWAY_TIMEOUT_MS: patienceMs } = env;
  const publicKey = id && key ? { id, key } : null;
  const client = new WechatPayClient({ url, appId, mchId, serial, privateKey, v3Key, publicKey, patienceMs, now });
  return {
    channels: { WC_NATIVE: new WechatPayChannel(client, config.notifyUrl) },
    notifications: new WechatPayNotifications(client),
  };
}
