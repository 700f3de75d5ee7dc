import type { ApiKeyScope } from '@yiqiao/contracts/api-key-scopes';
import type { Caller, UsedKey } from './endpoint.js';

/** The address of the client, and what it wants to do. */
export type ApiKeyUse = { readonly ip: string; readonly scope: ApiKeyScope };

/** The account that a key belongs to, called by the key. */
export type KeyCaller = Caller & { readonly apiKey: UsedKey };

/** The guards' access to API keys; the feature implements it. */
export abstract class ApiKeyReader {
  /**
   * Throws API_KEY_UNKNOWN, API_KEY_REVOKED, API_KEY_EXPIRED, SESSION_DISABLED, API_KEY_ADDRESS, API_KEY_SCOPE, or TOO_MANY_REQUESTS beyond
   * the key's own rate.
   */
  abstract authenticate(secret: string, use: ApiKeyUse): Promise<KeyCaller>;

  /** Records once per period that a request was refused by a cap. `renewsAt`: when the next period begins, as on the wire. */
  abstract reached(apiKeyId: number, period: 'day' | 'month', cap: number, renewsAt: string): Promise<void>;
}
