import { vendorLanguages } from '../vendor-languages.js';

/** `GET /languages`, scope translation. */
export const MICROSOFT_LANGUAGES = vendorLanguages(
  `zh-Hans zh-Hant en ja ko fr de es pt ru ar vi th id ms it tr hi af sq am hy as az bn ba eu bho brx bs bg yue ca hne lzh hr cs
  da prs dv doi nl et fo fj fil fi fr-ca gl lug ka el gu ht ha he mww hu is ig ikt iu iu-Latn ga kn ks kk km rw tlh-Latn
  tlh-Piqd gom kmr ku ky lo lv ln lt dsb mk mai mg ml mt mni mi mr mn-Cyrl mn-Mong my ne nso nb nya or ps fa pl pt-pt pa otq ro
  run sm sr-Cyrl sr-Latn sn sd si sk sl so st sw sv ty ta tt te bo ti to tn tk uk hsb ur ug uz cy xh yo yua zu`,
  { zh: 'zh-Hans', 'zh-CN': 'zh-Hans', 'zh-TW': 'zh-Hant', no: 'nb', 'pt-br': 'pt' },
);

const FROM_RIGHT = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo']);

/** Whether a script is written from the right. */
export const directionOf = (script: string): 'rtl' | 'ltr' => (FROM_RIGHT.has(script) ? 'rtl' : 'ltr');
