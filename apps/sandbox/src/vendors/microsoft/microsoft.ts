import { randomUUID } from 'node:crypto';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { accountAt, type Account } from '../account.js';
import { exchange, type VendorWorld } from '../exchange.js';
import { escapedHtml } from '../html-text.js';
import { bytesOf, headerOf, isObject, isOfType, jsonIn, queryOf } from '../request-body.js';
import { translate } from '../translate.js';
import { detected } from '../translation/detection.js';
import { languageOf } from '../translation/language.js';
import { answered, type Deed } from '../vendor-answer.js';
import { codePoints, type CallKind } from '../vendor-calls.js';
import type { Spoil } from '../vendor-faults.js';
import { englishName } from '../vendor-languages.js';
import { MICROSOFT, refuse } from './microsoft-error.js';
import { directionOf, MICROSOFT_LANGUAGES } from './microsoft-languages.js';

const MOST_CHARS = 50_000;
const MOST_TEXTS = { translate: 1000, detect: 100 };

/** The region of every account's resource, except those of a global one: their suffix begins with `global`. */
const REGION = 'eastasia';

/** Microsoft Translator, v3. */
export function microsoftRoutes(scope: FastifyInstance, world: VendorWorld): void {
  const base = '/vendors/microsoft';
  const serve =
    (call: CallKind, work: (request: FastifyRequest) => Deed) => (request: FastifyRequest, reply: FastifyReply) =>
      exchange(reply, { ...world, wire: MICROSOFT, call, name: keyIn(request), work: () => work(request) });
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

function translation(request: FastifyRequest): Deed {
  const account = accountIn(request);
  const texts = textsIn(request, MOST_TEXTS.translate);
  const query = queryOf(request);
  const source = codeIn(query.get('from'));
  if (source === undefined) throw refuse(400035);
  const targets = query.getAll('to').map((code) => codeIn(code) ?? null);
  const [first] = targets;
  if (first === undefined || !targets.every((code) => code !== null)) throw refuse(400036);
  const html = query.get('textType')?.toLowerCase() === 'html';
  const usage = charsOf(texts) * targets.length;
  if (usage > MOST_CHARS) throw refuse(targets.length > 1 ? 400077 : 400050);
  return {
    account,
    asked: { call: 'translate', texts, source, target: targets.join(',') },
    answer: (spoils) =>
      answered(rows({ texts, source, targets, html }, spoils), {
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

interface Wanted {
  readonly texts: readonly string[];
  readonly source: string | null;
  readonly targets: readonly string[];
  readonly html: boolean;
}

/** One element per text, with its translation into every target. */
function rows({ texts, source, targets, html }: Wanted, spoils: readonly Spoil[]): readonly object[] {
  const byTarget = targets.map((target) => ({
    target,
    done: translate({ vendor: 'microsoft', texts, source, target }, spoils),
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

function detection(request: FastifyRequest): Deed {
  const account = accountIn(request);
  const texts = textsIn(request, MOST_TEXTS.detect);
  if (charsOf(texts) > MOST_CHARS) throw refuse(400050);
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
function listing(request: FastifyRequest): Deed {
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
