import { describe, expect, it } from '@jest/globals';
import { TermIndex } from '@yiqiao/domain/glossary';
import type { MarkupFormat } from '@yiqiao/domain/text-formats';
import fc from 'fast-check';
import { processorTime } from '../../../test/support/processor-time.js';
import { anyText, HOSTILE } from '../../../test/support/texts.js';
import { Markup } from './markup.js';
import { tokensOf } from './tokens.js';

const sentencesIn = async (source: string, format: MarkupFormat = 'html') =>
  (await Markup.read(source, format))?.sentences ?? [];
const sentencesOf = async (source: string, format?: MarkupFormat): Promise<string[]> =>
  (await sentencesIn(source, format)).map(({ masked }) => masked);

/** The source with each sentence as `answer` says it. */
const written = async (
  source: string,
  answer: (masked: string) => string,
  format: MarkupFormat = 'html',
): Promise<string> => {
  const markup = await Markup.read(source, format);
  return markup?.write(markup.sentences.map((sentence) => sentence.restore(answer(sentence.masked)))) ?? source;
};

const same = (masked: string): string => masked;

describe('the sentences of HTML', () => {
  it.each<[string, string[]]>([
    ['Hello', ['Hello']],
    ['I <b>really</b> like it', ['I {0}really{1} like it']],
    ['<p>One.</p>\n<p>Two <i>and <b>three</b></i>.</p>', ['One.', 'Two {0}and {1}three{2}.']],
    ['<div><b>Only bold</b></div>', ['Only bold']],
    ['<p>\n  Much\n  white   space\n</p>', ['Much white space']],
    ['Size: M<br>Colour: <b>red</b>', ['Size: M', 'Colour: {0}red{1}']],
    ['<img src="a.png"> Picture <img src="b.png"> here', ['Picture {0} here']],
    ['A <!-- b --> c', ['A {0} c']],
    ['<a href="https://example.com?a=1&b=2" title="kept > kept">Read</a> more', ['{0}Read{1} more']],
    // What a reader sees stays in the sentence.
    ['Run <code>npm i</code> now', ['Run {0} now']],
    ['<code>npm i</code> installs it', ['{0} installs it']],
    ['<b>5</b> apples', ['{0} apples']],
    ['<span translate="no">Acme</span> sells <span class="x notranslate">Foo Bar</span>', ['{0} sells {1}']],
    // Blocks that are not translated, or have nothing to translate.
    ['<script>let text = "Hello <b>";</script><style>p { color: red }</style>', []],
    ['<pre>Code here</pre><textarea>My text</textarea><svg><text>Drawn</text></svg>', []],
    ['<td>12.50</td><td>&nbsp;</td><td>https://example.com/a</td>', []],
    ['<p translate=no>Kept <b>all of it</b> <span translate="yes">but this</span></p>', ['{0}but this{1}']],
    ['<pre translate="yes">A poem</pre>', ['A poem']],
    ['<p translate="no">a<p>Translated', ['Translated']],
    ['<title>Tom &amp; Ann <b></title>', ['Tom & Ann <b>']],
    // Entities.
    ['Tom &amp; Ann &lt;3 &copy; 2026&nbsp;&eacute; &unknown; &#x4e2d;', ['Tom & Ann <3 © 2026\u00a0é {0} 中']],
    ['a < b & c', ['a < b & c']],
    // Placeholders of the writer are not ours.
    ['{0} of <b>{1}</b> [2] items', ['{0} of {1} {2} items']],
    // Malformed.
    ['<b>bold <i>both</b> italic</i> none', ['bold', 'both', 'italic', 'none']],
    ['a <b>c <p>d</p> e</b> f', ['a', 'c', 'd', 'e', 'f']],
    ['stray </b> end', ['stray', 'end']],
    ['Hello <a href="x', ['Hello']],
    ['Hello <!-- World', ['Hello']],
    ['</ Hello > there', ['there']],
    ['<ul><li>One<li>Two <b>bold</b></ul>', ['One', 'Two {0}bold{1}']],
    ['', []],
    ['<', []],
    ['<p></p>', []],
  ])('%s', async (source, sentences) => {
    expect(await sentencesOf(source)).toEqual(sentences);
  });
});

describe('the sentences of XML', () => {
  it.each<[string, string[]]>([
    ['Press <i>Continue</i> to go on', ['Press {0}Continue{1} to go on']],
    [
      '<?xml version="1.0"?>\n<doc><t>Hello</t><t>World <g id="1">big <x/></g> one</t></doc>',
      ['Hello', 'World {0}big {1} one'],
    ],
    ['<a>One</a><a>Two</a>', ['One', 'Two']],
    ['<p>Text <b><i>x</i></b> more</p>', ['Text {0}x{1} more']],
    ['<d><![CDATA[Tom & Ann <br> here]]></d>', ['Tom & Ann <br> here']],
    ['<code>Translated in XML</code>', ['Translated in XML']],
    ['<t translate="no">Kept</t><t>Not kept &my; &#233;</t>', ['Not kept {0} é']],
    ['<t>Line one\n  line two</t>', ['Line one\n  line two']],
    ['<Br>Case</br>', ['Case']],
  ])('%s', async (source, sentences) => {
    expect(await sentencesOf(source, 'xml')).toEqual(sentences);
  });
});

describe('what is charged', () => {
  it.each<[string, number]>([
    ['<p class="very long">Hi</p>', 2],
    ['<p> Tom &amp; Ann </p>', 9],
    ['<p>Run <code>npm install</code></p>', 4],
    ['<p>A</p><p>😀 B</p>', 4],
  ])('%s', async (source, codePoints) => {
    expect((await Markup.read(source, 'html'))?.codePoints).toBe(codePoints);
  });
});

describe('a translation in its markup', () => {
  it.each<[string, string, string]>([
    ['I <b>really</b> like it', '我{0}真的{1}喜欢', '我<b>真的</b>喜欢'],
    ['我<b>真的</b>喜欢', 'I {0} really {1} like it', 'I <b>really</b> like it'],
    ['I <b>really</b> <i>like</i> it', '{2}like{3} {0}really{1}', '<i>like</i> <b>really</b>'],
    ['<p>a &lt; b</p>', 'x < y & z > "w"', '<p>x &lt; y &amp; z &gt; "w"</p>'],
    ['<p>5&nbsp;kg of it</p>', '5\u00a0kg davon', '<p>5&nbsp;kg davon</p>'],
    ['<p> Hello </p>', 'Bonjour', '<p> Bonjour </p>'],
    ['A <b>b</b> c', '｛0｝B｛ 1 ｝', '<b>B</b>'],
    ['Take {0} <b>of</b> it', 'Nimm {1}von{2} {0}', 'Nimm <b>von</b> {0}'],
  ])('%s, translated as %s', async (source, answer, expected) => {
    expect(await written(source, () => answer)).toBe(expected);
  });

  it.each<[string, string]>([
    ['lost', 'Je {0}vraiment'],
    ['doubled', '{0}Je{1} {0}vraiment{1}'],
    ['closed before it is opened', 'Je {1}vraiment{0}'],
    ['unknown', 'Je {0}vraiment{1} {7}'],
    ['without its words', 'Je vraiment {0}{1}'],
  ])('is refused when a tag is %s', async (_, answer) => {
    const [sentence] = await sentencesIn('I <b>really</b>, like it');
    expect(sentence?.restore(answer)).toBeNull();
    expect(sentence?.runs.map(({ text }) => text)).toEqual(['I ', 'really', ', like it']);
    expect(sentence?.compose(['Je', 'vraiment', ', l’aime'])).toBe('Je <b>vraiment</b>, l’aime');
  });

  it.each<[string, string]>([
    ['<i>a <b>c</b></i> d', '{0}a {3}c{2} {1}d'],
    ['x <i>a <b>c</b> e</i> d', 'x {1}c{2} {0}a e{3} d'],
  ])('is refused when the tags of %s are nested otherwise', async (source, answer) => {
    const [sentence] = await sentencesIn(source);
    expect(sentence?.restore(answer)).toBeNull();
  });

  it('never ends a CDATA section', async () => {
    const source = '<a><![CDATA[Hello & you]]></a>';
    expect(await written(source, () => '<Hi> & you', 'xml')).toBe('<a><![CDATA[<Hi> & you]]></a>');
    expect(await written(source, () => 'Hi ]]> you', 'xml')).toBe(source);
  });
});

describe('a term across tags', () => {
  const terms = new TermIndex([{ term: 'red button', translation: '红色按钮' }]);
  it.each<[string, string]>([
    ['Press the <b>red</b> button', 'Press the {0}red button{1}'],
    ['Press the red <b>button</b> now', 'Press the {0}red button{1} now'],
    ['Press <b>the red</b> button', '{0}the red button{1}'],
    ['Press <i>a red</i> <b>button now</b>', '{0}a red button{1} now{2}'],
    ['Press the red <code>x</code> button', 'Press the red {0} button'],
  ])('%s', async (source, masked) => {
    const [sentence] = (await Markup.read(source, 'html'))?.withWhole(terms).sentences ?? [];
    expect(sentence?.masked.replace(/^Press (?=\{0)/, '')).toBe(masked.replace(/^Press (?=\{0)/, ''));
    expect(sentence?.restore(sentence.masked)).not.toBeNull();
  });
});

/** Markup, broken or not. */
const soup = (): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          ...[
            '<p>',
            '</p>',
            '<b>',
            '</b>',
            '<i class="a > b">',
            '</i>',
            '<br/>',
            '<br>',
            '<img src=x>',
            '<!-- c -->',
            '<!-- ',
          ],
          ...[
            '-->',
            '<![CDATA[',
            ']]>',
            '<?pi x?>',
            '<?',
            '<!DOCTYPE html>',
            '<!',
            '</',
            '</>',
            '<a href="',
            "<a href='",
            '>',
          ],
          ...[
            '<script>',
            '</script>',
            '<title>',
            '</title>',
            '<textarea>',
            '</textarea>',
            '<svg>',
            '</svg>',
            '<plaintext>',
          ],
          ...[
            '<span translate="no">',
            '</span>',
            '<x/>',
            '<li>',
            '<td>',
            '<pre>',
            '</pre>',
            '&amp;',
            '&lt',
            '&nbsp;',
            '&#0;',
          ],
          ...[
            '&#xd800;',
            '&nope;',
            '&',
            ';',
            '<',
            ' ',
            '\n',
            'word',
            ' two words ',
            '5',
            '{0}',
            '[1]',
            '&NotEqualTilde;',
          ],
        ),
        anyText(),
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join(''));

const FORMATS = ['html', 'xml'] as const;

/** All of a source but its text. */
const markupOf = async (source: string, format: MarkupFormat): Promise<string[]> =>
  (await tokensOf(source, format))
    .filter(({ kind }) => kind !== 'text' && kind !== 'cdata')
    .map(({ start, end }) => source.slice(start, end));

describe('any source', () => {
  it.each(FORMATS)('in %s is covered by its tokens', async (format) => {
    await fc.assert(
      fc.asyncProperty(soup(), async (source) => {
        const tokens = await tokensOf(source, format);
        expect(tokens.map(({ start, end }) => source.slice(start, end)).join('')).toBe(source);
        expect(tokens.every(({ start, end }, at) => start < end && start === (tokens[at - 1]?.end ?? 0))).toBe(true);
        for (const token of tokens) if ('text' in token) expect(token.text.isWellFormed()).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(FORMATS)('in %s keeps every byte of its markup, whatever is said in it', async (format) => {
    await fc.assert(
      fc.asyncProperty(
        soup(),
        fc.constantFrom('', '<', '&', '</b>', '<!--', ']]>', '&amp;', 'x'),
        async (source, word) => {
          const result = await written(source, (masked) => masked.replaceAll('word', word), format);
          expect(await markupOf(result, format)).toEqual(await markupOf(source, format));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it.each(FORMATS)('in %s changes nothing when its text is said again', async (format) => {
    await fc.assert(
      fc.asyncProperty(soup(), async (source) => {
        const once = await written(source, same, format);
        expect(await written(once, same, format)).toBe(once);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(FORMATS)('in %s takes time in proportion to its length', async (format) => {
    const pieces = [
      ...HOSTILE,
      '<b>',
      '</b>',
      '<b>w ',
      '<p>',
      '</p>w',
      '<b><p>w',
      '&amp;',
      '<![CDATA[',
      '<i>w</b>',
      '{0}<b>',
    ];
    const slow: string[] = [];
    for (const piece of pieces) {
      const source = piece.repeat(20_000 / piece.length);
      if ((await processorTime(() => written(source, same, format))) > 1) slow.push(piece);
    }
    expect(slow).toEqual([]);
  });

  it('may be nested 10,000 levels deep', async () => {
    for (const tag of ['b', 'div', 'x']) {
      const deep = (words: string): string => `<${tag}>${words}`.repeat(10_000) + `</${tag}>`.repeat(10_000);
      for (const format of FORMATS) {
        expect(await written(`${deep('')} end`, same, format)).toBe(`${deep('')} end`);
        const source = deep('word ');
        expect(await written(source, same, format)).toBe(source);
        // As many side by side.
        const flat = `<${tag}>word </${tag}>`.repeat(10_000);
        const flatTime = await processorTime(() => written(flat, same, format));
        expect(await processorTime(() => written(source, same, format))).toBeLessThan(5 * flatTime);
      }
    }
  });
});
