/** Every endpoint of the members' API and, apart from it, of the one for their software: for the server and for tests over all of them. */
import * as accountLog from './account-log.js';
import * as apiKeys from './api-keys.js';
import * as channelTraffic from './channel-traffic.js';
import * as closes from './closes.js';
import type { Endpoint } from './endpoint.js';
import * as glossary from './glossary.js';
import * as invoices from './invoices.js';
import * as login from './login.js';
import * as loginLog from './login-log.js';
import * as media from './media.js';
import * as nativeApi from './native-api.js';
import * as notices from './notices.js';
import * as orders from './orders.js';
import * as plans from './plans.js';
import * as reminders from './reminders.js';
import * as savings from './savings.js';
import * as sessions from './sessions.js';
import * as site from './site.js';
import * as subAccounts from './sub-accounts.js';
import * as translation from './translation.js';
import * as twoStep from './two-step.js';
import * as user from './user.js';
import * as webhooks from './webhooks.js';

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;

export const nativeEndpoints: readonly Endpoint[] = Object.values(nativeApi);

export const endpoints: readonly Endpoint[] = [
  login,
  user,
  reminders,
  sessions,
  twoStep,
  subAccounts,
  plans,
  orders,
  invoices,
  loginLog,
  accountLog,
  closes,
  translation,
  channelTraffic,
  media,
  savings,
  glossary,
  apiKeys,
  webhooks,
  notices,
  site,
]
  .flatMap((file) => Object.values<unknown>(file))
  .filter(isEndpoint);
