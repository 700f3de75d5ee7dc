/**
 * The signed headers (decisions §2). The hash is an argument, because the browser and the server have different ones.
 * `sha256` returns lower-case hex of the UTF-8 text.
 */
export type Sha256 = (text: string) => string;

/** The bearer of a session: upper-case hex, 64 characters. `sk` is 64 characters of hex. */
export const tokenOf = (sk: string, userId: number, sha256: Sha256): string => sha256(`${sk}${userId}`).toUpperCase();

/** Lower-case hex. `timestamp` is milliseconds since 1970. */
export const signatureOf = (token: string, timestamp: number | string, sha256: Sha256): string =>
  sha256(`${token}${timestamp}`);

export const signedHeaders = (token: string, timestamp: number, sha256: Sha256): Record<string, string> => {
  const signature = signatureOf(token, timestamp, sha256);
  const joined = `${token}.${timestamp}.${signature}`;
  return { token, timestamp: String(timestamp), signature, Authorization: joined, 'auth-token': joined };
};
