import js from '@eslint/js';

export default [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2022, sourceType: 'module' },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'no-undef': 'off', // tsc knows the browser's and node's names
      'no-unused-vars': 'off', // tsc too, and it sees what only types use
      'consistent-return': 'error',
      'eqeqeq': 'error',
      'max-len': ['error', { code: 120 }],
      'max-lines': ['error', 499],
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-restricted-properties': ['error',
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'write'].map((property) => (
          { property, message: 'Names come from files: they only ever become text nodes.' }))],
      'no-shadow': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'strict': ['error', 'never'],
    },
  },
  {
    files: ['js/**'],
    rules: {
      // What the build strips are whole lines of these forms: cmake/embed.cmake.
      'no-restricted-syntax': ['error',
        { selector: 'ExportDefaultDeclaration, ExportAllDeclaration, ExportNamedDeclaration[declaration=null]',
          message: 'Write export before the declaration: the scripts become one.' },
        { selector: 'ImportDefaultSpecifier, ImportNamespaceSpecifier, ImportExpression',
          message: 'Import names: the scripts become one.' }],
    },
  },
];
