import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import type { SnapshotBox } from './snapshot-box.ts'

const attributes = `* text=auto
*.crlf text eol=crlf
*.rot filter=rot
*.id ident
*.u16 working-tree-encoding=UTF-16LE
*.raw -diff
`

/** A name that is no UTF-8, one with a newline, one like an option, … */
export const oddNames = [
  Buffer.from([0x62, 0xff, 0xfe, 0x2e, 0x74]),
  'new\nline',
  '-dash',
  'back\\slash',
  'quo"te',
  'grüße/日本.txt',
  ' space ',
  '*star',
  'a'.repeat(250),
]

/** A repository with everything that has cost others their users' files. */
export const buildCorpus = (box: SnapshotBox): void => {
  const { git, write } = box
  git('init', '-q')
  git('config', 'filter.rot.clean', 'tr a-y b-z')
  git('config', 'filter.rot.smudge', 'tr b-z a-y')
  write('.gitattributes', attributes)
  write('.gitignore', '.env\n*.log\n/ignored/\nbuild/\n')
  write('plain.txt', 'one\ntwo\n')
  write('dos.crlf', 'one\r\ntwo\r\n')
  write('mixed.crlf', 'one\r\ntwo\nthree\r\n')
  write('mixed.txt', 'one\r\ntwo\n')
  write('secret.rot', 'abcdef\n')
  write('version.id', '$Id$\n')
  write('wide.u16', Buffer.from('wide\n', 'utf16le'))
  write('binary.raw', Buffer.from([0, 1, 2, 0xff, 13, 10, 0]))
  write('run.sh', '#!/bin/sh\n', 0o755)
  write('private.key', 'key\n', 0o600)
  write('empty', '')
  write('dir/inner/file', 'deep\n')
  write('becomes-dir', 'a file\n')
  write('becomes-file/x', 'x\n')
  for (const name of oddNames) write(name, `odd ${String(name)}\n`)
  symlinkSync('plain.txt', path.join(box.tree, 'link'))
  symlinkSync('nowhere', path.join(box.tree, 'dangling'))
  symlinkSync('dir', path.join(box.tree, 'link-to-dir'))
  git('add', '-A')
  git('commit', '-qm', 'base')
  // So that the filters have made the files.
  for (const file of ['secret.rot', 'version.id', 'dos.crlf']) unlinkSync(path.join(box.tree, file))
  git('checkout', '-q', '--', '.')
  addRepositories(box)
  addUncommitted(box)
}

const addRepositories = ({ root, tree, git, gitIn, write }: SnapshotBox): void => {
  const other = path.join(root, 'other')
  mkdirSync(other)
  git('init', '-q', other)
  gitIn('../other', 'commit', '-q', '--allow-empty', '-m', 'first')
  git('submodule', '--quiet', 'add', other, 'module')
  git('commit', '-qm', 'module')
  write('module/in-module.txt', 'not committed\n')
  git('init', '-q', path.join(tree, 'nested'))
  write('nested/.gitignore', '*.tmp\n')
  write('nested/committed', 'yes\n')
  gitIn('nested', 'add', '-A')
  gitIn('nested', 'commit', '-qm', 'nested')
  write('nested/changed', 'not committed\n', 0o600)
  write('nested/x.tmp', 'ignored there\n')
  git('init', '-q', path.join(tree, 'fresh'))
  write('fresh/file', 'no commit yet\n')
}

const addUncommitted = ({ tree, git, write }: SnapshotBox): void => {
  write('stashed', 'stash me\n')
  git('stash', 'push', '-q', '-u', '--', 'stashed')
  write('staged', 'staged\n')
  git('add', 'staged')
  write('staged', 'and then changed\n')
  write('untracked/deep/file', 'untracked\n')
  write('ignored/secret', 'never touch\n')
  write('.env', 'TOKEN=1\n')
  write('dir/app.log', 'log\n')
  mkdirSync(path.join(tree, 'hollow/inner'), { recursive: true })
}

/** What is ignored, wherever a rewind goes: it stays. */
export const ignoredFiles = ['.env', 'dir/app.log', 'ignored/secret', 'nested/x.tmp']

/** Everything that an agent may do to a tree, at once. */
export const turnUpsideDown = ({ tree, write }: SnapshotBox): void => {
  const at = (file: string): string => path.join(tree, file)
  write('plain.txt', 'one\n2\nthree\n')
  write('dos.crlf', 'one\ntwo\n')
  write('mixed.txt', 'one\ntwo\r\n')
  write('secret.rot', 'uvwxyz\n')
  write('version.id', '$Id: something else $\n')
  write('wide.u16', Buffer.from('wider\r\n', 'utf16le'))
  write('binary.raw', Buffer.from([0, 0, 0]))
  write('staged', 'third\n')
  chmodSync(at('run.sh'), 0o644)
  chmodSync(at('empty'), 0o755)
  chmodSync(at('private.key'), 0o640)
  unlinkSync(at('mixed.crlf'))
  unlinkSync(at('link'))
  symlinkSync('run.sh', at('link'))
  unlinkSync(at('dangling'))
  write('dangling', 'a file now\n')
  rmSync(at('link-to-dir'))
  write('link-to-dir/file', 'a directory now\n')
  rmSync(at('becomes-dir'))
  write('becomes-dir/a/b', 'b\n')
  rmSync(at('becomes-file'), { recursive: true })
  write('becomes-file', 'file\n')
  renameSync(at('dir/inner'), at('moved'))
  rmSync(at('hollow'), { recursive: true })
  mkdirSync(at('new-hollow'), { mode: 0o700 })
  for (const name of oddNames.slice(0, 4)) write(name, 'other\n')
  write('module/in-module.txt', 'changed\n')
  write('nested/committed', 'no\n')
  rmSync(at('nested/changed'))
  write('fresh/file2', 'more\n')
  write('untracked/second', '2\n', 0o444)
}
