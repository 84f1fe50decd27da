import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readLine } from './line.ts'
import { LineCache } from './line-cache.ts'
import { normalise } from './normalise.ts'

const templates: [string, string][] = [
  ['ls', 'ls'],
  ['ls -la src', 'ls -la <W>'],
  ['git status', 'git status'],
  ['git status --short --branch', 'git status --short --branch'],
  ['git -C /work/app status', 'git status'],
  ['git -C "my dir" log --oneline -5', 'git log --oneline -<N>'],
  ['git log --oneline HEAD~3', 'git log --oneline HEAD~3'],
  ['git checkout -b feature/x', 'git checkout -b <PATH>'],
  ['git commit -m "fix: a thing"', 'git commit -m <STR>'],
  ['git commit -m "$(cat <<\'EOF\'\ntitle\n\nbody\nEOF\n)"', 'git commit -m <STR>'],
  ['git add a.ts b.ts c.ts', 'git add <PATH>+'],
  ['git show 3f2a9c1', 'git show <HEX>'],
  ['git push origin main', 'git push <W>+'],
  ['npm run build', 'npm run build'],
  ['npm test -- src/log', 'npm test -- <PATH>'],
  ['npx vitest run src/a.test.ts', 'npx vitest <W> <PATH>'],
  ['pnpm --filter web test', 'pnpm --filter <W>+'],
  ['go test ./... -run "TestA|TestB" -v', 'go test <PATH> -run <STR> -v'],
  ['go test -count=1 -race ./pkg/...', 'go test -count=<N> -race <PATH>'],
  ['cargo build --release', 'cargo build --release'],
  ['python -m pytest -q tests/test_a.py::test_b', 'python -m <W> -q <PATH>'],
  ["sed -n '1,200p' src/main.rs", 'sed -n <STR> <PATH>'],
  ['head -50 out.log', 'head -<N> <PATH>'],
  ['cd /work/app && go build ./...', 'go build <PATH>'],
  ['cd a; cd b && make', 'make'],
  ['cd src', 'cd <W>'],
  ['make test 2>&1 | tail -20', 'make test'],
  ['make test 2>/dev/null | head -n 5', 'make test'],
  ['make test > out.txt 2>&1', 'make test > <PATH>'],
  ['cat a.json | jq .name', 'cat <PATH> | jq <PATH>'],
  ['CI=1 npm test', 'CI=<V> npm test'],
  ['FOO="a b" BAR=$(date) make', 'FOO=<V> BAR=<V> make'],
  ['sudo apt-get install -y curl', 'sudo apt-get install -y <W>'],
  ['timeout 30 make check', 'timeout <N> make check'],
  ['curl -s https://example.com/x', 'curl -s <URL>'],
  ['curl --max-time=5 http://127.0.0.1:80', 'curl --max-time=<N> <URL>'],
  ['kill -9 4711', 'kill -<N> <N>'],
  ['echo $HOME $(date)', 'echo <VAR> <SUB>'],
  ["cat > a.py <<'EOF'\nprint(1)\nEOF", 'cat > <PATH> <<HEREDOC'],
  ["cat <<'EOF' > a.py\nprint(1)\nEOF\npython a.py", 'cat <<HEREDOC'],
  ['/usr/bin/python3 x.py', '<BIN>/python3 <PATH>'],
  ['./run.sh fast', './run.sh <W>'],
  ['sleep 5 &', 'sleep <N> &'],
  ['true && false || echo no', 'true && false || echo <W>'],
  ['for f in *.ts; do wc -l "$f"; done', 'for ; wc -l <STR> end'],
  ['if test -f a; then rm a; fi', 'if ; test -f <W> ; rm <W> end'],
  ['(cd x && ls)', '( ; cd <W> && ls end'],
  ['gh pr view 12 --json title', 'gh pr view <N> --json <W>'],
  ['docker compose up -d', 'docker compose up -d'],
  ['', ''],
  ['   ', ''],
]

describe('a template', () => {
  it.each(templates)('of %j is %j', (source, template) => {
    expect(readLine(source).template).toBe(template)
  })
})

describe('the program of a line', () => {
  it.each([
    ['cd x && FOO=1 sudo -u me timeout 30 go test ./... | tail -5', 'go', 'go test'],
    ['env A=1 B=2 npm run lint', 'npm', 'npm run'],
    ['nohup nice -n 10 python3 train.py', 'python3', 'python3'],
    ['timeout -k 5 60 cargo test', 'cargo', 'cargo test'],
    ['rein memory diagnose -- npm test --watch', 'npm', 'npm test'],
    ['rein memory diagnose --last', 'rein', 'rein memory'],
    ['git -C /x -c a=b push', 'git', 'git push'],
    ['/opt/homebrew/bin/gh pr list', 'gh', 'gh pr'],
    ['time make', 'make', 'make'],
    ['sudo', 'sudo', 'sudo'],
    ['ls | wc -l', 'ls', 'ls'],
    ['', '', ''],
  ])('%j is %s', (source, program, stub) => {
    expect(readLine(source)).toMatchObject({ program, stub })
  })
})

describe('slots', () => {
  it('are where they say they are, quotes and all', () => {
    const source = 'cd x && grep -rn "a b" src/lib --include=*.ts | head -3'
    const { slots } = readLine(source)
    expect(slots.map(({ kind, text }) => [kind, text])).toEqual([
      ['text', '"a b"'],
      ['path', 'src/lib'],
      ['path', '*.ts'],
    ])
    for (const { pos, text } of slots) expect(source.slice(pos, pos + text.length)).toBe(text)
  })

  it('keep the file that a document is written to', () => {
    const { slots } = readLine("cat > notes/a.md <<'EOF'\ntext with many/words.ts\nEOF")
    expect(slots.map(({ text }) => text)).toEqual(['notes/a.md'])
  })
})

describe('any text', () => {
  const shellish = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          ' ',
          '\n',
          '|',
          '&&',
          ';',
          "'",
          '"',
          '$(',
          ')',
          '`',
          '<<EOF',
          '>',
          '\\',
          '((',
          '[[',
          '{',
          '#',
          '\0',
        ),
        fc.string({ unit: 'binary' }),
        fc.constantFrom('git', 'for', 'if', 'then', 'cd', 'do', 'esac', 'case', '日本語', '🙂', '\ud800'),
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join(''))

  it('is read without complaint', () => {
    fc.assert(
      fc.property(shellish, (source) => {
        const line = readLine(source)
        expect(line.text).toBe(normalise(source))
        expect(line.template.length).toBeLessThanOrEqual(400)
        for (const { pos, text } of line.slots) expect(source.slice(pos, pos + text.length)).toBe(text)
      }),
      { numRuns: 1000 },
    )
  })

  it('has the same template however blanks are put between words', () => {
    fc.assert(
      fc.property(fc.constantFrom(...templates.filter(([source]) => !/["'\n]/.test(source))), ([source, template]) => {
        expect(readLine(`  ${source.replaceAll(' ', ' \t  ')} `).template).toBe(template)
      }),
    )
  })

  it.each([
    [`python3 - <<'EOF'\n${'print(1)\n'.repeat(900)}EOF`, 'python3 - <<HEREDOC', 'python3'],
    [`git commit -m "${'a line\n'.repeat(900)}"`, 'git commit -m <STR>', 'git commit'],
    [`go test ./a -run '${'Test|'.repeat(900)}X'`, 'go test <PATH> -run <STR>', 'go test'],
  ])('is told by how it begins, however long it is', (source, template, stub) => {
    expect(readLine(source)).toMatchObject({ template, stub, text: normalise(source) })
  })

  it('is words between blanks if it is nested deeper than anybody nests', () => {
    const nested = (depth: number): string => `${'( '.repeat(depth)}ls${' )'.repeat(depth)} | wc -l`
    expect(readLine(nested(50)).program).toBe('ls')
    expect(readLine(nested(51)).program).toBe('(')
    expect(readLine(`echo ${'$(a) '.repeat(60)}| wc -l`).template).toContain('| wc -l')
  })

  it('is read quickly even if it is long, deep or broken', () => {
    for (const source of [
      '('.repeat(50_000),
      '$('.repeat(20_000),
      "'".repeat(99_999),
      'a '.repeat(200_000),
      '`'.repeat(9999),
      '{a,'.repeat(50_000),
      '$['.repeat(50_000),
    ])
      expect(readLine(source).template.length).toBeLessThanOrEqual(400)
  })
})

describe('the cache', () => {
  it('says the same as reading, however little it holds', () => {
    const cache = new LineCache(2)
    for (const [source] of [...templates, ...templates]) expect(cache.read(source)).toEqual(readLine(source))
  })

  it('keeps none that is very long', () => {
    const cache = new LineCache()
    const long = `echo ${'a'.repeat(4096)}`
    expect(cache.read(long)).not.toBe(cache.read(long))
    expect(cache.read(long)).toEqual(readLine(long))
  })

  it('reads a line that keeps coming back once', () => {
    const cache = new LineCache(2)
    const first = cache.read('make')
    for (const other of ['a', 'b', 'c', 'd']) {
      cache.read(other)
      expect(cache.read('make')).toBe(first)
    }
  })
})
