import { vendorLanguages } from '../vendor-languages.js';

/** What this server has installed: every language into every other. Older codes are still taken. */
export const LIBRETRANSLATE_LANGUAGES = vendorLanguages(
  `en sq ar az eu bn bg ca zh-Hans zh-Hant cs da nl eo et fi fr gl de el he hi hu id ga it ja ko ky lv lt ms nb fa pl pt pt-BR ro
  ru sk sl es sv tl th tr uk ur vi`,
  { zh: 'zh-Hans', zt: 'zh-Hant', pb: 'pt-BR', no: 'nb' },
);
