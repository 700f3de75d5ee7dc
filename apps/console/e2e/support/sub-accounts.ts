import { afterAll, beforeAll } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { demoMain, newChild, removeChildren, type Child } from './family.js';
import type { SignedIn } from './signed-in.js';

/** Where the sub-accounts are. */
export const PAGE = '/UserCenterChild';

type Family = {
  readonly main: SignedIn;
  /** The accounts that go away after the file. */
  readonly made: string[];
  /** A new sub-account, which goes away after the file. */
  child: () => Promise<Child>;
};

/** The demo main account and new sub-accounts of it; called at the top of a file. */
export function withFamily(): Family {
  let main: SignedIn | undefined;
  const made: string[] = [];
  const signedIn = (): SignedIn => {
    if (!main) throw new Error('nobody has signed in yet');
    return main;
  };
  beforeAll(async () => {
    main = await demoMain();
  });
  afterAll(() => removeChildren(signedIn(), made));
  return {
    get main() {
      return signedIn();
    },
    made,
    child: async () => {
      const one = await newChild(signedIn());
      made.push(one.account);
      return one;
    },
  };
}

export const row = (page: Page, account: string): Locator => page.locator('.ant-table-row', { hasText: account });

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
