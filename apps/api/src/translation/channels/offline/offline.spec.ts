import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { TextRequest } from '../channel.js';
import type { ApertiumOptions } from './apertium.js';
import { OfflineChannel } from './offline.js';

const folder = process.env['APERTIUM_DIR'] ?? '';
const present = existsSync(join('/', folder, 'usr/share/apertium/modes/eng-spa.mode'));
const describeEngine = present ? describe : describe.skip;

jest.setTimeout(120_000);

const open: OfflineChannel[] = [];
const channel = (options: ApertiumOptions): OfflineChannel => {
  const made = new OfflineChannel(options);
  open.push(made);
  return made;
};
const request = (source: string, target: string, ...texts: string[]): TextRequest => ({
  source,
  target,
  texts,
  deadline: Date.now() + 100_000,
  signal: AbortSignal.timeout(100_000),
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((made) => made.close()));
});

describe('the offline channel without Apertium', () => {
  it('is available for Chinese, and says what is missing', async () => {
    const { available, reason, install } = await channel({ folder: '/nowhere' }).availability();
    expect(available).toBe(true);
    expect(reason?.zh).toContain('离线引擎未安装');
    expect(reason?.en).toContain('not installed');
    expect(install).toContain('apertium-eng-spa');
  });

  it('converts the script, translates sentences of the phrasebook, and calls a gloss a gloss', async () => {
    const offline = channel({ folder: '/nowhere' });
    expect(await offline.translate(request('zh-Hans', 'zh-Hant', '网络连接'))).toEqual([
      { translated: '網路連線', quality: 'translation', warning: null, detected: null },
    ]);
    expect(await offline.translate(request('zh-Hant', 'en', '這條褲子有貨嗎？', '頭髮很長。'))).toEqual([
      { translated: 'Are these pants in stock?', quality: 'translation', warning: null, detected: null },
      { translated: 'The hair is very long.', quality: 'gloss', warning: { code: 'GLOSS' }, detected: null },
    ]);
    expect(await offline.translate(request('en', 'zh-Hant', 'Are these pants in stock?'))).toMatchObject([
      { translated: '這些褲子有貨嗎？', quality: 'translation' },
    ]);
  });

  it('refuses what it has no engine for', async () => {
    const offline = channel({ folder: '/nowhere' });
    expect(await offline.supports('en', 'es')).toBeNull();
    expect(await offline.supports('en', 'zh-Hans')).toBe('varies');
    expect(await offline.supports('en', 'zh-Hans', 'Thank you!')).toBe('translation');
    expect(await offline.supports('en', 'zh-Hans', 'My hair is long.')).toBe('gloss');
    expect(await offline.supports('zh-Hans', 'zh-Hans')).toBeNull();
    expect(await offline.supports('zh-Hans', 'en')).toBe('varies');
    expect(await offline.languages()).toEqual({
      sources: new Set(['zh-Hans', 'zh-Hant', 'en']),
      targets: new Set(['zh-Hans', 'zh-Hant', 'en']),
      auto: false,
    });
    const refused = { name: 'ChannelFailure', kind: 'unsupported' };
    expect(await offline.translate(request('en', 'es', 'Hello', 'Bye'))).toMatchObject([refused, refused]);
    expect(await offline.translate({ ...request('zh-Hans', 'en', '你好'), source: null })).toMatchObject([refused]);
  });

  it('answers several texts in their order', async () => {
    const answers = await channel({ folder: '/nowhere' }).translate(
      request('zh-Hans', 'zh-Hant', '网络', ' ', '软件\n12'),
    );
    expect(answers).toMatchObject([{ translated: '網路' }, { translated: ' ' }, { translated: '軟體\n12' }]);
  });

  it.each([
    ['Hello my friend, how are you today?', 'bad-answer'],
    ['Привет мой друг', 'bad-answer'],
    ['안녕하세요', 'bad-answer'],
    ['アイドル', 'bad-answer'],
    ['こんにちは世界', 'bad-answer'],
    ['please see https://example.com/头发', 'bad-answer'],
    ['你好，明天到', null],
    ['好 thank you very much', null],
    ['「ありがとう」是谢谢的意思', null],
    ['iPhone Pro Max', null],
    ['SKU-12', null],
    ['ok', null],
    ['https://example.com/a?b=1', null],
    ['12.50 😀 {name}', null],
  ])('gives a text without any Chinese to nobody as Chinese: %j', async (text, kind) => {
    for (const [source, target] of [
      ['zh-Hans', 'zh-Hant'],
      ['zh-Hant', 'zh-Hans'],
    ] as const) {
      const [outcome] = await channel({ folder: '/nowhere' }).translate(request(source, target, text));
      expect(outcome).toMatchObject(kind === null ? { translated: expect.any(String) } : { kind });
    }
  });

  it('does not start for a caller who is gone', async () => {
    const gone = { ...request('zh-Hans', 'en', '你好'), signal: AbortSignal.abort() };
    expect(await channel({ folder: '/nowhere' }).translate(gone)).toMatchObject([{ kind: 'timeout' }]);
  });
});

describeEngine(
  present ? 'the offline channel with Apertium' : 'the offline channel with Apertium (skipped: it is not installed)',
  () => {
    it('translates in one step and in two, and says so', async () => {
      const offline = channel({ folder });
      expect(await offline.availability()).toEqual({ available: true, reason: null });
      expect(await offline.translate(request('en', 'es', 'The house is big.'))).toEqual([
        { translated: 'La casa es grande.', quality: 'translation', warning: null, detected: null },
      ]);
      const two = request('en', 'fr', 'The house is big and I want to buy two books.', 'The house is big.');
      expect(await offline.translate(two)).toMatchObject([
        {
          translated: 'La maison est grande et je veux acheter deux livres.',
          quality: 'translation',
          warning: { code: 'VIA', via: 'es' },
        },
        { translated: 'La maison est grande.' },
      ]);
    });

    it.each([
      ['en', 'es', 'Привет мой друг, как дела сегодня', 'bad-answer'],
      ['en', 'es', '你好我的朋友今天怎么样啊我们去吃饭', 'bad-answer'],
      ['en', 'es', 'zxcvb qwrtp lkjhg mnbvc', 'bad-answer'],
      ['es', 'en', 'zxcvb qwrtp lkjhg mnbvc', 'bad-answer'],
      ['en', 'fr', 'Где мой заказ? Я жду уже неделю', 'bad-answer'],
      ['es', 'pt-BR', '¿Dónde está mi pedido?', null],
      ['en', 'es', 'Hotel Madrid', null],
      ['en', 'es', 'USB', null],
      ['en', 'es', 'NIKE ADIDAS PUMA REEBOK', null],
      ['en', 'es', 'SKU-12 12.50', null],
      ['en', 'es', 'I bought it on 淘宝', null],
      ['en', 'es', ' \n ', null],
    ])(
      'does not pass off as a translation what no dictionary knows: %s → %s %j',
      async (source, target, text, kind) => {
        const [outcome] = await channel({ folder }).translate(request(source, target, text));
        expect(outcome).toMatchObject(kind === null ? { translated: expect.any(String) } : { kind });
      },
    );

    it('names exactly the languages that some pair of it has', async () => {
      const offline = channel({ folder });
      const { sources, targets } = await offline.languages();
      for (const source of sources) {
        const answers = await Promise.all([...targets].map((target) => offline.supports(source, target)));
        expect(answers.some((answer) => answer !== null)).toBe(true);
      }
      expect(sources.has('es-419')).toBe(true);
      expect(targets.has('es-419')).toBe(false);
      expect(targets.has('de')).toBe(false);
    });

    it('finds an engine that is installed while it runs', async () => {
      const place = await mkdtemp(join(tmpdir(), 'apertium-'));
      try {
        const offline = channel({ folder: join(place, 'root'), probeMs: 0 });
        expect(await offline.supports('en', 'es')).toBeNull();
        await symlink(join('/', folder), join(place, 'root'));
        expect(await offline.supports('en', 'es')).toBe('translation');
        expect(await offline.translate(request('en', 'es', 'The house is big.'))).toMatchObject([
          { translated: 'La casa es grande.' },
        ]);
      } finally {
        await rm(place, { recursive: true });
      }
    });
  },
);
