// Each page of the console as a member sees it: Chinese and light, English and dark, and on a phone.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { chromium } from 'playwright-core';

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
  workspace: '/UserWorkSpace',
};
const LOOKS = [
  { name: 'zh-light', language: 'zh', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'en-dark', language: 'en', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { name: 'zh-phone', language: 'zh', colorScheme: 'light', viewport: { width: 390, height: 844 } },
];
const PATIENCE_MS = 60_000;
/** What stands in the address of an invitation: the site's own, not that of the machine on which the pictures were taken. */
const HOST = 'yiqiao.example';
const SHOWN = `http://${HOST}`;

/**
 * @param {{url: string, demo: {account: string, password: string}, executablePath: string, dir: string, onEnd: (stop: () => unknown) => void}} options
 * @returns {Promise<number>} how many pictures now stand in `dir`
 */
export async function picturesOf({ url, demo, executablePath, dir, onEnd }) {
  const { hostname, port } = new URL(url);
  const args = [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    `--host-resolver-rules=MAP ${HOST} ${hostname}:${port || 80}`,
    `--unsafely-treat-insecure-origin-as-secure=${SHOWN}`,
  ];
  const browser = await chromium.launch({ executablePath, args });
  onEnd(() => browser.close());
  let count = 0;
  for (const look of LOOKS) {
    const page = await memberPage({ browser, session: await signIn(url, demo), look });
    for (const [name, where] of Object.entries(PAGES)) {
      await page.goto(SHOWN + where);
      await settled(page);
      await page.screenshot({ path: path.join(dir, `${name}-${look.name}.png`), animations: 'disabled' });
      count += 1;
    }
    await page.context().close();
  }
  await browser.close();
  return count;
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
  const { language, colorScheme, viewport } = look;
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce', baseURL: SHOWN });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addInitScript(
    ({ sk, userId, spoken }) => {
      if (globalThis.location.protocol === 'about:') return;
      sessionStorage.setItem('sk', sk);
      sessionStorage.setItem('userId', String(userId));
      localStorage.setItem('language', spoken);
    },
    { sk: session.sk, userId: session.userId, spoken: language },
  );
  return context.newPage();
}

/** The page has its title, nothing is on its way, the fonts are there, and two looks at it are the same. */
async function settled(page) {
  await page.locator('h1').first().waitFor();
  await page.waitForFunction(
    () => globalThis.document.querySelector('.sk, .ant-skeleton, .page-wait, [aria-busy=true]') === null,
  );
  await page.evaluate(async () => void (await globalThis.document.fonts.ready));
  let last = '';
  for (let look = 0; look < 20; look += 1) {
    const now = createHash('sha1')
      .update(await page.screenshot())
      .digest('hex');
    if (now === last) return;
    last = now;
    await page.waitForTimeout(250);
  }
}
