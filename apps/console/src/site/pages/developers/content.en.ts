import {
  API_KEY_OVERLAP_HOURS_MAX,
  API_KEY_REPEAT_SECONDS,
  API_KEYS_MAX,
  GLOSSARY_TERM_MAX,
  GLOSSARY_TERMS_MAX,
  TEXT_MAX_CODE_POINTS,
  TEXTS_AT_ONCE,
} from '@yiqiao/domain/limits';
import { grouped } from '../../../shared/amounts.js';
import { LANGUAGES, refused, termsOf, translatedTo, USAGE } from './answers.js';
import type { DevDoc } from './dev-doc.js';
import doors from './doors.en.js';

const answer = (code: string) => ({ code, name: 'answer' });
const FIELDS = ['Field', 'Type', 'Meaning'];

const content: DevDoc = {
  lead: 'Translate from your own shop, help desk, plug-ins and scripts. Make a key, send one HTTP request, get the translation. Clients of DeepL, Google and others work too, with another address and key.',
  parts: [
    {
      title: 'Quick start',
      blocks: [
        {
          steps: [
            'Sign in to the member center, open “API keys” and make a key. It is shown once: save it right away.',
            'Put the key into the environment variable `API_KEY`, never into code, a web page or an app.',
            'Send the first request: one text or several at a time; the source language is detected.',
          ],
        },
        { call: 'translate' },
        answer(
          translatedTo('en', [
            { translated: '您好，这款还有货吗？', charged: 30 },
            { translated: '7 天内免费退货', charged: 26 },
          ]),
        ),
        { to: '/UserCenterApiKeys', text: 'Make an API key' },
        { to: '/openapi.json', text: 'OpenAPI 3.1 description' },
      ],
    },
    {
      title: 'Authentication and scopes',
      blocks: [
        'Every request has the header `Authorization: Bearer yq_…`. A key spends the balance of the account that made it, and every call is in the translation log and the account log with the key’s name.',
        {
          head: ['Scope', 'What it allows'],
          rows: [
            ['`text`', 'Translate text, list the languages'],
            ['`glossary.read`', 'Read the glossary'],
            ['`glossary.write`', 'Add, change and delete terms (keys of main accounts only)'],
            ['`usage`', 'Read balance and usage'],
          ],
        },
        {
          list: [
            'Each key has its own channel, caps in characters per day and month, requests per second, allowed IP addresses and expiry. Changes and revocation are in force within a second, caps at once.',
            `When you rotate a key, the old secret can work for up to ${API_KEY_OVERLAP_HOURS_MAX / 24} more days, so you can change your software first.`,
            'At its cap only that key pauses, until the next day or month begins (midnight in Beijing). Nothing else of the account is affected.',
          ],
        },
        {
          warning:
            'Keys that begin with `yqu_` are URL tokens: they stand in an address, for software that only takes an address. Whoever sees the address can translate with it, so a token has the scope `text` alone. Give it a cap and an expiry.',
        },
      ],
    },
    {
      title: 'Requests and answers',
      blocks: [
        'GET takes its parameters in the address, POST and DELETE take JSON. Unknown fields are refused, not ignored.',
        'All answers have the same envelope. Read `data` after a success and `code` after a failure: codes do not change, `msg` is for people, in English or Chinese by `Accept-Language`. Invalid fields are listed in `errors`.',
        answer(
          refused(
            'This exceeds the daily cap of 10,000 characters of this key: 3 left. It resets at 2026-12-01 00:00:00.',
          ),
        ),
        'Times are in Beijing time, as `YYYY-MM-DD HH:mm:ss`. Characters are Unicode code points: a letter, a Chinese character and an emoji count as one each.',
      ],
    },
    {
      title: 'Translate text',
      blocks: [
        { call: 'translate' },
        {
          head: FIELDS,
          rows: [
            [
              '`text`',
              'string or array',
              `One text, or up to ${TEXTS_AT_ONCE}; ${grouped(TEXT_MAX_CODE_POINTS)} characters together. Translated as it is, spaces included`,
            ],
            ['`target`', 'string', 'Code of the target language, such as `en` or `zh-Hans`'],
            ['`source`', 'string', 'Code of the source language. Default `auto`: detected'],
            [
              '`format`',
              'string',
              '`text` (default), `html` or `xml`. The last two keep tags and attributes; only text is translated and charged',
            ],
            [
              '`formality`',
              'string',
              '`more` (formal) or `less` (casual), with ChatGPT and some of DeepL’s targets; refused elsewhere. `prefer_more` and `prefer_less` are ignored there instead',
            ],
            [
              '`channelId`',
              'integer',
              'Another channel, at its price in characters; a key that has a channel of its own may use no other. Default: the channel of the key, or of its account',
            ],
          ],
        },
        '`data.items` is in the order of the texts. An item that failed has `success` `false` and `translated` `null`, costs nothing, and says why in `code` and `msg`. `SAME_LANGUAGE` means that the text is already in the target language: use it as it is.',
      ],
    },
    {
      title: 'List languages',
      blocks: [
        'The languages, and which channels translate each. `chineseName` and `englishName` are ready to show.',
        { call: 'languages' },
        answer(LANGUAGES),
      ],
    },
    {
      title: 'Balance and usage',
      blocks: [
        'The balance of the account, and what this key has used today and this month. A cap of 0 is none. Needs the scope `usage`.',
        { call: 'usage' },
        answer(USAGE),
      ],
    },
    {
      title: 'Glossary',
      blocks: [
        'Terms apply to every translation of the main account and its sub-accounts. Read them by language pair, page by page:',
        { call: 'listTerms' },
        answer(termsOf({ source: 'en', target: 'zh-Hans', term: 'insulated mug', translation: '保温杯' })),
        'Add a term, or change one by its `id`:',
        { call: 'saveTerm' },
        'Delete one or several, all or none:',
        { call: 'deleteTerms' },
        `At most ${grouped(GLOSSARY_TERMS_MAX)} terms; a term and its translation have up to ${GLOSSARY_TERM_MAX} characters each. Reading needs \`glossary.read\`, changing \`glossary.write\`.`,
      ],
    },
    {
      title: 'Retries never charge twice',
      blocks: [
        {
          list: [
            `An identical request of the same key within ${API_KEY_REPEAT_SECONDS} seconds joins the first one while it is being answered, and gets its answer for nothing if it was computed but did not reach you.`,
            'If some texts of a list failed for the moment, the same request again translates only those; the others are not charged again. After a change of your glossary or channel the same request counts as a new one.',
            'To be safe for longer, send the header `Idempotency-Key` with 1 to 64 letters, digits, underscores or hyphens. The same value is carried out once in 24 hours; the whole answer is repeated, failed texts included. With another body it is refused as `IDEMPOTENCY_KEY_REUSED`.',
            'After 429 or 503, wait for the seconds in `Retry-After`. Other 4xx answers stay the same until the request is changed.',
          ],
        },
        {
          code: 'curl \'{{origin}}/v1/translate\' \\\n  -H "Authorization: Bearer $API_KEY" \\\n  -H \'Idempotency-Key: order-20261128-0017\' \\\n  -H \'Content-Type: application/json\' \\\n  -d \'{"text":"Hello","target":"zh-Hans"}\'',
          name: 'command',
        },
      ],
    },
    {
      title: 'Errors',
      blocks: [
        {
          head: ['HTTP', '`code`', 'Cause and remedy'],
          rows: [
            ['400', '`MALFORMED_JSON`', 'The body is not valid JSON'],
            ['401', '`API_KEY_REQUIRED`', 'The header `Authorization: Bearer` is missing or malformed'],
            ['401', '`API_KEY_UNKNOWN`', 'The key is wrong, for example not copied completely'],
            ['401', '`API_KEY_EXPIRED`', 'The key has expired: extend it in the console'],
            ['401', '`API_KEY_REVOKED`', 'The key was revoked: use another'],
            ['401', '`SESSION_DISABLED`', 'The account of the key is disabled'],
            ['403', '`API_KEY_SCOPE`', 'The key lacks the scope'],
            ['403', '`API_KEY_ADDRESS`', 'Your IP address is not among the allowed ones'],
            ['403', '`API_KEY_CHANNEL`', 'The key may only use another channel'],
            ['403', '`MAIN_ACCOUNT_ONLY`', 'Only main accounts may do this'],
            ['404', '`NOT_FOUND`', 'No such address, or no such row'],
            ['409', '`IDEMPOTENCY_KEY_REUSED`', 'This idempotency key was used with another body'],
            ['409', '`TERM_EXISTS`', 'The pair already has this term'],
            [
              '409',
              '`LEDGER_READ_ONLY`',
              'The account is being checked, its quota cannot be used for now; not charged',
            ],
            ['413', '`PAYLOAD_TOO_LARGE`', 'The body is too large'],
            ['422', '`VALIDATION_FAILED`', 'A field is invalid; `errors` says which and why'],
            ['422', '`UNKNOWN_FIELD`', 'The body has a field that the call does not know'],
            ['422', '`QUOTA_NOT_ENOUGH`', 'The balance is not enough; nothing was charged'],
            ['422', '`PACKAGE_EXPIRED`', 'The package has expired; nothing was charged'],
            [
              '422',
              '`API_KEY_CAP_REACHED`',
              'Over a cap of the key; `data` has the cap, what is left and when it resets',
            ],
            ['422', '`CAP_REACHED`', 'Over a cap that the main account set for the sub-account'],
            ['422', '`PAIR_NOT_SUPPORTED`', 'The channel does not translate this pair'],
            ['422', '`CHANNEL_UNAVAILABLE`', 'The channel is not available now'],
            [
              '422',
              '`CHANNEL_NOT_INCLUDED`',
              'A monthly package includes only channels that cost no more than its own',
            ],
            ['422', '`FORMALITY_NOT_SUPPORTED`', 'The channel or the target has no choice of formality'],
            ['422', '`CONTENT_REFUSED`', 'The channel’s content policy rejected the text; not charged'],
            ['429', '`TOO_MANY_REQUESTS`', 'Too fast: wait for `Retry-After` seconds'],
            ['502', '`UPSTREAM_FAILED`', 'The channel failed; not charged, try again'],
            ['502', '`NOT_TRANSLATED`', 'The channel gave no valid translation; not charged'],
            ['503', '`SERVICE_BUSY`', 'Busy: wait for `Retry-After` seconds'],
            ['504', '`UPSTREAM_TIMEOUT`', 'The channel timed out; not charged, try again'],
          ],
        },
      ],
    },
    {
      title: 'Limits',
      blocks: [
        {
          head: ['What', 'Limit'],
          rows: [
            ['Texts of a request', `Up to ${TEXTS_AT_ONCE}, with ${grouped(TEXT_MAX_CODE_POINTS)} characters together`],
            ['Requests per second', 'What the key allows, and no more than the account’s limit (usually 50)'],
            ['Requests at the same time', 'Usually 100 per account'],
            ['Time', 'A few seconds usually; set the time-out of your client to 60 seconds'],
            ['Keys', `${API_KEYS_MAX} for a main account and its sub-accounts together, without the revoked ones`],
          ],
        },
      ],
    },
    doors,
    {
      title: 'Webhooks',
      blocks: [
        'Paid and refunded orders, a low balance, an ending package, a key at its cap and an imported glossary are sent to your server as they happen, or to a group in WeCom, Feishu, DingTalk or Slack. Main accounts set them up.',
        { to: '/UserCenterWebhook', text: 'Set up webhooks' },
        { webhooks: true },
      ],
    },
    {
      title: 'Try it',
      blocks: ['Send a real request with your own key and see what your software would get.', { tryIt: true }],
    },
  ],
};
export default content;
