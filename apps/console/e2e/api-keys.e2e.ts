/** Keys for the members' own software: made, used, rotated, revoked, and named in the logs. */
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { newChild, postAs, removeChildren, signIn } from './support/api.js';
import { seriousViolations } from './support/axe.js';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { BASE_URL } from './support/environment.js';
import { withFamily } from './support/families.js';
import { waitUntil } from './support/payment.js';
import { gotoAs, newMember, overflowsOnPhone, waitForNoDialog, waitForText, type SignedIn } from './support/members.js';

const PAGE = '/UserCenterApiKeys';
const SAYS = {
  zh: {
    title: 'API 密钥',
    empty: '还没有 API 密钥',
    create: '新建密钥',
    createVerb: '创建',
    name: '名称',
    nameRequired: '请输入密钥名称',
    capDay: '每天',
    ips: 'IP 白名单',
    ipWrong: '「203.0.113」不是 IP 地址或网段',
    untilDay: '指定日期',
    lastDay: '到期日期',
    lastDayRequired: '请选择到期日期',
    made: '密钥已创建',
    secret: '密钥',
    address: '沉浸式翻译的接口地址',
    command: '马上试一下',
    saved: '已存好，关闭',
    urlKind: '链接令牌',
    urlTag: '链接令牌',
    urlScopes: '链接令牌只能翻译文本。',
    once: '密钥只显示这一次',
    onceUrl: '令牌只显示这一次',
    usedToday: '今日 2 / 10',
    details: /^密钥详情/,
    requests: '2 字符 · 1 次请求',
    download: '下载 CSV',
    rotate: /^轮换密钥/,
    rotateVerb: '生成新密钥',
    atOnce: '立即失效',
    gone: '旧密钥已经失效。',
    edit: /^编辑密钥/,
    save: '保存',
    modified: '已保存，一秒内生效',
    writeScope: '修改术语表',
    selectPage: '选择本页全部密钥',
    revokeMany: '批量吊销',
    revokeVerb: '确认吊销',
    revokeDone: '已吊销',
    noneSelected: '请先勾选要吊销的密钥',
    stateFilter: '按状态筛选',
    revoked: '已吊销',
    ownerFilter: '按账号筛选',
    ownAccount: '本账号',
    search: '搜索名称或密钥开头',
    noMatch: '没有符合条件的记录',
    reset: '重置',
    failed: '密钥列表加载失败',
    reload: '重新加载',
  },
  en: {
    title: 'API keys',
    empty: 'No API keys yet',
    create: 'New key',
    createVerb: 'Create',
    name: 'Name',
    nameRequired: 'Please enter a name for the key',
    capDay: 'Per day',
    ips: 'Allowed IP addresses',
    ipWrong: '“203.0.113” is neither an IP address nor a network',
    untilDay: 'On a date',
    lastDay: 'Last day',
    lastDayRequired: 'Please choose the last day',
    made: 'Key created',
    secret: 'Key',
    address: 'API address for Immersive Translate',
    command: 'Use it now',
    saved: 'I saved it, close',
    urlKind: 'URL token',
    urlTag: 'URL token',
    urlScopes: 'A URL token can only translate text.',
    once: 'This is the only time you see the key.',
    onceUrl: 'This is the only time you see the token.',
    usedToday: 'Today 2 / 10',
    details: /^Details of key/,
    requests: '2 characters · 1 request',
    download: 'Download CSV',
    rotate: /^Rotate key/,
    rotateVerb: 'Make a new secret',
    atOnce: 'stops at once',
    gone: 'The old secret no longer works.',
    edit: /^Edit key/,
    save: 'Save',
    modified: 'Saved. In force within a second',
    writeScope: 'Change the glossary',
    selectPage: 'Select all keys on this page',
    revokeMany: 'Revoke selected',
    revokeVerb: 'Revoke',
    revokeDone: 'Revoked',
    noneSelected: 'Select the keys to revoke first',
    stateFilter: 'Filter by state',
    revoked: 'Revoked',
    ownerFilter: 'Filter by account',
    ownAccount: 'This account',
    search: 'Search name or start of key',
    noMatch: 'No entries match',
    reset: 'Reset',
    failed: 'The keys couldn’t be loaded',
    reload: 'Reload',
  },
} as const;

withBrowser();
const family = withFamily();

type Made = { apiKey: { id: number; prefix: string }; secret: string };
const make = (who: SignedIn, name: string, more: object = {}): Promise<Made> =>
  postAs<Made>(who, '/apiKey/create', { name, scopes: ['text'], ...more });

/** Two characters, from Simplified to Traditional Chinese; the status of the answer. */
async function translateWith(secret: string): Promise<number> {
  const response = await fetch(`${BASE_URL}/v1/translate`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ text: '发现', source: 'zh-Hans', target: 'zh-Hant' }),
  });
  return response.status;
}

const row = (page: Page, name: string) => page.locator('.ant-table-row', { hasText: name });

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.locator('.ant-select', { has: page.getByRole('combobox', { name: label }) }).click();
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option', { hasText: option }).first().click();
}

describe.each(['zh', 'en'] as const)('API keys (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey('are made after every field is right, shown once, translate, and name themselves in the logs', async () => {
    const member = await newMember();
    const page = await gotoAs(PAGE, member, lang);
    await waitForText(page, say.empty);
    await page.getByRole('button', { name: say.create }).first().click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel(say.untilDay).check();
    await drawer.getByLabel(say.ips).fill('203.0.113');
    await page.keyboard.press('Enter');
    await drawer.getByRole('button', { name: say.createVerb }).click();
    for (const why of [say.nameRequired, say.ipWrong, say.lastDayRequired]) await waitForText(page, why);
    await drawer.locator('.ant-select-selection-item-remove').click();
    await drawer.getByLabel(say.lastDay).fill('2099-12-31');
    await drawer.getByLabel(say.name, { exact: true }).fill('店铺客服');
    await drawer.getByLabel(say.capDay).fill('10');
    await drawer.getByRole('button', { name: say.createVerb }).dblclick();

    await drawer.getByText(say.made).waitFor();
    await waitForText(page, say.once);
    const secret = (await drawer.getByLabel(say.secret, { exact: true }).innerText()).trim();
    expect(secret).toMatch(/^yq_\w{20,}$/);
    expect(await drawer.getByLabel(say.command).innerText()).toContain(`Authorization: Bearer ${secret}`);
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press('Escape'); // would lose it
    await drawer.getByRole('button', { name: say.saved }).click();
    await waitForNoDialog(page);
    expect(await page.content()).not.toContain(secret);

    expect(await translateWith(secret)).toBe(200);
    const made = row(page, '店铺客服');
    await made.filter({ hasText: say.usedToday }).waitFor(); // told by the stream
    expect(await made.innerText()).toContain(`${secret.slice(0, 8)}`);
    await page.getByRole('button', { name: say.details }).click();
    await drawer.locator('.usage-chart-leader').filter({ hasText: say.requests }).waitFor();
    const coming = page.waitForEvent('download');
    await drawer.getByRole('button', { name: say.download }).click();
    expect((await coming).suggestedFilename()).toMatch(/\.csv$/);
    for (const path of ['/UserCenterChangeTranslateLog', '/UserCenterAccountLog']) {
      await page.goto(path);
      await row(page, 'API · 店铺客服').waitFor();
    }
  });

  inTurn('that stand in an address are told apart and can only translate', async () => {
    const page = await gotoAs(PAGE, await newMember(), lang);
    await waitForText(page, say.empty);
    await page.getByRole('button', { name: say.create }).first().click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel(say.urlKind).check();
    await waitForText(page, say.urlScopes);
    await drawer.getByLabel(say.name, { exact: true }).fill('浏览器插件');
    await drawer.getByRole('button', { name: say.createVerb }).click();
    await waitForText(page, say.onceUrl);
    expect(await drawer.getByLabel(say.address).innerText()).toMatch(/^https?:\/\/[^/]+\/immersive\/yqu_\w{20,}$/);
    await drawer.getByRole('button', { name: say.saved }).click();
    await waitForNoDialog(page);
    await row(page, '浏览器插件').locator('.badge', { hasText: say.urlTag }).waitFor();
  });

  inTurn('are edited and rotated; the old secret stops when it should', async () => {
    const member = await newMember();
    const { secret } = await make(member, '旧店铺');
    const page = await gotoAs(PAGE, member, lang);
    await page.getByRole('button', { name: say.edit }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel(say.name, { exact: true }).fill('新店铺');
    await drawer.getByRole('button', { name: say.save }).click();
    await waitForText(page, say.modified);
    await waitForNoDialog(page);
    await row(page, '新店铺').waitFor();

    await page.getByRole('button', { name: say.rotate }).click();
    await drawer.getByLabel(say.atOnce).check();
    await drawer.getByRole('button', { name: say.rotateVerb }).click();
    await waitForText(page, say.gone);
    const fresh = (await drawer.getByLabel(say.secret, { exact: true }).innerText()).trim();
    await drawer.getByRole('button', { name: say.saved }).click();
    await waitForNoDialog(page);
    await waitUntil(async () => (await translateWith(secret)) === 401);
    expect(await translateWith(fresh)).toBe(200);
  });

  inTurn('are revoked together, found again by their state, and stop at once', async () => {
    const member = await newMember();
    const secrets = [await make(member, '甲'), await make(member, '乙')].map(({ secret }) => secret);
    const page = await gotoAs(PAGE, member, lang);
    await row(page, '甲').waitFor();
    await page.getByRole('button', { name: say.revokeMany }).click();
    await waitForText(page, say.noneSelected);
    await page.getByRole('checkbox', { name: say.selectPage }).check();
    await page.getByRole('button', { name: say.revokeMany }).click();
    await page.getByRole('dialog').getByRole('button', { name: say.revokeVerb, exact: true }).click();
    await waitForText(page, say.revokeDone);
    await waitForNoDialog(page);
    await waitForText(page, say.empty);
    await choose(page, say.stateFilter, say.revoked);
    await row(page, '乙').waitFor();
    expect(new URL(page.url()).search).toBe('?state=revoked');
    expect(await page.getByRole('button', { name: say.rotate }).count()).toBe(0);
    await waitUntil(async () => (await Promise.all(secrets.map(translateWith))).every((status) => status === 401));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await seriousViolations(page)).toEqual([]);
    }
    expect(await overflowsOnPhone(page)).toBe(false);
  });

  inTurn('of a sub-account are its own; its main account sees all and filters by owner', async () => {
    const child = await newChild(family.main);
    try {
      const sub = await signIn(child.account, child.password);
      await make(sub, `分店 ${lang}`);
      await make(family.main, `总店 ${lang}`);
      const own = await gotoAs(PAGE, sub, lang);
      await row(own, `分店 ${lang}`).waitFor();
      expect(await own.getByText(`总店 ${lang}`).count()).toBe(0);
      expect(await own.getByRole('combobox', { name: say.ownerFilter }).count()).toBe(0);
      await own.getByRole('button', { name: say.create }).click();
      await own.getByRole('dialog').getByLabel(say.name, { exact: true }).waitFor();
      expect(await own.getByRole('checkbox', { name: say.writeScope }).count()).toBe(0);

      const page = await gotoAs(PAGE, family.main, lang);
      await row(page, `分店 ${lang}`).filter({ hasText: child.account }).waitFor();
      await choose(page, say.ownerFilter, child.account);
      await row(page, `总店 ${lang}`).waitFor({ state: 'detached' });
      await choose(page, say.ownerFilter, say.ownAccount);
      await row(page, `总店 ${lang}`).waitFor();
      await page.getByLabel(say.search).fill('没有这个');
      await waitForText(page, say.noMatch);
      await page.getByRole('button', { name: say.reset }).click();
      await row(page, `分店 ${lang}`).waitFor();
    } finally {
      await removeChildren(family.main, [child.account]);
    }
  });

  inTurn('say when they cannot be loaded, and load again', async () => {
    const member = await newMember();
    await make(member, '店铺');
    const page = await gotoAs('/UserCenterInfo', member, lang);
    await page.route('**/apiKey/page*', (route) => route.abort());
    await page.getByRole('link', { name: say.title }).click();
    await waitForText(page, say.failed);
    await page.unroute('**/apiKey/page*');
    await page.getByRole('button', { name: say.reload }).click();
    await row(page, '店铺').waitFor();
  });
});
