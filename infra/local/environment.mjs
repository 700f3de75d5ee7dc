// The environment of the product's processes: addresses, stores, engines, translation vendors, payment gateways.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { engineEnv } from './offline-engines.mjs';
import { internalPortBase, nextFreePort } from './ports.mjs';
import { root } from './project.mjs';
import { persistentSecret } from './run-folder.mjs';

/**
 * @param {object} options as for startStack
 * @param {{DATABASE_URL: string, REDIS_URL: string, POSTGRES_BIN_DIR?: string, BACKUP_WORK_DIR?: string}} storeEnv
 */
export async function productEnv({ dataDir, toolsDir, userEnv, env, ...options }, storeEnv) {
  const base = internalPortBase(dataDir);
  const port = options.port ?? (await nextFreePort(base + 4));
  const sandboxPort = options.sandboxPort ?? (await nextFreePort(base + 5));
  const smtpPort = await nextFreePort(base + 2);
  return {
    NODE_ENV: 'development',
    HOST: userEnv.HOST || '127.0.0.1',
    PORT: String(port),
    WORKER_PORT: String(await nextFreePort(base + 3)),
    OPERATOR_PORT: String(options.operatorPort ?? (await nextFreePort(base + 6))),
    SANDBOX_PORT: String(sandboxPort),
    SMTP_PORT: String(smtpPort),
    ...storeEnv,
    SMTP_URL: userEnv.SMTP_URL || `smtp://127.0.0.1:${smtpPort}`,
    SANDBOX_URL: `http://localhost:${sandboxPort}`,
    SANDBOX_GATEWAYS: gatewayKeys(dataDir).file,
    DEMO_OPERATORS: demoOperators(dataDir),
    ...gatewayEnv(dataDir, `http://localhost:${sandboxPort}`),
    ...vendorEnv(userEnv),
    ...backupEnv(dataDir, userEnv),
    // A receiver under development is on this machine.
    WEBHOOK_ALLOW_PRIVATE: userEnv.WEBHOOK_ALLOW_PRIVATE ?? '1',
    PUBLIC_URL: userEnv.PUBLIC_URL || `http://localhost:${port}`,
    DATA_DIR: dataDir,
    APP_SECRET: userEnv.APP_SECRET || persistentSecret(path.join(dataDir, 'secret')),
    CLOSE_SIGNING_KEY: userEnv.CLOSE_SIGNING_KEY || signingKeyFile(dataDir),
    CLOSE_ANCHOR_URLS: userEnv.CLOSE_ANCHOR_URLS ?? `http://localhost:${sandboxPort}/witness`,
    ...engineEnv(toolsDir),
    NODE_COMPILE_CACHE: path.join(dataDir, 'compile-cache'),
    WEB_DIR: userEnv.WEB_DIR || path.join(root, 'apps/console/dist'),
    ...env,
  };
}

const vendorSetting =
  /^(GOOGLE_TRANSLATE|MICROSOFT_TRANSLATOR|TENCENT|YOUDAO|DEEPL|OPENAI|LIBRETRANSLATE)_|^(TRANSLATION_UPSTREAMS_FILE|SANDBOX_VENDORS)$/;

/**
 * The vendor settings in `userEnv`. Those that only this process has are set to '', because children inherit them
 * otherwise: tests never ask a real vendor.
 * @param {Record<string, string | undefined>} userEnv
 * @returns {Record<string, string>}
 */
export function vendorEnv(userEnv) {
  const names = new Set(
    [...Object.keys(process.env), ...Object.keys(userEnv)].filter((name) => vendorSetting.test(name)),
  );
  return Object.fromEntries([...names].map((name) => [name, userEnv[name] ?? '']));
}

/**
 * Where backups go and the key that they are encrypted with, made once. Without BACKUP_URL the product keeps none by itself.
 * @param {string} dataDir  where the key is kept
 * @param {Record<string, string | undefined>} userEnv
 */
export const backupEnv = (dataDir, userEnv) => ({
  BACKUP_URL: userEnv.BACKUP_URL ?? '',
  BACKUP_KEY: userEnv.BACKUP_URL ? userEnv.BACKUP_KEY || persistentSecret(path.join(dataDir, 'backup-key')) : '',
});

/** `env` without secrets, to be saved. Vendor settings are dropped as a whole: a vendor without its keys breaks the next start. */
export const withoutSecrets = (env) =>
  Object.fromEntries(
    Object.entries(env ?? {}).filter(
      ([name]) =>
        name !== 'APP_SECRET' &&
        !/_PRIVATE_KEY$|_V3_KEY$|_SIGNING_KEY$|^BACKUP_(KEY|S3_SECRET)$/.test(name) &&
        (name === 'SANDBOX_VENDORS' || !vendorSetting.test(name)),
    ),
  );

/**
 * Keys of the sandbox's payment gateways, generated once and kept in the data folder. The product gets its own private
 * keys and the gateways' public ones, the sandbox the reverse, as two companies would.
 * @param {string} dataDir  where the keys are kept
 * @returns {{merchant: Record<string, string>, file: string}} `merchant`: the api's environment, without URLs;
 *   `file`: what the sandbox reads
 */
export function gatewayKeys(dataDir) {
  const folder = path.join(dataDir, 'gateways');
  const [merchantFile, file] = [path.join(folder, 'merchant.json'), path.join(folder, 'sandbox.json')];
  if (!fs.existsSync(merchantFile) || !fs.existsSync(file)) {
    const made = generateKeys();
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeAtomically(file, made.sandbox);
    writeAtomically(merchantFile, made.merchant);
  }
  return { merchant: JSON.parse(fs.readFileSync(merchantFile, 'utf8')), file };
}

/** The api's configuration for the payment gateways of the sandbox at `url`. */
export function gatewayEnv(dataDir, url) {
  return {
    ALIPAY_GATEWAY_URL: `${url}/gateway.do`,
    WECHAT_PAY_URL: url,
    LIANLIAN_URL: url,
    ...gatewayKeys(dataDir).merchant,
  };
}

/**
 * The demo operators with their passwords and the secrets of their authenticator apps, generated once and kept in the data folder:
 * the product creates them, the sandbox plays their phones.
 * @returns {string} the file
 */
export function demoOperators(dataDir) {
  const file = path.join(dataDir, 'operators.json');
  if (!fs.existsSync(file)) {
    const made = ['owner', 'finance', 'support', 'viewer'].map((name) => ({
      name,
      role: name,
      password: `${name}-${randomBytes(8).toString('hex')}`,
      secret: Array.from(randomBytes(32), (byte) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[byte % 32]).join(''),
    }));
    fs.mkdirSync(dataDir, { recursive: true });
    writeAtomically(file, made);
  }
  return file;
}

/** The file with the key that signs daily closes, generated once. */
export function signingKeyFile(dataDir) {
  const file = path.resolve(dataDir, 'close-signing-key.pem');
  if (!fs.existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ed25519');
    fs.writeFileSync(`${file}.new`, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    fs.renameSync(`${file}.new`, file);
  }
  return file;
}

/** An interrupted start must not leave half a file. */
function writeAtomically(file, value) {
  fs.writeFileSync(`${file}.new`, JSON.stringify(value, null, 2), { mode: 0o600 });
  fs.renameSync(`${file}.new`, file);
}

function generateKeys() {
  const [app, alipay, merchant, wechat, shop, lianlian] = Array.from({ length: 6 }, rsaKeyPair);
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

function rsaKeyPair() {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}
