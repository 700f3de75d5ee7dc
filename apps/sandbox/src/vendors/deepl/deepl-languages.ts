import { vendorLanguages } from '../vendor-languages.js';

/** Base codes without those that have variants: they are both sources and targets. */
const BASES = `JA KO FR DE ES RU AR VI TH ID MS IT TR HI ACE AF SQ AN HY AS AY AZ BN BA EU BE BHO BS BR BG YUE CA CEB HR CS DA PRS
  NL EO ET TL FI GL KA EL GN GU HT HA HE HU IS IG GA JV KK GOM KMR CKB KY LA LV LN LT LMO LB MK MAI MG ML MT MI MR MN MY NE NB
  OC OM PAM PAG PS FA PL PA QU RO SA SR SCN SK SL ST SU SW SV TG TA TT TE TS TN TK UK UR UZ CY WO XH YI ZU`;

export const DEEPL_TARGETS = vendorLanguages(`ZH-HANS ZH-HANT EN-US EN-GB PT-BR PT-PT ES-419 ${BASES}`, {
  ZH: 'ZH-HANS',
  EN: 'EN-US',
  PT: 'PT-PT',
});

export const DEEPL_SOURCES = vendorLanguages(`ZH EN PT ${BASES}`);
