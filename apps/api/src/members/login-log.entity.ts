import { defineEntity, p } from '@mikro-orm/core';
import { CLIENT_TYPES, type ClientType } from '@yiqiao/domain/members';

const schema = defineEntity({
  name: 'LoginLog',
  properties: {
    id: p.bigint('number').primary(),
    userId: p.bigint('number'),
    familyId: p.bigint('number'),
    loginIp: p.string().columnType('inet'),
    /** `CLIENT_TYPES[…].code` */
    clientType: p.smallint(),
    loggedInAt: p.datetime(),
    /** Consecutive calendar days with a login, this one included (decisions §3). */
    sumDay: p.integer(),
  },
});

const TYPE_BY_CODE = new Map(
  Object.entries(CLIENT_TYPES).map(([type, { code }]) => [code as number, type as ClientType]),
);

/** Undefined for a code that no client type has. */
export const clientTypeOf = (code: number): ClientType | undefined => TYPE_BY_CODE.get(code);

export class LoginLog extends schema.class {}
schema.setClass(LoginLog);
