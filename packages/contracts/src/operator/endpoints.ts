/** Every endpoint of the operators' API, for its server and for the test of every role on every route. */
import * as accounts from './accounts.js';
import * as actions from './actions.js';
import * as audits from './audits.js';
import * as closes from './closes.js';
import * as documents from './documents.js';
import type { OperatorEndpoint } from './endpoint.js';
import * as families from './families.js';
import * as margin from './margin.js';
import * as memberChanges from './member-changes.js';
import * as members from './members.js';
import * as notices from './notices.js';
import * as operators from './operators.js';
import * as passkeys from './passkeys.js';
import * as payments from './payments.js';
import * as reconciliations from './reconciliations.js';
import * as prices from './prices.js';
import * as requests from './requests.js';
import * as session from './session.js';
import * as shell from './shell.js';
import * as stream from './stream.js';
import * as system from './system.js';
import * as today from './today.js';
import * as trialBalance from './trial-balance.js';
import * as vendors from './vendors.js';
import * as whatIfs from './what-if.js';

const isEndpoint = (value: unknown): value is OperatorEndpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'action' in value;

export const operatorEndpoints: readonly OperatorEndpoint[] = [
  session,
  accounts,
  actions,
  audits,
  closes,
  documents,
  families,
  margin,
  memberChanges,
  members,
  notices,
  operators,
  passkeys,
  payments,
  reconciliations,
  prices,
  requests,
  shell,
  stream,
  system,
  today,
  trialBalance,
  vendors,
  whatIfs,
]
  .flatMap((file) => Object.values<unknown>(file))
  .filter(isEndpoint);
