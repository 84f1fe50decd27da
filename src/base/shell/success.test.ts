import { describe, expect, it } from 'vitest'
import { readShell } from './read.ts'
import { succeededIn } from './success.ts'

const isTold = (line: string): boolean =>
  succeededIn(readShell(line, { cwd: '/w/app', home: null })).some(
    ({ program, args }) => program === 'npm' && args[0] === 'test',
  )

describe('a line that ended well says that npm test did', () => {
  it.each([
    'npm test',
    'npm test -- --run > log.txt 2>&1',
    'CI=1 npm test',
    'cd app && npm test',
    'npm test && echo ok',
    'cd app || exit 1; npm test',
    'cd app || cd src && npm test',
    'npm run build; npm test',
    'echo start | tee log && npm test',
    'cat in.txt | npm test',
    'set -o pipefail; npm test 2>&1 | tail -5',
    'set -euo pipefail\nnpm test | tee log',
    '(cd app && npm test)',
    '{ npm test; } > log',
    'time npm test',
    'timeout 60 env CI=1 npm test',
    "bash -lc 'cd app && npm test'",
    't() { npm test; }; t',
    'npm test &&\n echo ok',
  ])('%j', (line) => {
    expect(isTold(line)).toBe(true)
  })
})

describe('a line that ended well does not say that npm test did', () => {
  it.each([
    'npm test 2>&1 | tail -5',
    'npm test |& tee log',
    'echo npm test',
    'npm test || true',
    'npm test && echo ok || echo not ok',
    'npm test; echo done',
    'npm test\ntrue',
    'npm test &',
    'npm test & wait',
    '! npm test',
    'if npm test; then echo ok; fi',
    'while ! npm test; do sleep 1; done',
    'for x in 1 2; do npm test; done',
    'true || npm test',
    'echo $(npm test)',
    'x=$(npm test)',
    'cat <(npm test)',
    '(npm test; true)',
    '{ npm test || true; } && echo ok',
    "bash -c 'npm test; true'",
    "bash -c 'npm test | tail'",
    "set -o pipefail; bash -c 'npm test | tail'",
    '(set -o pipefail); npm test | tail',
    'set -o pipefail; set +o pipefail; npm test | tail',
    'echo app | xargs npm test',
    "find . -name app -exec npm test ';'",
    'exit 0; npm test',
    "trap 'exit 0' EXIT; npm test",
    'eval "$x"; npm test',
    't() { npm test; }',
    't() { npm test; return 0; }; t',
    'npm() { true; }; npm test',
    'coproc npm test',
    "ssh host 'npm test' &",
    'npm test | (',
  ])('%j', (line) => {
    expect(isTold(line)).toBe(false)
  })
})
