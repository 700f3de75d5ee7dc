/**
 * What has happened and must have consequences even after a crash. A fact is written to the outbox in the transaction that
 * made it true; `deliveries.ts` of the api says what follows from it, and when (times are milliseconds since 1970). Facts hold ids
 * only, never names or secrets.
 */
export type Fact =
  | { type: 'MemberRegistered'; userId: number; invited: boolean }
  | { type: 'VerificationCodeIssued'; codeId: number }
  | { type: 'PasswordChanged'; userId: number }
  | { type: 'SubAccountsDeleted'; familyId: number }
  | { type: 'MemberLoggedOff'; userId: number }
  | { type: 'OrderPlaced'; orderId: number; askAt: number; expiresAt: number }
  | { type: 'OrderStillUnpaid'; orderId: number; asked: number; askAt: number }
  | { type: 'OrderChanged'; orderId: number; familyId: number }
  | { type: 'RefundStarted'; paymentId: number }
  | { type: 'GlossaryChanged'; familyId: number }
  | { type: 'ReminderDue'; reminderId: number }
  | { type: 'NoticeChanged'; noticeId: number; startsAt: number; endsAt: number | null };

export type FactType = Fact['type'];
export type FactOf<T extends FactType> = Extract<Fact, { type: T }>;
