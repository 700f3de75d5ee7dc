import { describe, expect, it } from '@jest/globals';
import { usdtAddress, usdtPage } from './usdt.js';

const config = (value: unknown): string => JSON.stringify(value);

describe('the USDT page', () => {
  it('is the configured one, enabled until the setting says otherwise', () => {
    expect(usdtPage(config({ url: 'https://pay.example.com/usdt' }))?.href).toBe('https://pay.example.com/usdt');
    expect(usdtPage(config({ url: 'https://pay.example.com/', enabled: true }))?.host).toBe('pay.example.com');
  });

  it.each([
    config({ url: 'https://pay.example.com/', enabled: false }),
    config({ enabled: true }),
    config({ url: 'javascript:alert(1)' }),
    config({ url: 'data:text/html,x' }),
    config({ url: 'not an address' }),
    config({ url: 7 }),
    config(null),
    '{',
    '',
  ])('is none for %s', (valued) => expect(usdtPage(valued)).toBeNull());

  it('gets buyer and purchase as encoded parameters beside its own', () => {
    const page = new URL('https://pay.example.com/usdt?shop=1');
    const address = usdtAddress(
      page,
      { userId: 7, nickname: '林岚 & Söhne', username: 'lin=lan' },
      { plan: { id: 3, name: '专业版' }, quantity: 12 },
    );
    expect(address).toBe(
      'https://pay.example.com/usdt?shop=1&userId=7&nickname=%E6%9E%97%E5%B2%9A+%26+S%C3%B6hne&username=lin%3Dlan' +
        '&memberGroupName=%E4%B8%93%E4%B8%9A%E7%89%88&memberGroupId=3&salesNum=12',
    );
    expect(page.href).toBe('https://pay.example.com/usdt?shop=1');
  });
});
