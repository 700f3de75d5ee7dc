import { describe, expect, it } from '@jest/globals';
import { PayChannels } from '../src/orders/pay-channels/pay-channels.js';
import { loadConfig } from '../src/platform/config.js';
import { payAtCashier, someOrder } from './support/sandbox-gateways.js';

describe('WeChat Pay without its public key', () => {
  it('is verified with certificates that it serves itself', async () => {
    const needed = { DATABASE_URL: 'd', REDIS_URL: 'r', SMTP_URL: 's', APP_SECRET: '0'.repeat(64) };
    const without = { WECHAT_PAY_PUBLIC_KEY_ID: '', WECHAT_PAY_PUBLIC_KEY: '' };
    const channels = new PayChannels(loadConfig({ ...process.env, ...needed, ...without }));
    const channel = channels.channel('WC_NATIVE');
    const [first, second] = [someOrder('WC_NATIVE'), someOrder('WC_NATIVE')];
    expect(await channel.createPayment(first)).toContain(first.no);
    expect(await channel.query(first)).toEqual({ state: 'unpaid' });
    expect(await payAtCashier(first.no)).toBe(true);
    expect(await channel.close(first)).toMatchObject({ state: 'paid', payment: { orderNo: first.no, amount: 9900 } });
    await channel.createPayment(second);
    expect(await channel.close(second)).toEqual({ state: 'closed' });
  });
});
