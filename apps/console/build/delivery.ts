/** Build steps for delivery (docs/decisions/0027): antd's inline styles with the page's nonce, small scripts, precompressed assets. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { minify, type Plugin } from 'vite';

type Patch = { file: RegExp; from: string; to: string };

const PAGE_NONCE = `document.querySelector('meta[property=csp-nonce]')`;

/**
 * antd 5 violates the content security policy: the scroll lock behind a dialog and the scroll bar measurement have no nonce, and a text
 * area's height is measured with a style attribute, which no nonce can allow.
 */
const PATCHES: readonly Patch[] = [
  {
    file: /\/rc-util\/es\/Dom\/dynamicCSS\.js$/,
    from: 'var csp = option.csp,',
    to: `var csp = option.csp || ${PAGE_NONCE},`,
  },
  {
    file: /\/rc-textarea\/es\/calculateNodeHeight\.js$/,
    from: `hiddenTextarea.setAttribute('style', "".concat(sizingStyle, ";").concat(HIDDEN_TEXTAREA_STYLE))`,
    to: `hiddenTextarea.style.cssText = "".concat(sizingStyle, ";").concat(HIDDEN_TEXTAREA_STYLE)`,
  },
];

function stylesByNonce(): Plugin {
  return {
    name: 'styles-by-nonce',
    transform(code, id) {
      const patch = PATCHES.find(({ file }) => file.test(id));
      if (!patch) return null;
      if (!code.includes(patch.from)) this.error(`${id} has changed: adapt the patch in build/delivery.ts`);
      return { code: code.replace(patch.from, patch.to), map: null };
    },
  };
}

/** Minifies the scripts of the public folder, which Vite copies as they are: a page waits for them before it paints. */
function minifiedPublicScripts(): Plugin {
  return {
    name: 'minified-public-scripts',
    apply: ({ build }) => !build?.ssr,
    async writeBundle({ dir = '' }) {
      for (const name of (await readdir(dir)).filter((file) => file.endsWith('.js'))) {
        const file = path.join(dir, name);
        const { code, errors } = await minify(name, await readFile(file, 'utf8'), { module: false });
        if (errors.length > 0) this.error(`${name}: ${errors.map(({ message }) => message).join(', ')}`);
        await writeFile(file, code);
      }
    },
  };
}

/** Smaller files fit into one packet anyway; images and fonts are compressed already. */
const MIN_SIZE = 1024;
const TEXT = /\.(js|css|svg|json)$/;

const encoders = {
  br: (bytes: Buffer): Promise<Buffer> =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gz: (bytes: Buffer): Promise<Buffer> => promisify(gzip)(bytes, { level: 9 }),
};

/** Writes compressed versions beside each hashed text asset, which the API serves as they are (apps/api/src/web/static-site.ts). */
function compressedAssets(): Plugin {
  return {
    name: 'compressed-assets',
    apply: ({ build }) => !build?.ssr,
    async writeBundle({ dir = '' }, bundle) {
      for (const name of Object.keys(bundle).filter((file) => file.startsWith('assets/') && TEXT.test(file))) {
        const file = path.join(dir, name);
        const bytes = await readFile(file);
        if (bytes.length < MIN_SIZE) continue;
        for (const [extension, encode] of Object.entries(encoders))
          await writeFile(`${file}.${extension}`, await encode(bytes));
      }
    },
  };
}

export const delivery = (): Plugin[] => [stylesByNonce(), minifiedPublicScripts(), compressedAssets()];
