import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { WEBHOOK_DAYS, WEBHOOK_FAILING_DAYS } from '@yiqiao/domain/limits';
import type { WebhookPause } from '@yiqiao/domain/webhooks';
import { Members } from '../members/members.js';
import { Clock } from '../platform/clock.js';
import { Config } from '../platform/config.js';
import { pausedMail } from './mail-messages.js';
import { WebhookEndpoint } from './webhook.entity.js';

// Raw, like the next ones: conditions on the row as it is now, and its columns returned.
const PAUSE = `
UPDATE webhook_endpoint SET paused_at = now(), pause_reason = ? WHERE id = ? AND paused_at IS NULL
  AND (? <> 'failures' OR failing_since <= now() - interval '${WEBHOOK_FAILING_DAYS} days') AND sealed_url = coalesce(?, sealed_url)
RETURNING name, failing_since`;
const HOLD = `UPDATE webhook_delivery SET next_at = NULL WHERE endpoint_id = ? AND state = 'waiting'`;
const HOPELESS = `
SELECT id, family_id FROM webhook_endpoint
WHERE paused_at IS NULL AND failing_since <= now() - interval '${WEBHOOK_FAILING_DAYS} days' ORDER BY id`;

/** Pauses endpoints and mails their main account. */
@Injectable()
export class WebhookPauses {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Nothing when it is paused already, has worked meanwhile, or is not at `sealedUrl` any more. */
  async pause(
    { id, familyId }: Pick<WebhookEndpoint, 'id' | 'familyId'>,
    reason: WebhookPause,
    sealedUrl: string | null = null,
  ): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      // Before the endpoint, like everybody who changes one.
      if (!(await this.members.lock(em, familyId))) return;
      const [paused] = await em.execute<Paused[]>(PAUSE, [reason, id, reason, sealedUrl]);
      if (!paused) return;
      await em.execute(HOLD, [id]);
      const { name, failing_since: since } = paused;
      const at = this.clock.toWire(this.clock.now());
      const failingSince = since === null ? at : this.clock.toWire(new Date(since));
      const facts = { name, reason, at, failingSince };
      await this.members.sendMail(em, familyId, (language) => pausedMail(language, facts, this.config.publicUrl));
    });
  }

  async pauseHopeless(): Promise<void> {
    const rows = await this.em.fork().execute<{ id: number; family_id: number }[]>(HOPELESS);
    for (const { id, family_id: familyId } of rows)
      await this.pause({ id: Number(id), familyId: Number(familyId) }, 'failures');
  }
}

type Paused = { name: string; failing_since: Date | null };

/** Pauses endpoints that fail for days, also those without anything to retry. A scheduled job runs it. */
export class PauseHopelessWebhooks extends Command<void> {}

@CommandHandler(PauseHopelessWebhooks)
export class PauseHopelessWebhooksHandler implements ICommandHandler<PauseHopelessWebhooks> {
  constructor(private readonly pauses: WebhookPauses) {}

  execute(): Promise<void> {
    return this.pauses.pauseHopeless();
  }
}

/** Deletes messages with their deliveries after a month. A scheduled job runs it. */
export class PruneWebhooks extends Command<void> {}

const PRUNE = `DELETE FROM webhook_message WHERE created_at < now() - interval '${WEBHOOK_DAYS} days'`;

@CommandHandler(PruneWebhooks)
export class PruneWebhooksHandler implements ICommandHandler<PruneWebhooks> {
  constructor(private readonly em: EntityManager) {}

  async execute(): Promise<void> {
    await this.em.fork().execute(PRUNE);
  }
}
