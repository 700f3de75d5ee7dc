import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSandbox, type Sandbox } from '../src/sandbox.js';
import type { GatewayKeys } from '../src/payments/gateway-keys.js';
import type { Trade } from '../src/payments/trade.js';

/** A message received from a gateway. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A merchant with keys and a notification endpoint, registered at a running sandbox. */
export interface Merchant {
  readonly sandbox: Sandbox;
  /** The gateways' keys: their private keys and the merchant's public ones. */
  readonly keys: GatewayKeys;
  readonly privateKey: string;
  /** The public key of every gateway. */
  readonly gatewayKey: string;
  readonly notifyUrl: string;
  readonly received: Received[];
  /** The response to notifications; null: none. */
  answer: { status: number; body: string } | null;
  call(method: string, path: string, body?: unknown): Promise<{ status: number; json: unknown }>;
  trade(orderNo: string): Promise<Trade>;
  /** Waits for so many notifications; fails after five seconds. */
  waitForNotifications(count: number): Promise<readonly Received[]>;
  /** Restarts the sandbox with the same data. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const pair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

export async function startMerchant(): Promise<Merchant> {
  const [own, gateway] = [pair(), pair()];
  const common = { merchantPublicKey: own.publicKey, privateKey: gateway.privateKey };
  const keys: GatewayKeys = {
    alipay: { appId: '2021000000000001', sellerId: '2088000000000009', ...common },
    wechat: {
      appId: 'wx0123456789abcdef',
      mchId: '1900000001',
      serial: '3775B6A45ACD588826D15E583A95F5DD00000000',
      v3Key: '0123456789abcdef0123456789abcdef',
      publicKeyId: 'PUB_KEY_ID_0000000000000000000000000000',
      ...common,
    },
    lianlian: { mchId: '402000000000000001', ...common },
  };
  const folder = mkdtempSync(join(tmpdir(), 'merchant-'));
  const gatewaysFile = join(folder, 'gateways.json');
  writeFileSync(gatewaysFile, JSON.stringify(keys));
  const ports = { host: '127.0.0.1', httpPort: 0, smtpPort: 0 };
  const start = () => startSandbox({ ...ports, dataDir: folder, gatewaysFile, operatorsFile: null });

  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      });
      if (merchant.answer) response.writeHead(merchant.answer.status).end(merchant.answer.body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  let sandbox = await start();
  const merchant: Merchant = {
    get sandbox() {
      return sandbox;
    },
    keys,
    privateKey: own.privateKey,
    gatewayKey: gateway.publicKey,
    notifyUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notify`,
    received,
    answer: { status: 200, body: 'success' },
    async call(method, path, body) {
      const json =
        body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
      const response = await fetch(sandbox.url + path, { method, ...json });
      return { status: response.status, json: await response.json() };
    },
    async trade(orderNo) {
      const { json } = await merchant.call('GET', `/payments/trades?orderNo=${orderNo}`);
      const [trade] = json as Trade[];
      if (!trade) throw new Error(`No trade ${orderNo}`);
      return trade;
    },
    async waitForNotifications(count) {
      const end = Date.now() + 5000;
      while (received.length < count) {
        if (Date.now() > end) throw new Error(`${received.length} notifications came, not ${count}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return received;
    },
    async restart() {
      await sandbox.stop();
      sandbox = await start();
    },
    async close() {
      await sandbox.stop();
      server.close();
      server.closeAllConnections();
      rmSync(folder, { recursive: true });
    },
  };
  return merchant;
}
