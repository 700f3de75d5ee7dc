import eslint from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

// Text shown to users lives in the message tables, in both languages.
const LOOSE = 'Texts for people belong in messages.zh.ts and messages.en.ts.';
const NAMING = '/^(aria-label|aria-description|aria-roledescription|title|placeholder|alt|label)$/';
// A text may be chosen or put together on the spot; what is given to a function is a key or a name.
const CHOSEN = ':matches(ConditionalExpression, LogicalExpression, BinaryExpression[operator="+"])';
const within = (place) =>
  ['', ` > ${CHOSEN}`, ` > ${CHOSEN} > ${CHOSEN}`].flatMap((depth) => [
    `${place}${depth} > Literal[value=/\\p{L}/u]`,
    `${place}${depth} > TemplateLiteral > TemplateElement[value.raw=/\\p{L}/u]`,
  ]);
const looseTexts = [
  'JSXText[value=/\\p{L}/u]',
  ...within(':matches(JSXElement, JSXFragment) > JSXExpressionContainer'),
  `JSXAttribute[name.name=${NAMING}] > Literal[value=/\\p{L}/u]`,
  ...within(`JSXAttribute[name.name=${NAMING}] > JSXExpressionContainer`),
  'Literal[value=/\\p{Script=Han}/u]',
  'TemplateElement[value.raw=/\\p{Script=Han}/u]',
].map((selector) => ({ selector, message: LOOSE }));

// What is shown as it is in both languages: names in their own script, people and messages of the drawings, samples, marks.
const shownAsItIs = [
  'site/prerender/prerendered-pages.ts',
  'console/pages/glossary/import-dialog.tsx',
  'site/pages/home/{product-windows,features,panels}.tsx',
  'site/pages/home/samples.ts',
  'site/pages/developers/samples.ts',
  'site/pages/login/greetings.tsx',
  'console/shared/usage/usage-chart.tsx',
  'console/pages/recharge/pay-methods.tsx',
  'console/pages/translation-test/{native-names,pinyin}.ts',
  'shared/ui/language-switch.tsx',
].map((file) => `apps/console/src/${file}`);

export default defineConfig(
  {
    ignores: ['**/dist/', '**/dist-server/', '**/dist-operator/', '**/node_modules/', '.data/', 'apps/console/public/'],
  },
  eslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      'no-console': 'error',
      eqeqeq: 'error',
      'max-lines': ['error', { max: 320, skipBlankLines: false, skipComments: false }],
    },
  },
  {
    // Decorators read the types of parameters at run time: an import that looks like a type only is a value here.
    files: ['apps/api/**/*.ts'],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  {
    files: ['apps/console/src/**/*.{ts,tsx}'],
    languageOptions: { globals: globals.browser },
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    files: ['apps/console/src/**/*.{ts,tsx}'],
    ignores: ['**/*.{zh,en}.{ts,tsx}', '**/*.spec.ts', ...shownAsItIs],
    rules: { 'no-restricted-syntax': ['error', ...looseTexts] },
  },
  {
    // The body of an HTTP answer is whatever came; tests say what it must look like.
    files: ['apps/api/test/**/*.ts'],
    rules: { '@typescript-eslint/no-unsafe-assignment': 'off' },
  },
  {
    files: ['**/*.{mjs,cjs,js}'],
    languageOptions: { globals: globals.node },
  },
  {
    // Tables and texts may be long; tests may read as one story.
    files: ['**/{texts,messages}*.ts', '**/errors.ts', '**/*.spec.ts', '**/*.e2e.ts', 'apps/api/migrations/*.ts'],
    rules: { 'max-lines': 'off' },
  },
);
