/** What every language's text says of messages, made from the table of their fields. */
import { language } from '../../../../shared/i18n/language.js';
import {
  exampleData,
  SIGNED_EXAMPLE,
  WEBHOOK_DATA,
  WEBHOOK_FIELD_KINDS,
  type WebhookField,
} from '@yiqiao/domain/webhook-messages';
import type { WebhookMessageType } from '@yiqiao/domain/webhooks';
import { json } from '../answers.js';
import type { DevBlock } from '../dev-doc.js';

export const TYPES = Object.keys(WEBHOOK_DATA) as WebhookMessageType[];

type Words = {
  /** When each is sent. */
  readonly when: Readonly<Record<WebhookMessageType, string>>;
  readonly head: readonly string[];
  /** What its copy button copies. */
  readonly example: (type: string) => string;
};

const HAPPENED = '2026-11-28T12:14:32.000Z';

/** The body of a message as it is sent, but for the spaces. */
const exampleBody = (type: WebhookMessageType): string => json({ type, timestamp: HAPPENED, data: exampleData(type) });

/** Every message: when it is sent, its fields, and an example. */
export const eventBlocks = ({ when, head, example }: Words): DevBlock[] =>
  TYPES.flatMap((type): DevBlock[] => [
    { heading: type },
    when[type],
    {
      title: type,
      head,
      rows: Object.entries<WebhookField>(WEBHOOK_DATA[type]).map(([name, field]) => [
        `\`${name}\``,
        WEBHOOK_FIELD_KINDS[field.kind][language],
        field[language],
      ]),
    },
    { code: exampleBody(type), name: example(type) },
  ]);

const { secret, id, timestamp, signature, body } = SIGNED_EXAMPLE;

/** A whole request, whose secret is known. */
export const SIGNED_REQUEST = [
  `WEBHOOK_SECRET=${secret}`,
  '',
  `webhook-id: ${id}`,
  `webhook-timestamp: ${timestamp}`,
  `webhook-signature: ${signature}`,
  '',
  body,
].join('\n');
