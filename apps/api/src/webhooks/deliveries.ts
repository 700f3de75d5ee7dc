import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import {
  WEBHOOK_FAILING_DAYS,
  WEBHOOK_ORDER_MS,
  WEBHOOKS_PER_ENDPOINT,
  WEBHOOKS_PER_FAMILY,
} from '@yiqiao/domain/limits';
import { webhookRetryMs } from '@yiqiao/domain/webhooks';
import { serializeError } from '../platform/logger.js';
import { WebhookPauses } from './pauses.js';
import { WebhookDelivery, WebhookEndpoint, WebhookMessage } from './webhook.entity.js';
import { type Attempt, WebhookSender } from './webhook-sender.js';
import { wireIdOf } from './webhooks.js';

/** Longer than any attempt: afterwards its process has died, and another takes the delivery over. */
const LEASE_SECONDS = 30;
/** Due deliveries that are looked at for one claim: none that must wait, and of no family or endpoint more than it may have at a time. */
const LOOK_AT = 1_000;

/** A delivery that this process may attempt now. `attempts`: with this one. */
export type Claim = { readonly id: number; readonly attempts: number };

/**
 * Takes deliveries that are due. An earlier one of the same endpoint and subject that still waits comes first, until it has been retried for an
 * hour. Families take turns, and so do a family's endpoints: who has the fewest requests under way comes first. Raw: SKIP LOCKED in the subquery of an UPDATE; several
 * workers share the deliveries.
 */
const CLAIM = `
WITH due AS (
  SELECT d.id, d.endpoint_id, d.family_id, d.next_at, row_number() OVER (PARTITION BY d.endpoint_id ORDER BY d.id) AS nth
  FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id
  WHERE d.state = 'waiting' AND d.next_at <= now() AND (d.leased_until IS NULL OR d.leased_until <= now())
    AND e.enabled AND e.paused_at IS NULL AND NOT EXISTS (
    SELECT FROM webhook_delivery f
    WHERE f.endpoint_id = d.endpoint_id AND f.subject = d.subject AND f.state = 'waiting' AND f.id < d.id
      AND (f.first_tried_at IS NULL OR f.first_tried_at > now() - interval '${WEBHOOK_ORDER_MS} milliseconds'))
), busy AS (
  SELECT endpoint_id, family_id, count(*) AS n FROM webhook_delivery WHERE state = 'waiting' AND leased_until > now() GROUP BY 1, 2
), free AS (
  SELECT d.id, d.next_at, f.n + row_number() OVER (PARTITION BY d.family_id ORDER BY d.nth + coalesce(b.n, 0), d.next_at, d.id) AS turn
  FROM due d LEFT JOIN busy b USING (endpoint_id),
    LATERAL (SELECT coalesce(sum(n), 0) AS n FROM busy WHERE family_id = d.family_id) AS f
  WHERE d.nth + coalesce(b.n, 0) <= ${WEBHOOKS_PER_ENDPOINT}
), near AS (
  SELECT id, next_at, turn FROM free WHERE turn <= ${WEBHOOKS_PER_FAMILY} ORDER BY turn, next_at LIMIT ${LOOK_AT}
), taken AS (
  SELECT d.id FROM webhook_delivery d JOIN near USING (id)
  WHERE d.state = 'waiting' AND d.next_at <= now() AND (d.leased_until IS NULL OR d.leased_until <= now())
  ORDER BY near.turn, near.next_at LIMIT ? FOR UPDATE OF d SKIP LOCKED
)
UPDATE webhook_delivery d SET attempts = d.attempts + 1, leased_until = now() + interval '${LEASE_SECONDS} seconds',
  first_tried_at = coalesce(d.first_tried_at, now()), last_tried_at = now()
FROM taken WHERE d.id = taken.id RETURNING d.id, d.attempts`;

// The number of the attempt keeps one that was overtaken, because its process hung, from recording its result.
const MINE = `id = ? AND attempts = ? AND state = 'waiting'`;
const RESULT = 'http_status = ?, milliseconds = ?, failure = ?, answer = ?, leased_until = NULL';
const DELIVERED = `UPDATE webhook_delivery SET state = 'delivered', next_at = NULL, ${RESULT} WHERE ${MINE}`;
const FAILED = `UPDATE webhook_delivery SET state = 'failed', next_at = NULL, ${RESULT} WHERE ${MINE}`;
const RETRIED = `
UPDATE webhook_delivery SET next_at = CASE WHEN ? THEN NULL ELSE now() + make_interval(secs => ?) END, ${RESULT} WHERE ${MINE}`;
const WORKS = 'UPDATE webhook_endpoint SET failing_since = NULL WHERE id = ? AND failing_since IS NOT NULL';
const FAILS = `
UPDATE webhook_endpoint SET failing_since = coalesce(failing_since, now()) WHERE id = ?
RETURNING paused_at IS NOT NULL AS paused, failing_since <= now() - interval '${WEBHOOK_FAILING_DAYS} days' AS hopeless`;

/** Deliveries that are due, one attempt at a time. The rows are all there is: nothing about them is in Redis (docs/decisions/0073). */
@Injectable()
export class WebhookDeliveries {
  readonly #log = new Logger('Webhooks');

  constructor(
    private readonly em: EntityManager,
    private readonly sender: WebhookSender,
    private readonly pauses: WebhookPauses,
  ) {}

  /** At most `most` of them; each is this process's alone until its lease ends. */
  async claim(most: number): Promise<Claim[]> {
    const rows = await this.em.fork().execute<Claim[]>(CLAIM, [most]);
    return rows.map(({ id, attempts }) => ({ id: Number(id), attempts }));
  }

  /** Makes the attempt and records its result. */
  async attempt({ id, attempts }: Claim): Promise<void> {
    const em = this.em.fork();
    const delivery = await em.findOne(WebhookDelivery, { id });
    const endpoint = delivery && (await em.findOne(WebhookEndpoint, { id: delivery.endpointId }));
    const message = endpoint && (await em.findOne(WebhookMessage, { id: delivery.messageId }));
    // Deleted since the claim.
    if (!message) return;
    const { type, data, happenedAt } = message;
    const sent = { id: wireIdOf(message.id), type, data, happenedAt };
    const result = await this.sender.send(endpoint, sent).catch((error: unknown) => this.#unreadable(id, error));
    await this.#record({ id, attempts }, endpoint, result);
  }

  /** It cannot be made a request: an ordinary failure, or it would be claimed for ever. */
  #unreadable(id: number, error: unknown): Attempt {
    this.#log.error({ msg: 'a webhook could not be made', delivery: id, error: serializeError(error) });
    return { failure: 'settings', httpStatus: null, milliseconds: 0, answer: null };
  }

  async #record({ id, attempts }: Claim, endpoint: WebhookEndpoint, result: Attempt): Promise<void> {
    const { httpStatus, milliseconds, failure, answer } = result;
    const mine = [httpStatus, milliseconds, failure, answer, id, attempts];
    const pauseMs = failure === 'gone' ? null : webhookRetryMs(attempts, Math.random());
    const hopeless = await this.em.fork().transactional(async (em) => {
      // The endpoint first: whoever pauses or resumes it locks it before its deliveries.
      if (failure === null) {
        await em.execute(WORKS, [endpoint.id]);
        await em.execute(DELIVERED, mine);
        return false;
      }
      const [state] = await em.execute<{ paused: boolean; hopeless: boolean }[]>(FAILS, [endpoint.id]);
      if (pauseMs === null) await em.execute(FAILED, mine);
      else await em.execute(RETRIED, [state?.paused === true, pauseMs / 1_000, ...mine]);
      return state?.hopeless === true;
    });
    // Not one that has another address since.
    if (failure === 'gone') await this.pauses.pause(endpoint, 'gone', endpoint.sealedUrl);
    else if (hopeless) await this.pauses.pause(endpoint, 'failures');
  }
}
