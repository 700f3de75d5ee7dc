import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';

/** The few kinds of CBOR that WebAuthn needs (RFC 8949). */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, n: number): Buffer => {
    if (n < 24) return Buffer.from([(major << 5) | n]);
    if (n < 256) return Buffer.from([(major << 5) | 24, n]);
    return Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const pairs = [...value].flatMap(([key, held]) => [cbor(key), cbor(held as Parameters<typeof cbor>[0])]);
  return Buffer.concat([head(5, value.size), ...pairs]);
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const PRESENT_AND_VERIFIED = 0x05;
const WITH_CREDENTIAL = 0x40;

type Asked = { challenge: string; rpId: string; origin: string };

/** An authenticator with one passkey (WebAuthn level 3, ES256, attestation "none"). */
export class SoftAuthenticator {
  readonly #id = randomBytes(16);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  /** Synced passkeys do not count. */
  counter = 0;
  flags = PRESENT_AND_VERIFIED;

  get id(): string {
    return this.#id.toString('base64url');
  }

  #data(rpId: string, more: { flags: number; credential: Buffer } = { flags: 0, credential: Buffer.alloc(0) }): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(rpId), Buffer.from([this.flags | more.flags]), counter, more.credential]);
  }

  #clientData(type: string, { challenge, origin }: Asked): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #frame<T extends object>(response: T) {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response };
  }

  create(asked: Asked) {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const key = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.#id.length]), this.#id, cbor(key)]);
    const object = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', this.#data(asked.rpId, { flags: WITH_CREDENTIAL, credential })],
    ]);
    return this.#frame({
      clientDataJSON: this.#clientData('webauthn.create', asked).toString('base64url'),
      attestationObject: cbor(object).toString('base64url'),
    });
  }

  /** `key`: another one than the passkey's, for a forgery. */
  get(asked: Asked, key: KeyObject = this.#keys.privateKey) {
    const [data, clientData] = [this.#data(asked.rpId), this.#clientData('webauthn.get', asked)];
    const signature = createSign('sha256')
      .update(Buffer.concat([data, sha256(clientData)]))
      .sign(key);
    return this.#frame({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }
}
