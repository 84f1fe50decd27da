import fc from 'fast-check'
import { expect, it } from 'vitest'
import { shapeOf } from './shape.ts'

it.each([
  ['cd /work/shop && npm run test 2>&1 | tail -20', 'npm run test'],
  ['git -C /x diff HEAD~3 -- a.ts b.ts', 'git diff HEAD~ -- <PATH>+'],
  ['FOO=1 /usr/bin/python3 -m pytest tests/a.py -k "one or two"', 'FOO=<V> <BIN>/python3 -m <W> <PATH> -k <STR>'],
  ['sudo apt install curl jq', 'sudo apt install <W>+'],
  ["cat > a.txt <<'EOF'\nhello\nEOF", 'cat > <PATH> << <PATH>'],
  ['sed -n "1,5p" x.go; head -n 5 y', 'sed -n <STR> <PATH> ; head -n <N> <W>'],
  ['kill -9 1234 $PID $(pgrep x) deadbeef1', 'kill -<N> <N> <VAR> <SUB> <HEX>'],
  ['make V=1 --jobs=4 --name=x >out.log 2>/dev/null', 'make V=<V> --jobs=<N> --name=<W> > <PATH>'],
  ['curl -s https://a.b/c | jq .', 'curl -s <URL> | jq <PATH>'],
  ['gh pr view 12 --json title', 'gh pr view <N> --json <W>'],
])('measures %s as %s', (line, shape) => {
  expect(shapeOf(line)).toBe(shape)
})

it('takes whatever comes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (line) => {
      expect(shapeOf(line).length).toBeLessThanOrEqual(400)
    }),
  )
})
