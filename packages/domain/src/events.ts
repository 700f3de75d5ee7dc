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
  /** `importId`: of this import. The others are numbers of terms. */
  | {
      type: 'GlossaryImported';
      familyId: number;
      importId: string;
      added: number;
      changed: number;
      unchanged: number;
      removed: number;
      at: number;
    }
  | { type: 'ReminderDue'; reminderId: number }
  /** A main account's balance dropped below its threshold. `seq`: its newest entry then. */
  | { type: 'QuotaLow'; userId: number; familyId: number; seq: number; charNum: number; least: number; at: number }
  | { type: 'QuotaExhausted'; userId: number; familyId: number; seq: number; at: number }
  | { type: 'PackageExpiring'; userId: number; familyId: number; expireAt: number; at: number }
  /** A translation was refused because it would have passed a key's cap, for the first time in this day or month. */
  | {
      type: 'ApiKeyCapped';
      apiKeyId: number;
      /** As they were then. */
      apiKeyName: string;
      apiKeyPrefix: string;
      familyId: number;
      userId: number;
      period: 'day' | 'month';
      cap: number;
      renewsAt: number;
      at: number;
    }
  | { type: 'AuditRunRequested'; runId: number }
  | { type: 'WhatIfRequested'; whatIfId: number }
  | { type: 'NoticeChanged'; noticeId: number; startsAt: number; endsAt: number | null };

export type EventType = DomainEvent['type'];
export type EventOf<T extends EventType> = Extract<DomainEvent, { type: T }>;
