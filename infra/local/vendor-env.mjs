// The settings of the translation vendors. Whoever starts the product passes its own on; tests never ask a real vendor.

const NAMES =
  /^(GOOGLE_TRANSLATE|MICROSOFT_TRANSLATOR|TENCENT|YOUDAO|DEEPL|OPENAI|LIBRETRANSLATE)_|^(TRANSLATION_UPSTREAMS_FILE|SANDBOX_VENDORS)$/;

export const isVendorSetting = (name) => NAMES.test(name);

/**
 * What `given` says of vendors. What only the process's environment says is set to nothing: children inherit it otherwise.
 * @param {Record<string, string | undefined>} given
 * @returns {Record<string, string>}
 */
export function vendorEnv(given) {
  const names = new Set([...Object.keys(process.env), ...Object.keys(given)].filter(isVendorSetting));
  return Object.fromEntries([...names].map((name) => [name, given[name] ?? '']));
}
