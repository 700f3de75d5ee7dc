// A member as the product sees one: signs in, signs every request (decisions §2), speaks the wire and nothing else.
import { createHash } from 'node:crypto';

const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** @returns {Promise<(method: string, path: string, body?: object, headers?: object) => Promise<Answer>>} a signed `call` */
export async function signIn(base, account, password) {
  const { body } = await send(`${base}/client-user/login/login`, 'POST', { account, password }, {});
  if (!body?.success) throw new Error(`${account} cannot sign in: ${JSON.stringify(body)}`);
  const { userId, sk } = body.data;
  const token = sha256(`${sk}${userId}`).toUpperCase();
  return (method, path, data, headers = {}) => {
    const timestamp = String(Date.now());
    const signed = { token, timestamp, signature: sha256(`${token}${timestamp}`) };
    return send(`${base}/client-user${path}`, method, data, { ...signed, ...headers });
  };
}

/** `status` 0: nobody answered, and what became of the request is not known. */
async function send(url, method, data, headers) {
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(data ? { 'content-type': 'application/json' } : {}) },
      body: data && JSON.stringify(data),
      signal: AbortSignal.timeout(60_000),
    });
    return { status: response.status, body: await response.json() };
  } catch (error) {
    return { status: 0, body: undefined, error: error.cause?.code ?? error.message };
  }
}
