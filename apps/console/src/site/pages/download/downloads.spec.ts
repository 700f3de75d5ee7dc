import { describe, expect, it } from '@jest/globals';
import { softwareIn, sortedFor, systemIn } from './downloads.js';

const item = (id: number, rest: Record<string, unknown> = {}) => ({
  id,
  label: `软件${id}`,
  enLabel: `Software ${id}`,
  version: '1.0.0',
  val: '',
  childId: [],
  ...rest,
});
const document = (...children: unknown[]) => JSON.stringify([{ id: 1, label: '客户端', enLabel: 'Client', children }]);

describe('what there is to download', () => {
  it('is a link, or a dialog of the things that it names, which stand nowhere else', () => {
    const valued = document(
      item(11, { childId: [13, 14] }),
      item(12, { val: 'https://example.com/b' }),
      item(13, { val: 'https://example.com/c' }),
      item(14, { val: 'https://example.com/d' }),
    );
    expect(softwareIn(valued, 'zh')).toEqual([
      {
        id: 11,
        label: '软件11',
        version: '1.0.0',
        choices: [
          { id: 13, label: '软件13', version: '1.0.0', href: 'https://example.com/c' },
          { id: 14, label: '软件14', version: '1.0.0', href: 'https://example.com/d' },
        ],
      },
      { id: 12, label: '软件12', version: '1.0.0', href: 'https://example.com/b' },
    ]);
    expect(softwareIn(valued, 'en').map(({ label }) => label)).toEqual(['Software 11', 'Software 12']);
  });

  it.each(['http://example.com/a', 'javascript:alert(1)', 'data:text/html,x', '//example.com/a', 'a.exe', '', 7])(
    'is not %s: only https addresses',
    (val) => {
      expect(softwareIn(document(item(11, { val })), 'zh')).toEqual([]);
      expect(softwareIn(document(item(11, { childId: [12] }), item(12, { val })), 'zh')).toEqual([]);
    },
  );

  it.each(['[]', '{}', 'null', '[null]', '[{"children":7}]', document(null, 7, { id: 1 })])(
    'is nothing in %s',
    (valued) => {
      expect(softwareIn(valued, 'zh')).toEqual([]);
    },
  );

  it('is refused when it is no JSON', () => {
    expect(() => softwareIn('x', 'zh')).toThrow(SyntaxError);
  });
});

describe('what operators say of a file', () => {
  const sha256 = 'ab'.repeat(32);
  const file = item(12, {
    val: 'https://example.com/b',
    size: 81_500_000,
    sha256,
    requires: { zh: 'Windows 10 以上', en: 'Windows 10 or later' },
    notes: { zh: '修复', en: 'Fixes' },
  });

  it('is read in the language of the page', () => {
    expect(softwareIn(document(file), 'en')).toMatchObject([
      { size: 81_500_000, sha256, requires: 'Windows 10 or later', notes: 'Fixes' },
    ]);
  });
});

describe('the system of a visitor', () => {
  it.each([
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'windows'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'mac'],
    ['Mozilla/5.0 (X11; Linux x86_64)', 'linux'],
    ['Mozilla/5.0 (Linux; Android 15; Pixel 9)', 'android'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 'ios'],
    ['Linux 版（AppImage）', 'linux'],
    ['curl/8', null],
  ])('%s: %s', (text, system) => expect(systemIn(text)).toBe(system));

  it('comes first, the others keep their order', () => {
    const software = softwareIn(
      document(
        ...['Windows', 'macOS', 'Linux'].map((label, n) => item(n + 1, { label, val: 'https://example.com/x' })),
      ),
      'zh',
    );
    expect(sortedFor('linux', software).map(({ label }) => label)).toEqual(['Linux', 'Windows', 'macOS']);
    expect(sortedFor(null, software)).toEqual(software);
  });
});
