import type { Page } from 'playwright-core';
import { mailedCode } from './inbox.js';
import { newPerson, type Language } from './journey.js';
import { stranger, type Member } from './people.js';
import { BASE_URL } from './places.js';

type Answer<T> = { success: boolean; data: T; msg: string };
export type SignedIn = Member & { userId: number; sk: string };

async function post<T>(path: string, body: unknown): Promise<T> {
  const response = await fetch(`${BASE_URL}/client-user${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Answer<T>;
  if (!answer.success) throw new Error(`${path}: ${answer.msg}`);
  return answer.data;
}

/** A new member with a session, made over the API with a code from the inbox: for journeys that begin inside the console. */
export async function newMember(): Promise<SignedIn> {
  const member = stranger();
  const { username, email: account, password } = member;
  await post('/login/sendVCode', { account });
  await post('/login/register', { username, account, password, vcode: await mailedCode(account) });
  return { ...member, ...(await post<{ userId: number; sk: string }>('/login/login', { account, password })) };
}

/** Mails a code to the member's address, as soon as one may go: from now on the next has to wait. */
export async function mailCode(account: string): Promise<void> {
  for (const deadline = Date.now() + 90_000; ;) {
    try {
      await post('/login/sendVCode', { account });
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

/** That member's own browser, before any page of ours: the first one it opens finds the session. */
export async function signedIn(member: Pick<SignedIn, 'sk' | 'userId'>, language: Language): Promise<Page> {
  const { page } = await newPerson(language);
  await page.addInitScript(
    ({ sk, userId }) => {
      // Once only, for whoever signs out is signed out; the tab's own name remembers it, and no page of ours uses that.
      if (window !== window.top || window.name !== '' || location.protocol === 'about:') return;
      window.name = 'was signed in';
      sessionStorage.setItem('sk', sk);
      sessionStorage.setItem('userId', String(userId));
    },
    { sk: member.sk, userId: member.userId },
  );
  return page;
}

/** That member's own browser, at `path`. */
export async function signedInAt(path: string, member: SignedIn, language: Language): Promise<Page> {
  const page = await signedIn(member, language);
  await page.goto(path);
  return page;
}

/** Waits until `text` stands on the page. */
export const seen = (page: Page, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();

/** Until no dialog is open: while one closes over another there are two, and hidden ones have no role. */
export const noDialog = (page: Page): Promise<void> => page.getByRole('dialog').first().waitFor({ state: 'hidden' });

/** Until the page has its title and nothing of it is still on its way. (The network is never idle: the server may speak any time.) */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.waitForFunction(() => document.querySelector('.sk, .ant-skeleton, .page-wait, [aria-busy=true]') === null);
  await page.evaluate(async () => void (await document.fonts.ready));
}

/** Makes the page as wide as a phone, and answers whether it then scrolls sideways. */
export async function overflowsPhone(page: Page): Promise<boolean> {
  await page.setViewportSize({ width: 390, height: 844 });
  await settled(page);
  return page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
}
