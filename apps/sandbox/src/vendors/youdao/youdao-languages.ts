import { vendorLanguages } from '../vendor-languages.js';

export const YOUDAO_LANGUAGES = vendorLanguages(
  `zh-CHS zh-CHT en ja ko fr de es pt ru ar vi th id ms it tr hi af sq am hy az bn eu be bs bg yue ca ceb co hr cs da nl eo et fj
  tl fi gl ka el gu ht ha haw he mww hu is ig ga jw kn kk km tlh ku ky lo la lv lt lb mk mg ml mt mi mr mn my ne no ny ps fa pa
  otq ro sm gd sr-Cyrl sr-Latn sn sd si sk sl so st su sw sv ty tg ta te to uk ur uz cy fy xh yi yo yua zu`,
);
