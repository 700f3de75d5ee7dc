import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest, FastifyReply } from 'fastify';
import { type Account, accountAt } from '../account.js';
import { type VendorServices, serveCall } from '../serve-call.js';
import { bytesOf, isObject, isOfType, jsonIn, headerOf } from '../request-body.js';
import { answered, type AcceptedCall, type VendorAnswer, VendorRefusal } from '../vendor-answer.js';
import type { Corruption } from '../vendor-faults.js';
import type { CallKind } from '../vendor-calls.js';
import { firstTokens, languageToRead, tokensOf, understood, written, type Task } from './chat-model.js';
import { MODELS, readChat, type ChatRequest } from './chat-request.js';
import { refuse, CHATGPT, INVALID_KEY } from './chatgpt-error.js';
import { describePicture } from './vision.js';
import { speech } from './speech.js';
import { transcription } from './transcription.js';

/** Tokens that the models can read and write in one call. */
const CONTEXT = 16_384;

/** OpenAI's chat completions, spoken by a model that can do nothing but translate. */
export function chatgptRoutes(scope: FastifyInstance, services: VendorServices): void {
  const serve = handlerFor(services);
  scope.post(`${BASE}/chat/completions`, (request, reply) =>
    serve(asksToLook(request) ? 'read' : 'translate', completion)(request, reply),
  );
  scope.get(
    `${BASE}/models`,
    serve('models', (_request, account) => ({
      account,
      asked: { call: 'models', texts: [], source: null, target: null },
      answer: () =>
        answered({ object: 'list', data: MODELS.map((id) => ({ id, object: 'model', owned_by: 'sandbox' })) }),
    })),
  );
}

function completion(request: FastifyRequest, account: Account): AcceptedCall {
  const body = isOfType(request, 'application/json') ? jsonIn(bytesOf(request)) : undefined;
  if (!isObject(body)) throw refuse(400, { message: 'We could not parse the JSON body of your request.', code: null });
  const chat = readChat(body);
  const prompted = tokensOf(chat.system) + tokensOf(chat.user);
  if (prompted > CONTEXT) {
    const message = `This model's maximum context length is ${CONTEXT} tokens. Your messages have ${prompted}.`;
    throw refuse(400, { message, param: 'messages', code: 'context_length_exceeded' });
  }
  if (chat.json && !/json/i.test(chat.system + chat.user)) {
    const message =
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.";
    throw refuse(400, { message, param: 'messages', code: null });
  }
  if (chat.picture) return look(account, chat, chat.picture);
  const task = understood(chat);
  return {
    account,
    asked: {
      call: 'translate',
      texts: task?.texts ?? [chat.user],
      source: task?.source ?? null,
      target: task?.target ?? null,
    },
    answer: (corruptions) => answerOf(chat, { task, corruptions, prompted }),
  };
}

/** Whether somebody sent a picture, as far as that can be seen before it is read. */
const asksToLook = (request: FastifyRequest): boolean => bytesOf(request).includes('"image_url"');

function look(account: Account, chat: ChatRequest, picture: Buffer): AcceptedCall {
  const language = languageToRead(chat);
  return {
    account,
    asked: { call: 'read', texts: [], source: language, target: null },
    answer: (corruptions) =>
      completed(chat, describePicture(picture, language, corruptions), {
        prompted: tokensOf(chat.system),
        finish: 'stop',
      }),
  };
}

interface Writing {
  /** Null: no language was named, so the model has nothing to do. */
  readonly task: Task | null;
  readonly corruptions: readonly Corruption[];
  readonly prompted: number;
}

function answerOf({ model, most }: ChatRequest, { task, corruptions, prompted }: Writing): VendorAnswer {
  const whole = task ? written(task, corruptions) : 'Into which language?';
  const ended = most === null || tokensOf(whole) <= most;
  const content = ended ? whole : firstTokens(whole, most);
  const finish = ended ? 'stop' : 'length';
  const answer = completed({ model }, content, { prompted, finish });
  // A single text has no count to be wrong: the answer has no choice at all.
  const isWithout = task && !task.many && corruptions.includes('count');
  return isWithout ? { ...answer, body: { ...(answer.body as object), choices: [] } } : answer;
}

interface Ended {
  readonly prompted: number;
  readonly finish: 'stop' | 'length';
}

function completed({ model }: Pick<ChatRequest, 'model'>, content: string, { prompted, finish }: Ended): VendorAnswer {
  const tokens = tokensOf(content);
  return answered({
    id: `chatcmpl-${randomUUID()}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [choiceOf(content, finish)],
    usage: { prompt_tokens: prompted, completion_tokens: tokens, total_tokens: prompted + tokens },
  });
}

const choiceOf = (content: string, finish: 'stop' | 'length') => ({
  index: 0,
  message: { role: 'assistant', content, refusal: null },
  finish_reason: finish,
  logprobs: null,
});

/** OpenAI's audio: recordings to text, and text to speech. */
export function audioRoutes(scope: FastifyInstance, services: VendorServices): void {
  const serve = handlerFor(services);
  scope.post(`${BASE}/audio/transcriptions`, serve('transcribe', transcription));
  scope.post(`${BASE}/audio/speech`, serve('speak', speech));
}

/** Where the API begins, its version included. */
export const BASE = '/vendors/chatgpt/v1';

/** What every call of this vendor goes through: its key first. */
export const handlerFor =
  (services: VendorServices) =>
  (call: CallKind, work: (request: FastifyRequest, account: Account) => AcceptedCall) =>
  (request: FastifyRequest, reply: FastifyReply) => {
    const checked = () => work(request, accountIn(request));
    return serveCall(reply, { ...services, wire: CHATGPT, call, name: keyIn(request), work: checked });
  };

const keyIn = (request: FastifyRequest): string | null =>
  /^Bearer (\S+)$/.exec(headerOf(request, 'authorization'))?.[1] ?? null;

function accountIn(request: FastifyRequest): Account {
  const account = accountAt('chatgpt', keyIn(request));
  if (!account) throw new VendorRefusal(INVALID_KEY);
  return account;
}
