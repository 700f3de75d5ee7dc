/** What the builds of the members' site and of the operator console have in common. */
import react from '@vitejs/plugin-react';
import { defaultClientConditions, type BuildEnvironmentOptions, type Plugin, type PluginOption } from 'vite';
import { delivery } from './delivery.js';
import { leftOut } from './left-out.js';

// Packages without a `sideEffects` field that have none: their unused parts (Refine's markdown field, its CSV) are dropped.
const SIDE_EFFECT_FREE =
  /node_modules\/(react-markdown|remark-gfm|sunflower-antd|papaparse|error-stack-parser|pluralize)\//;

/** antd's icons are decoration, but carry English names like "loading" or "close-circle" into every language. */
const unnamedIcons: Plugin = {
  name: 'unnamed-icons',
  transform: {
    filter: { id: /@ant-design\/icons\/es\/components\/AntdIcon\.js/ },
    handler(code) {
      if (!code.includes(ICON_NAME)) throw new Error(`AntdIcon.js has no ${ICON_NAME}`);
      return { code: code.replace(ICON_NAME, '"aria-hidden": true'), map: null };
    },
  },
};
const ICON_NAME = '"aria-label": icon.name';

/** Packages that the browsers of the build target need no more, and what replaces them. */
const REPLACED: readonly (readonly [id: RegExp, code: string])[] = [
  [/\/resize-observer-polyfill\/dist\/ResizeObserver\.es\.js$/, 'export default ResizeObserver;'],
];
const replacedPackages: Plugin = {
  name: 'replaced-packages',
  load: {
    filter: { id: REPLACED.map(([id]) => id) },
    handler: (id) => REPLACED.find(([pattern]) => pattern.test(id))?.[1],
  },
};

export const CONDITIONS = ['@yiqiao/source', ...defaultClientConditions];

export const TREESHAKE = { moduleSideEffects: [{ test: SIDE_EFFECT_FREE, sideEffects: false }] };

export const OUTPUT = {
  target: 'es2022',
  modulePreload: { polyfill: false }, // browsers without modulepreload fetch the same files a moment later
  chunkSizeWarningLimit: 1200,
} satisfies BuildEnvironmentOptions;

/** React, what is left out of libraries, and the files as they are served; `pages` write HTML before those are compressed. */
export const librariesAndDelivery = (...pages: Plugin[]): PluginOption[] => [
  react(),
  unnamedIcons,
  replacedPackages,
  leftOut(),
  ...pages,
  ...delivery(),
];
