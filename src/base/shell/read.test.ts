import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomLines, shapedLines, worstLine } from '../../../test/support/costly-lines.ts'
import { testSeed } from '../../../test/support/seeded.ts'
import { WorkBudget } from '../util/work-budget.ts'
import { LINE_UNITS, readShell } from './read.ts'
import type { RunProgram, ShellReading } from './reading.ts'

const read = (line: string): ShellReading => readShell(line, { cwd: '/w/app', home: '/home/ada' })
const shown = ({ program, args }: RunProgram): string => [program, ...args].join(' ')
const ran = (line: string): string[] => read(line).runs.map(shown)
const doubts = (line: string): string[] => read(line).opaque.map(({ kind }) => kind)

describe('the programs of a line', () => {
  it.each([
    ['', []],
    ['# nothing', []],
    ['X=1', []],
    ['ls -la src', ['ls -la src']],
    ['a | b && c; d & e', ['a', 'b', 'c', 'd', 'e']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['while a; do b; done; until c; do d; done', ['a', 'b', 'c', 'd']],
    ['case $x in a) b;; *) c;; esac', ['b', 'c']],
    ['(a; { b; })', ['a', 'b']],
    ['a $(b `c`) "$(d)" <(e) > $(f)', ['c', 'b `c`', 'd', 'e', 'f', 'a $(b `c`) $(d) <(e)']],
    ['X=$(a) b', ['a', 'b']],
    ['[[ -n $(a) ]] && (( $(b) + 1 ))', ['a', 'b']],
    ['cat <<END\n$(a)\nEND', ['a', 'cat']],
    ["cat <<'END'\n$(a)\nEND", ['cat']],
    ['f() { a "$1"; }; f x', ['a x']],
    ['f() { a; }', ['a']],
    [
      'sudo -u me nice -n 5 timeout 3 a b',
      ['sudo -u me nice -n 5 timeout 3 a b', 'nice -n 5 timeout 3 a b', 'timeout 3 a b', 'a b'],
    ],
    ["sh -c 'a; b'", ['sh -c a; b', 'a', 'b']],
    ['x=a; y="b c"; $x $y "$y"', ['a b c b c']],
    ['for x in a b; do run $x; done', ['run a', 'run b']],
    ['a{b,c}d {1..3}', ['abd acd 1 2 3']],
    ['cd src\r\nls\r\n', ['cd src', 'ls']],
    ['git p\\\nush', ['git push']],
    ['command -v git', ['command -v git']],
    ['ｇｉｔ status', ['git status']],
    ["printf '%b' 'a \\055f' | sh", ['printf %b a \\055f', 'sh', 'a -f']],
    ['x=(a b); x[2]=-f; "${x[@]}"', ['a b -f']],
    ['x=a_b; IFS=_ read -r y z <<< "$x"; $y $z', ['read -r y z', 'a b']],
    ['IFS=:; set -- $(echo a:b); "$@"', ['echo a:b', 'set -- a b', 'a b']],
    ['cp /usr/bin/a b; ./b -f', ['cp /usr/bin/a b', 'a -f', 'b -f']],
    ['p=/x/y; ls ${p%/*} ${p##*/}', ['ls /x y']],
    ['rm !(a)', ['rm *']],
    ["git clone -u 'a; b' x", ['git clone -u a; b x', 'a', 'b']],
    ["git ls-remote 'ext::a b'", ['git ls-remote ext::a b', 'a b']],
    ['find /x -type f | xargs rm', ['find /x -type f', 'xargs rm', 'rm /x/**']],
  ])('%j', (line, programs) => {
    expect(ran(line)).toEqual(programs)
  })

  it('are told by what runs them', () => {
    expect(read("sudo xargs sh -c 'a'").runs.map(({ program, via }) => [program, ...via])).toEqual([
      ['sudo'],
      ['xargs', 'sudo'],
      ['sh', 'sudo', 'xargs'],
      ['a', 'sudo', 'xargs', 'sh'],
    ])
  })

  it('stand where they say', () => {
    const line = 'cd x && git push "$(a)" | tee y'
    const places = read(line).runs.map(({ span }) => line.slice(span.start, span.end))
    expect(places).toEqual(['cd x', 'a', 'git push "$(a)"', 'tee y'])
    const [, inner] = read("true; sh -c 'a b'").runs.slice(1)
    expect(inner?.span).toEqual({ start: 6, end: 17 })
  })

  it.each([
    ['a | b | sudo c', ['b', 'sudo', 'c']],
    ['bash <(a)', ['bash']],
    ['sh -c "$(a)"', ['sh']],
    ['curl -o a u; sh a', ['sh']],
    ['a; b', []],
  ])('%j: the first one gives its output to %j', (line, programs) => {
    expect(read(line).runs[0]?.pipesTo).toEqual(programs)
  })
})

describe('flags', () => {
  it.each([
    [
      'git -C /x -c a=b push -fu origin main --tags',
      'push',
      ['-C', '-c', '-fu', '-f', '-u', '--tags'],
      ['origin', 'main'],
    ],
    ['git push --forc --no-verify=x', 'push', ['--force', '--no-verify'], []],
    ['git push --force-with-lease', 'push', ['--force-with-lease'], []],
    ['git commit -am"a -f b" -- -x', 'commit', ['-ama -f b', '-a', '-m'], ['-x']],
    ['git stash drop 1', 'stash drop', [], ['1']],
    ['rm --recurs -f -- -r', '', ['--recursive', '-f'], ['-r']],
    ['find . -name x', '', ['-name'], ['.', 'x']],
    ['docker run -it --name x img ls', 'run', ['-it', '-i', '-t', '--name'], ['img']],
  ])('%j', (line, subcommand, flags, operands) => {
    expect(read(line).runs[0]).toMatchObject({ subcommand, flags, operands })
  })
})

describe('what cannot be told', () => {
  it.each([
    ['echo $X "$(date)"', []],
    ['$X push', ['dynamic program']],
    ['/usr/bin/g?t push', ['dynamic program']],
    ['$(cat x) push', ['dynamic program']],
    ['"$GOPATH/bin/lint" .', []],
    ['eval "$X"', ['dynamic code']],
    ['a | sh', ['dynamic code']],
    ['source <(a)', ['dynamic code']],
    ['sh script.sh', []],
    ['sh < script.sh', []],
    ['bash -c "cd $DIR && make"', []],
    ['python3 -c "import os; os.system(x)"', ['foreign code']],
    ["python3 -c 'print(1)'", []],
    ['if', ['unparsable']],
    ["echo 'a", ['unparsable']],
    ["sh -c 'if'", ['unparsable']],
    ['a '.repeat(40_000), ['too long']],
    [`${'( '.repeat(60)}a${' )'.repeat(60)}`, ['too deep']],
    ['a;'.repeat(300), ['too many']],
    ['f() { g; g; }; g() { h; h; }; h() { i; i; }; f', []],
  ])('%j: %j', (line, kinds) => {
    expect(doubts(line)).toEqual(kinds)
  })

  it('is said of lines within lines that never end', () => {
    const nested = Array.from({ length: 12 }).reduce<string>((line) => `eval ${JSON.stringify(line)}`, 'a')
    expect(doubts(nested)).toContain('too deep')
  })

  it('is not what a function that starts itself twice does', () => {
    expect(ran(':(){ :|:& };:')).toContain('fork-bomb')
    expect(ran('f() { f; }; f')).toEqual([])
  })
})

describe('any text', () => {
  const signs = [
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
    '<<E\n',
    '\nE\n',
    '>',
    '\\',
    '((',
    '{',
    '}',
    '{a,',
    '${x:-',
    '$x',
    '<(',
  ]
  const words = [
    'x=$x$x;',
    'git',
    'for x in',
    'do',
    'done',
    'sh -c',
    'eval',
    'xargs',
    'find -exec',
    'f(){',
    'f',
    'python3 -c',
    '\ud800',
    '日本語',
  ]
  const pieces = fc.constantFrom(...signs, ...words)
  const shellish = fc
    .array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 60 })
    .map((parts) => parts.join(' '))

  it('is read without complaint', () => {
    fc.assert(
      fc.property(shellish, (line) => {
        for (const { span } of read(line).runs) expect(span.end).toBeLessThanOrEqual(line.length)
      }),
      { numRuns: 2000 },
    )
  })

  it('is read in a bounded number of programs, however it is nested', () => {
    const bombs = [
      'x=aaaaaaaaaa;'.concat('x=$x$x$x$x;'.repeat(150), '$x'),
      `x=1; ${'echo $x{a,b,c}$x{d,e};'.repeat(100)}`,
      `f1() { f2; f2; }; f2() { f3; f3; f3; f3; }; f3() { f4; f4; f4; f4; }; f4() { a; a; a; a; }; f1`,
      `${'for a in 1 2 3 4 5 6 7 8; do '.repeat(20)}echo $a$a$a${'; done'.repeat(20)}`,
      `echo ${'$(echo '.repeat(45)}x${')'.repeat(45)}`,
      `echo ${'{a,b}'.repeat(5000)}`,
      '{a,'.repeat(20_000),
      '$('.repeat(30_000),
      '"$('.repeat(20_000),
      '$x'.repeat(30_000),
      `bash -c "${'\\$(a)'.repeat(9000)}"`,
      `python3 -c "${'system('.repeat(9000)}"`,
      `perl -e '${'`'.repeat(50_000)}'`,
      `echo ${"'a'".repeat(20_000)} | rev | base64 | sh`,
    ]
    for (const line of bombs) {
      const { runs } = read(line)
      expect(runs.length).toBeLessThanOrEqual(4_000)
      for (const { args } of runs) expect(args.join('').length).toBeLessThan(2_000_000)
    }
  })
})

describe('a line that costs much', () => {
  const wordsIn = ({ runs }: ShellReading): number => runs.reduce((sum, { args }) => sum + 1 + args.length, 0)

  it('is read within its budget, and nobody can tell what a costlier one does', () => {
    expect(read(worstLine)).toEqual({ runs: [], opaque: [{ kind: 'too costly', text: worstLine }] })
    for (const line of [...shapedLines(400), ...shapedLines(4000), ...randomLines(testSeed, 100)]) {
      const work = new WorkBudget(LINE_UNITS)
      const reading = readShell(line, { cwd: '/p', home: '/h' }, work)
      expect(reading.opaque.some(({ kind }) => kind === 'too costly')).toBe(work.isSpent)
      expect(wordsIn(reading)).toBeLessThan(LINE_UNITS / 16)
    }
  })

  it('is read if it is only long', () => {
    const script = `if true; then\n  echo "$HOME/a" | grep -v 'b c' > out.txt\nfi\n`.repeat(1_000).slice(0, 60_000)
    const [run] = read(`cat > a.sh <<'EOF'\n${script}\nEOF\n`).runs
    expect(run?.writes).toEqual(['/w/app/a.sh'])
    expect(read(`rm ${Array.from({ length: 3_000 }, (_, at) => `src/a${at}.ts`).join(' ')}`).opaque).toEqual([])
  })

  it('costs the same each time', () => {
    const cost = (line: string): number => {
      const work = new WorkBudget(LINE_UNITS)
      readShell(line, { cwd: '/p', home: '/h' }, work)
      return work.spent
    }
    for (const line of randomLines(testSeed, 10)) expect(cost(line)).toBe(cost(line))
  })

  it('has no words that are left out in silence', () => {
    const names = Array.from({ length: 100 }, (_, at) => `a${at}`)
    expect(read(`rm -rf {${names.join(',')},/}`).runs[0]?.deletes).toContain('/')
    expect(read(`rm -rf {${Array.from({ length: 2_000 }, (_, at) => at).join(',')},/}`).opaque).toMatchObject([
      { kind: 'too costly' },
    ])
    expect(read('touch f{1..99999}').opaque).toEqual([])
  })
})
