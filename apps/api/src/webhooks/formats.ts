import type { Language } from '@yiqiao/contracts/envelope';
import type { WebhookFormat, WebhookMessageType } from '@yiqiao/domain/webhooks';
import { robotText } from './robot-messages.js';
import { dingtalkSignature, feishuSignature, type OpenedEndpoint, signatureHeaders } from './secrets.js';

/** What an endpoint is told. `id`: of the message, the same in every attempt. */
export type OutgoingMessage = {
  readonly id: string;
  readonly type: WebhookMessageType;
  readonly data: Readonly<Record<string, unknown>>;
  readonly happenedAt: Date;
};

export type OutgoingRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

type Writing = {
  readonly endpoint: OpenedEndpoint;
  readonly message: OutgoingMessage;
  /** For robots. */
  readonly text: string;
  readonly at: Date;
};

type Format = {
  write(writing: Writing): OutgoingRequest;
  /** Whether the body of a successful status says so as well; the platforms of robots refuse with status 200. */
  accepts(answer: string): boolean;
};

const json = (url: string, value: unknown, headers: Record<string, string> = {}): OutgoingRequest => ({
  url,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(value),
});

/** Whether one of these fields of a JSON answer is 0. */
const isZero =
  (...fields: readonly string[]) =>
  (answer: string): boolean => {
    try {
      const parsed = JSON.parse(answer) as Record<string, unknown> | null;
      return fields.some((field) => parsed?.[field] === 0);
    } catch {
      return false;
    }
  };

/** WeCom takes 2,048 bytes, DingTalk and Feishu 20,000: a name or a reason is never longer. */
const TEXT_BYTES = 2_048;
const cut = (text: string): string =>
  Buffer.byteLength(text) <= TEXT_BYTES
    ? text
    : Buffer.from(text)
        .subarray(0, TEXT_BYTES - 3)
        .toString('utf8')
        .replace(/\uFFFD$/, '') + '…';

const FORMATS: Readonly<Record<WebhookFormat, Format>> = {
  standard: {
    write: ({ endpoint, message: { id, type, data, happenedAt }, at }) => {
      const request = json(endpoint.url, { type, timestamp: happenedAt.toISOString(), data });
      const signatures = signatureHeaders(endpoint.secrets, { id, at, body: request.body });
      return { ...request, headers: { ...request.headers, ...signatures } };
    },
    accepts: () => true,
  },
  wecom: {
    write: ({ endpoint, text }) => json(endpoint.url, { msgtype: 'text', text: { content: text } }),
    accepts: isZero('errcode'),
  },
  feishu: {
    write: ({ endpoint: { url, secrets }, text, at }) =>
      json(url, {
        ...(secrets[0] !== undefined && feishuSignature(secrets[0], at)),
        msg_type: 'text',
        content: { text: escapedForFeishu(text) },
      }),
    accepts: isZero('code', 'StatusCode'),
  },
  dingtalk: {
    write: ({ endpoint: { url, secrets }, text, at }) => {
      const signed = new URL(url);
      if (secrets[0] !== undefined)
        for (const [name, value] of Object.entries(dingtalkSignature(secrets[0], at)))
          signed.searchParams.set(name, value);
      return json(signed.href, { msgtype: 'text', text: { content: text } });
    },
    accepts: isZero('errcode'),
  },
  slack: {
    write: ({ endpoint, text }) => json(endpoint.url, { text: escapedForSlack(text) }),
    accepts: () => true,
  },
};

/** Otherwise `<at user_id="all"></at>` in the name of a key would call everybody; the platform knows no escape. */
const escapedForFeishu = (text: string): string => text.replaceAll('<', '＜');

/** Otherwise `<!channel>` in the name of a package would call everybody. */
const escapedForSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

type To = { readonly format: WebhookFormat; readonly language: Language; readonly opened: OpenedEndpoint };

/** `at`: of this attempt. `time`: writes a moment for people. */
type When = { readonly at: Date; readonly time: (iso: string) => string };

/** The request that tells an endpoint of a message. */
export function requestFor(
  { format, language, opened }: To,
  message: OutgoingMessage,
  { at, time }: When,
): OutgoingRequest {
  const text = format === 'standard' ? '' : cut(robotText(message, language, time));
  return FORMATS[format].write({ endpoint: opened, message, text, at });
}

/** Whether the body of an answer with a successful status is a success. */
export const isAccepted = (format: WebhookFormat, answer: string): boolean => FORMATS[format].accepts(answer);
