import { expect, test } from 'vitest'
import { justLooks, waits } from './looks.ts'

test.each([
  'ls -la src',
  'cd src && cat app.ts | head -20',
  "sed -n '1,20p' app.ts",
  'git -C sub log --oneline 2>/dev/null',
  'grep -rn TODO . 2>&1 | wc -l',
  'find . -name "*.ts"',
  'env',
  'env CI=1',
])('%s only looks', (line) => {
  expect(justLooks(line)).toBe(true)
})

test.each([
  'npm test',
  "sed -i 's/a/b/' app.ts",
  'echo x > app.ts',
  'cat a.ts >> b.ts',
  'find . -name "*.tmp" -delete',
  'git checkout main',
  'ls; rm app.ts',
  './run.sh',
  'env CI=1 npm install',
  'env -i make',
  `echo ${'a'.repeat(5000)}; rm app.ts`,
])('%s may change something', (line) => {
  expect(justLooks(line)).toBe(false)
})

test.each<[string, boolean]>([
  ['sleep 30; gh run view', true],
  ['timeout 60 npm test', false],
  ['gh run list --watch', true],
  ['npm test', false],
  ['cat sleep.ts', false],
])('%s waits: %s', (line, expected) => {
  expect(waits(line)).toBe(expected)
})
