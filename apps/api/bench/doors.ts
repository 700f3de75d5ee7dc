/** What a door for another service's clients adds to the native call: one request after the other, each kind in turn, on one account. */
import { createApiKey } from '@yiqiao/contracts/api-keys';
import { BASE_PATH, DOOR_PATHS, NATIVE_PATH } from '@yiqiao/contracts/envelope';
import { translate } from '@yiqiao/contracts/native-api';
import { startServer } from './child.js';
import { createFixture, HOT } from './fixture.js';
import { apiEnv, headersOf, signIn, type SignedIn } from './sign-in.js';
import { median, overRounds, some, targetLine, type Report, type Settings } from './targets.js';

const DOORS = ['deepl', 'google', 'libretranslate', 'deeplx', 'immersive'] as const;
const KINDS = ['native', ...DOORS] as const;
type Kind = (typeof KINDS)[number];
/** Median of a kind, in milliseconds. */
type Round = Record<Kind, number>;

const REQUESTS = 300;
/** High enough never to refuse. */
const LIMITS = { LIMIT_TRANSLATION_PER_SECOND: '1000000', LIMIT_TRANSLATION_IN_FLIGHT: '1000' };

/** The same text in the words of each. */
const CALLS: Readonly<Record<Kind, { path: string; body: (text: string) => object }>> = {
  native: {
    path: `${NATIVE_PATH}${translate.path}`,
    body: (text) => ({ text: [text], source: 'zh-Hans', target: 'en' }),
  },
  deepl: {
    path: `${DOOR_PATHS.deepl}/v2/translate`,
    body: (text) => ({ text: [text], source_lang: 'ZH', target_lang: 'EN-US' }),
  },
  google: {
    path: `${DOOR_PATHS.google}/language/translate/v2`,
    body: (text) => ({ q: text, source: 'zh-CN', target: 'en', format: 'text' }),
  },
  libretranslate: {
    path: `${DOOR_PATHS.libretranslate}/translate`,
    body: (text) => ({ q: text, source: 'zh', target: 'en' }),
  },
  deeplx: {
    path: `${DOOR_PATHS.deeplx}/translate`,
    body: (text) => ({ text, source_lang: 'ZH', target_lang: 'EN' }),
  },
  immersive: {
    path: DOOR_PATHS.immersive,
    body: (text) => ({ text_list: [text], source_lang: 'zh-CN', target_lang: 'en' }),
  },
};

export async function benchDoors({ server, rounds, scale, log }: Settings): Promise<Report> {
  const fixture = await createFixture(server);
  try {
    const [member] = await signIn(fixture.owner, [HOT]);
    if (!member) throw new Error('the member was not signed in');
    const api = await startServer('http-server', apiEnv(fixture.url, LIMITS), ['metered']);
    try {
      const secret = await keyOf(api.url, member);
      await roundOf({ url: api.url, secret }, some(REQUESTS, scale));
      const figures: Round[] = [];
      for (let n = 1; n <= rounds; n++) {
        const found = await roundOf({ url: api.url, secret }, some(REQUESTS, scale));
        figures.push(found);
        log(`  ${n}/${rounds}: ${KINDS.map((kind) => `${kind} ${found[kind].toFixed(2)} ms`).join(' · ')}`);
      }
      return report(figures);
    } finally {
      await api.stop();
    }
  } finally {
    await fixture.close();
  }
}

async function keyOf(url: string, member: SignedIn): Promise<string> {
  const answer = await fetch(`${url}${BASE_PATH}${createApiKey.path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headersOf(member) },
    body: JSON.stringify({ name: 'bench', scopes: ['text'] }),
  });
  const { data } = (await answer.json()) as { data: { secret: string } | null };
  if (!data) throw new Error(`no key: ${answer.status}`);
  return data.secret;
}

let texts = 0;

/** Each text is new: an equal one would be repeated from the minute before. */
async function timeOf(kind: Kind, { url, secret }: { url: string; secret: string }): Promise<number> {
  const { path, body } = CALLS[kind];
  const sent = JSON.stringify(body(`你好，这件衣服有货吗？我想要两件，订单 ${++texts}。`));
  const began = performance.now();
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${secret}` },
    body: sent,
  });
  const text = await answer.text();
  const ms = performance.now() - began;
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status} ${text}`);
  return ms;
}

async function roundOf(api: { url: string; secret: string }, requests: number): Promise<Round> {
  const found = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));
  for (let n = 0; n < requests; n++)
    // Each begins as often as the others, so that none is always the one after a pause.
    for (let at = 0; at < KINDS.length; at++) {
      const kind = KINDS[(n + at) % KINDS.length] ?? 'native';
      found.get(kind)?.push(await timeOf(kind, api));
    }
  return Object.fromEntries(KINDS.map((kind) => [kind, median(found.get(kind) ?? [])])) as Round;
}

function report(figures: readonly Round[]): Report {
  const targets = DOORS.map((door) =>
    overRounds(
      figures.map((round) => round[door] - round.native),
      { name: `a request at the door ${door} − the native call`, kind: 'below', gate: 1, unit: ' ms' },
    ),
  );
  const lines = KINDS.map((kind) => `  ${kind.padEnd(16)} ${median(figures.map((each) => each[kind])).toFixed(2)} ms`);
  const text = ['', 'a request with an API key, median, an instant engine', ...lines, ...targets.map(targetLine)];
  return { text: text.join('\n'), json: figures, targets };
}
