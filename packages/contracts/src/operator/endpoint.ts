import type { OperatorAction } from '@yiqiao/domain/operators';
import type { z } from 'zod';
import { endpoint, type Endpoint } from '../endpoint.js';

/** The operators' API, at its own address (operators §1). */
export const OPERATOR_BASE_PATH = '/operator-api';

/** A call of the operators' API: any endpoint with the action that its caller needs; `signedOut` for the steps of the sign-in. */
export type OperatorEndpoint<Req extends z.ZodType = z.ZodType, Res extends z.ZodType = z.ZodType> = Endpoint<
  Req,
  Res
> & {
  base: typeof OPERATOR_BASE_PATH;
  action: OperatorAction | 'signedOut';
  /** The handler takes the one-time code that the action asks for, after the refusals that should not cost a code. */
  codeLater?: true;
};

export const operatorEndpoint = <Req extends z.ZodType, Res extends z.ZodType>(
  e: Omit<OperatorEndpoint<Req, Res>, 'access' | 'base'>,
): OperatorEndpoint<Req, Res> => ({
  ...endpoint({ ...e, access: 'operator' }),
  base: OPERATOR_BASE_PATH,
  action: e.action,
  ...(e.codeLater ? { codeLater: e.codeLater } : {}),
});
