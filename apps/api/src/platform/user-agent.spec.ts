import { describe, expect, it } from '@jest/globals';
import { readUserAgent } from './user-agent.js';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('a User-Agent header', () => {
  it.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`, 'Chrome', 'Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36 Edg/141.0`, 'Edge', 'Windows'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox', 'Linux'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
      'Safari',
      'macOS',
    ],
    [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/141.0.0.0 Mobile Safari/537.36`, 'Chrome', 'Android'],
    [`Mozilla/5.0 (Linux; Android 14) ${WEBKIT} Chrome/86.0 Mobile MicroMessenger/8.0.61`, 'WeChat', 'Android'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) CriOS/141.0 Mobile Safari/604.1', 'Chrome', 'iOS'],
    ['node', null, null],
    ['', null, null],
  ])('%s', (header, browser, system) => expect(readUserAgent(header)).toEqual({ browser, system }));
});
