// Posts through the ledger of the built product; standard input is [[userId, movement, cmdId], …].
import 'reflect-metadata';
import { json } from 'node:stream/consumers';
import { EntityManager } from '@mikro-orm/postgresql';
import { Ledger } from '../../dist/src/ledger/ledger.js';
import { withApp } from '../../dist/src/operator/operator-app.js';
import { loadConfig } from '../../dist/src/platform/config.js';

const postings = await json(process.stdin);
await withApp(loadConfig(process.env), async (app) => {
  const ledger = app.get(Ledger, { strict: false });
  for (const [userId, movement, cmdId] of postings)
    await app
      .get(EntityManager)
      .fork()
      .transactional((em) => ledger.post(em, userId, movement, { cmdId }));
});
