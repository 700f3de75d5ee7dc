import { defineEntity, p } from '@mikro-orm/core';

/** Why a session was ended before its expiry (decisions §1: 702, 703, 704). */
export const END_REASONS = ['ended', 'disabled', 'closed'] as const;
export type EndReason = (typeof END_REASONS)[number];

const schema = defineEntity({
  name: 'Session',
  properties: {
    /** SHA-256 of the token, hex. The token itself and `sk` are never stored (decisions §2). */
    tokenDigest: p.string().primary(),
    /** Names the session to its member; assigned by the database. */
    id: p.bigint('number').defaultRaw('generated'),
    userId: p.bigint('number'),
    familyId: p.bigint('number'),
    clientType: p.smallint(),
    /** The address it was started from. Personal data: see `Sessions.eraseAddresses`. */
    loginIp: p.string().columnType('inet').strictNullable(),
    /** From the User-Agent header of the sign-in; null when not recognized. Erased with the address. */
    browser: p.string().strictNullable(),
    system: p.string().strictNullable(),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime(),
    endedAt: p.datetime().strictNullable(),
    endReason: p.enum(END_REASONS).strictNullable(),
    /** Of an operator who views the account read-only, until then; null for the member's own. */
    viewUntil: p.datetime().strictNullable(),
  },
});

export class Session extends schema.class {}
schema.setClass(Session);
