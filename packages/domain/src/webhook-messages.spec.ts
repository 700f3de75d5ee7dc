import { describe, expect, it } from '@jest/globals';
import { exampleData, SIGNED_EXAMPLE, WEBHOOK_DATA } from './webhook-messages.js';
import { WEBHOOK_EVENTS } from './webhooks.js';

describe('the table of messages', () => {
  it('has every event and the test, in their order', () => {
    expect(Object.keys(WEBHOOK_DATA)).toEqual([...Object.keys(WEBHOOK_EVENTS), 'test']);
  });

  it('is what the signed example was made from', () => {
    expect(JSON.parse(SIGNED_EXAMPLE.body)).toMatchObject({ type: 'quota.low', data: exampleData('quota.low') });
  });
});
