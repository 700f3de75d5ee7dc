import type { Page } from 'playwright-core';

/** From the page's next load on, the member's package ended long ago: no journey can wait for a real one to end. */
export async function packageEnded(page: Page): Promise<void> {
  await page.route('**/client-user/user/get', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { data: { memberAccount: object } };
    answer.data.memberAccount = { ...answer.data.memberAccount, expireDateTime: '2026-01-01 00:00:00' };
    await route.fulfill({ response, json: answer });
  });
}
