// The architecture test; `npm run check` runs it and a forbidden arrow fails the build.
// Read the table: a feature may import the front doors of the features on its right, and nothing else of them.
const features = {
  plans: [],
  ledger: [],
  sessions: [],
  members: ['plans', 'ledger', 'sessions'],
  auth: ['members', 'sessions'],
  'api-keys': ['plans', 'ledger', 'members'],
  glossary: ['members'],
  translation: ['plans', 'ledger', 'members', 'glossary'],
  doors: ['api-keys', 'ledger', 'glossary', 'translation'],
  site: [],
  notices: ['sessions', 'ledger'],
  orders: ['plans', 'ledger', 'members', 'site'],
  webhooks: ['members'],
  backup: ['ledger'],
};
const all = Object.keys(features).join('|');
const api = '^apps/api/src';
const web = '^apps/console/src';
const no = (name, from, to) => ({ name, severity: 'error', from, to });

module.exports = {
  forbidden: [
    no('no-circles', {}, { circular: true }),
    { ...no('no-circles-between-folders', {}, { circular: true }), scope: 'folder' },
    no('domain-is-the-ground', { path: '^packages/domain/src' }, { pathNot: '^packages/domain/src' }),
    no('contracts-know-no-app', { path: '^packages/contracts/src' }, { path: '^apps/' }),
    no('apps-are-strangers', { path: '^apps/([^/]+)/' }, { path: '^apps/', pathNot: '^apps/$1/' }),
    no('platform-knows-no-feature', { path: `${api}/platform/` }, { path: `${api}/(?!platform/)` }),
    ...Object.entries(features).map(([feature, may]) =>
      no(
        `${feature}-may-import`,
        { path: `${api}/${feature}/` },
        {
          path: `${api}/`,
          pathNot: [
            `${api}/${feature}/`,
            `${api}/platform/`,
            ...may.map((other) => `${api}/${other}/${other}(\\.module)?\\.ts$`),
          ],
        },
      ),
    ),
    no(
      'a-feature-of-the-api-is-in-the-table',
      { path: `${api}/` },
      { path: `${api}/(?!${all}|platform|operator|web)[^/]+/` },
    ),
    no('shared-knows-no-entry', { path: `${web}/shared/` }, { path: `${web}/(?!shared/)[^/]+/` }),
    no(
      'entries-are-strangers',
      { path: `${web}/(site|console|operator)/` },
      { path: `${web}/`, pathNot: `${web}/(shared|$1)/` },
    ),
    no(
      'pages-are-strangers',
      { path: `${web}/(site|console|operator)/pages/([^/]+)/` },
      { path: `${web}/(site|console|operator)/`, pathNot: [`${web}/$1/pages/$2/`, `${web}/$1/shared/`] },
    ),
    no(
      'the-site-is-light',
      { path: `${web}/site/` },
      { path: 'node_modules/(antd|@ant-design|@refinedev|react-router|axios)/', reachable: true },
    ),
    no('sandbox-shares-no-code-with-what-it-tests', { path: '^apps/sandbox/' }, { path: '^packages/contracts/' }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(\\.(spec|e2e)\\.tsx?$|/dist/|/dist-operator/|/test/|/e2e/)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'infra/tsconfig.boundaries.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@yiqiao/source', 'import', 'types', 'default'],
    },
  },
};
