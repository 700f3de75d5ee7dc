import { describe, expect, it } from '@jest/globals';

import { INBOX_TEXTS } from './inbox-texts.js';
import { frameAttributes } from './mail-view.js';
import { codeIn, linksIn } from './mail-parts.js';

const mail = (text: string, html = '', subject = '') => ({ text, html, subject });

describe('the code of a mail', () => {
  it.each([
    ['您的验证码是428193，10 分钟内有效。', '428193'],
    ['Your code is 012345.', '012345'],
    ['code:\n\n428193\n', '428193'],
    ['Order 20261120143208 paid', null],
    ['order A428193 and 428193B, 1,428,193 characters, 428193.50 yuan', null],
    ['colour #428193', null],
    ['12345 1234567', null],
  ])('in %j is %j', (text, code) => {
    expect(codeIn(mail(text))).toBe(code);
  });

  it('is read from the markup or the subject when there is no text, never from a style', () => {
    expect(codeIn(mail('', '<style>a{color:red;width:111111px} /* 222222 */</style><b>428193</b>'))).toBe('428193');
    expect(codeIn(mail('', '<p data-x="333333">hello</p>', 'Code 428193'))).toBe('428193');
  });
});

describe('the links of a mail', () => {
  it('are the web addresses, each once and without the punctuation around them', () => {
    const text = '打开 https://a.example/x?y=1&z=2。或 (https://b.example/). javascript:alert(1)';
    const html = '<a href="https://a.example/x?y=1&amp;z=2">x</a><a href="javascript:alert(1)">y</a>';
    expect(linksIn({ text, html })).toEqual(['https://a.example/x?y=1&z=2', 'https://b.example/']);
  });
});

describe('the mail frame', () => {
  it('blocks everything, and sends its policy before the first byte of the mail', () => {
    const { sandbox, srcdoc = '' } = frameAttributes('<script>alert(1)</script>');
    expect(sandbox).toBe('');
    expect(srcdoc).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"`);
    expect(srcdoc.indexOf('Content-Security-Policy')).toBeLessThan(srcdoc.indexOf('<script>'));
  });
});

it('has every text in both languages', () => {
  expect(Object.keys(INBOX_TEXTS.en)).toEqual(Object.keys(INBOX_TEXTS.zh));
  for (const words of Object.values(INBOX_TEXTS.en)) expect(words).not.toMatch(/\p{Script=Han}/u);
});
