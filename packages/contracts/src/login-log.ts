import { z } from 'zod';
import { csvFile, endpoint } from './endpoint.js';
import { clientType, dateTime, device, filter, inOrder, page, paging, queryId, queryIp } from './fields.js';

export const loginLogRow = z.object({
  id: z.int(),
  loginIp: z.string(),
  clientType,
  ...device,
  loginDateTime: z.string(),
});

export const getLoginLog = endpoint({
  method: 'GET',
  path: '/loginLog/get',
  access: 'member',
  request: z.strictObject({ id: queryId }),
  response: loginLogRow,
});

const filters = {
  loginIp: filter(queryIp),
  clientType: filter(clientType),
  loginDateTimeBegin: filter(dateTime),
  loginDateTimeEnd: filter(dateTime),
};
const range = inOrder('loginDateTimeBegin', 'loginDateTimeEnd');

export const listLoginLogs = endpoint({
  method: 'GET',
  path: '/loginLog/page',
  access: 'member',
  request: z.strictObject({ ...paging, ...filters }).superRefine(range),
  response: page(loginLogRow),
});

/** The result of the same filters as CSV: UTF-8 with BOM, newest first. */
export const exportLoginLogs = endpoint({
  method: 'GET',
  path: '/loginLog/export',
  access: 'member',
  request: z.strictObject(filters).superRefine(range),
  response: csvFile,
  file: 'csv',
});
