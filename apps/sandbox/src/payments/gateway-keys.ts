import { readFileSync } from 'node:fs';

import { StartupError } from '../server/config.js';

/** The credentials of each gateway. Keys are PEM: SPKI public, PKCS#8 private. */
export interface GatewayKeys {
  readonly alipay: AlipayKeys;
  readonly wechat: WechatKeys;
  readonly lianlian: LianlianKeys;
}
export interface AlipayKeys {
  readonly appId: string;
  readonly sellerId: string;
  readonly merchantPublicKey: string;
  readonly privateKey: string;
}
export interface WechatKeys {
  readonly appId: string;
  readonly mchId: string;
  /** Serial number of the merchant's certificate. */
  readonly serial: string;
  /** 32 ASCII characters. */
  readonly v3Key: string;
  /** Id of the gateway's public key. */
  readonly publicKeyId: string;
  readonly merchantPublicKey: string;
  readonly privateKey: string;
}
export interface LianlianKeys {
  readonly mchId: string;
  readonly merchantPublicKey: string;
  readonly privateKey: string;
}

const FIELDS = {
  alipay: ['appId', 'sellerId', 'merchantPublicKey', 'privateKey'],
  wechat: ['appId', 'mchId', 'serial', 'v3Key', 'publicKeyId', 'merchantPublicKey', 'privateKey'],
  lianlian: ['mchId', 'merchantPublicKey', 'privateKey'],
} as const satisfies { [Gateway in keyof GatewayKeys]: readonly (keyof GatewayKeys[Gateway])[] };

/** Null without a file. Throws StartupError when it cannot be read or is incomplete. */
export function readGatewayKeys(file: string | null): GatewayKeys | null {
  if (file === null) return null;
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new StartupError(`SANDBOX_GATEWAYS ${file} cannot be read: ${(error as Error).message}`);
  }
  const keys = read as Partial<Record<string, Partial<Record<string, unknown>>>>;
  for (const [gateway, fields] of Object.entries(FIELDS)) {
    const missing = fields.filter((field) => typeof keys[gateway]?.[field] !== 'string');
    if (missing.length > 0) throw new StartupError(`SANDBOX_GATEWAYS ${file} lacks ${gateway}.${missing.join(', ')}`);
  }
  return read as GatewayKeys;
}
