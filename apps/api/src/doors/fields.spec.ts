import { describe, expect, it } from '@jest/globals';
import { fieldsOfForm } from './fields.js';

describe('the fields of a form', () => {
  it('keep the texts of a name that repeats, in their order', () => {
    expect([...fieldsOfForm('text=a&target=de&text=b%26&text=')]).toEqual([
      ['text', ['a', 'b&', '']],
      ['target', 'de'],
    ]);
  });

  // Nobody has shown a key yet: with a look-up over all of them for each, these took minutes.
  it('are read in one pass, however many names there are', () => {
    const names = Array.from({ length: 300_000 }, (_, n) => n.toString(36));
    expect(fieldsOfForm(names.join('&')).size).toBe(300_000);
  });
});
