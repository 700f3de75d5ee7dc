/** The entities of the ORM: an explicit list, without discovery. */
import { ApiKey } from './api-keys/api-key.entity.js';
import { TwoStepRow } from './auth/two-step.entity.js';
import { VerificationCode } from './auth/verification-code.entity.js';
import { GlossaryTerm, GlossaryVersion } from './glossary/glossary.entity.js';
import { MemberDevice } from './members/device.entity.js';
import { Identity } from './members/identity.entity.js';
import { InviteHold } from './members/invite-hold.entity.js';
import { LoginLog } from './members/login-log.entity.js';
import { MailboxGift } from './members/mailbox-gift.entity.js';
import { Member } from './members/member.entity.js';
import { MemberReminder, Reminder } from './members/reminders/reminder.entity.js';
import { Notice } from './notices/notice.entity.js';
import {
  OperatorAccount,
  OperatorEnrolment,
  OperatorLimits,
  OperatorPasskey,
  OperatorRequest,
  OperatorSession,
} from './operators/operator.entity.js';
import { AuditRun } from './operators/audits/audit-run.entity.js';
import { WhatIf } from './operators/what-if/what-if.entity.js';
import { PaymentDifference, Reconciliation } from './operators/payments/reconciliation.entity.js';
import { InvoiceRequest } from './orders/invoice-request.entity.js';
import { PayNotification } from './orders/pay-notification.entity.js';
import { EarlierRefund, Payment } from './orders/payment.entity.js';
import { OrderEventRecord, RechargeOrder } from './orders/recharge-order.entity.js';
import { IdempotencyKey } from './platform/idempotency.js';
import { Manager, ManagerAction } from './platform/manager-actions.js';
import { OutgoingMail } from './platform/outgoing-mail.js';
import { OutboxEvent } from './platform/outbox.js';
import { MemberGroup } from './plans/member-group.entity.js';
import { ChannelPriceRecord, PlanVersionRecord } from './plans/price-history.entity.js';
import { TranChannel } from './plans/tran-channel.entity.js';
import { Session } from './sessions/session.entity.js';
import { DataConfig } from './site/site.js';
import { CachedTranslation } from './translation/memory/translation-cache.js';
import { WebhookDelivery, WebhookEndpoint, WebhookMessage } from './webhooks/webhook.entity.js';

export const entities = [
  ApiKey,
  AuditRun,
  CachedTranslation,
  ChannelPriceRecord,
  DataConfig,
  EarlierRefund,
  GlossaryTerm,
  GlossaryVersion,
  IdempotencyKey,
  Identity,
  InviteHold,
  InvoiceRequest,
  LoginLog,
  MailboxGift,
  Manager,
  ManagerAction,
  Member,
  MemberDevice,
  MemberGroup,
  MemberReminder,
  Notice,
  OperatorAccount,
  OperatorEnrolment,
  OperatorLimits,
  OperatorPasskey,
  OperatorRequest,
  OperatorSession,
  OrderEventRecord,
  OutboxEvent,
  OutgoingMail,
  PayNotification,
  Payment,
  PaymentDifference,
  PlanVersionRecord,
  RechargeOrder,
  Reconciliation,
  Reminder,
  Session,
  TranChannel,
  TwoStepRow,
  VerificationCode,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookMessage,
  WhatIf,
];
