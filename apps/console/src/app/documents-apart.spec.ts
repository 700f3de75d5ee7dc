import { describe, expect, it } from '@jest/globals';
import { isConsoleAddress } from '@yiqiao/contracts/addresses';
import { pages } from './pages.js';

describe('the two kinds of documents', () => {
  it.each(pages.map(({ path, layout }) => [path, layout] as const))(
    '%s (%s) is of the kind that its layout needs',
    (path, layout) => {
      expect(isConsoleAddress(path)).toBe(layout === 'console');
    },
  );
});
