import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { getAs, newChild, postAs, signIn, demoMain, removeChildren } from './support/api.js';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { escapeDialog, gotoAs, newMember, overflowsOnPhone, waitForNoDialog, waitForText } from './support/members.js';

const SAYS = {
  zh: {
    menu: 'Webhook',
    empty: '还没有接收端',
    add: '添加接收端',
    fields: ['名称', '地址'],
    events: ['订单已支付', '术语表已导入'],
    format: '类型',
    feishu: '飞书群机器人',
    sign: '加签密钥',
    noEvent: '请至少选择一个事件',
    wrongUrl: '请输入完整的地址，以 https:// 开头，不含账号和 # 之后的部分',
    save: '保存',
    secret: '签名密钥',
    copied: '复制成功',
    kept: '我已保存',
    test: '向 仓库 发送测试',
    delivered: '已送达',
    testedMeanwhile: '「仓库」的测试消息已送达',
    notDelivered: '没有送达',
    gone: '返回 410，表示不再接收',
    close: '关闭',
    log: '查看 仓库 的发送记录',
    typeTest: '测试消息',
    resend: /^重发消息 msg_/,
    resent: '已安排发送',
    edit: '编辑 仓库',
    rotate: '更换密钥',
    overlap: '旧密钥还可用 24 小时：',
    old: /^旧密钥 .+ 失效$/,
    paused: '「仓库」返回了 410',
    resume: '恢复发送 仓库',
    resumed: '已恢复，积压的消息正在补发',
    remove: '删除 仓库',
    verb: '删除',
    deleted: '删除成功',
    refused: '当前账号不能查看此页',
  },
  en: {
    menu: 'Webhooks',
    empty: 'No endpoints yet',
    add: 'Add endpoint',
    fields: ['Name', 'Address'],
    events: ['Order paid', 'Glossary imported'],
    format: 'Type',
    feishu: 'Feishu group robot',
    sign: 'Signing secret of the robot',
    noEvent: 'Please choose at least one event',
    wrongUrl: 'Enter a full address that begins with https://, without credentials or a fragment',
    save: 'Save',
    secret: 'Signing secret',
    copied: 'Copied',
    kept: 'I saved it',
    test: 'Send a test to 仓库',
    delivered: 'Delivered',
    testedMeanwhile: 'The test to “仓库” was delivered',
    notDelivered: 'Not delivered',
    gone: 'It answered 410: it wants no more messages',
    close: 'Close',
    log: 'Log of 仓库',
    typeTest: 'Test message',
    resend: /^Resend message msg_/,
    resent: 'Will be sent right away',
    edit: 'Edit 仓库',
    rotate: 'Replace secret',
    overlap: 'The old secret keeps working for 24 hours:',
    old: /^Old secret ends /,
    paused: '“仓库” answered 410',
    resume: 'Resume 仓库',
    resumed: 'Resumed. What was waiting is being sent.',
    remove: 'Delete 仓库',
    verb: 'Delete',
    deleted: 'Deleted',
    refused: 'This account cannot open this page',
  },
} as const;

/** Where the product sends to, on this machine; a test sets what it answers. */
let receiver: Server;
let url: string;
let status = 204;
let bodies: string[] = [];
let answering: Promise<void> = Promise.resolve();

beforeAll(async () => {
  receiver = createServer((request, reply) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      bodies.push(Buffer.concat(parts).toString());
      void answering.then(() => reply.writeHead(status).end(status === 204 ? undefined : 'no longer here'));
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
});
afterEach(() => {
  status = 204;
  answering = Promise.resolve();
  bodies = [];
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

withBrowser();

const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name, exact: true }).first().click();

const hook = { name: '仓库', format: 'standard', language: 'zh', events: ['glossary.imported'], enabled: 1 };

describe.each(['zh', 'en'] as const)('webhooks (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey('are added with a secret that is shown once, tested, and their secret replaced', async () => {
    const page = await gotoAs('/UserCenterInfo', await newMember(), lang);
    await page.getByRole('link', { name: say.menu, exact: true }).click();
    await waitForText(page, say.empty);
    await press(page, say.add);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(say.fields[0], { exact: true }).fill('仓库');
    await dialog.getByLabel(say.fields[1], { exact: true }).fill('hooks.example.com');
    await dialog.getByRole('button', { name: say.save }).click();
    await dialog.getByText(say.wrongUrl).waitFor();
    await dialog.getByText(say.noEvent).waitFor();
    await dialog.getByLabel(say.fields[1], { exact: true }).fill(url);
    const [first, second] = say.events.map((name) => dialog.getByRole('checkbox', { name }));
    // A press leaves the field. Its message goes with the release, or the box would move away from the pointer in between.
    await first?.hover();
    await page.mouse.down();
    const wrongUrl = dialog.getByText(say.wrongUrl);
    await expect(wrongUrl.waitFor({ state: 'hidden', timeout: 600 })).rejects.toThrow('Timeout');
    await page.mouse.up();
    await wrongUrl.waitFor({ state: 'hidden' });
    expect(await first?.isChecked()).toBe(true);
    await second?.check();
    await dialog.getByRole('button', { name: say.save }).click();
    const shown = page.getByRole('dialog', { name: say.secret });
    const secret = await shown.locator('code').textContent();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await page.keyboard.press('Escape');
    await shown.getByRole('button', { name: say.kept }).click();
    await waitForNoDialog(page);
    await page.getByRole('row').filter({ hasText: '仓库' }).waitFor();
    expect(await page.content()).not.toContain(secret);

    await press(page, say.test);
    await page.getByRole('dialog').getByText(say.delivered).waitFor();
    expect(bodies.map((body) => (JSON.parse(body) as { type: string }).type)).toEqual(['test']);
    await press(page, say.close);
    await waitForNoDialog(page);

    // A result that comes late leaves what is being typed alone.
    const answer = Promise.withResolvers<void>();
    answering = answer.promise;
    await press(page, say.test);
    await press(page, say.edit);
    await dialog.getByLabel(say.fields[0], { exact: true }).fill('仓库 2');
    answer.resolve();
    await waitForText(page, say.testedMeanwhile);
    expect(await dialog.getByLabel(say.fields[0], { exact: true }).inputValue()).toBe('仓库 2');

    await press(page, say.rotate);
    // The second click does not put away the only sight of the secret.
    await page.getByRole('dialog', { name: say.rotate }).getByRole('button', { name: say.rotate }).dblclick();
    await waitForText(page, say.overlap);
    const next = await page.getByRole('dialog', { name: say.secret }).locator('code').textContent();
    expect(next).not.toBe(secret);
    await press(page, say.kept);
    await waitForNoDialog(page);
    await page.getByText(say.old).waitFor();
  });

  inTurn('show what was sent; one that answers 410 is paused, resumed, and its message sent again', async () => {
    const member = await newMember();
    await postAs(member, '/webhook/save', { ...hook, url });
    status = 410;
    const page = await gotoAs('/UserCenterWebhook', member, lang);
    await press(page, say.test);
    const tested = page.getByRole('dialog');
    await tested.getByText(say.notDelivered).waitFor();
    await tested.getByText(say.gone).waitFor();
    await tested.getByText('no longer here').waitFor();
    await press(page, say.close);
    await waitForNoDialog(page);
    // A resent message counts as any other: its endpoint is gone, and paused.
    await press(page, say.log);
    const log = page.getByRole('dialog');
    await log.getByText(say.typeTest, { exact: true }).waitFor();
    await log.getByRole('button', { name: say.resend }).click();
    await waitForText(page, say.resent);
    await escapeDialog(page);
    await waitForNoDialog(page);
    const isPaused = async (): Promise<boolean> => {
      const { rows } = await getAs<{ rows: { pauseReason: string | null }[] }>(member, '/webhook/page');
      return rows[0]?.pauseReason === 'gone';
    };
    while (!(await isPaused())) await page.waitForTimeout(250);
    await page.reload();
    await waitForText(page, say.paused);
    status = 204;
    await press(page, say.resume);
    await waitForText(page, say.resumed);
    await press(page, say.log);
    await page.getByRole('dialog').getByRole('button', { name: say.resend }).click();
    await page.getByRole('dialog').locator('.wh-line').getByText(say.delivered, { exact: true }).waitFor();
    expect(bodies).toHaveLength(3);
    await escapeDialog(page);
    await waitForNoDialog(page);
    await press(page, say.remove);
    await page.getByRole('dialog').getByRole('button', { name: say.verb, exact: true }).click();
    await waitForText(page, say.deleted);
    await waitForText(page, say.empty);
  });

  inTurn('of a robot take its platform’s secret, and fit on a phone', async () => {
    const member = await newMember();
    const page = await gotoAs('/UserCenterWebhook', member, lang);
    await press(page, say.add);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(say.fields[0], { exact: true }).fill('仓库');
    // Its field is covered by what is chosen.
    await dialog
      .locator('.ant-select')
      .filter({ has: page.getByRole('combobox', { name: say.format }) })
      .click();
    await page.locator('.ant-select-dropdown:visible .ant-select-item-option', { hasText: say.feishu }).click();
    await dialog.getByLabel(say.fields[1], { exact: true }).fill(`${url}/${'long'.repeat(60)}`);
    await dialog.getByLabel(say.sign, { exact: true }).fill('platform-secret');
    await dialog.getByRole('checkbox', { name: say.events[0] }).check();
    await dialog.getByRole('button', { name: say.save }).click();
    await page.getByRole('row').filter({ hasText: say.feishu }).waitFor();
    await waitForNoDialog(page);
    expect(await overflowsOnPhone(page)).toBe(false);
    await press(page, say.log);
    await page.getByRole('dialog').waitFor();
    expect(await overflowsOnPhone(page)).toBe(false);
  });

  inTurn('are not for sub-accounts', async () => {
    const main = await demoMain();
    const child = await newChild(main);
    try {
      const page = await gotoAs('/UserCenterWebhook', await signIn(child.account, child.password), lang);
      await waitForText(page, say.refused);
      expect(await page.getByRole('link', { name: say.menu, exact: true }).count()).toBe(0);
    } finally {
      await removeChildren(main, [child.account]);
    }
  });
});
