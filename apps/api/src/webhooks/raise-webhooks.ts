import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DAY_MS, WEBHOOK_DAYS } from '@yiqiao/domain/limits';
import { commandIdOf } from '../platform/command-id.js';
import { lockKey } from '../platform/database.js';
import type { NewMessage } from './new-message.js';
import { messagesOf, WEBHOOK_SOURCES, type WebhookSource } from './messages-of.js';
import { WebhookDelivery, WebhookEndpoint, WebhookMessage } from './webhook.entity.js';

/** Stores the messages of an event and their deliveries. Runs in a job. */
export class RaiseWebhooks extends Command<void> {
  constructor(readonly event: WebhookSource) {
    super();
  }
}

/** Clocks of processes differ a little from the database's. */
const SKEW_MS = 5_000;

// Locked against deletion, so that nothing is stored for an account that is being closed. Raw: MikroORM would lock for writing.
const ENDPOINTS = 'SELECT id FROM webhook_endpoint WHERE family_id = ? AND enabled ORDER BY id FOR KEY SHARE';

/**
 * Jobs may run in any order, above all after Redis was away; so a job works off all open events of its family in the order of the outbox.
 * Raw: by a partial index and within JSON.
 */
const OPEN_EVENTS = `
SELECT fact FROM outbox
WHERE done_at IS NULL AND fact->>'type' = ANY (?::text[]) AND (fact->>'familyId')::bigint = ? ORDER BY id`;

@CommandHandler(RaiseWebhooks)
export class RaiseWebhooksHandler implements ICommandHandler<RaiseWebhooks> {
  constructor(private readonly em: EntityManager) {}

  async execute({ event }: RaiseWebhooks): Promise<void> {
    const { familyId } = event;
    const em = this.em.fork();
    // Most families have none.
    if ((await em.count(WebhookEndpoint, { familyId, enabled: true })) === 0) return;
    await em.transactional(async (em) => {
      await lockKey(em, `webhooks ${familyId}`);
      const locked = await em.execute<{ id: number }[]>(ENDPOINTS, [familyId]);
      const ids = locked.map(({ id }) => Number(id));
      const endpoints = await em.find(WebhookEndpoint, { id: ids }, { disableIdentityMap: true });
      if (endpoints.length === 0) return;
      for (const each of await openEvents(em, event))
        for (const message of await messagesOf(em, each)) await store(em, { familyId, endpoints, message });
    });
  }
}

async function openEvents(em: EntityManager, event: WebhookSource): Promise<WebhookSource[]> {
  const types = `{${WEBHOOK_SOURCES.join(',')}}`;
  const open = await em.execute<{ fact: WebhookSource }[]>(OPEN_EVENTS, [types, event.familyId]);
  // Its own is done already when this is a repetition: then all of it is stored.
  return [...open.map(({ fact }) => fact), event];
}

type Told = {
  readonly familyId: number;
  readonly endpoints: readonly WebhookEndpoint[];
  readonly message: NewMessage;
};

/** Stores a message for those that had subscribed to it when it happened; nothing if it is stored already. */
async function store(em: EntityManager, { familyId, endpoints, message }: Told): Promise<void> {
  const { type, key, subject, data, happenedAt } = message;
  if (type === 'test') return;
  // Whether it was told is known for as long as messages are kept: what is older was, or nobody wants it any more.
  if (happenedAt.getTime() < Date.now() - (WEBHOOK_DAYS - 1) * DAY_MS) return;
  const wanted = endpoints.filter(({ events }) => (events[type] ?? Infinity) <= happenedAt.getTime() + SKEW_MS);
  if (wanted.length === 0) return;
  const id = commandIdOf(`webhook:${familyId}:${type}:${key}`);
  if ((await em.count(WebhookMessage, { id })) > 0) return;
  await em.insert(WebhookMessage, { id, familyId, type, subject, data, happenedAt });
  const about = { messageId: id, familyId, type, subject, state: 'waiting' as const };
  for (const { id: endpointId, pausedAt } of wanted)
    await em.insert(WebhookDelivery, { ...about, endpointId, nextAt: pausedAt === null ? new Date() : null });
}
