/**
 * The content security policy lets no page make code out of text (docs/decisions/0027). zod tries whether it may, once, and the browser
 * reports it; it is told not to before anybody loads it. The name is what zod's own configuration goes by.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
