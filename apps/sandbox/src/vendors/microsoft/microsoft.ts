import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { accountAt, type Account } from '../account.js';
import { serveCall, type VendorServices } from '../serve-call.js';
import { escapedHtml } from '../html-text.js';
import { bytesOf, headerOf, isObject, isOfType, jsonIn, queryOf } from '../request-body.js';
import { translate } from '../translate.js';
import { detected } from '../translation/detection.js';
import { languageOf } from '../translation/language.js';
import { answered, type AcceptedCall } from '../vendor-answer.js';
import { codePoints, type CallKind } from '../vendor-calls.js';
import type { Corruption } from '../vendor-faults.js';
import { englishName, vendorLanguages } from '../vendor-languages.js';
import { MICROSOFT, refuse } from './microsoft-error.js';

const MAX_CHARS = 50_000;
const MAX_TEXTS = { translate: 1000, detect: 100 };

/** The region of every account's resource, except those of a global one: their suffix begins with `global`. */
const REGION = 'eastasia';

/** Microsoft Translator, v3. */
export function microsoftRoutes(scope: FastifyInstance, services: VendorServices): void {
  const base = '/vendors/microsoft';
  const serve =
    (call: CallKind, work: (request: FastifyRequest) => AcceptedCall) =>
    (request: FastifyRequest, reply: FastifyReply) =>
      serveCall(reply, { ...services, wire: MICROSOFT, call, name: keyIn(request), work: () => work(request) });
  scope.post(`${base}/translate`, serve('translate', translation));
  scope.post(`${base}/detect`, serve('detect', detection));
  scope.get(`${base}/languages`, serve('languages', listing));
}

const keyIn = (request: FastifyRequest): string => headerOf(request, 'ocp-apim-subscription-key');

function accountIn(request: FastifyRequest): Account {
  const account = accountAt('microsoft', keyIn(request));
  const region = headerOf(request, 'ocp-apim-subscription-region');
  const wanted = account?.suffix.startsWith('global') ? '' : REGION;
  if (!account || region.toLowerCase() !== wanted) throw refuse(401000);
  return account;
}

function textsIn(request: FastifyRequest, most: number): readonly string[] {
  if (queryOf(request).get('api-version') !== '3.0') throw refuse(400021);
  if (!isOfType(request, 'application/json')) throw refuse(415000);
  const body = jsonIn(bytesOf(request));
  if (!Array.isArray(body)) throw refuse(400074);
  if (body.length === 0) throw refuse(400000);
  if (body.length > most) throw refuse(400072);
  return body.map((element: unknown) => {
    // Names are read whatever their case.
    const [, text] = isObject(element) ? (Object.entries(element).find(([name]) => /^text$/i.test(name)) ?? []) : [];
    if (typeof text !== 'string') throw refuse(400000);
    return text;
  });
}

const charsOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + codePoints(text), 0);

function translation(request: FastifyRequest): AcceptedCall {
  const account = accountIn(request);
  const texts = textsIn(request, MAX_TEXTS.translate);
  const query = queryOf(request);
  const source = codeIn(query.get('from'));
  if (source === undefined) throw refuse(400035);
  const targets = query.getAll('to').map((code) => codeIn(code) ?? null);
  const [first] = targets;
  if (first === undefined || !targets.every((code) => code !== null)) throw refuse(400036);
  const html = query.get('textType')?.toLowerCase() === 'html';
  const usage = charsOf(texts) * targets.length;
  if (usage > MAX_CHARS) throw refuse(targets.length > 1 ? 400077 : 400050);
  return {
    account,
    asked: { call: 'translate', texts, source, target: targets.join(',') },
    answer: (corruptions) =>
      answered(rows({ texts, source, targets, html }, corruptions), {
        'x-requestid': randomUUID(),
        'x-metered-usage': String(usage),
        'x-mt-system': 'Microsoft',
      }),
  };
}

/** Null: none was sent. Undefined: one that is not known. */
function codeIn(code: string | null): string | null | undefined {
  return code === null ? null : (MICROSOFT_LANGUAGES.find(code) ?? undefined);
}

interface TranslationCall {
  readonly texts: readonly string[];
  readonly source: string | null;
  readonly targets: readonly string[];
  readonly html: boolean;
}

/** One element per text, with its translation into every target. */
function rows(
  { texts, source, targets, html }: TranslationCall,
  corruptions: readonly Corruption[],
): readonly object[] {
  const byTarget = targets.map((target) => ({
    target,
    done: translate({ vendor: 'microsoft', texts, source, target }, corruptions),
  }));
  return (byTarget[0]?.done ?? []).map(({ found }, index) => ({
    detectedLanguage: found
      ? { language: MICROSOFT_LANGUAGES.codeFor(found.tag), score: Number(found.sure.toFixed(2)) }
      : undefined,
    translations: byTarget.map(({ target, done }) => {
      const text = done[index]?.text ?? '';
      return { text: html ? escapedHtml(text) : text, to: target };
    }),
  }));
}

function detection(request: FastifyRequest): AcceptedCall {
  const account = accountIn(request);
  const texts = textsIn(request, MAX_TEXTS.detect);
  if (charsOf(texts) > MAX_CHARS) throw refuse(400050);
  return {
    account,
    asked: { call: 'detect', texts, source: null, target: null },
    answer: () =>
      answered(
        texts.map((text) => {
          const { tag, sure } = detected(text);
          const language = MICROSOFT_LANGUAGES.codeFor(tag);
          return { language, score: sure, isTranslationSupported: true, isTransliterationSupported: false };
        }),
      ),
  };
}

/** Needs no key. */
function listing(request: FastifyRequest): AcceptedCall {
  const query = queryOf(request);
  if (query.get('api-version') !== '3.0') throw refuse(400021);
  const inLanguage = headerOf(request, 'accept-language').startsWith('zh') ? 'zh-Hans' : 'en';
  return {
    account: null,
    asked: { call: 'languages', texts: [], source: null, target: null },
    answer: () => {
      const translation = Object.fromEntries(
        MICROSOFT_LANGUAGES.codes.map((code) => {
          const { tag, script } = languageOf(code);
          const dir = directionOf(script);
          return [code, { name: englishName(code, inLanguage), nativeName: englishName(code, tag), dir }];
        }),
      );
      return answered({ translation });
    },
  };
}

/** `GET /languages`, scope translation. */
export const MICROSOFT_LANGUAGES = vendorLanguages(
  `zh-Hans zh-Hant en ja ko fr de es pt ru ar vi th id ms it tr hi af sq am hy as az bn ba eu bho brx bs bg yue ca hne lzh hr cs
  da prs dv doi nl et fo fj fil fi fr-ca gl lug ka el gu ht ha he mww hu is ig ikt iu iu-Latn ga kn ks kk km rw tlh-Latn
  tlh-Piqd gom kmr ku ky lo lv ln lt dsb mk mai mg ml mt mni mi mr mn-Cyrl mn-Mong my ne nso nb nya or ps fa pl pt-pt pa otq ro
  run sm sr-Cyrl sr-Latn sn sd si sk sl so st sw sv ty ta tt te bo ti to tn tk uk hsb ur ug uz cy xh yo yua zu`,
  { zh: 'zh-Hans', 'zh-CN': 'zh-Hans', 'zh-TW': 'zh-Hant', no: 'nb', 'pt-br': 'pt' },
);

const FROM_RIGHT = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo']);

/** Whether a script is written from the right. */
export const directionOf = (script: string): 'rtl' | 'ltr' => (FROM_RIGHT.has(script) ? 'rtl' : 'ltr');
