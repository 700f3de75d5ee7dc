/** The developers' page: its examples run, and members send a request from it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect } from '@jest/globals';
import { postAs } from './support/api.js';
import { seriousViolations } from './support/axe.js';
import { journey, journeysInTurn, newVisitor, withBrowser } from './support/browser.js';
import { gotoAs, newMember, overflowsOnPhone, waitForText } from './support/members.js';

const PAGE = '/developers';
const SAYS = {
  zh: {
    title: 'API 文档',
    start: '快速开始',
    php: 'PHP 示例',
    node: 'Node.js 示例',
    copy: '复制PHP 示例',
    copied: '复制成功',
    visitor: '登录后可以在这里用自己的密钥发一次真实的请求。',
    signUp: '免费注册',
    key: 'API 密钥',
    keyRequired: '请粘贴密钥',
    keyUrl: '链接令牌不能用在这里，请用 yq_ 开头的密钥',
    text: '原文',
    textRequired: '请输入原文',
    send: '发送请求',
    answer: '响应',
    refused: 'HTTP 401',
    done: 'HTTP 200',
  },
  en: {
    title: 'Developers',
    start: 'Quick start',
    php: 'PHP example',
    node: 'Node.js example',
    copy: 'Copy the PHP example',
    copied: 'Copied',
    visitor: 'Signed-in members can send a real request with their own key here.',
    signUp: 'Sign up free',
    key: 'API key',
    keyRequired: 'Please paste a key',
    keyUrl: 'URL tokens do not work here. Use a key that begins with yq_',
    text: 'Text',
    textRequired: 'Please enter a text',
    send: 'Send request',
    answer: 'Answer',
    refused: 'HTTP 401',
    done: 'HTTP 200',
  },
} as const;

withBrowser();

const node = (code: string, key: string) =>
  promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...process.env, NODE_OPTIONS: '', API_KEY: key },
  });

describe.each(['zh', 'en'] as const)('the developers’ page (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey('is linked in the footer, shows all examples in one language, and sends visitors to sign up', async () => {
    const { context, page } = await newVisitor(lang);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/home');
    await page.getByRole('contentinfo').getByRole('link', { name: say.title }).click();
    await page.getByRole('heading', { name: say.title, level: 1 }).waitFor();
    await page.getByRole('heading', { name: say.start }).waitFor();
    await page.getByRole('button', { name: 'PHP', exact: true }).last().click();
    await page.getByLabel(say.php, { exact: true }).first().waitFor();
    expect(await page.locator('.dev-call pre:visible').count()).toBe(await page.locator('.dev-call').count());
    await page.getByRole('button', { name: say.copy }).first().click();
    await waitForText(page, say.copied);
    const { origin } = new URL(page.url());
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`curl_init('${origin}/v1/translate')`);
    await page.getByRole('heading', { name: 'key.capped' }).waitFor();
    await page.getByRole('button', { name: say.copy }).last().click();
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes('hash_equals'));
    await waitForText(page, say.visitor);
    expect(await page.getByRole('main').getByRole('link', { name: say.signUp }).getAttribute('href')).toBe(
      '/login?type=2',
    );
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await seriousViolations(page)).toEqual([]);
    }
    expect(await overflowsOnPhone(page)).toBe(false);
  });

  inTurn('has an example for Node that translates as it stands', async () => {
    const member = await newMember();
    const { secret } = await postAs<{ secret: string }>(member, '/apiKey/create', { name: 'Node', scopes: ['text'] });
    const { page } = await newVisitor(lang);
    await page.goto(PAGE);
    await page.getByRole('button', { name: 'Node.js', exact: true }).first().click();
    const code = await page.getByLabel(say.node, { exact: true }).first().innerText();
    expect((await node(code, secret)).stdout).toContain('charged');
    await expect(node(code, 'yq_wrong')).rejects.toThrow('API_KEY_UNKNOWN');
  });

  inTurn('lets a member send a request with a key, and shows what came back', async () => {
    const member = await newMember();
    const { secret } = await postAs<{ secret: string }>(member, '/apiKey/create', { name: 'Try', scopes: ['text'] });
    const page = await gotoAs(PAGE, member, lang);
    const key = page.getByLabel(say.key, { exact: true });
    const text = page.getByLabel(say.text, { exact: true });
    const send = page.getByRole('button', { name: say.send });
    await text.fill('');
    await send.click();
    await waitForText(page, say.keyRequired);
    await waitForText(page, say.textRequired);
    await text.fill('发现');
    await key.fill('yqu_abc');
    await send.click();
    await waitForText(page, say.keyUrl);
    await key.fill('yq_wrong');
    await send.click();
    await waitForText(page, say.refused);
    await key.fill(secret);
    await send.click();
    await waitForText(page, say.done);
    expect(await page.getByLabel(say.answer, { exact: true }).last().innerText()).toContain('"items"');
    expect(await seriousViolations(page)).toEqual([]);
    await page.reload();
    expect(await page.getByLabel(say.key, { exact: true }).inputValue()).toBe('');
  });
});
