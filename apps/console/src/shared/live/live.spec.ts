import { describe, expect, it } from '@jest/globals';
import { pauseAfter } from './live.js';

describe('coming back', () => {
  it('is after a second, and less often while nobody answers', () => {
    expect([0, 1, 2, 3, 4, 5, 60, 5000].map(pauseAfter)).toEqual([1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000]);
  });
});
