import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest, FastifyReply } from 'fastify';
import { type Account, parseVendorAccount } from '../account.js';
import { type VendorServices, serveCall } from '../serve-call.js';
import { bytesOf, isObject, isOfType, jsonIn, headerOf } from '../request-body.js';
import { ok, type AcceptedCall, type VendorReply, VendorRefusal } from '../vendor-answer.js';
import type { Corruption } from '../vendor-faults.js';
import type { CallKind } from '../vendor-calls.js';
import { truncateToTokens, pictureLanguage, countTokens, parseTask, generateReply, type Task } from './chat-model.js';
import { MODELS, readChat, type ChatRequest } from './chat-request.js';
import { refuse, CHATGPT, INVALID_KEY } from './chatgpt-error.js';
import { readLines } from './vision.js';
import { speech } from './audio.js';
import { transcription } from './audio.js';

/** Context length of the models, in tokens. */
const CONTEXT = 16_384;

/** OpenAI's chat completions API with a model that can only translate. */
export function chatgptRoutes(scope: FastifyInstance, services: VendorServices): void {
  const serve = handlerFor(services);
  scope.post(`${BASE}/chat/completions`, (request, reply) =>
    serve(hasPicture(request) ? 'read' : 'translate', completion)(request, reply),
  );
  scope.get(
    `${BASE}/models`,
    serve('models', (_request, account) => ({
      account,
      details: { call: 'models', texts: [], source: null, target: null },
      respond: () => ok({ object: 'list', data: MODELS.map((id) => ({ id, object: 'model', owned_by: 'sandbox' })) }),
    })),
  );
}

function completion(request: FastifyRequest, account: Account): AcceptedCall {
  const body = isOfType(request, 'application/json') ? jsonIn(bytesOf(request)) : undefined;
  if (!isObject(body)) throw refuse(400, { message: 'We could not parse the JSON body of your request.', code: null });
  const chat = readChat(body);
  const promptTokens = countTokens(chat.system) + countTokens(chat.user);
  if (promptTokens > CONTEXT) {
    const message = `This model's maximum context length is ${CONTEXT} tokens. Your messages have ${promptTokens}.`;
    throw refuse(400, { message, param: 'messages', code: 'context_length_exceeded' });
  }
  if (chat.json && !/json/i.test(chat.system + chat.user)) {
    const message =
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.";
    throw refuse(400, { message, param: 'messages', code: null });
  }
  if (chat.picture) return readPicture(account, chat, chat.picture);
  const task = parseTask(chat);
  return {
    account,
    details: {
      call: 'translate',
      texts: task?.texts ?? [chat.user],
      source: task?.source ?? null,
      target: task?.target ?? null,
    },
    respond: (corruptions) => translationReply(chat, { task, corruptions, promptTokens }),
  };
}

/** Whether the request carries a picture, checked before the body is parsed. */
const hasPicture = (request: FastifyRequest): boolean => bytesOf(request).includes('"image_url"');

function readPicture(account: Account, chat: ChatRequest, picture: Buffer): AcceptedCall {
  const language = pictureLanguage(chat);
  return {
    account,
    details: { call: 'read', texts: [], source: language, target: null },
    respond: (corruptions) =>
      completionReply(chat, readLines(picture, language, corruptions), {
        promptTokens: countTokens(chat.system),
        finish: 'stop',
      }),
  };
}

interface ReplyOptions {
  /** Null: no target language was named. */
  readonly task: Task | null;
  readonly corruptions: readonly Corruption[];
  readonly promptTokens: number;
}

function translationReply(
  { model, most }: ChatRequest,
  { task, corruptions, promptTokens }: ReplyOptions,
): VendorReply {
  const fullText = task ? generateReply(task, corruptions) : 'Into which language?';
  const fits = most === null || countTokens(fullText) <= most;
  const content = fits ? fullText : truncateToTokens(fullText, most);
  const finish = fits ? 'stop' : 'length';
  const answer = completionReply({ model }, content, { promptTokens, finish });
  // A single text cannot be one short: reply with no choices instead.
  const omitChoices = task && !task.isBatch && corruptions.includes('count');
  return omitChoices ? { ...answer, body: { ...(answer.body as object), choices: [] } } : answer;
}

interface CompletionUsage {
  readonly promptTokens: number;
  readonly finish: 'stop' | 'length';
}

function completionReply(
  { model }: Pick<ChatRequest, 'model'>,
  content: string,
  { promptTokens, finish }: CompletionUsage,
): VendorReply {
  const tokens = countTokens(content);
  return ok({
    id: `chatcmpl-${randomUUID()}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [choiceOf(content, finish)],
    usage: { prompt_tokens: promptTokens, completion_tokens: tokens, total_tokens: promptTokens + tokens },
  });
}

const choiceOf = (content: string, finish: 'stop' | 'length') => ({
  index: 0,
  message: { role: 'assistant', content, refusal: null },
  finish_reason: finish,
  logprobs: null,
});

/** OpenAI's audio API: speech to text and text to speech. */
export function audioRoutes(scope: FastifyInstance, services: VendorServices): void {
  const serve = handlerFor(services);
  scope.post(`${BASE}/audio/transcriptions`, serve('transcribe', transcription));
  scope.post(`${BASE}/audio/speech`, serve('speak', speech));
}

/** Base path of the API, with its version. */
export const BASE = '/vendors/chatgpt/v1';

/** Wraps every call of this vendor; checks its API key first. */
export const handlerFor =
  (services: VendorServices) =>
  (call: CallKind, work: (request: FastifyRequest, account: Account) => AcceptedCall) =>
  (request: FastifyRequest, reply: FastifyReply) => {
    const checked = () => work(request, accountIn(request));
    return serveCall(reply, { ...services, wire: CHATGPT, call, name: keyIn(request), handle: checked });
  };

const keyIn = (request: FastifyRequest): string | null =>
  /^Bearer (\S+)$/.exec(headerOf(request, 'authorization'))?.[1] ?? null;

function accountIn(request: FastifyRequest): Account {
  const account = parseVendorAccount('chatgpt', keyIn(request));
  if (!account) throw new VendorRefusal(INVALID_KEY);
  return account;
}
