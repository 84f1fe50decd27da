import type { KnownFailure } from './known.ts'

export const node: readonly KnownFailure[] = [
  {
    name: 'node-package-missing',
    output: [
      /Cannot find (?:module|package) '(?<package>(?:@[\w.-]+\/)?[\w-][\w.-]*)(?:\/[^'\n]*)?'(?! or its corresponding)/,
    ],
    means: 'The package {package} is not installed here: dependencies were not installed, or it is not among them.',
    run: ['npm ls {package}', 'npm install'],
    sample: {
      command: 'node server.js',
      exit: 1,
      output: `node:internal/modules/cjs/loader:1210\n  throw err;\n  ^\n\nError: Cannot find module 'express'\nRequire stack:\n- /srv/app/server.js\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)\n  code: 'MODULE_NOT_FOUND'`,
    },
  },
  {
    name: 'node-file-missing',
    output: [
      /Cannot find module '(?<file>(?:\/|\.\.?\/|[A-Za-z]:\\)[^'\n]+)'(?! or its corresponding)/,
      /^[ \t]*error: Module not found "(?<file>[^"\n]+)"/m,
    ],
    means:
      'The file {file} does not exist: not built yet, misspelt, without its extension, or named from another directory.',
    run: ['pwd', 'npm run build'],
    sample: {
      command: 'node dist/cli.js',
      exit: 1,
      output: `node:internal/modules/cjs/loader:1210\n  throw err;\n  ^\n\nError: Cannot find module '/srv/app/dist/cli.js'\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []`,
    },
  },
  {
    name: 'node-import-outside-module',
    output: [/SyntaxError: Cannot use import statement outside a module/],
    means:
      'A file with `import` is loaded as CommonJS: its package.json lacks "type": "module", or it needs a compiler before it runs.',
    run: ['npm pkg get type', 'npx tsx --version'],
    sample: {
      command: 'node index.js',
      exit: 1,
      output: `/srv/app/index.js:1\nimport fs from 'fs'\n^^^^^^\n\nSyntaxError: Cannot use import statement outside a module\n    at wrapSafe (node:internal/modules/cjs/loader:1464:18)\n\nNode.js v20.20.2`,
    },
  },
  {
    name: 'node-require-esm',
    output: [/\[ERR_REQUIRE_ESM\]|require is not defined in ES module scope/],
    means: 'CommonJS and ES modules are mixed: `require` meets a package or a file that is an ES module.',
    run: ['npm pkg get type', 'node --version'],
    sample: {
      command: 'node build.js',
      exit: 1,
      output: `Error [ERR_REQUIRE_ESM]: require() of ES Module /srv/app/node_modules/chalk/source/index.js from /srv/app/build.js not supported.\nInstead change the require of index.js in /srv/app/build.js to a dynamic import() which is available in all CommonJS modules.`,
    },
  },
  {
    name: 'node-export-missing',
    output: [
      /SyntaxError: (?:The requested module '(?<module>[^'\n]+)' does not provide an export named|Export named '\w+' not found in module)/,
    ],
    means:
      'A name is imported that the module does not export: another version of it is installed, or it was built before the name was added.',
    run: ['npm run build', 'npm install'],
    sample: {
      command: 'bun apps/cli/src/cli.ts skills get bench',
      exit: 1,
      output: `1 | })\n2 | {\n    ^\nSyntaxError: Export named 'mergeConfigObjects' not found in module '/srv/packages/core/dist/index.js'.\n      at loadAndEvaluateModule (2:1)\n\nBun v1.3.13 (Linux x64)`,
    },
  },
  {
    name: 'node-typescript-extension',
    output: [/\[ERR_UNKNOWN_FILE_EXTENSION\]: Unknown file extension "\.tsx?"/],
    means: 'This Node does not run TypeScript by itself.',
    run: ['node --version', 'npx tsx --version'],
    sample: {
      command: 'node src/main.ts',
      exit: 1,
      output: `TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts" for /srv/app/src/main.ts\n    at Object.getFileProtocolModuleFormat [as file:] (node:internal/modules/esm/get_format:219:9)`,
    },
  },
  {
    name: 'node-heap',
    output: [/JavaScript heap out of memory/],
    means: 'Node reached the limit of its heap.',
    run: ['NODE_OPTIONS=--max-old-space-size=4096 npm run build'],
    sample: {
      command: 'npm run build',
      exit: 134,
      output: `<--- JS stacktrace --->\n\nFATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n----- Native stack trace -----\n\n 1: 0xb78db3 node::OOMErrorHandler(char const*, v8::OOMDetails const&) [node]`,
    },
  },
  {
    name: 'node-openssl',
    output: [/ERR_OSSL_EVP_UNSUPPORTED|digital envelope routines::unsupported/],
    means: 'An old bundler asks for a hash that OpenSSL 3, which comes with Node 17 and later, no longer offers.',
    run: ['node --version', 'NODE_OPTIONS=--openssl-legacy-provider npm run build'],
    sample: {
      command: 'npm run build',
      exit: 1,
      output: `Error: error:0308010C:digital envelope routines::unsupported\n    at new Hash (node:internal/crypto/hash:71:19)\n  opensslErrorStack: [ 'error:03000086:digital envelope routines::initialization error' ],\n  code: 'ERR_OSSL_EVP_UNSUPPORTED'`,
    },
  },
  {
    name: 'node-wrong-abi',
    output: [/was compiled against a different Node\.js version using/],
    means: 'A native package was built for another version of Node than the one that runs.',
    run: ['node --version', 'npm rebuild'],
    sample: {
      command: 'node app.js',
      exit: 1,
      output: `Error: The module '/srv/app/node_modules/better-sqlite3/build/Release/better_sqlite3.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 108. This version of Node.js requires\nNODE_MODULE_VERSION 115. Please try re-compiling or re-installing`,
    },
  },
  {
    name: 'node-engine',
    output: [/\bEBADENGINE\b|The engine "node" is incompatible with this module|ERR_PNPM_UNSUPPORTED_ENGINE/],
    means: 'The project asks for another version of Node than the one that runs.',
    run: ['node --version', 'npm pkg get engines'],
    sample: {
      command: 'yarn install',
      exit: 1,
      output: `error undici@7.2.0: The engine "node" is incompatible with this module. Expected version ">=20.18.1". Got "18.19.0"\nerror Found incompatible module.`,
    },
  },
  {
    name: 'node-exception',
    vague: true,
    output: [
      /^(?:Uncaught )?(?<error>(?:Type|Reference|Range|Syntax|Eval|URI|Assertion|Aggregate)Error)(?: \[\w+\])?: .*\n(?:.*\n){0,4}? {4,}at /m,
    ],
    means: 'The program ended with {error}; the first frame in a file of the project is where it happened.',
    run: [],
    sample: {
      command: 'node run.js',
      exit: 1,
      output: `/srv/run.js:3\nnull.x\n     ^\n\nTypeError: Cannot read properties of null (reading 'x')\n    at Object.<anonymous> (/srv/run.js:3:6)\n\nNode.js v20.20.2`,
    },
  },
]
