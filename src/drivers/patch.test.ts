import { describe, expect, test } from 'vitest'
import { patchActions, patchesIn } from './patch.ts'

const patch = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')
const replacement = (old: string, changed: string) => ({ old, new: changed, isEverywhere: false })

describe('the format of apply_patch', () => {
  test('files are added, changed, moved and deleted', () => {
    const text = patch(
      '*** Add File: src/new.ts',
      '+one',
      '+',
      '+two',
      '*** Update File: src/old.ts',
      '*** Move to: lib/old.ts',
      '@@ function f',
      ' before',
      '-  was',
      '+  is',
      '',
      ' after',
      '@@',
      '+last',
      '*** End of File',
      '*** Delete File: gone.ts',
    )
    expect(patchActions(text)).toEqual([
      { kind: 'write', path: 'src/new.ts', content: 'one\n\ntwo\n' },
      {
        kind: 'edit',
        path: 'src/old.ts',
        replacements: [replacement('before\n  was\n\nafter', 'before\n  is\n\nafter'), replacement('', 'last')],
      },
      { kind: 'move', from: 'src/old.ts', to: 'lib/old.ts' },
      { kind: 'delete', path: 'gone.ts' },
    ])
  })

  test('the first hunk needs no head; line ends and marks may have spaces and carriage returns', () => {
    const text = ['  *** Begin Patch  ', '*** Update File: a b.txt ', '-one', '+two', ' *** End Patch'].join('\r\n')
    expect(patchActions(text)).toEqual([{ kind: 'edit', path: 'a b.txt', replacements: [replacement('one', 'two')] }])
  })

  test.each([
    ['no patch at all', 'it is no patch'],
    ['*** Begin Patch\n*** Add File: a\n+x', 'the patch has no end'],
    [patch(), 'the patch names no file'],
    [patch('+x', '*** Add File: a'), '"+x" stands before any file'],
    [patch('*** Add File: a', 'x'), '"x" is no line of a new file'],
    [patch('*** Update File: a', '@@', '*** Rename File: b'), '"*** Rename File: b" is no line of a change'],
  ])('%j cannot be read', (text, why) => {
    expect(patchActions(text)).toEqual([{ kind: 'unreadable', why }])
  })

  test('each patch of a script is found', () => {
    const script = `cat <<'EOF' | apply_patch\n${patch('*** Delete File: a')}\nEOF\napply_patch <<X\n${patch('*** Delete File: b')}\nX`
    expect(patchesIn(script)).toEqual([
      { kind: 'delete', path: 'a' },
      { kind: 'delete', path: 'b' },
    ])
    expect(patchesIn('echo "*** Begin Patch"')).toEqual([])
  })
})

describe('a unified diff', () => {
  test('of git: changed, new, deleted, renamed', () => {
    const text = [
      'diff --git a/x.sql b/x.sql',
      'index 1..2 100644',
      '--- a/x.sql',
      '+++ b/x.sql',
      '@@ -1,3 +1,2 @@ heading',
      ' keep',
      '--- a comment',
      ' end',
      '@@ -9 +8 @@',
      '-old',
      '+new',
      'diff --git a/new.txt b/new.txt',
      '--- /dev/null',
      '+++ b/new.txt',
      '@@ -0,0 +1 @@',
      '+hello',
      '\\ No newline at end of file',
      '--- a/gone.txt',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-x',
      'diff --git a/from.txt b/to.txt',
      'similarity index 100%',
      'rename from from.txt',
      'rename to to.txt',
    ].join('\n')
    expect(patchActions(text)).toEqual([
      {
        kind: 'edit',
        path: 'x.sql',
        replacements: [replacement('keep\n-- a comment\nend', 'keep\nend'), replacement('old', 'new')],
      },
      { kind: 'write', path: 'new.txt', content: 'hello\n' },
      { kind: 'delete', path: 'gone.txt' },
      { kind: 'move', from: 'from.txt', to: 'to.txt' },
    ])
  })

  test('of diff -u: names as they are, without the time', () => {
    const text = '--- one.txt\t2026-01-01\n+++ one.txt\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n'
    expect(patchActions(text)).toEqual([{ kind: 'edit', path: 'one.txt', replacements: [replacement('a', 'b')] }])
  })

  test('that breaks off cannot be read', () => {
    const text = '--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n a'
    expect(patchActions(text)).toEqual([{ kind: 'unreadable', why: 'the patch ends in a hunk' }])
  })
})
