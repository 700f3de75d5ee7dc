import type { Config } from '../../platform/config.js';
import type { GatewayDoors } from './pay-channel.js';

/** Null without keys. */
export function openWechatPay(config: Config): GatewayDoors | null {
  return config.production ? null : null;
}
