import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FileTools } from '../../../drivers/contract.ts'
import { wrongTool } from './wrong-tool.ts'

const all: FileTools = { read: 'Read', edit: 'Edit', write: 'Write', search: 'Grep', find: 'Glob' }
const none: FileTools = { read: null, edit: null, write: null, search: null, find: null }

const wrong: Readonly<Record<keyof FileTools, readonly string[]>> = {
  read: [
    'cat README.md',
    'cat -n src/a.ts src/b.ts',
    'cat "my file.txt"',
    'cd /srv/app && cat package.json',
    'cat package.json 2>/dev/null',
    'cat src/a.ts | head -50',
    'head -100 src/a.ts',
    'head -n 20 a.py',
    'tail -40 docs/x.md',
    'tail -n +20 a.py',
    'less a.log',
    'bat src/a.ts',
    "sed -n '1,80p' src/a.ts",
    'sed -n 10p a.go',
    "sed -n '5,$p' a.go",
    "nl -ba src/a.ts | sed -n '1,120p'",
    "cat a.ts && echo --- && sed -n '1,5p' b.ts",
    'cat a.txt; cat b.txt',
    'timeout 5 cat a.txt',
    'cat a.txt || true',
  ],
  edit: [
    "sed -i 's/a/b/' src/a.ts",
    "sed -i '' 's/a/b/' src/a.ts",
    "sed -i.bak -e 's/a/b/' a.ts",
    "perl -pi -e 's/a/b/' a.ts",
    "cat >> notes.md <<'EOF'\nmore\nEOF",
    "echo 'dist/' >> .gitignore",
    'tee -a a.txt <<EOF\nx\nEOF',
  ],
  write: [
    "cat > src/a.ts <<'EOF'\nexport const a = 1\nEOF",
    'cat <<EOF > a.txt\nx\nEOF',
    "echo 'hello' > a.txt",
    'echo hello > a.txt',
    "printf 'a\\nb\\n' > a.txt",
    'tee config.json <<EOF\n{}\nEOF',
    'tee config.json >/dev/null <<EOF\n{}\nEOF',
    'cd app && cat > a.py <<EOF\nprint(1)\nEOF',
  ],
  search: [
    'grep -rn TODO src',
    'grep foo a.ts b.ts',
    'rg useState',
    "rg -n 'a b' src --glob '*.ts'",
    'grep -rn foo src | head -20',
    'ag foo',
    'cd /srv && grep -R "x" .',
    'rg foo src 2>/dev/null | head',
  ],
  find: [
    "find . -name '*.ts'",
    "find src -type f -iname 'a*' | head -20",
    "find . -path ./node_modules -prune -o -name '*.go'",
    'fd test src',
    "find . -name '*.ts' | sort",
    'rg --files src',
  ],
}

describe('has a tool for it', () => {
  const cases = Object.entries(wrong).flatMap(([kind, commands]) => commands.map((command) => [command, kind] as const))

  test.each(cases)('%s', (command, kind) => {
    expect(wrongTool(command, all)?.kind).toBe(kind)
    expect(wrongTool(command, none)).toBeNull()
  })
})

test.each([
  'cat',
  'cat <<EOF\nhello\nEOF',
  'cat a.txt | wc -l',
  'cat a.json | jq .name',
  'cat a.txt > b.txt',
  'cat a b > c',
  'cat src/*.ts',
  'cat $FILE',
  'cat /proc/cpuinfo',
  'cat - ',
  'cat -A Makefile',
  'cat -nv a.txt',
  'cat -e a.txt',
  'cat --show-tabs a.txt',
  'cat > a.txt <<EOF\nbuilt $(date)\nEOF',
  'cat <<- EOF > a.txt\n\t`id`\nEOF',
  'tee a.txt <<EOF\n$HOME\nEOF',
  'tail -f app.log',
  'tail -n 5 -F app.log',
  'head -c 100 /dev/urandom',
  'npm test 2>&1 | tail -20',
  'npm test | grep fail',
  'git log | head',
  'git grep foo',
  'git diff > a.patch',
  'git show HEAD:a.ts | head -20',
  'ps aux | grep node',
  'grep -q foo a.txt && make',
  'grep -rn foo src | wc -l',
  'grep -rl foo src | xargs sed -i s/a/b/',
  'echo hello',
  'echo $HOME > a.txt',
  'echo "built $(date)" > stamp',
  'echo x > /dev/stderr',
  'npm run build > build.log 2>&1',
  "sed 's/a/b/' a.ts",
  "sed -n '/foo/p' a.ts",
  'sed -i s/a/b/ src/*.ts',
  'find . -name x -delete',
  "find . -name '*.ts' -exec wc -l {} +",
  "find . -name '*.ts' | xargs grep foo",
  'find . -mtime -1',
  'for f in *.ts; do cat $f; done',
  'if true; then cat a; fi',
  'python3 - <<EOF\nprint(1)\nEOF',
  'sudo cat /etc/shadow',
  'cat a.txt && npm test',
  'cat a.txt &',
  'diff a b',
  'ls -la',
  'wc -l a.ts',
  'tee out.log',
  'npm test | tee out.log',
  'git commit -m "$(cat <<\'EOF\'\nmessage\nEOF\n)"',
  '',
])('is right in the shell: %s', (command) => {
  expect(wrongTool(command, all)).toBeNull()
})

test('speaks only of tools that are there', () => {
  const now: FileTools = { ...all, search: null, find: null, write: null }
  expect(wrongTool('grep -rn x src', now)).toBeNull()
  expect(wrongTool("find . -name '*.ts'", now)).toBeNull()
  expect(wrongTool("echo 'a' > b.txt", now)?.instead).toBe('Edit')
  expect(wrongTool('cat a.txt', now)).toEqual({
    kind: 'read',
    instead: 'Read',
    why: 'it shows a file, or a part of it',
  })
})

test('of what is too long to be read, only a document that goes on to the end', () => {
  const text = 'a line of text\n'.repeat(600)
  expect(wrongTool(`cat > a.md <<'EOF'\n${text}EOF`, all)?.kind).toBe('write')
  expect(wrongTool(`cat > a.md <<EOF\n${text}$USER\nEOF`, all)).toBeNull()
  expect(wrongTool(`cat > a.md <<'EOF'\n${text}$USER\nEOF`, all)?.kind).toBe('write')
  expect(wrongTool(`cat > a.md <<'EOF'\n${text}EOF\nmake`, all)).toBeNull()
  expect(wrongTool(`${'cat a.md; '.repeat(600)}make`, all)).toBeNull()
})

test('never throws, and has nothing to say to who has no tools', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), (command) => {
      wrongTool(command, all)
      expect(wrongTool(command, none)).toBeNull()
    }),
  )
})
