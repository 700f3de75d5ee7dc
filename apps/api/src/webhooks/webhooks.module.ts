import { Module } from '@nestjs/common';
import { MembersModule } from '../members/members.module.js';
import { DeleteWebhooksHandler, ResendWebhookHandler, ResumeWebhookHandler } from './change-webhooks.js';
import { WebhookDeliveries } from './deliveries.js';
import { ListWebhookDeliveriesHandler, ListWebhooksHandler } from './list-webhooks.js';
import { PauseHopelessWebhooksHandler, PruneWebhooksHandler, WebhookPauses } from './pauses.js';
import { RaiseWebhooksHandler } from './raise-webhooks.js';
import { RotateWebhookSecretHandler, SaveWebhookHandler } from './save-webhook.js';
import { WebhookSecrets } from './secrets.js';
import { TestWebhookHandler } from './test-webhook.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhooksController } from './webhooks.controller.js';
import { Webhooks } from './webhooks.js';

@Module({
  imports: [MembersModule],
  controllers: [WebhooksController],
  providers: [
    Webhooks,
    WebhookSecrets,
    WebhookSender,
    WebhookPauses,
    WebhookDeliveries,
    ListWebhooksHandler,
    ListWebhookDeliveriesHandler,
    SaveWebhookHandler,
    RotateWebhookSecretHandler,
    DeleteWebhooksHandler,
    ResumeWebhookHandler,
    ResendWebhookHandler,
    TestWebhookHandler,
    RaiseWebhooksHandler,
    PauseHopelessWebhooksHandler,
    PruneWebhooksHandler,
  ],
  exports: [WebhookDeliveries],
})
export class WebhooksModule {}
