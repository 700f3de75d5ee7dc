/** Every endpoint of the operators' API, for its server and for the test of every role on every route. */
import * as accounts from './accounts.js';
import * as actions from './actions.js';
import * as audits from './audits.js';
import type { OperatorEndpoint } from './endpoint.js';
import * as families from './families.js';
import * as operators from './operators.js';
import * as requests from './requests.js';
import * as session from './session.js';
import * as stream from './stream.js';

const isEndpoint = (value: unknown): value is OperatorEndpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'action' in value;

export const operatorEndpoints: readonly OperatorEndpoint[] = [
  session,
  accounts,
  actions,
  audits,
  families,
  operators,
  requests,
  stream,
]
  .flatMap((file) => Object.values<unknown>(file))
  .filter(isEndpoint);
