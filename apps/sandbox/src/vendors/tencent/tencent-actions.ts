import type { Account } from '../account.js';
import { isTexts, type Json } from '../request-body.js';
import { translate } from '../translate.js';
import { detected } from '../translation/detection.js';
import { codePoints, type CallAsked } from '../vendor-calls.js';
import type { Corruption } from '../vendor-faults.js';
import { vendorLanguages } from '../vendor-languages.js';
import { refusal } from './tencent-error.js';

/** Code points of one request: the strictest of the limits that Tencent has published. */
const MAX_CHARS = 2000;

interface Action {
  readonly asked: CallAsked;
  /** The members of `Response`, without its RequestId. */
  readonly answer: (corruptions: readonly Corruption[]) => object;
}

/** What can be asked, by X-TC-Action. */
export const TENCENT_ACTIONS: Readonly<Record<string, (account: Account, body: Json) => Action>> = {
  TextTranslate(account, body) {
    known(body, [
      'SourceText',
      'Source',
      'Target',
      'ProjectId',
      'UntranslatedText',
      'TermRepoIDList',
      'SentRepoIDList',
    ]);
    const text = textIn(body, 'SourceText');
    const { asked, translated } = translation(account, { body, texts: [text] });
    return {
      asked,
      answer: (corruptions) => {
        const { done, ...pair } = translated(corruptions);
        return { TargetText: done[0], ...pair, UsedAmount: codePoints(text) };
      },
    };
  },
  TextTranslateBatch(account, body) {
    known(body, ['SourceTextList', 'Source', 'Target', 'ProjectId', 'TermRepoIDList', 'SentRepoIDList']);
    const { SourceTextList: texts } = body;
    if (!isTexts(texts) || texts.length === 0) throw missing('SourceTextList');
    const { asked, translated } = translation(account, { body, texts });
    return {
      asked,
      answer: (corruptions) => {
        const { done, ...pair } = translated(corruptions);
        return { ...pair, TargetTextList: done };
      },
    };
  },
  LanguageDetect(_account, body) {
    known(body, ['Text', 'ProjectId']);
    const text = textIn(body, 'Text');
    projectIn(body);
    const lang = TENCENT_LANGUAGES.codeFor(detected(text).tag);
    return {
      asked: { call: 'detect', texts: [text], source: null, target: null },
      answer: () => ({ Lang: { ja: 'jp', ko: 'kr' }[lang] ?? lang }),
    };
  },
};

function translation(account: Account, { body, texts }: { body: Json; texts: readonly string[] }) {
  projectIn(body);
  if (texts.reduce((sum, text) => sum + codePoints(text), 0) > MAX_CHARS) {
    throw refusal('UnsupportedOperation.TextTooLong', '单次请求text超过长度限制');
  }
  const source = sourceIn(textIn(body, 'Source'), { account, text: texts.join('\n') });
  const target = TENCENT_LANGUAGES.find(textIn(body, 'Target'));
  if (target === null) throw unsupported('UnSupportedTargetLanguage');
  if (!isPair(source, target)) throw unsupported('UnsupportedLanguage');
  return {
    asked: { call: 'translate', texts, source: String(body['Source']), target } as const,
    translated: (corruptions: readonly Corruption[]) => ({
      done: translate({ vendor: 'tencent', texts, source, target }, corruptions).map(({ text }) => text),
      Source: source,
      Target: target,
    }),
  };
}

/** `auto` belongs to the older API: only an account whose suffix ends in `-auto` still has that. */
function sourceIn(code: string, { account, text }: { account: Account; text: string }): string {
  if (code === 'auto' && account.suffix.endsWith('-auto')) return TENCENT_LANGUAGES.codeFor(detected(text).tag);
  const source = TENCENT_LANGUAGES.find(code);
  if (source === null) throw unsupported('UnsupportedSourceLanguage');
  return source;
}

const missing = (name: string) => refusal('MissingParameter', `The request is missing the parameter \`${name}\`.`);
const unsupported = (what: string) => refusal(`UnsupportedOperation.${what}`, '不支持的语种');

function known(body: Json, names: readonly string[]): void {
  const other = Object.keys(body).find((name) => !names.includes(name));
  if (other !== undefined) throw refusal('UnknownParameter', `The parameter \`${other}\` is not recognized.`);
}

function textIn(body: Json, name: string): string {
  const value = body[name];
  if (value === undefined || value === '') throw missing(name);
  if (typeof value !== 'string') throw refusal('InvalidParameter', `The parameter \`${name}\` is not a string.`);
  return value;
}

function projectIn({ ProjectId: project }: Json): void {
  if (project === undefined) throw missing('ProjectId');
  if (!Number.isInteger(project)) throw refusal('InvalidParameter', 'The parameter `ProjectId` is not an integer.');
}

export const TENCENT_LANGUAGES = vendorLanguages('zh zh-TW en ja ko fr es it de tr ru pt vi id th ms ar hi', {
  zh_TW: 'zh-TW',
  jp: 'ja',
  kr: 'ko',
});

const EUROPEAN = ['fr', 'es', 'it', 'de', 'tr', 'ru', 'pt'];
const CHINESE = ['zh', 'zh-TW'];

/** What each language is translated into, from Tencent's table: Chinese into all but Hindi, English into all, the others into few. */
const TARGETS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(EUROPEAN.map((code) => [code, [...CHINESE, 'en', ...EUROPEAN]])),
  ...Object.fromEntries(CHINESE.map((code) => [code, TENCENT_LANGUAGES.codes.filter((other) => other !== 'hi')])),
  ...Object.fromEntries(['vi', 'id', 'th', 'ms', 'ar'].map((code) => [code, [...CHINESE, 'en']])),
  en: TENCENT_LANGUAGES.codes,
  ja: [...CHINESE, 'en', 'ko'],
  ko: [...CHINESE, 'en', 'ja'],
  hi: ['en'],
};

/** Whether Tencent translates this pair of its own codes. */
export const isPair = (source: string, target: string): boolean =>
  source !== target && (TARGETS[source] ?? []).includes(target);
