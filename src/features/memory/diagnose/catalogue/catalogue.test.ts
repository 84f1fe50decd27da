import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isDestructive } from '../destructive.ts'
import { capturesOf, explain, lookAt, specificity } from '../explain.ts'
import { catalogue } from './catalogue.ts'

/** What commands print when all is well, with words in it that sound otherwise. */
const ordinaryOutputs: readonly (readonly [string, string])[] = [
  [
    'ls -la',
    'total 24\ndrwxr-xr-x  5 me me 4096 Nov 16 14:33 .\n-rw-r--r--  1 me me  120 Nov 16 14:33 error.log\n-rwxr-xr-x  1 me me  220 Nov 16 14:33 permission-denied.sh',
  ],
  [
    'git status',
    'On branch main\nYour branch is ahead of \'origin/main\' by 1 commit.\n  (use "git push" to publish your local commits)\n\nChanges not staged for commit:\n\tmodified:   src/conflict.ts\n\nUntracked files:\n\tnotes.md',
  ],
  [
    'git log --oneline -5',
    '3e92137 A prompt taken back in a torn screen is read as idle\ne060bf2 Fix "permission denied" when the socket is gone\n6975926 Handle ECONNREFUSED of the daemon\nff225b5 Do not fail on merge conflicts\nc4f878d Retry when the port is taken',
  ],
  [
    'git diff',
    'diff --git a/src/a.ts b/src/a.ts\nindex 3e92137..e060bf2 100644\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,3 +1,4 @@\n import x from \'x\'\n-throw new Error("command not found")\n+throw new Error(`cannot open ${file}`)\n+// TODO: error handling',
  ],
  [
    'git push',
    'Enumerating objects: 5, done.\nCounting objects: 100% (5/5), done.\nWriting objects: 100% (3/3), 280 bytes | 280.00 KiB/s, done.\nTo github.com:acme/app.git\n   3e92137..e060bf2  main -> main',
  ],
  [
    'git pull',
    'Updating 3e92137..e060bf2\nFast-forward\n src/a.ts | 4 ++--\n 1 file changed, 2 insertions(+), 2 deletions(-)',
  ],
  [
    'git commit -m "Handle errors"',
    '[main 3e92137] Handle errors\n 3 files changed, 20 insertions(+), 4 deletions(-)\n create mode 100644 src/errors.ts',
  ],
  ['git merge feature', "Auto-merging src/a.ts\nMerge made by the 'ort' strategy.\n src/a.ts | 2 +-"],
  [
    'git branch --all',
    '* main\n  fix/permission-denied\n  remotes/origin/HEAD -> origin/main\n  remotes/origin/conflict',
  ],
  [
    'npm install',
    'added 312 packages, and audited 313 packages in 9s\n\n52 packages are looking for funding\n  run `npm fund` for details\n\nfound 0 vulnerabilities',
  ],
  [
    'npm run build',
    '\n> app@1.0.0 build\n> vite build\n\nvite v7.0.0 building for production...\n✓ 312 modules transformed.\ndist/index.html  0.46 kB │ gzip: 0.30 kB\n✓ built in 1.42s',
  ],
  [
    'npm test',
    ' ✓ src/errors.test.ts (12 tests) 31ms\n   ✓ says "port 3000 is in use" politely\n ✓ src/retry.test.ts (4 tests) 12ms\n\n Test Files  2 passed (2)\n      Tests  16 passed (16)\n   Duration  812ms',
  ],
  [
    'npx jest',
    'PASS src/fail.test.js\n  ✓ throws an error (3 ms)\n\nTest Suites: 1 passed, 1 total\nTests:       1 passed, 1 total\nSnapshots:   0 total\nTime:        0.612 s',
  ],
  [
    'npx eslint .',
    '/srv/app/src/a.ts\n  3:7  warning  Unexpected console statement  no-console\n\n✖ 1 problem warning only',
  ],
  ['npx prettier --check .', 'Checking formatting...\nAll matched files use Prettier code style!'],
  ['npx tsc --noEmit', ''],
  [
    'pytest',
    '============================= test session starts ==============================\nplatform linux -- Python 3.11.7, pytest-9.0.3\ncollected 12 items\n\ntests/test_errors.py ............                                        [100%]\n\n============================== 12 passed in 0.32s ==============================',
  ],
  [
    'python -m pip install requests',
    'Collecting requests\n  Using cached requests-2.32.3-py3-none-any.whl (64 kB)\nInstalling collected packages: requests\nSuccessfully installed requests-2.32.3',
  ],
  [
    'python app.py',
    'INFO:root:starting on port 8000\nINFO:root:0 errors, 12 warnings\nWARNING:root:retrying after timeout',
  ],
  ['mypy src', 'Success: no issues found in 12 source files'],
  ['ruff check .', 'All checks passed!'],
  ['black --check .', 'All done! ✨ 🍰 ✨\n12 files would be left unchanged.'],
  [
    'go test ./...',
    'ok  \tacme.io/cli\t2.421s\nok  \tacme.io/cli/errors\t(cached)\n?   \tacme.io/cli/cmd\t[no test files]',
  ],
  [
    'go test -v ./...',
    '=== RUN   TestError\n    a_test.go:12: got expected error: file not found\n--- PASS: TestError (0.00s)\nPASS\nok  \tacme.io/cli\t0.012s',
  ],
  ['golangci-lint run', '0 issues.'],
  [
    'cargo build',
    '   Compiling serde v1.0.210\n   Compiling anyhow-error v0.1.0 (/srv/app)\n    Finished `dev` profile [unoptimized + debuginfo] target(s) in 3.12s',
  ],
  [
    'cargo test',
    'running 2 tests\ntest parse::error_is_reported ... ok\ntest parse::missing_file_fails ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s',
  ],
  ['make', "cc -O2 -Wall -c error.c -o error.o\ncc -o app main.o error.o\nmake: Nothing to be done for 'all'."],
  [
    'cmake -B build',
    '-- The C compiler identification is GNU 12.2.0\n-- Detecting C compile features - done\n-- Configuring done\n-- Generating done\n-- Build files have been written to: /srv/app/build',
  ],
  [
    'mvn test',
    '[INFO] Tests run: 12, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS\n[INFO] Total time:  3.412 s',
  ],
  [
    './gradlew build',
    '> Task :compileJava UP-TO-DATE\n> Task :test\n\nBUILD SUCCESSFUL in 4s\n7 actionable tasks: 2 executed, 5 up-to-date',
  ],
  ['dotnet build', '  app -> /srv/app/bin/Debug/net9.0/app.dll\n\nBuild succeeded.\n    0 Warning(s)\n    0 Error(s)'],
  [
    'docker ps',
    'CONTAINER ID   IMAGE         COMMAND                  STATUS         PORTS                    NAMES\n4f2d1c         postgres:17   "docker-entrypoint.s…"   Up 3 minutes   0.0.0.0:5432->5432/tcp   db',
  ],
  ['docker build .', '#7 [4/5] RUN npm ci\n#7 DONE 9.1s\n#8 exporting to image\n#8 naming to docker.io/acme/api done'],
  ['docker compose up -d', ' Container app-db-1  Started\n Container app-api-1  Started'],
  ['curl -s http://localhost:8080/health', '{"status":"ok","errors":0,"lastError":null}'],
  ['psql -c "select 1"', ' ?column? \n----------\n        1\n(1 row)'],
  [
    'rg -n "Permission" src',
    'src/a.ts:12:  throw new Error("Permission missing")\nsrc/b.ts:3:// permission is checked by the caller\nsrc/c.ts:9:const message = "file not found"',
  ],
  [
    'cat README.md',
    '# App\n\nIf the port is taken, set PORT. Errors are logged.\n\n## Troubleshooting\n\nRun `npm install` first. Python 3.11 or higher.',
  ],
  [
    'cat src/errors.ts',
    'export class NotFoundError extends Error {}\nconst fail = (why: string): never => {\n  throw new NotFoundError(`cannot find ${why}`)\n}',
  ],
  [
    'kubectl get pods',
    'NAME       READY   STATUS             RESTARTS   AGE\napi-1      1/1     Running            0          3m\nworker-1   0/1     CrashLoopBackOff   12         3m',
  ],
  ['terraform plan', 'No changes. Your infrastructure matches the configuration.'],
  ['ssh build uptime', ' 14:33:01 up 12 days,  3:12,  2 users,  load average: 0.12, 0.08, 0.02'],
  [
    'gh pr checks',
    'lint\tpass\t59s\thttps://github.com/acme/cli/actions/runs/1\ntest\tpass\t5m36s\thttps://github.com/acme/cli/actions/runs/2',
  ],
  [
    'pre-commit run --all-files',
    'Trim Trailing Whitespace.................................................Passed\nCheck Yaml...............................................................Passed',
  ],
  ['bundle install', 'Bundle complete! 12 Gemfile dependencies, 48 gems now installed.'],
  [
    'apt-get install -y jq',
    'Reading package lists...\nBuilding dependency tree...\njq is already the newest version (1.6-2.1).\n0 upgraded, 0 newly installed, 0 to remove and 3 not upgraded.',
  ],
  ['df -h', 'Filesystem      Size  Used Avail Use% Mounted on\n/dev/vda1        97G   41G   57G  42% /'],
  ['env | sort', 'HOME=/home/me\nNODE_ENV=test\nPATH=/usr/bin:/bin'],
  ['node -p "process.version"', 'v20.20.2'],
  ['sqlite3 app.db ".tables"', 'conversation  error  record'],
]

const all = Object.values(catalogue).flat()

describe('the catalogue', () => {
  test('has well over 60 failures, each with a name of its own', () => {
    expect(all.length).toBeGreaterThan(200)
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  })

  test.each(all.map((failure) => [failure.name, failure] as const))('%s is found in its sample', (name, known) => {
    const found = explain(known.sample)
    expect(found?.name).toBe(name)
    expect(found?.means).not.toMatch(/…|undefined/)
    expect(found?.run.length === 0).toBe(known.run.length === 0)
  })

  test('no failure fits the sample of another one, unless that one is more specific', () => {
    const wrong = all.flatMap((known) =>
      all
        .filter(
          (other) =>
            other !== known &&
            capturesOf(known, lookAt(other.sample)) !== undefined &&
            specificity(known) >= specificity(other),
        )
        .map((other) => `${known.name} fits the sample of ${other.name}`),
    )
    expect(wrong).toEqual([])
  })

  test.each(ordinaryOutputs)('nothing is found in what `%s` ordinarily prints', (command, output) => {
    expect(explain({ command, exit: 0, output })).toBeUndefined()
    expect(explain({ command, exit: 1, output })).toBeUndefined()
  })

  test('each says what it means in one sentence', () => {
    const wrong = all.filter(
      ({ means }) =>
        !/^(?:[A-Z{`]|git |npm |pytest |go\.|package\.json|pyproject|golangci|mise )/.test(means) ||
        !means.endsWith('.') ||
        means.length > 200,
    )
    expect(wrong.map(({ name }) => name)).toEqual([])
  })

  test('the tables have no field that nothing reads, and none of another type', () => {
    const texts = z.array(z.string())
    const failure = z.strictObject({
      name: z.string(),
      programs: texts.optional(),
      exits: z.array(z.number()).optional(),
      output: z.array(z.instanceof(RegExp)).optional(),
      general: z.literal(true).optional(),
      vague: z.literal(true).optional(),
      obvious: z.literal(true).optional(),
      means: z.string(),
      run: texts,
      sample: z.strictObject({ command: z.string(), exit: z.number(), output: z.string() }),
    })
    expect(z.array(failure).safeParse(all).error).toBeUndefined()
  })

  test('patterns keep no state between two looks', () => {
    const stateful = all.filter(({ output = [] }) => output.some(({ flags }) => /[gy]/.test(flags)))
    expect(stateful.map(({ name }) => name)).toEqual([])
  })
})

describe('what is to be run', () => {
  const commands = all.flatMap(({ run }) => run)

  test('destroys nothing and forces nothing', () => {
    expect(commands.filter(isDestructive)).toEqual([])
  })

  test('shows no value that could be a secret', () => {
    const revealing =
      /(?:^|\| )env\b(?! \| cut -d= -f1)|printenv(?! \{variable\} \| wc -c)|\btoken\b|\.npmrc|credentials|cat \.env|id_rsa|echo \$/i
    expect(commands.filter((command) => revealing.test(command))).toEqual([])
  })

  test('has a place for a word only where a pattern captures it', () => {
    const unknown = all.flatMap(({ name, run, means, output = [] }) => {
      const groups = new Set([
        'program',
        ...output.flatMap(({ source }) => [...source.matchAll(/\(\?<(\w+)>/g)].map(([, group]) => group)),
      ])
      const places = [...run, means].flatMap((text) => [...text.matchAll(/(?<!@)\{(\w+)\}/g)].map(([, place]) => place))
      return places.filter((place) => !groups.has(place)).map((place) => `${name}: {${place}}`)
    })
    expect(unknown).toEqual([])
  })
})
