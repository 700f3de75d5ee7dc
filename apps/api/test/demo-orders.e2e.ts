/** The demo's orders (decisions §8): created once at the sandbox's gateway by the product's own commands, and never elsewhere. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { login } from '@yiqiao/contracts/login';
import { listOrders } from '@yiqiao/contracts/orders';
import { getDataConfig } from '@yiqiao/contracts/site';
import { getUser } from '@yiqiao/contracts/user';
import { seedDemo } from '../src/operator/demo.js';
import { Site } from '../src/site/site.js';
import { startApi, type TestApi } from './support/api.js';
import { tester } from './support/operator.js';
import { TestClient } from './support/client.js';
import { onlyGateway } from './support/orders.js';

const signedIn = async (api: TestApi): Promise<TestClient> => {
  const { account, password } = await seedDemo(await api.commandLine());
  const visitor = new TestClient(api.url);
  return visitor.as(await visitor.call(login, { account, password }));
};

describe('with the sandbox’s gateway', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.stop());

  it('creates a paid and a cancelled order and the USDT page, and adds nothing when repeated', async () => {
    const demo = await signedIn(api);
    const orders = (await demo.call(listOrders, {})).rows;
    expect(orders).toMatchObject([
      { payStatus: 'C', payChannel: 'WC_NATIVE', memberGroupName: '高级版' },
      { payStatus: 'P', payChannel: 'WC_NATIVE', memberGroupName: '专业版', num: 5_000_000, amount: 19_800 },
    ]);
    const user = await demo.call(getUser, {});
    expect(user.memberGroup.translationBillingMode).toBe('char');
    expect(user.memberAccount.rechargeAmountTotal).toBe(19_800);
    const { valued } = await new TestClient(api.url).call(getDataConfig, { id: 'USDT_PAY_INFO' });
    expect(JSON.parse(valued)).toEqual({ enabled: true, url: `${process.env['SANDBOX_URL']}/usdt` });
    expect(await seedDemo(await api.commandLine())).not.toHaveProperty('unfinished');
    expect((await demo.call(listOrders, {})).rows).toEqual(orders);
    expect(await demo.call(getUser, {})).toMatchObject({ memberAccount: user.memberAccount });
  });

  it('keeps the operator’s USDT setting', async () => {
    const valued = { enabled: false, url: 'https://pay.example.com' };
    await api.app.get(Site).set({ id: 'USDT_PAY_INFO', valued, public: true }, tester);
    await seedDemo(await api.commandLine());
    expect(await api.app.get(Site).config('USDT_PAY_INFO')).toEqual(valued);
  });
});

it.each([
  ['without keys', onlyGateway({})],
  ['with a gateway that is not the sandbox’s', { WECHAT_PAY_URL: 'https://api.mch.weixin.qq.com' }],
])('%s the demo works without orders', async (_, env) => {
  const api = await startApi(env);
  try {
    const demo = await signedIn(api);
    expect((await demo.call(listOrders, {})).total).toBe(0);
    expect(await seedDemo(await api.commandLine())).not.toHaveProperty('unfinished');
  } finally {
    await api.stop();
  }
});

it('continues an interrupted start', async () => {
  const api = await startApi();
  try {
    const demo = await signedIn(api);
    const [cancelled] = (await demo.call(listOrders, {})).rows;
    // As if it had been interrupted after the first of the two, long ago.
    await api.db.query('DELETE FROM order_event WHERE order_id = $1', [cancelled?.id]);
    await api.db.query('DELETE FROM recharge_order WHERE id = $1', [cancelled?.id]);
    await api.db.query('DELETE FROM idempotency_key');
    await seedDemo(await api.commandLine());
    expect((await demo.call(listOrders, {})).rows.map(({ payStatus }) => payStatus)).toEqual(['C', 'P']);
  } finally {
    await api.stop();
  }
});
