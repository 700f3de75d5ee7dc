import {
  WEBHOOK_DAYS,
  WEBHOOK_FAILING_DAYS,
  WEBHOOK_MS,
  WEBHOOK_ORDER_MS,
  WEBHOOK_OVERLAP_HOURS,
  WEBHOOKS_PER_ENDPOINT,
  WEBHOOKS_PER_FAMILY,
} from '@yiqiao/domain/limits';
import { WEBHOOK_RETRY_SECONDS } from '@yiqiao/domain/webhooks';
import type { DevBlock } from '../dev-doc.js';
import { eventBlocks, SIGNED_REQUEST } from './events.js';
import { VERIFY } from './verify.js';

const span = (seconds: number): string => {
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`;
};

const blocks: readonly DevBlock[] = [
  { heading: 'The request' },
  'Each message is one `POST` request with a JSON body, signed as Standard Webhooks says.',
  {
    title: 'Headers',
    head: ['Header', 'Content'],
    rows: [
      ['`webhook-id`', 'ID of the message, beginning with `msg_`: the same however often the message is sent'],
      ['`webhook-timestamp`', 'When it was sent this time: Unix time in seconds'],
      [
        '`webhook-signature`',
        `\`v1,\` and the signature in Base64. For ${WEBHOOK_OVERLAP_HOURS} hours after the secret was replaced there are two, with a space between them: one of them has to match`,
      ],
    ],
  },
  'The body has three fields: `type` names the event, `timestamp` is when it happened, and `data` is described below for each event. Times are ISO 8601 in UTC, amounts are in fen. Fields may be added: ignore those you do not know.',
  {
    list: [
      `Answer with any 2xx within ${WEBHOOK_MS / 1000} seconds; the body does not matter. Store what takes longer and do it after answering.`,
      'Any other status, a time-out and a failed connection count as failures and are retried. Redirects are not followed.',
      '410 says that you want no more messages: the endpoint is paused at once.',
      'The address has to be public and https, at port 443, 80 or 8000 to 9999.',
    ],
  },
  { heading: 'Verify the signature' },
  'The signing secret begins with `whsec_` and is shown once, when you add the endpoint. Join `webhook-id`, `webhook-timestamp` and the body with full stops. The key is the secret without `whsec_`, decoded from Base64: compute the HMAC-SHA256 with it and compare it with the signatures in the header. Use the bytes of the body as they came, not JSON that was parsed and written again.',
  { codes: VERIFY, title: 'Verify a message' },
  'The official libraries of Standard Webhooks do the same, such as `standardwebhooks` at npm and PyPI. Check your own code with the signed message below; its time has long passed, so skip the check of the time for that.',
  { code: SIGNED_REQUEST, name: 'signed message' },
  { heading: 'Replays and repetitions' },
  {
    list: [
      'The time of sending is signed, too. Refuse requests that are more than 5 minutes away from your clock, so that nobody can replay one that was intercepted, and keep the clock right.',
      `A message is delivered at least once: if your answer is lost on its way, the message comes again. Remember each \`webhook-id\` for ${WEBHOOK_DAYS} days, and answer 2xx to those you know.`,
    ],
  },
  { heading: 'Retries, order and pauses' },
  {
    list: [
      `After a failure it is tried again ${WEBHOOK_RETRY_SECONDS.map(span).join(', ')} later, each pause up to a fifth longer by chance: ${WEBHOOK_RETRY_SECONDS.length + 1} attempts over a little more than three days. What is not delivered by then has failed, and can be resent from the log.`,
      `Messages about the same order, account, key or glossary come in the order in which they happened: a later one waits for an earlier one, at most ${WEBHOOK_ORDER_MS / 3600_000} hour after that one’s first attempt. There is no order between different ones: compare \`timestamp\`.`,
      `After ${WEBHOOK_FAILING_DAYS} days without a delivery an endpoint is paused, and the main account gets a mail. What happens meanwhile waits, and is sent in order once you resume it. Another address or type starts the days anew.`,
      `An endpoint gets at most ${WEBHOOKS_PER_ENDPOINT} requests at a time, and all endpoints of a main account together ${WEBHOOKS_PER_FAMILY}.`,
      `Only what happens after you subscribe is sent. Messages and their log are kept for ${WEBHOOK_DAYS} days.`,
    ],
  },
  { heading: 'Group robots' },
  'Robots of WeCom, Feishu, DingTalk and Slack get a text in the language you choose. If your Feishu or DingTalk robot checks signatures, enter its secret in the endpoint. Retries, order and pauses are the same.',
  ...eventBlocks({
    head: ['Field of `data`', 'Type', 'Meaning'],
    example: (type) => `body of ${type}`,
    when: {
      'order.paid': 'An order was paid, and its quota has been credited.',
      'order.refunded': 'An order was refunded, in whole or in part: one message for each refund.',
      'quota.low':
        'The main account has fewer characters than the number set for the reminder. Sent again when that happens after a top-up.',
      'quota.exhausted': 'The main account has no characters left. Sent again when that happens after a top-up.',
      'package.expiring': 'The package ends soon: as many days ahead as the reminder is set to.',
      'key.capped':
        'A key refused a translation because of its cap of the day or month, for the first time in that period.',
      'glossary.imported': 'A glossary file was imported.',
      test: 'Somebody pressed “Test” in the member center. It cannot be subscribed to; when it fails, it is not sent again by itself.',
    },
  }),
];
export default blocks;
