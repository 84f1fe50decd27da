import type { KnownFailure } from './known.ts'

export const typescript: readonly KnownFailure[] = [
  {
    name: 'ts-module-unknown',
    output: [/error TS(?:2307|2792): Cannot find module '(?<module>[^'\n]+)'/],
    means: 'TypeScript finds no module {module}: not installed, not built yet, misspelt, or without its extension.',
    run: ['npm install', 'npx tsc --noEmit --traceResolution'],
    sample: {
      command: 'npx tsc --noEmit',
      exit: 2,
      output: `src/app.ts(1,20): error TS2307: Cannot find module './confg.js' or its corresponding type declarations.`,
    },
  },
  {
    name: 'ts-types-missing',
    output: [
      /error TS7016: Could not find a declaration file for module '(?<module>[\w-]+)'/,
      /error TS2688: Cannot find type definition file for '(?<module>[\w-]+)'/,
      /error TS2580: Cannot find name '(?:process|require|Buffer|module)'/,
    ],
    means: 'The package comes without types; they are often in a package of their own.',
    run: [
      'npm view @types/{module} version',
      'npm install --save-dev @types/{module}',
      'npm install --save-dev @types/node',
    ],
    sample: {
      command: 'npx tsc',
      exit: 2,
      output: `src/app.ts(2,21): error TS7016: Could not find a declaration file for module 'express'. '/srv/app/node_modules/express/index.js' implicitly has an 'any' type.`,
    },
  },
  {
    name: 'ts-no-config',
    output: [
      /error TS5058: The specified path does not exist|error TS5057: Cannot find a tsconfig\.json|error TS18003: No inputs were found in config file|error TS5083: Cannot read file/,
    ],
    means: 'TypeScript finds no tsconfig.json, or one that includes no file.',
    run: ['git ls-files "*tsconfig*.json"', 'npx tsc --showConfig'],
    sample: {
      command: 'npx tsc -p packages/x',
      exit: 1,
      output: `error TS5058: The specified path does not exist: 'packages/x'.`,
    },
  },
  {
    name: 'ts-not-installed',
    output: [/This is not the tsc command you are looking for/],
    means: 'TypeScript is not installed in this directory.',
    run: ['npm install', 'pwd'],
    sample: {
      command: 'npx tsc --noEmit',
      exit: 1,
      output:
        '                This is not the tsc command you are looking for                \n\nTo get access to the TypeScript compiler, tsc, from the command line either:',
    },
  },
  {
    name: 'ts-type-error',
    output: [/^(?<file>[^\s(:]+)[(:](?<line>\d+)[,:]\d+\)?(?: -|:) error (?<code>TS\d+): /m],
    vague: true,
    means: 'The types do not fit in {file} at line {line} ({code}).',
    run: ['npx tsc --noEmit'],
    sample: {
      command: 'npm run typecheck',
      exit: 2,
      output: `src/app.ts(10,7): error TS2322: Type 'string' is not assignable to type 'number'.`,
    },
  },
]
