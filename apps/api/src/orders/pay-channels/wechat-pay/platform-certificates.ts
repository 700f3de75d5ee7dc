import { X509Certificate, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { NoAnswer } from '../calls.js';
import { jsonOf, type HttpAnswer } from '../exchange.js';
import { decrypted, encryptedResource } from './resource.js';
import { whyNotBelieved, type PlatformKeys } from './signature.js';

const list = z.object({
  data: z.array(z.object({ serial_no: z.string(), encrypt_certificate: encryptedResource })),
});

const REFRESH_MS = 60_000;

/**
 * Certificate mode: WeChat Pay's certificates, fetched when one is unknown, at most once a minute. The list is encrypted for us, and
 * signed by a key out of the list itself.
 */
export class PlatformCertificates implements PlatformKeys {
  #keys = new Map<string, KeyObject>();
  #askedAt = -Infinity;
  #asking: Promise<void> | null = null;

  /** `ask`: one try of GET /v3/certificates, its answer not yet believed. */
  constructor(
    private readonly ask: () => Promise<HttpAnswer>,
    private readonly v3Key: string,
    private readonly now: () => number,
  ) {}

  /** Throws NoAnswer when the list was needed and could not be had. */
  async find(serial: string): Promise<KeyObject | null> {
    if (!this.#keys.has(serial)) await this.#refresh();
    return this.#keys.get(serial) ?? null;
  }

  #refresh(): Promise<void> {
    if (this.#asking) return this.#asking;
    if (this.now() - this.#askedAt < REFRESH_MS) return Promise.resolve();
    this.#askedAt = this.now();
    this.#asking = this.#fetch().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #fetch(): Promise<void> {
    const answer = await this.ask();
    const keys = this.#keysIn(answer);
    const find = (serial: string) => Promise.resolve(keys.get(serial) ?? null);
    const why = await whyNotBelieved(answer, { find }, this.now());
    if (why !== null) throw new NoAnswer(`the platform’s certificates: HTTP ${answer.status}, ${why}`);
    this.#keys = keys;
  }

  #keysIn({ status, body }: HttpAnswer): Map<string, KeyObject> {
    const read = status === 200 ? list.safeParse(jsonOf(body)) : null;
    const keys = (read?.data?.data ?? []).flatMap(({ serial_no, encrypt_certificate }) => {
      const certificate = certificateIn(decrypted(encrypt_certificate, this.v3Key));
      return certificate && this.#isValid(certificate) ? [[serial_no, certificate.publicKey] as const] : [];
    });
    return new Map(keys);
  }

  #isValid({ validFrom, validTo }: X509Certificate): boolean {
    return Date.parse(validFrom) <= this.now() && this.now() <= Date.parse(validTo);
  }
}

const certificateIn = (pem: string | null): X509Certificate | null => {
  try {
    return pem === null ? null : new X509Certificate(pem);
  } catch {
    return null;
  }
};
