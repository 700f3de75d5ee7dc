import type { DevPart } from './dev-doc.js';

const code = (text: string, name: string) => ({ code: text, name });

/** How software that speaks another API uses this one. */
const doors: DevPart = {
  title: 'Use it from existing software',
  blocks: [
    'These clients need no change of code, only another address and key. Errors and used-up quota are answered the way each of them expects.',
    { heading: 'DeepL SDKs' },
    'Every official SDK takes another server address: this one. Version 2 of the API: translation, languages, usage, glossaries. Software that wants a path as well finds the same below `/deepl`.',
    code(
      "import * as deepl from 'deepl-node';\n\nconst client = new deepl.DeepLClient(process.env.API_KEY, {\n  serverUrl: '{{origin}}',\n});\nconst { text } = await client.translateText('Hello', null, 'zh');",
      'DeepL example',
    ),
    code(
      "import deepl, os\n\nclient = deepl.DeepLClient(os.environ['API_KEY'], server_url='{{origin}}')\nprint(client.translate_text('Hello', target_lang='ZH').text)",
      'DeepL Python example',
    ),
    { heading: 'Google Cloud Translation v2' },
    'With an API key: translation, detection and the list of languages; `format` may be `text` or `html`.',
    code(
      "// Before it starts: GOOGLE_CLOUD_TRANSLATE_ENDPOINT={{origin}}/google/language/translate/v2\nimport { v2 } from '@google-cloud/translate';\n\nconst client = new v2.Translate({ key: process.env.API_KEY });\nconst [text] = await client.translate('Hello', 'zh-CN');",
      'Google example',
    ),
    { heading: 'LibreTranslate' },
    'Use this as the address of the server, and the key as `api_key`.',
    code('{{origin}}/libre', 'LibreTranslate address'),
    code(
      "import { translate } from 'libretranslate';\n\nconst answer = await translate({\n  query: 'Hello',\n  source: 'auto',\n  target: 'zh',\n  apiurl: '{{origin}}/libre',\n  apiKey: process.env.API_KEY,\n});",
      'LibreTranslate example',
    ),
    { heading: 'DeepLX' },
    'Use this address, and the key as its token. Extensions that only take an address use the second one, with a URL token in it.',
    code('{{origin}}/deeplx/translate\n{{origin}}/deeplx/yqu_…/translate', 'DeepLX address'),
    code(
      'curl \'{{origin}}/deeplx/translate\' \\\n  -H "Authorization: Bearer $API_KEY" \\\n  -H \'Content-Type: application/json\' \\\n  -d \'{"text":"Hello","source_lang":"auto","target_lang":"ZH"}\'',
      'DeepLX example',
    ),
    { heading: 'Immersive Translate' },
    {
      steps: [
        'Make a key of the type “URL token” under “API keys”, with a cap per day.',
        'In the settings of Immersive Translate, add a “Custom API” to the translation services.',
        'Enter this as its API URL, with your own token at the end.',
      ],
    },
    code('{{origin}}/immersive/yqu_…', 'Immersive Translate address'),
    {
      warning:
        'The address contains the token: hide it in screenshots, recordings and shared settings. If it leaks, revoke it in the console; that takes effect within a second.',
    },
  ],
};
export default doors;
