import { defineEntity, p } from '@mikro-orm/core';
import type { ApiKeyKind, ApiKeyScope } from '@yiqiao/contracts/api-keys';

const schema = defineEntity({
  name: 'ApiKey',
  properties: {
    id: p.bigint('number').primary(),
    /** The account whose balance it spends. */
    userId: p.bigint('number'),
    familyId: p.bigint('number'),
    name: p.string(),
    kind: p.string().$type<ApiKeyKind>(),
    /** The readable beginning of the secret. */
    prefix: p.string(),
    /** SHA-256 of the secret, hex. The secret itself is not stored. */
    digest: p.string(),
    /** Of the secret before the last rotation, which works until `oldUntil`. */
    oldDigest: p.string().strictNullable(),
    oldUntil: p.datetime().strictNullable(),
    scopes: p.array().$type<ApiKeyScope[]>(),
    tranChannelId: p.integer().strictNullable(),
    /** Characters; 0: no cap. */
    dayCap: p.bigint('number').defaultRaw('0'),
    monthCap: p.bigint('number').defaultRaw('0'),
    /** 0: the limit of the account. */
    requestsPerSecond: p.integer().defaultRaw('0'),
    allowedIps: p.array().$type<string[]>().defaultRaw("'{}'"),
    expireAt: p.datetime().strictNullable(),
    lastUsedAt: p.datetime().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    revokedAt: p.datetime().strictNullable(),
  },
});

/** A key of a member's own software. Entries of the ledger name keys, so none is deleted that was ever used. */
export class ApiKey extends schema.class {}
schema.setClass(ApiKey);
