import type { Config } from '../../platform/config.js';
import { AlipayChannel } from './alipay/channel.js';
import { AlipayClient, type AlipayTrust } from './alipay/client.js';
import { AlipayNotifications } from './alipay/notifications.js';
import type { GatewayDoors } from './pay-channel.js';

/** Null without keys. `now` in milliseconds. */
export function openAlipay(config: Config, now: () => number = Date.now): GatewayDoors | null {
  const { ALIPAY_APP_ID: appId, ALIPAY_SELLER_ID: sellerId, ALIPAY_PRIVATE_KEY: privateKey } = config.env;
  const trust = trustOf(config);
  if (!appId || !sellerId || !privateKey || !trust) return null;
  const { ALIPAY_GATEWAY_URL: gatewayUrl, PAY_GATEWAY_TIMEOUT_MS: patienceMs } = config.env;
  const client = new AlipayClient({ gatewayUrl, appId, privateKey, trust, patienceMs, now });
  return {
    channels: { ALI_NATIVE: new AlipayChannel(client, config) },
    notifications: new AlipayNotifications(client, { appId, sellerId }),
  };
}

function trustOf({ env }: Config): AlipayTrust | null {
  const { ALIPAY_APP_CERT: appCert, ALIPAY_ROOT_CERT: rootCert, ALIPAY_CERT: alipayCert } = env;
  if (appCert && rootCert && alipayCert) return { appCert, rootCert, alipayCert };
  return env.ALIPAY_PUBLIC_KEY ? { publicKey: env.ALIPAY_PUBLIC_KEY } : null;
}
