import { connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { register, sendVCode } from '@yiqiao/contracts/login';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { codeMailedTo, freshName, mailsTo } from './support/test-members.js';
import { startWorker } from './support/worker.js';

let api: TestApi;
let worker: Awaited<ReturnType<typeof startWorker>>;
/** A proxy before the mail server that drops the first connections. */
let proxy: Server;
let hangUps = 0;

beforeAll(async () => {
  const server = new URL(process.env['SMTP_URL'] ?? '');
  proxy = createServer((socket) => {
    if (hangUps > 0) {
      hangUps--;
      socket.destroy();
      return;
    }
    const mail = connect(Number(server.port), server.hostname);
    for (const end of [socket, mail]) end.on('error', () => undefined);
    socket.pipe(mail).pipe(socket);
  });
  await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready));
  const { port } = proxy.address() as { port: number };
  api = await startApi({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  worker = await startWorker(api.env);
});
afterAll(async () => {
  await worker.stop();
  await api.stop();
  proxy.close();
});

it('mails the code after the mail server failed, once', async () => {
  hangUps = 2;
  const visitor = new TestClient(api.url);
  const username = freshName();
  const account = `${username}@example.com`;
  await visitor.call(sendVCode, { account });
  const vcode = await codeMailedTo(account);
  expect(hangUps).toBe(0);
  await visitor.call(register, { username, account, password: 'secret-123', vcode });
  expect(await mailsTo(account)).toHaveLength(1);
  const { rows } = await api.db.query("SELECT done FROM outbox WHERE fact->>'type' = 'VerificationCodeIssued'");
  expect(rows).toEqual([{ done: ['verification-letter'] }]);
});
