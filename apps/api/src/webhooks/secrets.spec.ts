import { expect, it } from '@jest/globals';
import { exampleData, SIGNED_EXAMPLE } from '@yiqiao/domain/webhook-messages';
import { requestFor } from './formats.js';

it('a message is signed as the developers’ page shows it', () => {
  const { secret, id, timestamp, signature, body } = SIGNED_EXAMPLE;
  const at = new Date(Number(timestamp) * 1_000);
  const happenedAt = new Date((JSON.parse(body) as { timestamp: string }).timestamp);
  const opened = { url: 'https://hooks.example.com/', secrets: [secret] };
  const message = { id, type: 'quota.low', data: exampleData('quota.low'), happenedAt } as const;
  const request = requestFor({ format: 'standard', language: 'zh', opened }, message, { at, time: (iso) => iso });
  expect(request.body).toBe(body);
  expect(request.headers).toMatchObject({
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  });
});
