/** What the built site needs to be delivered as docs/decisions/0027 says: antd's stray styles with the page's nonce, packed assets. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

type Mend = { file: RegExp; wrong: string; right: string };

const PAGE_NONCE = `document.querySelector('meta[property=csp-nonce]')`;

/**
 * What antd 5 writes past the content security policy: the lock of the page behind a dialog and the measure of its scroll bar know no
 * nonce, and the height of a text area is measured with a style attribute, which no nonce can allow.
 */
const MENDS: readonly Mend[] = [
  {
    file: /\/rc-util\/es\/Dom\/dynamicCSS\.js$/,
    wrong: 'var csp = option.csp,',
    right: `var csp = option.csp || ${PAGE_NONCE},`,
  },
  {
    file: /\/rc-textarea\/es\/calculateNodeHeight\.js$/,
    wrong: `hiddenTextarea.setAttribute('style', "".concat(sizingStyle, ";").concat(HIDDEN_TEXTAREA_STYLE))`,
    right: `hiddenTextarea.style.cssText = "".concat(sizingStyle, ";").concat(HIDDEN_TEXTAREA_STYLE)`,
  },
];

function stylesByNonce(): Plugin {
  return {
    name: 'styles-by-nonce',
    transform(code, id) {
      const mend = MENDS.find(({ file }) => file.test(id));
      if (!mend) return null;
      if (!code.includes(mend.wrong)) this.error(`${id} is no longer what build/delivery.ts mends`);
      return { code: code.replace(mend.wrong, mend.right), map: null };
    },
  };
}

/** What is smaller travels in one packet, packed or not; pictures and fonts are packed by nature. */
const WORTH_PACKING = 1024;
const TEXT = /\.(js|css|svg|json)$/;

const packings = {
  br: (bytes: Buffer): Promise<Buffer> =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gz: (bytes: Buffer): Promise<Buffer> => promisify(gzip)(bytes, { level: 9 }),
};

/** Beside each hashed asset of text its packed forms, as small as they can be: the api sends them as they lie (api's web/static-site.ts). */
function packedAssets(): Plugin {
  return {
    name: 'packed-assets',
    apply: ({ build }) => !build?.ssr,
    async writeBundle({ dir = '' }, bundle) {
      for (const name of Object.keys(bundle).filter((file) => file.startsWith('assets/') && TEXT.test(file))) {
        const file = path.join(dir, name);
        const bytes = await readFile(file);
        if (bytes.length < WORTH_PACKING) continue;
        for (const [ending, pack] of Object.entries(packings)) await writeFile(`${file}.${ending}`, await pack(bytes));
      }
    },
  };
}

export const delivery = (): Plugin[] => [stylesByNonce(), packedAssets()];
