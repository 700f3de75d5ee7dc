// npm run screenshots: the pictures of the README and of docs/pages.md, taken from the product with its demo account: each page
// in Chinese and light, in English and dark, and on a phone; and those of the site's usage document, in both languages and themes, wide
// and on a phone. They are for people; no test compares them.
// BASE_URL with DEMO_ACCOUNT and DEMO_PASSWORD: from a product that runs already.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { signIn as clientOf } from './chaos/client.mjs';
import { provideChromium } from './chromium.mjs';
import { installEngines } from './offline-engines.mjs';
import { dataDirOf, installDependencies, root } from './project.mjs';
import { withRunFolder } from './run-folder.mjs';
import { startStack } from './stack.mjs';
import { Failure } from './terminal.mjs';

const dataDir = path.join(dataDirOf(), 'screenshots');
const outDir = path.join(root, 'docs/screenshots');
const shotsDir = path.join(root, 'apps/console/public/shots');
const LIMIT_BYTES = 10_000_000;

const PAGES = {
  overview: '/UserCenterIndex',
  info: '/UserCenterInfo',
  password: '/UserCenterChangePassword',
  'login-log': '/UserCenterLoginLog',
  'sub-accounts': '/UserCenterChild',
  recharge: '/UserCenterRecharge',
  orders: '/UserCenterOrder',
  'account-log': '/UserCenterAccountLog',
  'translation-log': '/UserCenterChangeTranslateLog',
  'translation-test': '/UserCenterChangeTranslateTest',
  glossary: '/UserCenterGlossary',
  'api-keys': '/UserCenterApiKeys',
  webhooks: '/UserCenterWebhook',
  workspace: '/UserWorkSpace',
};
const LOOKS = [
  { name: 'zh-light', language: 'zh', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'en-dark', language: 'en', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { name: 'zh-phone', language: 'zh', colorScheme: 'light', viewport: { width: 390, height: 844 } },
];
/** The pictures of the usage document (apps/console/src/site/shared/doc): what is open, and what was done before. */
const SHOTS = {
  register: { address: '/login?type=2' },
  overview: { address: '/UserCenterIndex' },
  translation: { address: '/UserCenterChangeTranslateTest', before: translateSentence },
};
const SHOT_SIZES = { wide: { width: 1120, height: 680 }, phone: { width: 390, height: 720 } };
const SENTENCE = {
  zh: { text: '您好，请问什么时候可以发货？', button: '翻译' },
  en: { text: 'Hello, how long does shipping to Mexico take?', button: 'Translate' },
};
const TIMEOUT_MS = 60_000;
/** Invitation links show this address instead of that of the machine that takes the pictures. */
const HOST = 'yiqiao.example';
const ORIGIN = `http://${HOST}`;

process.exitCode = await withRunFolder({ title: 'npm run screenshots', dataDir }, async (run) => {
  const { steps, onEnd } = run;
  console.log('\nTaking pictures\n');
  const chromium = await provideChromium();
  if (!chromium.path) throw new Failure(`no browser: ${chromium.reason}`);
  await steps.run('dependencies', () => installDependencies(dataDir));
  const product = runningProduct() ?? (await startProduct(run));
  const fresh = path.join(dataDir, 'fresh');
  fs.rmSync(fresh, { recursive: true, force: true });
  fs.mkdirSync(fresh, { recursive: true });
  await steps.run('pictures', async () => {
    return `${await takePictures({ ...product, executablePath: chromium.path, dir: fresh, onEnd })}`;
  });
  const bytes = fs
    .readdirSync(fresh, { recursive: true })
    .reduce((sum, name) => sum + fs.statSync(path.join(fresh, name)).size, 0);
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`;
  if (bytes > LIMIT_BYTES) throw new Failure(`the pictures have ${size}, and 10 MB are allowed; the old ones stay`);
  // All or none: the old pictures are replaced when the new ones are complete.
  fs.rmSync(outDir, { recursive: true, force: true });
  fs.cpSync(fresh, outDir, { recursive: true });
  fs.rmSync(shotsDir, { recursive: true, force: true });
  fs.renameSync(path.join(outDir, 'shots'), shotsDir);
  steps.end();
  console.log(`\n${path.relative(root, outDir)}: ${size}`);
  return 0;
});

function runningProduct() {
  const { BASE_URL: url, DEMO_ACCOUNT: account = 'demo', DEMO_PASSWORD: password } = process.env;
  return url && password ? { url, demo: { account, password } } : undefined;
}

/** A separate product, with empty stores and the demo account. */
async function startProduct({ folder, steps, toolsDir, onEnd }) {
  await steps.run('offline engines', () => installEngines(toolsDir));
  const onStack = (stack) => onEnd(() => stack.stop());
  const stack = await startStack({
    dataDir,
    folder,
    toolsDir,
    steps,
    userEnv: {},
    fresh: true,
    durable: false,
    onStack,
  });
  return { url: stack.urls.api, demo: stack.demo };
}

/**
 * @param {{url: string, demo: {account: string, password: string}, executablePath: string, dir: string, onEnd: (stop: () => unknown) => void}} options
 * @returns {Promise<number>} how many pictures were written to `dir`
 */
async function takePictures({ url, demo, executablePath, dir, onEnd }) {
  const { chromium } = await import('playwright-core'); // may have been installed just now
  const { hostname, port } = new URL(url);
  const args = [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    `--host-resolver-rules=MAP ${HOST} ${hostname}:${port || 80}`,
    `--unsafely-treat-insecure-origin-as-secure=${ORIGIN}`,
  ];
  const browser = await chromium.launch({ executablePath, args });
  onEnd(() => browser.close());
  await connectShop(url, demo);
  let count = 0;
  for (const look of LOOKS) {
    const page = await memberPage({ browser, session: await signIn(url, demo), look });
    for (const [name, address] of Object.entries(PAGES)) {
      await page.goto(ORIGIN + address);
      await waitUntilSettled(page);
      await page.screenshot({ path: path.join(dir, `${name}-${look.name}.png`), animations: 'disabled' });
      count += 1;
    }
    await page.context().close();
  }
  count += await takeShots({ browser, url, demo, dir: path.join(dir, 'shots') });
  await browser.close();
  return count;
}

/** Gives the demo account, which begins without, the keys and the webhooks of a shop, and uses one of the keys. */
async function connectShop(url, { account, password }) {
  const call = await clientOf(url, account, password);
  const ask = async (method, address, data) => {
    const { status, body } = await call(method, address, data);
    if (!body?.success) throw new Error(`${address}: ${status} ${body?.msg}`);
    return body.data;
  };
  if ((await ask('GET', '/apiKey/page?pageNum=1&pageSize=10')).total > 0) return;
  await ask('POST', '/apiKey/create', { name: '浏览器翻译插件', kind: 'url', scopes: ['text'], dayCap: 2_000 });
  const { secret } = await ask('POST', '/apiKey/create', {
    name: 'Shopify 店铺',
    scopes: ['text', 'glossary.read', 'usage'],
    dayCap: 20_000,
    monthCap: 400_000,
    allowedIps: ['127.0.0.0/8', '::1/128'],
  });
  const text = '您好，请问什么时候可以发货？';
  const answer = await fetch(`${url}/v1/translate`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${secret}` },
    body: JSON.stringify({ text, source: 'zh-Hans', target: 'en' }),
  });
  if (!answer.ok) throw new Error(`/v1/translate: ${answer.status}`);
  const events = ['order.paid', 'quota.low', 'quota.exhausted', 'key.capped'];
  for (const [name, format, host] of [
    ['订单系统', 'standard', 'erp.example.com'],
    ['客服群', 'wecom', 'qyapi.weixin.qq.com'],
  ])
    await ask('POST', '/webhook/save', {
      ...{ name, format, events, url: `https://${host}/hooks/yiqiao` },
      ...{ language: 'zh', enabled: 1 },
    });
}

async function takeShots({ browser, url, demo, dir }) {
  fs.mkdirSync(dir);
  const encoder = await browser.newPage();
  let count = 0;
  for (const language of ['zh', 'en'])
    for (const colorScheme of ['light', 'dark'])
      for (const [size, viewport] of Object.entries(SHOT_SIZES)) {
        const look = { language, colorScheme, viewport, deviceScaleFactor: 1.5 };
        for (const [name, { address, before }] of Object.entries(SHOTS)) {
          const session = name === 'register' ? undefined : await signIn(url, demo);
          const page = await memberPage({ browser, session, look });
          await page.goto(ORIGIN + address);
          await waitUntilSettled(page);
          await before?.(page, language);
          await waitUntilSettled(page);
          const png = await page.screenshot({ animations: 'disabled' });
          fs.writeFileSync(
            path.join(dir, `${name}-${language}-${colorScheme}-${size}.webp`),
            await asWebp(encoder, png),
          );
          count += 1;
          await page.context().close();
        }
      }
  return count;
}

async function translateSentence(page, language) {
  const { text, button } = SENTENCE[language];
  await page.locator('textarea').first().fill(text);
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.locator('.tt-translated').first().waitFor();
  await page.locator('.toast').waitFor({ state: 'detached' });
}

/** A third of the size of a PNG; the browser has the encoder. */
async function asWebp(page, png) {
  const url = await page.evaluate(
    async (source) => {
      const { Image, document } = globalThis;
      const image = Object.assign(new Image(), { src: source });
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
      canvas.getContext('2d').drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', 0.85);
    },
    `data:image/png;base64,${png.toString('base64')}`,
  );
  return Buffer.from(url.split(',')[1], 'base64');
}

async function signIn(url, { account, password }) {
  const response = await fetch(`${url}/client-user/login/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ account, password }),
  });
  const { success, data, msg } = await response.json();
  if (!success) throw new Error(`the demo account cannot sign in: ${msg}`);
  return data;
}

async function memberPage({ browser, session, look }) {
  const { language, ...screen } = look;
  const context = await browser.newContext({ ...screen, reducedMotion: 'reduce', baseURL: ORIGIN });
  context.setDefaultTimeout(TIMEOUT_MS);
  await context.addInitScript(
    ({ sk, userId, language }) => {
      if (globalThis.location.protocol === 'about:') return;
      localStorage.setItem('language', language);
      if (!sk) return;
      sessionStorage.setItem('sk', sk);
      sessionStorage.setItem('userId', String(userId));
    },
    { sk: session?.sk, userId: session?.userId, language },
  );
  return context.newPage();
}

/** Waits until the page has its title, shows no loading state, has its fonts, and looks the same twice. */
async function waitUntilSettled(page) {
  await page.locator('h1').first().waitFor();
  await page.waitForFunction(
    () => globalThis.document.querySelector('.skeleton, .ant-skeleton, .page-wait, [aria-busy=true]') === null,
  );
  await page.evaluate(async () => void (await globalThis.document.fonts.ready));
  let last = '';
  for (let i = 0; i < 20; i += 1) {
    const current = createHash('sha1')
      .update(await page.screenshot())
      .digest('hex');
    if (current === last) return;
    last = current;
    await page.waitForTimeout(250);
  }
}
