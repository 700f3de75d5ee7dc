import { defineEntity, p } from '@mikro-orm/core';
import type { RequestOutcome, RequestSummary } from './requests/request-kind.js';
import type { OperatorAction, OperatorRole, RequestState } from '@yiqiao/domain/operators';

const accountSchema = defineEntity({
  name: 'OperatorAccount',
  properties: {
    id: p.bigint('number').primary(),
    name: p.string(),
    /** Under which the ledger and the members' account logs name the operator. */
    managerId: p.bigint('number'),
    role: p.string().$type<OperatorRole>(),
    /** Null until the enrolment link has been used. */
    passwordHash: p.string().strictNullable(),
    sealedSecret: p.string().strictNullable(),
    /** The time step of the last accepted one-time code. */
    lastStep: p.bigint('number').strictNullable(),
    recoveryDigests: p.array<string>().defaultRaw("'{}'"),
    createdAt: p.datetime().defaultRaw('now()'),
    enrolledAt: p.datetime().strictNullable(),
    disabledAt: p.datetime().strictNullable(),
  },
});

/** Somebody who works in the operator console. */
export class OperatorAccount extends accountSchema.class {}
accountSchema.setClass(OperatorAccount);

const enrolmentSchema = defineEntity({
  name: 'OperatorEnrolment',
  properties: {
    digest: p.string().primary(),
    operatorId: p.bigint('number'),
    sealedSecret: p.string(),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime(),
    usedAt: p.datetime().strictNullable(),
  },
});

/** A link with which an operator sets password and authenticator app, once. */
export class OperatorEnrolment extends enrolmentSchema.class {}
enrolmentSchema.setClass(OperatorEnrolment);

const sessionSchema = defineEntity({
  name: 'OperatorSession',
  properties: {
    digest: p.string().primary(),
    operatorId: p.bigint('number'),
    csrf: p.string(),
    ip: p.string(),
    userAgent: p.string(),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime(),
    endedAt: p.datetime().strictNullable(),
  },
});

export class OperatorSession extends sessionSchema.class {}
sessionSchema.setClass(OperatorSession);

const passkeySchema = defineEntity({
  name: 'OperatorPasskey',
  properties: {
    /** The credential's id, in base64url. */
    id: p.string().primary(),
    operatorId: p.bigint('number'),
    name: p.string(),
    publicKey: p.blob().$type<Buffer>(),
    counter: p.bigint('number'),
    transports: p.array<string>().defaultRaw("'{}'"),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime().strictNullable(),
  },
});

/** A WebAuthn credential that signs an operator in. */
export class OperatorPasskey extends passkeySchema.class {}
passkeySchema.setClass(OperatorPasskey);

const requestSchema = defineEntity({
  name: 'OperatorRequest',
  properties: {
    id: p.bigint('number').primary(),
    kind: p.string().$type<OperatorAction>(),
    targetKind: p.string(),
    targetId: p.string(),
    /** JSON, exactly as it will be carried out. */
    payload: p.text(),
    payloadHash: p.string(),
    summary: p.json<RequestSummary>(),
    reason: p.string(),
    makerId: p.bigint('number'),
    makerIp: p.string().strictNullable(),
    madeAt: p.datetime(),
    expiresAt: p.datetime(),
    state: p.string().$type<RequestState>().defaultRaw("'open'"),
    decidedBy: p.bigint('number').strictNullable(),
    decidedAt: p.datetime().strictNullable(),
    decisionReason: p.string().strictNullable(),
    outcome: p.json<RequestOutcome>().strictNullable(),
  },
});

/** Something that one operator asks for and another decides. */
export class OperatorRequest extends requestSchema.class {}
requestSchema.setClass(OperatorRequest);

const limitsSchema = defineEntity({
  name: 'OperatorLimits',
  properties: {
    id: p.integer().primary(),
    charNum: p.bigint('number'),
    voiceNum: p.bigint('number'),
    imageNum: p.bigint('number'),
    /** In fen. */
    amount: p.bigint('number'),
  },
});

/** What one operator may give without a second one: a single row. */
export class OperatorLimits extends limitsSchema.class {}
limitsSchema.setClass(OperatorLimits);
