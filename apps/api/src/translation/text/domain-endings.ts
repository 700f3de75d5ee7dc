/** Endings of bare hosts (example.com), as parts of patterns. With a path or a port after them hosts need none of these. */
const oneOf = (words: string): string => words.trim().split(/\s+/).join('|');

/** No words of a language: a blank forgotten after a full stop makes no host with them. */
export const SURE_ENDINGS = oneOf(`
  com net org edu gov mil int info biz xyz io dev vip wtf mobi asia icu ltd llc gmbh xn--[a-z0-9-]{2,59}
  ac ae af ag al ar au az ba bd bg bh bo br bw by bz ca cc cd cf cg ch ci cl cm cn co cr cu cy cz dj dk dz ec ee eg eu
  fj fm fr ga ge gg gh gl gq gr gt hk hn hr hu ie il iq ir jm jo jp ke kg kh kr kw kz lb lk ls lt lu lv ly mc md mk
  ml mm mn mt mu mv mw mx mz na ng nl np nz pe pf pg ph pk pl ps pt py qa ro rs ru rw sd sg sk sl sm sn st sv sy tc td tg th tj
  tk tn tr tt tv tw tz ua ug uk uy uz vc vg vn vu ws zm zw
`);

/** Words, too: hosts only in lower case, as they are written, and not after a word that ends sentences all the time. */
export const WORD_ENDINGS = oneOf(`
  ad ai am as at be by de do es et fi gs gy id im in is it je la li ma me mo my ne ni no nu om pa pr pw re sa sc se sh si so su to tl tm us va za
  app art baby bar bid bike blog cafe care cash center chat city click cloud club company cool date deals design digital direct email
  express family fashion fit fun fund gift global gold group guru help host house ink jobs kim land life link live lol love ltda market
  media men moda money network news ninja one online page party photo pics plus press pro promo pub red ren rent report review rocks run
  sale school services shoes shop shopping show site ski social software solutions space store studio style support systems taxi team
  tech tips today tools top tours toys trade travel video vision wang watch wedding wiki win work works world zone
`);

/** Endings in other scripts. */
export const WORLD_ENDINGS = oneOf(`
  中国 中國 香港 台灣 台湾 澳門 澳门 新加坡 公司 网络 網絡 网址 网站 商城 商店 在线 集团 信息 政务 公益 移动 我爱你 みんな コム 한국 닷컴
  рф бел укр мкд срб қаз бг ею мон рус онлайн сайт дети орг ком ελ ευ հայ გე
  भारत ভারত ไทย السعودية امارات مصر ایران ישראל
`);

/** What the last word before a forgotten blank may well be, in English. */
export const EVERYDAY = oneOf(`
  a about again all and are back call day done else ever fine for go good great have he hello her here hi him his how i is it item
  just know later look me money more morning much my need never nice no not now of off ok okay on one order out please price problem
  question ready right see she so soon sorry sure thank thanks that the them then there they thing this time today tomorrow too two up
  us very wait want was way we week well what when where who why will work yes yesterday yet you your
`);
