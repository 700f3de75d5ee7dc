import { describe, expect, it } from '@jest/globals';
import { readUserAgent } from './user-agent.js';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('a User-Agent header', () => {
  it.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`, 'Chrome 141', 'Windows'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36 Edg/141.0`,
      'Edge 141',
      'Windows',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox 144', 'Linux'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
      'Safari 18',
      'macOS',
    ],
    [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/141.0.0.0 Mobile Safari/537.36`, 'Chrome 141', 'Android'],
    [`Mozilla/5.0 (Linux; Android 14) ${WEBKIT} Chrome/86.0 Mobile MicroMessenger/8.0.61`, 'WeChat 8', 'Android'],
    [`Mozilla/5.0 (Linux; U; Android 14) ${WEBKIT} Chrome/100.0 XiaoMi/MiuiBrowser/19.1`, 'Mi Browser 19', 'Android'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) CriOS/141.0 Mobile Safari/604.1', 'Chrome 141', 'iPhone'],
    ['Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) Version/16.6 Mobile/15E148 Safari/604.1', 'Safari 16', 'iPad'],
    ['Firefox/', 'Firefox', null],
    ['Chrome/99999999', 'Chrome 9999', null],
    ['node', null, null],
    ['', null, null],
  ])('%s', (header, browser, system) => expect(readUserAgent(header)).toMatchObject({ browser, system }));

  it('names one family whatever the version and the model', () => {
    const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Safari/604.1';
    const ipad = 'Mozilla/5.0 (iPad; CPU OS 17_2 like Mac OS X) Version/17.2 Safari/604.1';
    expect([readUserAgent(iphone).family, readUserAgent(ipad).family]).toEqual(['Safari|iOS', 'Safari|iOS']);
    expect(readUserAgent('node').family).toBe('|');
  });

  it('reads only the beginning of a long header', () =>
    expect(readUserAgent(`${'x '.repeat(5_000)}Chrome/141`)).toEqual({ browser: null, system: null, family: '|' }));
});
