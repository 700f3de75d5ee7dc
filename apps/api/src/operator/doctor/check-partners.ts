import type { INestApplicationContext } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { type Gateway, type OrderChannel, PAY_CHANNELS } from '@yiqiao/domain/orders';
import { createTransport } from 'nodemailer';
import { numberAt } from '../../orders/order-number.js';
import { PayChannels } from '../../orders/pay-channels/pay-channels.js';
import { GATEWAYS } from '../../orders/payments-texts.js';
import type { Text } from '../../platform/cli-messages.js';
import { Clock } from '../../platform/clock.js';
import type { Config } from '../../platform/config.js';
import { VendorAccounts } from '../../translation/channels/vendor-accounts.js';
import { VendorFailure, type VendorFailureKind } from '../../translation/channels/vendor-failure.js';
import type { VendorAccount } from '../../translation/channels/vendor.js';
import { clientOf, configuredAccounts } from '../../translation/channels/vendors.js';
import { type Finding, look, reasonOf, right, unneeded, wrong } from './finding.js';

const MAIL: Text = { zh: '邮件', en: 'Mail' };
const PAYMENTS: Text = { zh: '支付网关', en: 'Payment gateways' };
const VENDORS: Text = { zh: '翻译供应商', en: 'Translation vendors' };

const MAIL_MS = 10_000;

/** Connects and signs in; sends nothing. */
export async function checkMail({ env }: Config): Promise<Finding[]> {
  const { host } = new URL(env.SMTP_URL);
  const times = { connectionTimeout: MAIL_MS, greetingTimeout: MAIL_MS, socketTimeout: MAIL_MS };
  const transport = createTransport({ url: env.SMTP_URL, ...times });
  try {
    await transport.verify();
    return [right(MAIL, { zh: `${host} 接受登录`, en: `${host} accepts the login` })];
  } catch (error) {
    const why = reasonOf(error);
    if (why === 'EAUTH')
      return [
        wrong(MAIL, {
          zh: `${host} 拒绝登录：检查 SMTP_URL 中的用户名和密码`,
          en: `${host} refuses the login: check user and password in SMTP_URL`,
        }),
      ];
    return [
      wrong(MAIL, {
        zh: `${host} 连不上（${why}），验证码发不出去：检查 SMTP_URL 的主机、端口和防火墙`,
        en: `${host} cannot be reached (${why}), so no code is sent: check host and port of SMTP_URL, and the firewall`,
      }),
    ];
  } finally {
    transport.close();
  }
}

/** Asks every gateway for an order that nobody made: it answers "unknown" only to a merchant that it knows. */
export async function checkGateways(config: Config): Promise<Finding[]> {
  const channels = new PayChannels(config);
  const byGateway = Map.groupBy(channels.available(), (code): Gateway => PAY_CHANNELS[code].gateway);
  if (byGateway.size === 0)
    return [
      unneeded(PAYMENTS, {
        zh: '未配置，会员无法购买；密钥见 docs/operations.md',
        en: 'none is configured, so nothing can be bought; docs/operations.md names the keys',
      }),
    ];
  const clock = new Clock(config);
  return Promise.all(
    [...byGateway].map(([gateway, [code]]) => askGateway(gateway, () => queryNothing(channels, clock, code))),
  );
}

async function queryNothing(channels: PayChannels, clock: Clock, code: OrderChannel | undefined): Promise<string> {
  if (code === undefined) return 'absent';
  const now = clock.now();
  const no = numberAt(clock.toWire(now), 'DR');
  const order = { id: 0, no, payChannel: code, userId: 0, amount: 1, createdAt: now, expiresAt: now };
  return (await channels.channel(code).query(order)).state;
}

async function askGateway(gateway: Gateway, ask: () => Promise<string>): Promise<Finding> {
  const about: Text = { zh: `支付：${GATEWAYS[gateway].zh}`, en: `Payments: ${GATEWAYS[gateway].en}` };
  const began = performance.now();
  try {
    await ask();
    const ms = Math.round(performance.now() - began);
    return right(about, { zh: `接受签名，${ms} 毫秒`, en: `accepts the signature, ${ms} ms` });
  } catch (error) {
    if (error instanceof Refusal && error.code === 'GATEWAY_REFUSED')
      return wrong(about, {
        zh: '拒绝了查询：检查商户号、应用号与私钥是否配套，公钥是否已上传到网关后台',
        en: 'refuses the query: check that merchant, app and private key belong together, and that the gateway has the public key',
      });
    return wrong(about, {
      zh: '没有可验证的回答：检查网络出口，以及配置的网关公钥',
      en: 'gives no answer that can be verified: check the way out of the network, and the configured public key of the gateway',
    });
  }
}

const SENTENCE = '你好，这个颜色还有现货吗？';
const VENDOR_MS = 15_000;

/** One real sentence through every account, outside the routing. `app`: null while the accounts of the console cannot be read. */
export async function checkVendors(config: Config, app: INestApplicationContext | null): Promise<Finding[]> {
  const accounts = app ? app.get(VendorAccounts, { strict: false }).serving : configuredAccounts(config);
  const unread = app
    ? []
    : [
        look(VENDORS, {
          zh: '数据库不可用，只检查环境变量和文件中的账号',
          en: 'without the database only the accounts of the environment and the file are checked',
        }),
      ];
  if (accounts.length === 0)
    return [
      ...unread,
      unneeded(VENDORS, {
        zh: '未配置，只有离线引擎翻译',
        en: 'none is configured: only the offline engine translates',
      }),
    ];
  return [...unread, ...(await Promise.all(accounts.map(tryAccount)))];
}

async function tryAccount(account: VendorAccount): Promise<Finding> {
  const name = `${account.code}/${account.name}`;
  const about: Text = { zh: `翻译：${name}`, en: `Translation: ${name}` };
  const client = clientOf(account);
  const began = performance.now();
  const signal = AbortSignal.timeout(VENDOR_MS);
  try {
    await client.translate({ texts: [SENTENCE], source: 'zh-Hans', target: 'en', signal });
    const ms = Math.round(performance.now() - began);
    return right(about, { zh: `译出一句话，${ms} 毫秒`, en: `translated a sentence, ${ms} ms` });
  } catch (error) {
    if (!(error instanceof VendorFailure)) throw error;
    const mend = VENDOR_MENDS[signal.aborted ? 'timeout' : error.kind] ?? MEND_REQUEST;
    return wrong(about, { zh: `${mend.zh}（${error.message}）`, en: `${mend.en} (${error.message})` });
  } finally {
    await client.close();
  }
}

const MEND_REQUEST: Text = {
  zh: '请求被拒绝：检查地址、区域、模型名称',
  en: 'refuses the request: check address, region and model',
};

const VENDOR_MENDS: Partial<Record<VendorFailureKind, Text>> = {
  auth: { zh: '密钥被拒绝：换新的密钥', en: 'refuses the key: set a new one' },
  quota: {
    zh: '额度用尽或欠费：充值或等待下个周期',
    en: 'has no quota or money left: top up, or wait for the next period',
  },
  rate: {
    zh: '请求过于频繁：稍后再试，或设置 requestsPerSecond',
    en: 'limits the rate: try later, or set requestsPerSecond',
  },
  timeout: { zh: '没有按时回答：检查网络出口', en: 'does not answer in time: check the way out of the network' },
  transient: {
    zh: '连不上或服务器出错：检查网络出口',
    en: 'cannot be reached or fails: check the way out of the network',
  },
  'bad-answer': {
    zh: '回答不是译文：检查地址是否指向该供应商',
    en: 'does not answer with a translation: check that the address is the vendor’s',
  },
};
