/**
 * The content security policy forbids eval (docs/decisions/0027). zod probes for it at its first parse, which the browser reports as a
 * violation. zod reads this setting whenever it loads.
 */
const shared = globalThis as { __zod_globalConfig?: { jitless?: boolean } };
shared.__zod_globalConfig = Object.assign(shared.__zod_globalConfig ?? {}, { jitless: true });
