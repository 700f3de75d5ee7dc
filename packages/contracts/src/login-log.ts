import { z } from 'zod';
import { endpoint } from './endpoint.js';
import { clientType, dateTime, inOrder, page, paging, queryId, queryIp } from './fields.js';

export const loginLogRow = z.object({
  id: z.int(),
  loginIp: z.string(),
  clientType,
  loginDateTime: z.string(),
});

export const getLoginLog = endpoint({
  method: 'GET',
  path: '/loginLog/get',
  access: 'member',
  request: z.strictObject({ id: queryId }),
  response: loginLogRow,
});

export const listLoginLogs = endpoint({
  method: 'GET',
  path: '/loginLog/page',
  access: 'member',
  request: z
    .strictObject({
      ...paging,
      loginIp: queryIp.optional(),
      clientType: clientType.optional(),
      loginDateTimeBegin: dateTime.optional(),
      loginDateTimeEnd: dateTime.optional(),
    })
    .superRefine(inOrder('loginDateTimeBegin', 'loginDateTimeEnd')),
  response: page(loginLogRow),
});
