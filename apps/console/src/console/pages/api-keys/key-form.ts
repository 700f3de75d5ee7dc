/** The form of a key: what it holds, and what is sent of it. */
import type { ApiKeyScope } from '@yiqiao/contracts/api-key-scopes';
import { type ApiKeyKind, updateApiKey } from '@yiqiao/contracts/api-keys';
import { API_KEY_ADDRESSES_MAX } from '@yiqiao/domain/limits';
import { wireNow } from '../../shared/wire-time.js';
import { type ApiKey, type Expiry, expiryOf } from './key.js';

/** The contract's own rules of the fields. */
export const settings = updateApiKey.request.shape;

/** Numbers: null is none, like 0. `channel` 0: the account's. `expireDateTime`: a day, `YYYY-MM-DD`, of the choice `day`. */
export type KeyFields = {
  kind: ApiKeyKind;
  name: string;
  scopes: ApiKeyScope[];
  channel: number;
  dayCap: number | null;
  monthCap: number | null;
  requestsPerSecond: number | null;
  allowedIps: string[];
  expiry: Expiry;
  expireDateTime: string;
};

export const fieldsOf = (edited: ApiKey | undefined): KeyFields => ({
  kind: edited?.kind ?? 'secret',
  name: edited?.name ?? '',
  scopes: edited?.scopes ?? ['text'],
  channel: edited?.tranChannelId ?? 0,
  dayCap: edited?.dayCap || null,
  monthCap: edited?.monthCap || null,
  requestsPerSecond: edited?.requestsPerSecond || null,
  allowedIps: edited?.allowedIps ?? [],
  expiry: edited?.expireDateTime ? 'day' : 'never',
  expireDateTime: edited?.expireDateTime?.slice(0, 10) ?? '',
});

/** The request body. `edited`: the key as it was; it keeps its kind. */
export function variablesOf(fields: KeyFields, edited: ApiKey | undefined, now = wireNow()): Record<string, unknown> {
  const { kind, name, scopes, channel, dayCap, monthCap, requestsPerSecond, allowedIps, expiry, expireDateTime } =
    fields;
  return {
    ...(edited ? {} : { kind }),
    name,
    scopes: kind === 'url' ? ['text'] : scopes,
    tranChannelId: channel || null,
    dayCap: dayCap ?? 0,
    monthCap: monthCap ?? 0,
    requestsPerSecond: requestsPerSecond ?? 0,
    allowedIps,
    expireDateTime: expiryOf(expiry, expireDateTime, now, edited?.expireDateTime),
  };
}

/** The first of them that is neither an address nor a network; null when all are. */
export const wrongAddressIn = (all: readonly string[]): string | null =>
  all.find((address) => !settings.allowedIps.safeParse([address]).success) ?? null;

export const areTooMany = (addresses: readonly string[]): boolean => addresses.length > API_KEY_ADDRESSES_MAX;
