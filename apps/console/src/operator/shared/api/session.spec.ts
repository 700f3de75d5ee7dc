import { beforeAll, describe, expect, it } from '@jest/globals';

const origin = 'https://operators.example';
Object.assign(globalThis, { location: { origin, pathname: '/', search: '', hostname: 'operators.example' } });
let signInPath: (path: string) => string;
let wayBack: (search: string) => string;
beforeAll(async () => {
  ({ signInPath, wayBack } = await import('./session.js'));
});

describe('the way back after signing in', () => {
  it.each(['/', '/members/7?tab=log', '/ledger/replay/1042?at=2026-11-28 10:00:00'])('leads to %s', (path) => {
    const back = wayBack(new URL(signInPath(path), origin).search);
    expect(new URL(back, origin).href).toBe(new URL(path, origin).href);
  });

  it.each([
    'https://elsewhere.example/',
    '//elsewhere.example',
    '/\\elsewhere.example',
    '/..//elsewhere.example',
    '/.//elsewhere.example',
    '/x/../..//elsewhere.example',
    'javascript:alert(1)',
  ])('does not leave for %s', (to) => {
    expect(wayBack(`?${new URLSearchParams({ to })}`)).toBe('/');
  });
});
