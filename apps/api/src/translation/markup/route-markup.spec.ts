import { describe, expect, it } from '@jest/globals';
import { TermIndex } from '@yiqiao/domain/glossary';
import type { MarkupFormat } from '@yiqiao/domain/text-formats';
import fc from 'fast-check';
import { ChannelFailure, type TextWarning } from '../channels/channel.js';
import { placeholdersOf } from '../text/placeholders.js';
import type { Routed, RoutedOutcome, RouteRequest } from '../routing/router.js';
import { Markup } from './markup.js';
import { routeTexts } from './route-markup.js';

const answered = (translated: string, more: Partial<Routed> = {}): Routed => ({
  translated,
  quality: 'translation',
  warning: null,
  detected: null,
  channelId: 2,
  ...more,
});

/** Channels that answer as the test says. */
const router = (answer: (text: string, asked: number) => RoutedOutcome) => {
  const requests: RouteRequest[] = [];
  return {
    requests,
    deadline: () => 15_000,
    translate: (request: RouteRequest) => {
      requests.push(request);
      return Promise.resolve(request.texts.map((text) => answer(text, requests.length)));
    },
  };
};

const ROUTE = { familyId: 1, channels: [2] as const, source: 'en', target: 'fr' };

/** The outcome of one text, and what the channels were asked. */
const translated = async (
  source: string,
  answer: (text: string, asked: number) => RoutedOutcome,
  format: MarkupFormat = 'html',
): Promise<{ outcome: RoutedOutcome | undefined; asked: (readonly string[])[] }> => {
  const channels = router(answer);
  const [outcome] = await routeTexts(channels, ROUTE, [{ text: source, markup: await Markup.read(source, format) }]);
  return { outcome, asked: channels.requests.map(({ texts }) => texts) };
};

const shouted = (text: string): Routed => answered(text.toUpperCase());
const lossy = (text: string): Routed => answered(text.replaceAll(/\{\d+\}/g, '').toUpperCase());

describe('a text with markup', () => {
  it('is one request with whole sentences', async () => {
    const { outcome, asked } = await translated('<p>I <b>really</b> like it</p><p>So do I</p>', shouted);
    expect(asked).toEqual([['I {0}really{1} like it', 'So do I']]);
    expect(outcome).toEqual(answered('<p>I <b>REALLY</b> LIKE IT</p><p>SO DO I</p>', { vendor: null }));
  });

  it('is translated between its tags when they are lost, within the same time', async () => {
    const source = '<p>I <b>really</b> like  it &amp; 5 <i>6</i>, </p><p>So do I</p>';
    const channels = router(lossy);
    const [outcome] = await routeTexts(channels, ROUTE, [{ text: source, markup: await Markup.read(source, 'html') }]);
    expect(channels.requests.map(({ texts, deadline }) => [texts, deadline])).toEqual([
      [['I {0}really{1} like it & 5 {2},', 'So do I'], 15_000],
      [['I', 'really', 'like it & 5'], 15_000],
    ]);
    expect(outcome).toMatchObject({
      translated: '<p>I <b>REALLY</b> LIKE IT &amp; 5 <i>6</i>, </p><p>SO DO I</p>',
      warning: null,
    });
  });

  it('stands beside texts without', async () => {
    const channels = router(shouted);
    const texts = [{ text: 'a <b>' }, { text: 'a <b>c</b>', markup: await Markup.read('a <b>c</b>', 'html') }];
    const outcomes = await routeTexts(channels, ROUTE, texts);
    expect(outcomes).toMatchObject([{ translated: 'A <B>' }, { translated: 'A <b>C</b>' }]);
    expect(channels.requests).toHaveLength(1);
  });

  it('fails as its sentences fail', async () => {
    const failure = new ChannelFailure('timeout', 'late');
    const one = await translated('<p>One</p><p>Two</p>', (text) => (text === 'Two' ? failure : shouted(text)));
    expect(one.outcome).toBe(failure);
    const run = await translated('One <b>two</b>', (text, asked) => (asked === 2 ? failure : lossy(text)));
    expect(run.outcome).toBe(failure);
  });

  it('keeps a sentence that has no translation, unless it is most of the text', async () => {
    const stays = (text: string) =>
      /^Déjà/.test(text) ? new ChannelFailure('bad-answer', 'no translation: same') : shouted(text);
    const some = await translated('<p>A long enough sentence</p><p>Déjà vu &eacute;</p>', stays);
    expect(some.outcome).toMatchObject({
      translated: '<p>A LONG ENOUGH SENTENCE</p><p>Déjà vu &eacute;</p>',
      warning: { code: 'STAYED', stayed: ['Déjà vu é'] },
    });
    const most = await translated('<p>A</p><p>Déjà vu partout</p>', stays);
    expect(most.outcome).toMatchObject({ kind: 'bad-answer' });
  });

  it('keeps a run that has no translation', async () => {
    const name = new ChannelFailure('bad-answer', 'no translation: same');
    const { outcome } = await translated('Ask <b>Ann</b> now', (text) => (text === 'Ann' ? name : lossy(text)));
    expect(outcome).toMatchObject({ translated: 'ASK <b>Ann</b> NOW', warning: null });
  });

  it('names the channel, the language and the warning of most of it', async () => {
    const lost: TextWarning = { code: 'LOST', lost: ['{1}', '5'] };
    const { outcome } = await translated('<p>One</p><p>Another sentence 5</p>', (text) =>
      text === 'One'
        ? answered('Un', { detected: 'es', channelId: 3, vendor: { accountId: 1, cost: 5 } })
        : answered('Encore', { detected: 'en', warning: lost, vendor: { accountId: 2, cost: 7 } }),
    );
    expect(outcome).toMatchObject({
      detected: 'en',
      channelId: 2,
      warning: { code: 'LOST', lost: ['5'] },
      vendor: { accountId: 1, cost: 12 },
    });
    const gloss = await translated('<p>One</p><p>Two</p>', (text) =>
      answered(text, text === 'One' ? { quality: 'gloss', warning: { code: 'GLOSS' } } : {}),
    );
    expect(gloss.outcome).toMatchObject({ quality: 'gloss', warning: { code: 'GLOSS' } });
  });

  it('of many sentences is sent with several in one text, each of which may be tried again by itself', async () => {
    const source = Array.from({ length: 120 }, (_, n) => `<p>word <b>${'x'.repeat(n % 3)} y</b></p>`).join('');
    const whole = await translated(source, shouted);
    expect(whole.asked.map(({ length }) => length)).toEqual([40]);
    expect(whole.asked[0]?.[0]).toBe('word {0} y{1}\nword {0}x y{1}\nword {0}xx y{1}');
    expect(whole.outcome).toMatchObject({
      translated: source.replaceAll(/(?<![</])\b[a-z]+(?= |<)/g, (w) => w.toUpperCase()),
    });
    const oneLine = await translated(source, (text, asked) =>
      asked === 1 && /xx/.test(text) ? shouted(text.replaceAll('\n', ' ')) : shouted(text),
    );
    expect(oneLine.outcome).toMatchObject({ translated: (whole.outcome as Routed).translated });
    const same = new ChannelFailure('bad-answer', 'no translation: same');
    const some = await translated(source.replace('<p>word', '<p>Déjà vu, word'), (text) =>
      /Déjà/.test(text) ? same : shouted(text),
    );
    expect(some.outcome).toMatchObject({
      translated: expect.stringMatching(/^<p>Déjà vu, word <b> Y<\/b><\/p><p>WORD/),
    });
  });

  it('has no tags inside of terms', async () => {
    const list = [{ term: 'red button', translation: 'bouton rouge' }];
    const terms = { familyId: 1, source: 'en', target: 'fr', digest: 'd', list, index: new TermIndex(list) };
    const channels = router(shouted);
    const source = 'Press the <b>red</b> button';
    const [outcome] = await routeTexts(channels, { ...ROUTE, terms }, [
      { text: source, markup: await Markup.read(source, 'html') },
    ]);
    expect(channels.requests[0]?.texts).toEqual(['Press the {0}red button{1}']);
    expect(outcome).toMatchObject({ translated: 'PRESS THE <b>RED BUTTON</b>' });
  });
});

type Tree = { readonly tag: string; readonly children: readonly (Tree | string)[] };

const WORDS = [
  'word',
  ' two words ',
  'a &amp; b',
  '5',
  ' ',
  'Tom &lt;3',
  '<!-- note -->',
  '<img alt="x > y">',
  '{0}',
  '[1]',
  '&nbsp;',
];

/** Nested markup: each element has attributes of its own. */
const tree = (): fc.Arbitrary<string> => {
  const { node } = fc.letrec<{ node: Tree; child: Tree | string }>((tie) => ({
    child: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 3, arbitrary: fc.constantFrom(...WORDS) },
      tie('node'),
    ),
    node: fc.record({
      tag: fc.constantFrom('p', 'div', 'b', 'i', 'a', 'span', 'li', 'code'),
      children: fc.array(tie('child'), { maxLength: 6 }),
    }),
  }));
  return node.map((root) => {
    let id = 0;
    const write = (one: Tree | string): string => {
      if (typeof one === 'string') return one;
      const attributes = ` id="n${id++}" title="x &amp; y"`;
      return `<${one.tag}${attributes}>${one.children.map(write).join('')}</${one.tag}>`;
    };
    return write(root);
  });
};

const tagsOf = (source: string): string[] => source.match(/<!--.*?-->|<(?:"[^"]*"|[^<>"])*>/gs) ?? [];

/** Whether every end tag ends the element that was opened last. */
const isNested = (source: string): boolean => {
  const open: string[] = [];
  for (const tag of tagsOf(source)) {
    const [, end, name = ''] = /^<(\/?)([a-z]+)/.exec(tag) ?? [];
    if (name === '' || name === 'img') continue;
    if (end === '') open.push(name);
    else if (open.pop() !== name) return false;
  }
  return open.length === 0;
};

/** Damages placeholders: drops, doubles, swaps, shuffles or invents them. */
const damaged = (text: string, damage: readonly number[]): string => {
  const found = placeholdersOf(text);
  const masks = found.map(({ start, end }) => text.slice(start, end));
  const at = (n: number): number => (masks.length === 0 ? 0 : (damage[n] ?? 0) % masks.length);
  const kind = damage[0] ?? 0;
  if (kind === 1) masks[at(1)] = '';
  if (kind === 2) masks[at(1)] = `${masks[at(1)]}${masks[at(2)]}`;
  if (kind === 3) masks.splice(at(1), 1, ...masks.splice(at(2), 1, masks[at(1)] ?? ''));
  if (kind === 4) masks.reverse();
  if (kind === 5) masks[at(1)] += '{77}';
  if (kind === 6) return masks.join('');
  if (kind === 7) return `<b>&amp;</i>${text}]]>`;
  let next = 0;
  return text.toUpperCase().replaceAll(/\{\d+\}/g, () => masks[next++] ?? '');
};

describe('whatever a channel does to placeholders', () => {
  it('all tags are there, nested and untouched', async () => {
    await fc.assert(
      fc.asyncProperty(tree(), fc.array(fc.nat(7), { minLength: 3, maxLength: 3 }), async (source, damage) => {
        fc.pre((await Markup.read(source, 'html')) !== null);
        const { outcome } = await translated(source, (text) => answered(damaged(text, damage)));
        const result = outcome && 'translated' in outcome ? outcome.translated : source;
        expect(tagsOf(result).sort()).toEqual(tagsOf(source).sort());
        expect(isNested(result)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it('the tags of XML are there in their order, with the CDATA sections', async () => {
    await fc.assert(
      fc.asyncProperty(tree(), fc.array(fc.nat(7), { minLength: 3, maxLength: 3 }), async (source, damage) => {
        const xml = `<r>${source.replaceAll('&nbsp;', '<![CDATA[ a <b> & c ]]>')}</r>`.replaceAll(
          /<img[^/]*?y">/g,
          '<img/>',
        );
        fc.pre((await Markup.read(xml, 'xml')) !== null);
        const { outcome } = await translated(xml, (text) => answered(damaged(text, damage)), 'xml');
        const result = outcome && 'translated' in outcome ? outcome.translated : xml;
        const outside = (text: string): string => text.replaceAll(/<!\[CDATA\[.*?\]\]>/gs, '<cdata/>');
        expect(tagsOf(outside(result)).sort()).toEqual(tagsOf(outside(xml)).sort());
      }),
      { numRuns: 3_000 },
    );
  });
});
