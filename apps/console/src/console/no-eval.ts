/**
 * The content security policy lets no page make code out of text (docs/decisions/0027). zod tries whether it may, at the first thing it
 * judges, and the browser reports that as a refusal; it is told not to. This is zod's own configuration, whether zod is there or comes
 * later: pages for anybody do without it.
 */
const shared = globalThis as { __zod_globalConfig?: { jitless?: boolean } };
shared.__zod_globalConfig = Object.assign(shared.__zod_globalConfig ?? {}, { jitless: true });
