import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { register, sendVCode } from '@yiqiao/contracts/login';
import type { TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { FlakyMailProxy } from './support/flaky-mail-proxy.js';
import { codeMailedTo, freshName, mailsTo } from './support/test-members.js';
import { startApiWithWorker } from './support/worker.js';

let api: TestApi;
let proxy: FlakyMailProxy;

beforeAll(async () => {
  proxy = await FlakyMailProxy.start();
  api = await startApiWithWorker({ SMTP_URL: proxy.url });
});
afterAll(async () => {
  await api.stop();
  proxy.close();
});

it('mails the code once after the mail server failed', async () => {
  proxy.dropsLeft = 2;
  const visitor = new TestClient(api.url);
  const username = freshName();
  const account = `${username}@example.com`;
  await visitor.call(sendVCode, { account });
  const vcode = await codeMailedTo(account);
  expect(proxy.dropsLeft).toBe(0);
  await visitor.call(register, { username, account, password: 'secret-123', vcode });
  expect(await mailsTo(account)).toHaveLength(1);
  const { rows } = await api.db.query("SELECT done FROM outbox WHERE fact->>'type' = 'VerificationCodeIssued'");
  expect(rows).toEqual([{ done: ['verification-letter'] }]);
});
