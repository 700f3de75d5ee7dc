import { describe, expect, it } from '@jest/globals';
import { payLinkOf } from './pay-link.js';

const PAGE = { protocol: 'https:', hostname: 'yiqiao.example' };
const LOCAL = { protocol: 'http:', hostname: 'localhost' };

describe('the link of a payment code', () => {
  it('starts Alipay for a code of Alipay', () =>
    expect(payLinkOf('https://qr.alipay.com/bax03431?t=1&u=2', PAGE)).toEqual({
      kind: 'app',
      href: 'alipays://platformapi/startapp?saId=10000007&qrcode=https%3A%2F%2Fqr.alipay.com%2Fbax03431%3Ft%3D1%26u%3D2',
    }));

  it('is the page that another code leads to', () => {
    expect(payLinkOf('https://pay.lianlian.example/q/1', PAGE)).toEqual({
      kind: 'page',
      href: 'https://pay.lianlian.example/q/1',
    });
    expect(payLinkOf('http://127.0.0.1:9081/cashier/YQ1', LOCAL)?.kind).toBe('page');
  });

  it.each([
    'weixin://wxpay/bizpayurl?pr=NwY5Mz9',
    'http://pay.example/q/1',
    'https://user:secret@pay.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'alipays://platformapi/startapp',
    'no address',
  ])('does not exist for %s', (code) => expect(payLinkOf(code, PAGE)).toBeNull());

  it('is a page, not the app, for a host that only looks like Alipay', () =>
    expect(payLinkOf('https://qr.alipay.com.evil.example/x', PAGE)?.kind).toBe('page'));
});
