import { vendorLanguages } from '../vendor-languages.js';

/** `GET …/languages`, with the newer spellings that are taken too. */
export const GOOGLE_LANGUAGES = vendorLanguages(
  `zh-CN zh-TW en ja ko fr de es pt ru ar vi th id ms it tr hi ab ace ach af ak sq alz am hy as awa ay az ban bm bn ba eu btx
  bts bbc be bem bew bho bik bs br bg bua yue ca ceb cgg cv co crh hr cs da din dv doi dov nl dz eo et ee fj fil fi fr-CA ff
  gaa gl lg ka el gn gu ht cnh ha haw iw hil hmn hu hrx is ig ilo ga jw kn kk km rw ktu gom kri ku ckb ky lo ltg la lv lij li
  ln lt lmo luo lb mk mai mak mg ms-Arab ml mt mni-Mtei mi mr chm min lus mn my ne new nso no nus ny oc or om pam pag pap ps
  fa pl pt-PT pa pa-Arab qu rom ro rn sm sg sa gd sr crs shn sn scn szl sd si sk sl so nr st su sw ss sv tg ta tt te tet ti ts
  tn tk uk ur ug uz cy fy xh yi yo yua zu`,
  { zh: 'zh-CN', 'zh-Hans': 'zh-CN', 'zh-Hant': 'zh-TW', he: 'iw', jv: 'jw', tl: 'fil', 'pt-BR': 'pt', nb: 'no' },
);
