import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cleanHtml } from './clean-html.js';

/** Known tricks to smuggle in a script, a style, a frame or a foreign address. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<img src=x onerror=alert(1)>',
  '<img src="javascript:alert(1)">',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<iframe src="https://evil.example"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="data:text/html,<script>alert(1)</script>"></object>',
  '<embed src="javascript:alert(1)">',
  '<form action="https://evil.example"><input name=p><button>go</button></form>',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<style>body{display:none}</style>',
  '<p style="position:fixed;inset:0">x</p>',
  '<p onclick="alert(1)">x</p>',
  '<p/onmouseover=alert(1)>x</p>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="&#x6A;&#x61;vascript&colon;alert(1)">x</a>',
  '<a href=" javascript:alert(1)">x</a>',
  '<a href="\u0001javascript:alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">x</a>',
  '<a href="http://plain.example">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="/\\evil.example">x</a>',
  '<a href="\\\\evil.example">x</a>',
  // Browsers remove tabs and line breaks from an address.
  '<a href="/\t/evil.example">x</a>',
  '<a href="/&#9;/evil.example">x</a>',
  '<a href="/&NewLine;\\evil.example">x</a>',
  '<a href="/&#13;&#10;/evil.example">x</a>',
  '<a href="https://yiqiao.example@evil.example">x</a>',
  '<a href="https://ok" onclick="alert(1)" style="x" id="x" class="x" name="x">x</a>',
  '<a target="_top" href="https://ok.example">x</a>',
  '<a href="file:///etc/passwd">x</a>',
  '<a href="blob:https://x/y">x</a>',
  '<template><img src=x onerror=alert(1)></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<title><img src=x onerror=alert(1)></title>',
  '<textarea><img src=x onerror=alert(1)></textarea>',
  '<xmp><img src=x onerror=alert(1)></xmp>',
  '<plaintext><img src=x onerror=alert(1)>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<?xml version="1.0"?><img src=x onerror=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<video><source onerror="alert(1)"></video>',
  '<audio src=x onerror=alert(1)>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<body onload=alert(1)>',
  '<input autofocus onfocus=alert(1)>',
  '<select onfocus=alert(1) autofocus>',
  '<keygen autofocus onfocus=alert(1)>',
  '<table background="javascript:alert(1)"><tr><td>x</td></tr></table>',
  '<div style="background:url(javascript:alert(1))">x</div>',
  '<custom-element onclick=alert(1)>x</custom-element>',
  '<p id="__proto__">x</p>',
  '<a name="getElementById">x</a>',
  '<b<script>alert(1)</script>>x</b>',
  '<p>x</p\n><img\nsrc=x\nonerror\n=\nalert(1)>',
  '<<script>alert(1);//<</script>',
  '<img """><script>alert(1)</script>">',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '<a href="https://ok.example/&quot; onmouseover=&quot;alert(1)">x</a>',
  '<blockquote cite="javascript:alert(1)">x</blockquote>',
];

const TAG = /<\/?([a-z0-9]+)((?:\s[^<>]*)?)\/?>/gi;
const ALLOWED = new Set('p br b strong i em u ul ol li h3 h4 a blockquote code'.split(' '));

/** Every tag is on the whitelist and has no attribute except a harmless link target. */
function expectHarmless(html: string): void {
  for (const [, name = '', attributes = ''] of html.matchAll(TAG)) {
    expect(ALLOWED).toContain(name.toLowerCase());
    const rest = attributes
      .replace(/^\s+|\s*\/?$/g, '')
      .replace(/href="(?:https:\/\/[^"@\s]+|mailto:[^"\s]+|\/(?![\t\n\r]*[/\\])[^"]*)"/, '')
      .replace('rel="noopener noreferrer"', '')
      .replace('target="_blank"', '');
    expect(rest.trim()).toBe('');
  }
  // No other tag begins.
  expect(html.replaceAll(TAG, '')).not.toMatch(/</);
}

describe('HTML of a notice', () => {
  it.each(HOSTILE)('is safe after sanitising %j', (html) =>
    expectHarmless(cleanHtml(`<p>before</p>${html}<p>after</p>`)),
  );

  it('is safe for any combination of fragments', () => {
    const piece = fc.oneof(
      fc.constantFrom(...HOSTILE),
      fc.constantFrom('<p>', '</p>', '"', "'", '<', '>', '&', '<a '),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => expectHarmless(cleanHtml(pieces.join('')))),
      { numRuns: 300 },
    );
  });

  it.each([
    '/..//evil.example',
    '/.//evil.example',
    '/a/../..//evil.example',
    '/%2e%2e//evil.example',
    '/..\\/evil.example',
  ])('keeps no path that a browser reads as another host (%s)', (href) =>
    expect(cleanHtml(`<a href="${href}">x</a>`)).toBe('<a>x</a>'),
  );

  it('keeps the markup that notices use', () => {
    const html =
      '<h3>维护</h3><p>今晚 <b>22:00</b>–23:00，<a href="/price">价格</a>不变。<br />见 <a href="https://status.example/a?b=1&amp;c=2">状态</a></p><ul><li>一</li><li>二</li></ul>';
    expect(cleanHtml(html)).toBe(html.replace('c=2">', 'c=2" rel="noopener noreferrer" target="_blank">'));
  });

  it('is unchanged by a second pass', () => {
    for (const html of HOSTILE) expect(cleanHtml(cleanHtml(html))).toBe(cleanHtml(html));
  });

  it('drops the content of scripts and styles', () => {
    expect(cleanHtml('<p>a</p><script>alert(1)</script><style>p{}</style>')).toBe('<p>a</p>');
  });
});
