import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { WEBHOOK_OVERLAP_HOURS } from '@yiqiao/domain/limits';
import { Vault } from '../platform/vault.js';
import type { WebhookEndpoint } from './webhook.entity.js';

const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

/** A new signing secret as Standard Webhooks writes it. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** An endpoint with its address and secrets in the clear; the newest secret first. */
export type OpenedEndpoint = { readonly url: string; readonly secrets: readonly string[] };

type Sealed = Pick<WebhookEndpoint, 'sealedUrl' | 'sealedSecret' | 'oldSealedSecret' | 'oldSecretUntil'>;

/** What is sealed of an endpoint: the address of a robot is its password, and a secret signs in our name. */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly vault: Vault) {}

  seal(text: string): string {
    return this.vault.seal(text);
  }

  /** Null when it was sealed under another APP_SECRET: then its owner has to enter it again. */
  unseal(sealed: string): string | null {
    try {
      return this.vault.open(sealed);
    } catch {
      return null;
    }
  }

  /** `sealed` itself, or null where it cannot be read any more. */
  readable(sealed: string | null): string | null {
    return sealed !== null && this.unseal(sealed) !== null ? sealed : null;
  }

  /** Throws when something was sealed under another APP_SECRET. */
  open(endpoint: Sealed, now: Date): OpenedEndpoint {
    const { sealedSecret, oldSealedSecret, oldSecretUntil } = endpoint;
    const isOldValid = oldSecretUntil !== null && oldSecretUntil > now;
    const sealed = [sealedSecret, isOldValid ? oldSealedSecret : null].filter((secret) => secret !== null);
    return { url: this.vault.open(endpoint.sealedUrl), secrets: sealed.map((secret) => this.vault.open(secret)) };
  }
}

/** Until when the secret that is replaced `now` signs as well. */
export const overlapUntil = (now: Date): Date => new Date(now.getTime() + WEBHOOK_OVERLAP_HOURS * 3600_000);

type Signed = { readonly id: string; readonly at: Date; readonly body: string };

const hmac = (key: string | Buffer, text: string): string => createHmac('sha256', key).update(text).digest('base64');

/** The headers of Standard Webhooks 1.0.0: one signature for each secret. */
export function signatureHeaders(secrets: readonly string[], { id, at, body }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${hmac(key, `${id}.${timestamp}.${body}`)}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/** Feishu: HMAC of nothing, with time and secret as the key; seconds. */
export function feishuSignature(secret: string, at: Date): { timestamp: string; sign: string } {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  return { timestamp, sign: hmac(`${timestamp}\n${secret}`, '') };
}

/** DingTalk: HMAC of time and secret; milliseconds. */
export function dingtalkSignature(secret: string, at: Date): { timestamp: string; sign: string } {
  const timestamp = String(at.getTime());
  return { timestamp, sign: hmac(secret, `${timestamp}\n${secret}`) };
}
