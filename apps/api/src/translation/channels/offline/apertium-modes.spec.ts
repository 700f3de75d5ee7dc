import { describe, expect, it } from '@jest/globals';
import { languageOf } from '../languages.js';
import { LANG_CODES, MODE_NAMES, routeOf } from './apertium-modes.js';

const ALL = new Set(MODE_NAMES);

describe('routes', () => {
  it('go directly where a mode is installed', () => {
    expect(routeOf(ALL, 'en', 'es')).toEqual({ modes: ['eng-spa'], via: null });
    expect(routeOf(ALL, 'es', 'pt-BR')).toEqual({ modes: ['es-pt_BR'], via: null });
    expect(routeOf(ALL, 'es-419', 'en-GB')).toEqual({ modes: ['spa-eng'], via: null });
  });

  it('go through Spanish first where there is none', () => {
    expect(routeOf(ALL, 'en', 'fr')).toEqual({ modes: ['eng-spa', 'es-fr'], via: 'es' });
    expect(routeOf(ALL, 'pt-BR', 'en')).toEqual({ modes: ['pt-es', 'spa-eng_US'], via: 'es' });
    expect(routeOf(new Set(['eng-spa']), 'en', 'fr')).toBeNull();
  });

  it('never go between two spellings of one language, nor to one that only the source may have', () => {
    expect(routeOf(ALL, 'en', 'en-GB')).toBeNull();
    expect(routeOf(ALL, 'pt-BR', 'pt-PT')).toBeNull();
    expect(routeOf(ALL, 'en', 'es-419')).toBeNull();
    expect(routeOf(ALL, 'en', 'de')).toBeNull();
    expect(routeOf(new Set(), 'en', 'es')).toBeNull();
  });

  it('know only languages of the product', () => {
    expect(LANG_CODES.filter((langCode) => languageOf(langCode) === null)).toEqual([]);
  });
});
