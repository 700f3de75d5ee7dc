import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { rotateWebhookSecret, saveWebhook } from '@yiqiao/contracts/webhooks';
import { Refusal } from '@yiqiao/domain/errors';
import { WEBHOOKS_MAX } from '@yiqiao/domain/limits';
import { takesSignSecret, type WebhookEvent } from '@yiqiao/domain/webhooks';
import { Members } from '../members/members.js';
import { Clock } from '../platform/clock.js';
import { Config } from '../platform/config.js';
import { RateLimits } from '../platform/rate-limits.js';
import { newWebhookSecret, overlapUntil, WebhookSecrets } from './secrets.js';
import { problemOfTarget } from './target-rules.js';
import { type Subscriptions, WebhookDelivery, WebhookEndpoint } from './webhook.entity.js';
import { Webhooks } from './webhooks.js';

type Saved = Answer<typeof saveWebhook>;
type Form = Input<typeof saveWebhook>;

/** Adds an endpoint or edits one. Throws NOT_FOUND, TOO_MANY_WEBHOOKS, TOO_MANY_REQUESTS, and the problems of its address at `url`. */
export class SaveWebhook extends Command<Saved> {
  constructor(
    readonly familyId: number,
    readonly form: Form,
  ) {
    super();
  }
}

@CommandHandler(SaveWebhook)
export class SaveWebhookHandler implements ICommandHandler<SaveWebhook> {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly webhooks: Webhooks,
    private readonly secrets: WebhookSecrets,
    private readonly limits: RateLimits,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async execute({ familyId, form }: SaveWebhook): Promise<Saved> {
    const { production, env } = this.config;
    const code = problemOfTarget(form.url, { allowPrivate: env.WEBHOOK_ALLOW_PRIVATE, production });
    if (code) throw new Refusal('VALIDATION_FAILED', { errors: [{ path: 'url', code }] });
    await this.limits.take('webhookChanges', String(familyId));
    return this.em.fork().transactional(async (em) => {
      // One change of a family's endpoints at a time, and none of an account that is being closed.
      if (!(await this.members.lock(em, familyId))) throw new Refusal('NOT_FOUND');
      const before = form.id === undefined ? null : await this.webhooks.lock(em, familyId, form.id);
      if (!before && (await em.count(WebhookEndpoint, { familyId })) >= WEBHOOKS_MAX)
        throw new Refusal('TOO_MANY_WEBHOOKS');
      const { secret, sealedSecret } = this.#secretOf(form, before);
      const columns = {
        name: form.name,
        sealedUrl: this.secrets.seal(form.url),
        format: form.format,
        language: form.language,
        enabled: form.enabled === 1,
        events: this.#subscriptions(form, before),
        sealedSecret,
      };
      // Rows that wait for an endpoint that is switched off would tell old news when it is switched on.
      if (before?.enabled && !columns.enabled)
        await em.nativeUpdate(
          WebhookDelivery,
          { endpointId: before.id, state: 'waiting' },
          { state: 'canceled', nextAt: null },
        );
      if (before)
        await em.nativeUpdate(WebhookEndpoint, { id: before.id }, { ...columns, ...this.#forgotten(form, before) });
      const id = before?.id ?? Number(await em.insert(WebhookEndpoint, { familyId, ...columns }));
      const saved = await em.findOneOrFail(WebhookEndpoint, { id }, { disableIdentityMap: true });
      return { webhook: this.webhooks.rowOf(saved), secret };
    });
  }

  /** `secret`: a new one, to be shown once. An endpoint of another format has another kind of secret. */
  #secretOf(
    { format, signSecret }: Form,
    before: WebhookEndpoint | null,
  ): { secret: string | null; sealedSecret: string | null } {
    const kept = before?.format === format ? this.secrets.readable(before.sealedSecret) : null;
    if (format === 'standard') {
      if (kept !== null) return { secret: null, sealedSecret: kept };
      const secret = newWebhookSecret();
      return { secret, sealedSecret: this.secrets.seal(secret) };
    }
    if (!takesSignSecret(format) || signSecret === '') return { secret: null, sealedSecret: null };
    return { secret: null, sealedSecret: signSecret === undefined ? kept : this.secrets.seal(signSecret) };
  }

  /** What is over with the endpoint as it was: its replaced secret with its format, and its failures with its address, too. */
  #forgotten({ format, url }: Form, before: WebhookEndpoint): Partial<WebhookEndpoint> {
    if (before.format !== format || this.secrets.readable(before.sealedSecret) !== before.sealedSecret)
      return { oldSealedSecret: null, oldSecretUntil: null, failingSince: null };
    return this.secrets.unseal(before.sealedUrl) === url ? {} : { failingSince: null };
  }

  /** What was subscribed to before stays so since then: an event on its way is not lost. */
  #subscriptions({ events, enabled }: Form, before: WebhookEndpoint | null): Subscriptions {
    const now = this.clock.now().getTime();
    const wasOn = before?.enabled === true && enabled === 1;
    const since = (event: WebhookEvent): number => (wasOn ? (before.events[event] ?? now) : now);
    return Object.fromEntries(events.map((event) => [event, since(event)]));
  }
}

/** Replaces the signing secret. Throws NOT_FOUND, WEBHOOK_WITHOUT_SECRET, TOO_MANY_REQUESTS. */
export class RotateWebhookSecret extends Command<Answer<typeof rotateWebhookSecret>> {
  constructor(
    readonly familyId: number,
    readonly id: number,
  ) {
    super();
  }
}

@CommandHandler(RotateWebhookSecret)
export class RotateWebhookSecretHandler implements ICommandHandler<RotateWebhookSecret> {
  constructor(
    private readonly em: EntityManager,
    private readonly webhooks: Webhooks,
    private readonly secrets: WebhookSecrets,
    private readonly limits: RateLimits,
    private readonly clock: Clock,
  ) {}

  async execute({ familyId, id }: RotateWebhookSecret): Promise<Answer<typeof rotateWebhookSecret>> {
    await this.limits.take('webhookChanges', String(familyId));
    return this.em.fork().transactional(async (em) => {
      const endpoint = await this.webhooks.lock(em, familyId, id);
      if (endpoint.format !== 'standard') throw new Refusal('WEBHOOK_WITHOUT_SECRET');
      const secret = newWebhookSecret();
      Object.assign(endpoint, {
        oldSealedSecret: this.secrets.readable(endpoint.sealedSecret),
        oldSecretUntil: overlapUntil(this.clock.now()),
        sealedSecret: this.secrets.seal(secret),
      });
      await em.flush();
      return { webhook: this.webhooks.rowOf(endpoint), secret };
    });
  }
}
