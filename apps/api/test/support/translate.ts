import type { Request, Response } from '@yiqiao/contracts/endpoint';
import { translateText } from '@yiqiao/contracts/translation';
import type { TestClient } from './client.js';

type Asked = Request<typeof translateText>;
type Translated = Response<typeof translateText>;

/** The response for one text; throws if it was refused. */
export async function translateOne(
  client: TestClient,
  input: Asked & { text: string },
): Promise<Exclude<Translated, { items: unknown }>> {
  const answer = await client.call(translateText, input);
  if ('items' in answer) throw new Error('one text was answered like several');
  return answer;
}

/** The response for several texts. */
export async function translateMany(
  client: TestClient,
  input: Asked & { text: string[] },
): Promise<Extract<Translated, { items: unknown }>> {
  const answer = await client.call(translateText, input);
  if (!('items' in answer)) throw new Error('several texts were answered like one');
  return answer;
}
