// Key pairs for the sandbox's payment gateways: made once, kept in the data folder. The product gets its own private keys and the
// gateways' public ones, the sandbox the reverse, as two companies would have them.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/**
 * @param {string} dataDir  where the keys are kept
 * @returns {{merchant: Record<string, string>, file: string}} `merchant`: the api's environment, without URLs;
 *   `file`: what the sandbox reads
 */
export function gatewayKeys(dataDir) {
  const folder = path.join(dataDir, 'gateways');
  const [merchantFile, file] = [path.join(folder, 'merchant.json'), path.join(folder, 'sandbox.json')];
  if (!fs.existsSync(merchantFile) || !fs.existsSync(file)) {
    const made = make();
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    write(file, made.sandbox);
    write(merchantFile, made.merchant);
  }
  return { merchant: JSON.parse(fs.readFileSync(merchantFile, 'utf8')), file };
}

/** The gateways of the sandbox at `url`, as the api is configured for them. */
export function gatewayEnv(dataDir, url) {
  return {
    ALIPAY_GATEWAY_URL: `${url}/gateway.do`,
    WECHAT_PAY_URL: url,
    LIANLIAN_URL: url,
    ...gatewayKeys(dataDir).merchant,
  };
}

/** Whole or not there: a start that breaks off must not leave half a file. */
function write(file, value) {
  fs.writeFileSync(`${file}.new`, JSON.stringify(value, null, 2), { mode: 0o600 });
  fs.renameSync(`${file}.new`, file);
}

function make() {
  const [app, alipay, merchant, wechat, shop, lianlian] = Array.from({ length: 6 }, pair);
  const digits = (count) => Array.from(randomBytes(count), (byte) => byte % 10).join('');
  const ids = { app: `2021${digits(12)}`, seller: `2088${digits(12)}`, mch: `19${digits(8)}`, shop: `40${digits(16)}` };
  const wx = {
    appId: `wx${randomBytes(8).toString('hex')}`,
    serial: randomBytes(20).toString('hex').toUpperCase(),
    v3Key: randomBytes(16).toString('hex'),
    publicKeyId: `PUB_KEY_ID_01${digits(26)}`,
  };
  return {
    merchant: {
      ALIPAY_APP_ID: ids.app,
      ALIPAY_SELLER_ID: ids.seller,
      ALIPAY_PRIVATE_KEY: app.privateKey,
      ALIPAY_PUBLIC_KEY: alipay.publicKey,
      WECHAT_PAY_APP_ID: wx.appId,
      WECHAT_PAY_MCH_ID: ids.mch,
      WECHAT_PAY_SERIAL: wx.serial,
      WECHAT_PAY_PRIVATE_KEY: merchant.privateKey,
      WECHAT_PAY_V3_KEY: wx.v3Key,
      WECHAT_PAY_PUBLIC_KEY_ID: wx.publicKeyId,
      WECHAT_PAY_PUBLIC_KEY: wechat.publicKey,
      LIANLIAN_MCH_ID: ids.shop,
      LIANLIAN_PRIVATE_KEY: shop.privateKey,
      LIANLIAN_PUBLIC_KEY: lianlian.publicKey,
    },
    sandbox: {
      alipay: {
        appId: ids.app,
        sellerId: ids.seller,
        merchantPublicKey: app.publicKey,
        privateKey: alipay.privateKey,
      },
      wechat: {
        ...wx,
        mchId: ids.mch,
        merchantPublicKey: merchant.publicKey,
        privateKey: wechat.privateKey,
      },
      lianlian: { mchId: ids.shop, merchantPublicKey: shop.publicKey, privateKey: lianlian.privateKey },
    },
  };
}

function pair() {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}
