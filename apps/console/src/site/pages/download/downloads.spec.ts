import { describe, expect, it } from '@jest/globals';
import { softwareIn } from './downloads.js';

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
