import type { KnownFailure } from './known.ts'

/** npm, pnpm, yarn and bun. */
export const packagesJs: readonly KnownFailure[] = [
  {
    name: 'npm-no-package-json',
    output: [
      /Could not read package\.json: Error: ENOENT/,
      /ERR_PNPM_NO_IMPORTER_MANIFEST_FOUND|ERR_PNPM_NO_PKG_MANIFEST/,
      /Couldn't find a package\.json file in/,
    ],
    means: 'There is no package.json in this directory: the command belongs into another one.',
    run: ['pwd', 'git ls-files "*package.json"'],
    sample: {
      command: 'npm test',
      exit: 254,
      output: `npm error code ENOENT\nnpm error syscall open\nnpm error path /srv/app/package.json\nnpm error errno -2\nnpm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open '/srv/app/package.json'\nnpm error enoent This is related to npm not being able to find a file.`,
    },
  },
  {
    name: 'npm-script-missing',
    output: [
      /Missing script: "?(?<script>[\w:.-]+)"?/i,
      /error Command "(?<script>[\w:.-]+)" not found/,
      /error: Script not found "(?<script>[\w:.-]+)"/,
      /Couldn't find a script named "(?<script>[\w:.-]+)"/,
    ],
    means: 'package.json here has no script {script}.',
    run: ['npm run'],
    sample: {
      command: 'npm run typecheck',
      exit: 1,
      output: `npm error Missing script: "typecheck"\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run`,
    },
  },
  {
    name: 'npm-peer-conflict',
    output: [/npm (?:ERR!|error) (?:code )?ERESOLVE/],
    means: 'Two packages ask for versions of a third one that exclude each other.',
    run: ['npm ls', 'npm install --legacy-peer-deps'],
    sample: {
      command: 'npm install',
      exit: 1,
      output: `npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree\nnpm error\nnpm error While resolving: app@0.1.0\nnpm error Found: react@19.0.0\nnpm error Could not resolve dependency:\nnpm error peer react@"^18.0.0" from react-beautiful-dnd@13.1.1`,
    },
  },
  {
    name: 'npm-lock-out-of-sync',
    output: [/`npm ci` can only install packages when your package\.json and package-lock\.json .*are in sync/],
    means: 'package.json was changed after package-lock.json was written.',
    run: ['npm install'],
    sample: {
      command: 'npm ci',
      exit: 1,
      output:
        'npm error code EUSAGE\nnpm error\nnpm error `npm ci` can only install packages when your package.json and package-lock.json or npm-shrinkwrap.json are in sync. Please update your lock file with `npm install` before continuing.\nnpm error\nnpm error Missing: zod@4.0.0 from lock file',
    },
  },
  {
    name: 'npm-lock-missing',
    output: [/The `npm ci` command can only install with an existing package-lock\.json/],
    means:
      'There is no package-lock.json here: this is the wrong directory, or the project uses another package manager.',
    run: ['git ls-files "*package-lock.json" "*pnpm-lock.yaml" "*yarn.lock" "*bun.lock"'],
    sample: {
      command: 'npm ci',
      exit: 1,
      output:
        'npm error code EUSAGE\nnpm error\nnpm error The `npm ci` command can only install with an existing package-lock.json or\nnpm error npm-shrinkwrap.json with lockfileVersion >= 1. Run an install with npm@5 or\nnpm error later to generate a package-lock.json file, then try again.',
    },
  },
  {
    name: 'npm-package-unknown',
    output: [/npm (?:ERR!|error) (?:code E404|404 +Not Found)/, /ERR_PNPM_FETCH_404/],
    means: 'The registry has no such package or version, or it is private and nobody is logged in.',
    run: ['npm config get registry', 'npm whoami'],
    sample: {
      command: 'npm install lefft-pad',
      exit: 1,
      output: `npm error code E404\nnpm error 404 Not Found - GET https://registry.npmjs.org/lefft-pad - Not found\nnpm error 404\nnpm error 404  'lefft-pad@*' is not in this registry.`,
    },
  },
  {
    name: 'npm-version-unknown',
    output: [
      /npm (?:ERR!|error) (?:code ETARGET|notarget No matching version found for (?<package>[^\s@]+)@)/,
      /ERR_PNPM_NO_MATCHING_VERSION/,
    ],
    means: 'The package exists, but not in the version that is asked for.',
    run: ['npm outdated'],
    sample: {
      command: 'npm install zod@99',
      exit: 1,
      output: `npm error code ETARGET\nnpm error notarget No matching version found for zod@99.\nnpm error notarget In most cases you or one of your dependencies are requesting\nnpm error notarget a package version that doesn't exist.`,
    },
  },
  {
    name: 'npm-permission',
    output: [/npm (?:ERR!|error) code EACCES/],
    means:
      'npm may not write there: a global install into a directory of the system, or files that belong to another user.',
    run: ['npm config get prefix', 'ls -ld node_modules'],
    sample: {
      command: 'npm install -g typescript',
      exit: 243,
      output: `npm error code EACCES\nnpm error syscall mkdir\nnpm error path /usr/local/lib/node_modules/typescript\nnpm error errno -13\nnpm error Error: EACCES: permission denied, mkdir '/usr/local/lib/node_modules/typescript'`,
    },
  },
  {
    name: 'npm-integrity',
    output: [/npm (?:ERR!|error) code EINTEGRITY/, /ERR_PNPM_TARBALL_INTEGRITY/, /Integrity check failed for/],
    means:
      'A downloaded package is not the one that the lock file names: the cache is damaged, or the registry serves another file.',
    run: ['npm cache verify', 'npm config get registry'],
    sample: {
      command: 'npm ci',
      exit: 1,
      output:
        'npm error code EINTEGRITY\nnpm error sha512-Zm9v integrity checksum failed when using sha512: wanted sha512-Zm9v but got sha512-YmFy. (4117 bytes)',
    },
  },
  {
    name: 'npm-native-build',
    output: [/(?:gyp ERR!|npm (?:ERR!|error) gyp ERR!) (?:build error|find Python|configure error|not ok)/],
    means: 'A native package had to be compiled here, and a compiler, make or Python is missing or too old.',
    run: ['node --version', 'python3 --version', 'make --version'],
    sample: {
      command: 'npm install',
      exit: 1,
      output:
        'npm error gyp ERR! find Python\nnpm error gyp ERR! find Python Python is not set from command line or npm configuration\nnpm error gyp ERR! configure error\nnpm error gyp ERR! stack Error: Could not find any Python installation to use',
    },
  },
  {
    name: 'pnpm-lock-old',
    output: [/ERR_PNPM_OUTDATED_LOCKFILE|ERR_PNPM_LOCKFILE_CONFIG_MISMATCH/],
    means: 'package.json was changed after pnpm-lock.yaml was written.',
    run: ['pnpm install --no-frozen-lockfile'],
    sample: {
      command: 'pnpm install --frozen-lockfile',
      exit: 1,
      output:
        ' ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile" because pnpm-lock.yaml is not up to date with <ROOT>/package.json',
    },
  },
  {
    name: 'yarn-lock-old',
    output: [/YN0028|Your lockfile needs to be updated, but yarn was run with `--frozen-lockfile`/],
    means: 'package.json was changed after yarn.lock was written.',
    run: ['yarn install'],
    sample: {
      command: 'yarn install --immutable',
      exit: 1,
      output:
        '➤ YN0000: ┌ Resolution step\n➤ YN0028: │ The lockfile would have been modified by this install, which is explicitly forbidden.\n➤ YN0000: └ Completed',
    },
  },
  {
    name: 'bun-lock-old',
    output: [/error: lockfile had changes, but lockfile is frozen/],
    means: 'package.json was changed after the lock file of bun was written.',
    run: ['bun install'],
    sample: {
      command: 'bun install --frozen-lockfile',
      exit: 1,
      output:
        'bun install v1.3.13 (bf2e2cec)\nerror: lockfile had changes, but lockfile is frozen\nnote: try re-running without --frozen-lockfile and commit the updated lockfile',
    },
  },
  {
    name: 'yarn-wrong-version',
    output: [
      /This project's package\.json defines "packageManager": "(?<manager>[\w.+@-]+)"/,
      /This project is configured to use (?<manager>\w+)/,
    ],
    means: 'The project names {manager} as its package manager, and another one or another version was run.',
    run: ['npm pkg get packageManager', 'corepack enable'],
    sample: {
      command: 'yarn install',
      exit: 1,
      output: `error This project's package.json defines "packageManager": "yarn@4.5.0". However the current global version of Yarn is 1.22.22.`,
    },
  },
  {
    name: 'js-script-failed',
    programs: ['npm', 'pnpm', 'yarn', 'bun'],
    output: [
      /npm (?:ERR!|error) Lifecycle script `(?<script>[\w:.-]+)` failed/,
      /error: script "(?<script>[\w:.-]+)" exited with code/,
      /ELIFECYCLE/,
    ],
    vague: true,
    means: 'A script of package.json failed; the reason is further up in its own output.',
    run: ['npm run'],
    sample: {
      command: 'npm run -w api build',
      exit: 2,
      output:
        'npm error Lifecycle script `build` failed with error:\nnpm error code 2\nnpm error path /srv/app/api\nnpm error workspace api@1.0.0',
    },
  },
]
