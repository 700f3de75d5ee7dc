import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Fact } from '@yiqiao/domain/facts';

/** Facts are recorded in the transaction that makes them true; the relay of the worker carries them on. */
@Injectable()
export class Outbox {
  async record(em: EntityManager, fact: Fact): Promise<void> {
    await em.execute('INSERT INTO outbox (fact) VALUES (?::jsonb)', [JSON.stringify(fact)]);
  }
}
