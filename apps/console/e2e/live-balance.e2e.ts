import { beforeAll, describe, expect } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { ownQuota, postAs, quotaOf, signIn, type Child } from './support/api.js';
import { journey, journeysInTurn, withBrowser, type Language } from './support/browser.js';
import { CHROMIUM } from './support/environment.js';
import { type SignedIn, openPageAs } from './support/members.js';
import { PAGE, row, withFamily } from './support/families.js';

const TEXT = '您的订单已经发货，预计三天内送达。';
const CHARS = [...TEXT].length;

const grouped = (n: number): string => n.toLocaleString('en-US');

withBrowser();
const family = withFamily();

/** That member's browser at `path`, with its stream standing: from here on the server speaks by itself. */
async function listening(path: string, who: SignedIn, lang: Language): Promise<Page> {
  const page = await openPageAs(who, lang);
  const stream = page.waitForResponse(/\/notice\/openSse\//);
  await page.goto(path);
  expect((await stream).status()).toBe(200);
  return page;
}

/** Until the figure of the overview reads so. */
const balance = (page: Page, chars: number): Promise<void> =>
  page.locator('.ov-quota .key-figure-value').getByText(grouped(chars), { exact: true }).waitFor();

const translate = (who: SignedIn): Promise<unknown> =>
  postAs(who, '/translation/text', { source: 'zh-Hans', target: 'zh-Hant', text: TEXT });

describe.each(['zh', 'en'] as const)('balances on the screen (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  let child: Child;
  let sub: SignedIn;
  beforeAll(async () => {
    if (!CHROMIUM) return;
    child = await family.child();
    sub = await signIn(child.account, child.password);
    await postAs(family.main, '/user/all/distribution', { childUserId: child.userId, changeCharNum: 1_000 });
  });

  journey('move for both sides of a distribution made elsewhere, and nobody reloads', async () => {
    const before = { main: (await ownQuota(family.main)).usableCharNum, sub: (await ownQuota(sub)).usableCharNum };
    const [mains, subs] = [
      await listening('/UserCenterIndex', family.main, lang),
      await listening('/UserCenterIndex', sub, lang),
    ];
    await Promise.all([balance(mains, before.main), balance(subs, before.sub)]);
    await postAs(family.main, '/user/all/distribution', { childUserId: child.userId, changeCharNum: 50_000 });
    await Promise.all([balance(mains, before.main - 50_000), balance(subs, before.sub + 50_000)]);
    // The ledger below it has the new line, too.
    for (const [page, change] of [
      [mains, '−50,000'],
      [subs, '+50,000'],
    ] as const)
      await page.locator('.ov-recent li').first().getByText(change).waitFor();
  });

  inTurn('move with a change that came before the stream did', async () => {
    const before = (await ownQuota(sub)).usableCharNum;
    const page = await openPageAs(sub, lang);
    const held = Promise.withResolvers<Route>();
    await page.route(/\/notice\/openSse\//, (route) => held.resolve(route));
    // The balance on the screen is at first the one that the browser has stored.
    const read = page.waitForResponse(/\/user\/get$/);
    await page.goto('/UserCenterIndex');
    await read;
    await balance(page, before);
    await page.locator('.ov-recent li').first().waitFor();
    const stream = await held.promise;
    await postAs(family.main, '/user/all/distribution', { childUserId: child.userId, changeCharNum: 7 });
    await stream.continue();
    await balance(page, before + 7);
    await page.locator('.ov-recent li').first().getByText('+7').waitFor();
  });

  inTurn('move with a translation: the own figure, its chart, and the main account’s list', async () => {
    const before = (await ownQuota(sub)).usableCharNum;
    const [own, list] = [await listening('/UserCenterIndex', sub, lang), await listening(PAGE, family.main, lang)];
    await balance(own, before);
    await row(list, child.account).getByText(grouped(before), { exact: true }).waitFor();
    await translate(sub);
    await balance(own, before - CHARS);
    expect((await quotaOf(family.main, child)).usableCharNum).toBe(before - CHARS);
    await row(list, child.account)
      .getByText(grouped(before - CHARS), { exact: true })
      .waitFor();
    await own
      .locator('.ov-usage tbody tr')
      .last()
      .locator('td')
      .first()
      .getByText(String(CHARS), { exact: true })
      .waitFor();
  });
});

const NEW_ROWS = {
  zh: { says: '有新记录', show: '回到第一页查看' },
  en: { says: 'There are new entries.', show: 'Show them on the first page' },
} as const;

describe.each(['zh', 'en'] as const)('the account log during live updates (%s)', (lang) => {
  const say = NEW_ROWS[lang];
  let child: Child;
  const give = (chars: number): Promise<unknown> =>
    postAs(family.main, '/user/all/distribution', { childUserId: child.userId, changeCharNum: chars });
  beforeAll(async () => {
    if (!CHROMIUM) return;
    child = await family.child();
    for (let n = 0; n < 12; n++) await give(1);
  });

  journey('shows on its first page what is new; on another one the rows stay, and it is said', async () => {
    const first = await listening('/UserCenterAccountLog', family.main, lang);
    const second = await listening('/UserCenterAccountLog?currentPage=2', family.main, lang);
    const rows = second.locator('.ant-table-row');
    await rows.first().waitFor();
    const before = await rows.allInnerTexts();
    await give(777);
    await first.locator('.ant-table-row').first().getByText('−777').waitFor();
    await second.getByRole('status').getByText(say.says).waitFor();
    expect(await rows.allInnerTexts()).toEqual(before);

    await second.getByRole('button', { name: say.show, exact: true }).click();
    await rows.first().getByText('−777').waitFor();
    await second.getByText(say.says).waitFor({ state: 'detached' });
  });
});

/** Specification §9: a second. A busy machine may take longer, never less. */
const RECONNECT_MS = 1_000;

describe('the stream', () => {
  journey('reconnects one second after each end, whatever happens meanwhile', async () => {
    const page = await openPageAs(family.main, 'zh');
    // Each one is over as soon as it stands.
    await page.route('**/notice/openSse/**', (route) => {
      const clientId = new URL(route.request().url()).pathname.split('/').at(-1);
      const body = `event: ready\ndata: ${JSON.stringify({ clientId })}\n\n`;
      return route.fulfill({ contentType: 'text/event-stream', body });
    });
    // The member's data come in the middle of the first pause.
    const inThePause = async (route: Route): Promise<void> => {
      await page.waitForFunction(() => (window as unknown as { opened: number[] }).opened.length > 0);
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS / 2));
      await route.continue();
    };
    await page.route('**/user/get', inThePause, { times: 1 });
    // By the page's own clock: what is told from there to here waits for both.
    await page.addInitScript(() => {
      const [send, opened]: [typeof fetch, number[]] = [window.fetch.bind(window), []];
      window.fetch = (what, init) => {
        const url = what instanceof Request ? what.url : what.toString();
        if (url.includes('/notice/openSse/')) opened.push(performance.now());
        return send(what, init);
      };
      Object.assign(window, { opened });
    });
    await page.goto('/UserCenterIndex');
    const opened = await page.waitForFunction(() => {
      const times = (window as unknown as { opened: number[] }).opened;
      return times.length >= 3 ? times : null;
    });
    const [first = 0, second = 0, third = 0] = (await opened.jsonValue()) ?? [];
    for (const pause of [second - first, third - second]) expect(pause).toBeGreaterThanOrEqual(RECONNECT_MS);
  });
});
