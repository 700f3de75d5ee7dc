import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Input as InputOf } from '@yiqiao/contracts/endpoint';
import {
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  resendWebhookDelivery,
  resumeWebhook,
  rotateWebhookSecret,
  saveWebhook,
  testWebhook,
} from '@yiqiao/contracts/webhooks';
import { Caller, Endpoint, Input } from '../platform/endpoint.js';
import { DeleteWebhooks, ResendWebhook, ResumeWebhook } from './change-webhooks.js';
import { ListWebhookDeliveries, ListWebhooks } from './list-webhooks.js';
import { RotateWebhookSecret, SaveWebhook } from './save-webhook.js';
import { TestWebhook } from './test-webhook.js';

@Controller()
export class WebhooksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Endpoint(listWebhooks)
  list(@Caller() { familyId }: Caller, @Input(listWebhooks) input: InputOf<typeof listWebhooks>) {
    return this.queries.execute(new ListWebhooks(familyId, input));
  }

  @Endpoint(saveWebhook)
  save(@Caller() { familyId }: Caller, @Input(saveWebhook) input: InputOf<typeof saveWebhook>) {
    return this.commands.execute(new SaveWebhook(familyId, input));
  }

  @Endpoint(deleteWebhook)
  delete(@Caller() { familyId }: Caller, @Input(deleteWebhook) { ids }: InputOf<typeof deleteWebhook>) {
    return this.commands.execute(new DeleteWebhooks(familyId, ids));
  }

  @Endpoint(rotateWebhookSecret)
  rotate(@Caller() { familyId }: Caller, @Input(rotateWebhookSecret) { id }: InputOf<typeof rotateWebhookSecret>) {
    return this.commands.execute(new RotateWebhookSecret(familyId, id));
  }

  @Endpoint(resumeWebhook)
  resume(@Caller() { familyId }: Caller, @Input(resumeWebhook) { id }: InputOf<typeof resumeWebhook>) {
    return this.commands.execute(new ResumeWebhook(familyId, id));
  }

  @Endpoint(testWebhook)
  test(@Caller() { familyId }: Caller, @Input(testWebhook) { id }: InputOf<typeof testWebhook>) {
    return this.commands.execute(new TestWebhook(familyId, id));
  }

  @Endpoint(listWebhookDeliveries)
  deliveries(
    @Caller() { familyId }: Caller,
    @Input(listWebhookDeliveries) input: InputOf<typeof listWebhookDeliveries>,
  ) {
    return this.queries.execute(new ListWebhookDeliveries(familyId, input));
  }

  @Endpoint(resendWebhookDelivery)
  resend(@Caller() { familyId }: Caller, @Input(resendWebhookDelivery) { id }: InputOf<typeof resendWebhookDelivery>) {
    return this.commands.execute(new ResendWebhook(familyId, id));
  }
}
