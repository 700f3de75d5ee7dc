/**
 * What has happened and must have consequences even after a crash. An event is written to the outbox in the transaction that caused it;
 * `event-routes.ts` of the api lists the jobs that follow, and when (times are milliseconds since 1970). Events hold ids only, never names
 * or secrets.
 */
export type DomainEvent =
  | { type: 'MemberRegistered'; userId: number; invited: boolean }
  | { type: 'VerificationCodeIssued'; codeId: number }
  | { type: 'PasswordChanged'; userId: number }
  | { type: 'MailRecorded'; mailId: number }
  | { type: 'SubAccountsDeleted'; familyId: number }
  | { type: 'MemberLoggedOff'; userId: number }
  | { type: 'OrderPlaced'; orderId: number; askAt: number; expiresAt: number }
  | { type: 'OrderStillUnpaid'; orderId: number; asked: number; askAt: number }
  | { type: 'OrderChanged'; orderId: number; familyId: number }
  | { type: 'RefundStarted'; paymentId: number }
  | { type: 'GlossaryChanged'; familyId: number }
  | { type: 'ReminderDue'; reminderId: number }
  | { type: 'AuditRunRequested'; runId: number }
  | { type: 'WhatIfRequested'; whatIfId: number }
  | {
      type: 'ApiKeyCapped';
      apiKeyId: number;
      userId: number;
      familyId: number;
      period: 'day' | 'month';
      cap: number;
      /** As on the wire. */
      renewsAt: string;
    }
  | { type: 'NoticeChanged'; noticeId: number; startsAt: number; endsAt: number | null };

export type EventType = DomainEvent['type'];
export type EventOf<T extends EventType> = Extract<DomainEvent, { type: T }>;
