import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { PAY_CHANNELS, type Gateway, type OrderChannel } from '@yiqiao/domain/orders';
import { Config } from '../../platform/config.js';
import { openAlipay } from './alipay.js';
import { openLianlian } from './lianlian.js';
import type { GatewayConnection, NotificationReader, PayChannel } from './pay-channel.js';
import { openWechatPay } from './wechat-pay.js';

/** Opens each gateway from the configuration; null without keys. */
const GATEWAYS: Record<Gateway, (config: Config) => GatewayConnection | null> = {
  alipay: openAlipay,
  wechat: openWechatPay,
  lianlian: openLianlian,
};

/** The payment channels that this installation has keys for. */
@Injectable()
export class PayChannels {
  readonly #connections: Record<Gateway, GatewayConnection | null>;

  constructor(config: Config) {
    this.#connections = {
      alipay: GATEWAYS.alipay(config),
      wechat: GATEWAYS.wechat(config),
      lianlian: GATEWAYS.lianlian(config),
    };
  }

  /** In the order of the table. */
  available(): OrderChannel[] {
    const codes = Object.keys(PAY_CHANNELS) as (keyof typeof PAY_CHANNELS)[];
    return codes.filter((code): code is OrderChannel => code !== 'USDT' && this.#find(code) !== undefined);
  }

  /** Throws PAY_CHANNEL_UNAVAILABLE for one without keys. */
  channel(code: OrderChannel): PayChannel {
    const channel = this.#find(code);
    if (!channel) throw new Refusal('PAY_CHANNEL_UNAVAILABLE');
    return channel;
  }

  /** Null for a gateway without keys. */
  notifications(gateway: Gateway): NotificationReader | null {
    return this.#connections[gateway]?.notifications ?? null;
  }

  #find(code: OrderChannel): PayChannel | undefined {
    return this.#connections[PAY_CHANNELS[code].gateway]?.channels[code];
  }
}
