import { defineEntity, p } from '@mikro-orm/core';

const schema = defineEntity({
  name: 'LoginLog',
  properties: {
    id: p.bigint('number').primary(),
    userId: p.bigint('number'),
    familyId: p.bigint('number'),
    loginIp: p.string().columnType('inet'),
    /** `CLIENT_TYPES[…].code` */
    clientType: p.smallint(),
    /** From the User-Agent header; null when not recognized. */
    browser: p.string().strictNullable(),
    system: p.string().strictNullable(),
    loggedInAt: p.datetime(),
    /** Consecutive calendar days with a login, this one included (decisions §3). */
    sumDay: p.integer(),
  },
});

export class LoginLog extends schema.class {}
schema.setClass(LoginLog);
