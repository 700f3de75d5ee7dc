import { describe, expect, it } from '@jest/globals';
import { problemOfTarget } from './target-rules.js';

const inProduction = { allowPrivate: false, production: true };

describe('the address of an endpoint in production', () => {
  it.each([
    ['https://hooks.example.com/yiqiao', null],
    ['https://hooks.example.com:8443/yiqiao', null],
    ['https://[2606:4700::1111]/', null],
    ['http://hooks.example.com/', 'URL_INSECURE'],
    ['https://hooks.example.com:22/', 'URL_PORT'],
    ['https://hooks.example.com:6379/', 'URL_PORT'],
    ['https://127.0.0.1/', 'URL_PRIVATE'],
    ['https://2130706433/', 'URL_PRIVATE'],
    ['https://0x7f.1/', 'URL_PRIVATE'],
    ['https://017700000001/', 'URL_PRIVATE'],
    ['https://[::ffff:127.0.0.1]/', 'URL_PRIVATE'],
    ['https://[::1]/', 'URL_PRIVATE'],
    ['https://169.254.169.254/latest/meta-data', 'URL_PRIVATE'],
    ['https://100.100.100.200/', 'URL_PRIVATE'],
    ['https://localhost/', 'URL_PRIVATE'],
    ['https://postgres/', 'URL_PRIVATE'],
    ['https://db.internal/', 'URL_PRIVATE'],
    ['https://localhost./', 'URL_PRIVATE'],
  ])('%s: %s', (url, problem) => {
    expect(problemOfTarget(url, inProduction)).toBe(problem);
  });
});

it('in development may be on this machine and without TLS', () => {
  expect(problemOfTarget('http://127.0.0.1:41234/', { allowPrivate: true, production: false })).toBeNull();
  expect(problemOfTarget('http://hooks.example.com/', { allowPrivate: false, production: false })).toBeNull();
});
