import { describe, expect, it } from '@jest/globals';
import { changesOf, parsed, withValue } from './json.js';

const DOCUMENT = {
  brand: { zh: '甲', en: 'A' },
  record: null,
  list: [
    { id: 1, on: true },
    { id: 2, on: true },
  ],
};

describe('changes of a document', () => {
  it('are its fields, also those of list elements', () => {
    const after = {
      ...DOCUMENT,
      brand: { zh: '乙', en: 'A' },
      list: [
        { id: 1, on: true },
        { id: 2, on: false },
      ],
    };
    expect(changesOf(DOCUMENT, after)).toEqual([
      { path: ['brand', 'zh'], before: '甲', after: '乙' },
      { path: ['list', 1, 'on'], before: true, after: false },
    ]);
    expect(changesOf(DOCUMENT, { ...after, brand: DOCUMENT.brand, list: DOCUMENT.list })).toEqual([]);
  });

  it('are a whole list when it is longer or shorter, and a field that is new or gone', () => {
    expect(changesOf({ list: [1], a: 1 }, { list: [1, 2], b: 2 })).toEqual([
      { path: ['list'], before: [1], after: [1, 2] },
      { path: ['a'], before: 1, after: undefined },
      { path: ['b'], before: undefined, after: 2 },
    ]);
  });

  it.each([
    ['a field', { ...DOCUMENT, brand: { zh: '乙', en: 'B' } }],
    ['a new object', { ...DOCUMENT, record: { text: 'x', url: '' } }],
    ['a shorter list', { ...DOCUMENT, list: [{ id: 2, on: true }] }],
    ['a field that was not there', { ...DOCUMENT, seller: { zh: '', en: '' } }],
  ])('are taken back one by one: %s', (_, after) => {
    const back = changesOf(DOCUMENT, after).reduce<unknown>(
      (document, { path, before }) => withValue(document, path, before),
      after,
    );
    expect(back).toEqual(DOCUMENT);
  });
});

it('text that is no JSON has no value', () => {
  expect(parsed('{')).toBeUndefined();
  expect(parsed('null')).toEqual({ value: null });
});
