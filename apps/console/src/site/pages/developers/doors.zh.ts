import type { DevPart } from './dev-doc.js';

const code = (text: string, name = '设置') => ({ code: text, name });

/** How software that speaks another API uses this one. */
const doors: DevPart = {
  title: '用现有的软件接入',
  blocks: [
    '下面的软件不用改代码，换掉地址和密钥即可。错误与额度用完的提示，也按它们各自的习惯返回。',
    { heading: 'DeepL 官方 SDK' },
    '各语言的 SDK 都可以换服务器地址，填本站地址即可。接口版本 v2：翻译、语言、用量、术语表。需要带路径的软件可用 `/deepl`，功能相同。',
    code(
      "import * as deepl from 'deepl-node';\n\nconst client = new deepl.DeepLClient(process.env.API_KEY, {\n  serverUrl: '{{origin}}',\n});\nconst { text } = await client.translateText('你好', null, 'en-US');",
      'DeepL 示例',
    ),
    code(
      "import deepl, os\n\nclient = deepl.DeepLClient(os.environ['API_KEY'], server_url='{{origin}}')\nprint(client.translate_text('你好', target_lang='EN-US').text)",
      'DeepL Python 示例',
    ),
    { heading: 'Google Cloud Translation v2' },
    '用 API 密钥的方式；支持翻译、检测语言和语言列表，`format` 可以是 `text` 或 `html`。',
    code(
      "// 启动前设置：GOOGLE_CLOUD_TRANSLATE_ENDPOINT={{origin}}/google/language/translate/v2\nimport { v2 } from '@google-cloud/translate';\n\nconst client = new v2.Translate({ key: process.env.API_KEY });\nconst [text] = await client.translate('你好', 'en');",
      '谷歌示例',
    ),
    { heading: 'LibreTranslate' },
    '把服务地址换成下面这个，`api_key` 填密钥。',
    code('{{origin}}/libre', 'LibreTranslate 地址'),
    code(
      "import { translate } from 'libretranslate';\n\nconst answer = await translate({\n  query: '你好',\n  source: 'auto',\n  target: 'en',\n  apiurl: '{{origin}}/libre',\n  apiKey: process.env.API_KEY,\n});",
      'LibreTranslate 示例',
    ),
    { heading: 'DeepLX' },
    '地址填下面这个，令牌（Token）填密钥。只能填地址的插件，用第二个，中间换成自己的链接令牌。',
    code('{{origin}}/deeplx/translate\n{{origin}}/deeplx/yqu_…/translate', 'DeepLX 地址'),
    code(
      'curl \'{{origin}}/deeplx/translate\' \\\n  -H "Authorization: Bearer $API_KEY" \\\n  -H \'Content-Type: application/json\' \\\n  -d \'{"text":"你好","source_lang":"auto","target_lang":"EN"}\'',
      'DeepLX 示例',
    ),
    { heading: '沉浸式翻译' },
    {
      steps: [
        '在「API 密钥」新建一个类型为「链接令牌」的密钥，设好每天的上限。',
        '打开沉浸式翻译的设置，「翻译服务」里添加「自定义 API」。',
        '接口地址填下面这个，末尾换成自己的令牌。',
      ],
    },
    code('{{origin}}/immersive/yqu_…', '沉浸式翻译的接口地址'),
    { warning: '地址里带着令牌，截图、录屏和分享配置时请先遮住；泄露后在控制台吊销即可，一秒内失效。' },
  ],
};
export default doors;
