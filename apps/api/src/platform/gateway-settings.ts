import { readFileSync } from 'node:fs';
import { GATEWAY_MS } from '@yiqiao/domain/limits';
import { z } from 'zod';
import { webUrl, wholeNumber } from './setting-types.js';
import { rsaPrivateKey, rsaPublicKey } from './rsa-keys.js';

/** A PEM text, with `\\n` for its line ends as in an env file, or the path of a file that contains it. */
const pem = z.string().transform((text, ctx) => {
  if (!text.startsWith('/')) return text.replaceAll('\\n', '\n');
  try {
    return readFileSync(text, 'utf8');
  } catch {
    ctx.addIssue({ code: 'custom', message: `the file ${text} cannot be read` });
    return z.NEVER;
  }
});

/** A malformed key is found at the start; messages never quote it. */
export const keyBy = <T>(read: (text: string) => T, needed: string) =>
  pem
    .transform((text, ctx): T => {
      try {
        return read(text);
      } catch {
        ctx.addIssue({ code: 'custom', message: needed });
        return z.NEVER;
      }
    })
    .optional();

const privateKey = keyBy(rsaPrivateKey, 'an RSA private key is needed, as PEM, base64 or the path of a file');
const publicKey = keyBy(rsaPublicKey, 'an RSA public key is needed, as PEM, base64 or the path of a file');
const word = z.string().optional();

/** The settings of the payment gateways (decisions §5). */
export const gatewaySettings = {
  ALIPAY_GATEWAY_URL: webUrl.default('https://openapi.alipay.com/gateway.do'),
  ALIPAY_APP_ID: word,
  ALIPAY_SELLER_ID: word,
  ALIPAY_PRIVATE_KEY: privateKey,
  ALIPAY_PUBLIC_KEY: publicKey,
  /** Certificate mode, in place of the public key: the app's certificate, Alipay's root certificates, Alipay's own. */
  ALIPAY_APP_CERT: pem.optional(),
  ALIPAY_ROOT_CERT: pem.optional(),
  ALIPAY_CERT: pem.optional(),
  WECHAT_PAY_URL: webUrl.default('https://api.mch.weixin.qq.com'),
  WECHAT_PAY_APP_ID: word,
  WECHAT_PAY_MCH_ID: word,
  WECHAT_PAY_SERIAL: word,
  WECHAT_PAY_PRIVATE_KEY: privateKey,
  WECHAT_PAY_V3_KEY: z.string().length(32, 'the 32 characters of the APIv3 key').optional(),
  /** With both, public-key mode; without, the platform's certificates are fetched. */
  WECHAT_PAY_PUBLIC_KEY_ID: word,
  WECHAT_PAY_PUBLIC_KEY: publicKey,
  LIANLIAN_URL: webUrl.default('https://openapi.lianlianpay.com'),
  LIANLIAN_MCH_ID: word,
  LIANLIAN_PRIVATE_KEY: privateKey,
  LIANLIAN_PUBLIC_KEY: publicKey,
  /** The base URL for gateway notifications, when it is not PUBLIC_URL. */
  PAY_NOTIFY_URL: webUrl.optional(),
  /** Time-out of one attempt of a call; a call is tried twice. */
  PAY_GATEWAY_TIMEOUT_MS: wholeNumber(100, 60_000).default(GATEWAY_MS),
};

/** The settings a gateway needs, all or none, and the alternative sets that authenticate the gateway: one of `ways`. */
const SETS: readonly { needs: readonly string[]; ways: readonly (readonly string[])[] }[] = [
  {
    needs: ['ALIPAY_APP_ID', 'ALIPAY_SELLER_ID', 'ALIPAY_PRIVATE_KEY'],
    ways: [['ALIPAY_PUBLIC_KEY'], ['ALIPAY_APP_CERT', 'ALIPAY_ROOT_CERT', 'ALIPAY_CERT']],
  },
  {
    needs: [
      'WECHAT_PAY_APP_ID',
      'WECHAT_PAY_MCH_ID',
      'WECHAT_PAY_SERIAL',
      'WECHAT_PAY_PRIVATE_KEY',
      'WECHAT_PAY_V3_KEY',
    ],
    ways: [[], ['WECHAT_PAY_PUBLIC_KEY_ID', 'WECHAT_PAY_PUBLIC_KEY']],
  },
  { needs: ['LIANLIAN_MCH_ID', 'LIANLIAN_PRIVATE_KEY', 'LIANLIAN_PUBLIC_KEY'], ways: [[]] },
];

/** One line for each setting that is missing while another of its gateway is set: payments would fail only at the first order. */
export function incompleteGateways(given: Readonly<Record<string, unknown>>): string[] {
  return SETS.flatMap(({ needs, ways }) => {
    const present = [...needs, ...ways.flat()].find((name) => given[name]);
    if (present === undefined) return [];
    const way = ways.findLast((names) => names.some((name) => given[name])) ?? ways[0] ?? [];
    const missing = [...needs, ...way].filter((name) => !given[name]);
    return missing.map((name) => `${name}: missing, while ${present} is set`);
  });
}
