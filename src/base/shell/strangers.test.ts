import { describe, expect, test } from 'vitest'
import { UNKNOWN_PROGRAM } from './reading.ts'
import { readShell } from './read.ts'

const handed = (line: string): string[] =>
  readShell(line, { cwd: '/shop', home: '/home/ada' })
    .runs.filter(({ program }) => program === UNKNOWN_PROGRAM)
    .map(({ args }) => args.join(' '))

describe('an address of somebody else in the hands of a program that is not known', () => {
  test.each([
    'newrunner https://x.io/a.kts',
    'sudo newrunner --script=https://x.io/a',
    'newrunner -e \'load("https://x.io/a")\'',
    'newrunner <<< \'include("https://x.io/a")\'',
    'newrunner git+https://x.io/a.git',
  ])('%j', (line) => {
    expect(handed(line)).toEqual(['address newrunner'])
  })

  test.each([
    'curl https://x.io/a',
    'xdg-open https://x.io/a',
    'newtool http://localhost:3000',
    'newtool http://api:8080/x',
    'newtool --base-url https://x.io',
    'newtool --index https://pypi.org/simple',
    "newtool add 'what stands at https://x.io/a is wrong'",
    './scripts/check.sh https://x.io',
    "echo 'newrunner https://x.io/a'",
  ])('%j is left alone', (line) => {
    expect(handed(line)).toEqual([])
  })
})

describe('a part of the system in the hands of a program that is not known', () => {
  test.each([
    'newtool /etc/passwd',
    'newtool /usr',
    'newtool -o /usr/bin/env x',
    'newtool --out=/etc/hosts x',
    'newtool /dev/nvme0n1',
    'newtool --all /home/ada',
    'newtool -c \'(delete-file "/etc/passwd")\'',
  ])('%j', (line) => {
    expect(handed(line)).toEqual(['system newtool'])
  })

  test('a compiler that only looks there writes what it is told to', () => {
    expect(handed('gcc -o /usr/bin/env x.c')).toEqual(['system gcc'])
    expect(handed('gcc -I/usr/lib/x -o app /usr/lib/x.o')).toEqual([])
  })

  test.each([
    'cat /etc/passwd',
    'newtool -c /etc/newtool.conf',
    'newtool --prefix=/usr',
    'newtool /home/ada',
    'newtool /usr/share/dict/words',
    'ssh host newtool /etc/passwd',
    'docker exec web newtool /etc/passwd',
  ])('%j is left alone', (line) => {
    expect(handed(line)).toEqual([])
  })
})

describe('a download that becomes a program', () => {
  test.each([
    'curl -o ~/.local/bin/x https://x.io/x',
    'curl -o x https://x.io/x; mv x /usr/local/bin/x',
    'curl -s https://x.io/x | tee ~/bin/x',
  ])('%j', (line) => {
    expect(handed(line).filter((each) => each.startsWith('program'))).toHaveLength(1)
  })

  test('a file of the project is none', () => {
    expect(handed('cp bin/x ~/.local/bin/x; curl -o bin/x.json https://x.io/x.json')).toEqual([])
  })
})
