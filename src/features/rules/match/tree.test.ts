import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engine, treeLanguages } from './grammar.ts'
import { compileTree } from './tree.ts'

const grammars = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm'))

const fitsOf = async (language: string, query: string, text: string): Promise<string[] | null> => {
  const { find } = await compileTree(language, query, '/')
  return find(text)?.map(({ start, end }) => text.slice(start, end)) ?? null
}

const call = (object: string, method: string): string =>
  `(call_expression function: (selector_expression operand: (identifier) @o field: (field_identifier) @m) (#eq? @o "${object}") (#match? @m "^${method}")) @call`

describe('one rule for each language', () => {
  test.each([
    ['typescript', '((predefined_type) @t (#eq? @t "any"))', 'const 😀 = (x: any) => "any"', ['any']],
    ['tsx', '(jsx_opening_element name: (identifier) @tag (#eq? @tag "div"))', 'f(<div>x</div>)', ['div']],
    ['javascript', '(debugger_statement) @it', 'if (a) { debugger; } // debugger', ['debugger;']],
    [
      'python',
      '(call function: (identifier) @f (#eq? @f "print")) @call',
      'def f():\n  print("x")  # print(',
      ['print("x")'],
    ],
    [
      'go',
      `(${call('fmt', 'Print')})`,
      'package a\nfunc f() { fmt.Println("x"); log.Println() }',
      ['fmt.Println("x")'],
    ],
    [
      'rust',
      '(call_expression function: (field_expression field: (field_identifier) @m) (#eq? @m "unwrap"))',
      'fn f() { a().unwrap(); "unwrap()"; }',
      ['unwrap'],
    ],
    [
      'java',
      '(field_access object: (identifier) @o field: (identifier) @f (#eq? @o "System") (#any-of? @f "out" "err")) @it',
      'class A { void f() { System.out.println(); System.exit(1); } }',
      ['System.out'],
    ],
    [
      'csharp',
      '(invocation_expression function: (member_access_expression) @m (#match? @m "^Console\\\\.Write"))',
      'class A { void F() { Console.WriteLine("x"); } }',
      ['Console.WriteLine'],
    ],
    ['cpp', '(goto_statement) @it', 'int f() { goto end; end: return 1; }', ['goto end;']],
    ['php', '(print_intrinsic) @it', '<?php print "x";', ['print "x"']],
    ['ruby', '(call method: (identifier) @m (#eq? @m "puts")) @it', 'def f; puts "x"; end', ['puts "x"']],
    ['css', '(important) @it', 'a { color: red !important; }', ['!important']],
    ['bash', '(command_name) @it', 'echo "$(ls)"', ['echo', 'ls']],
    ['powershell', '(command_name) @it', 'Get-Item x', ['Get-Item']],
    ['regex', '(anonymous_capturing_group) @it', 'a(b)+', ['(b)']],
    ['ini', '(section_name) @it', '[a]\nb=c\n', ['[a]\n']],
  ])('%s', async (language, query, text, expected) => {
    expect(await fitsOf(language, query, text)).toEqual(expected)
  })

  test('the table above has all of them', () => {
    expect(treeLanguages).toHaveLength(16)
  })
})

describe('what is found', () => {
  test('has its captures by name', async () => {
    const { find } = await compileTree('javascript', '(call_expression function: (_) @f arguments: (_) @a)', '/')
    expect(find('one(1); two(2)')).toEqual([
      { start: 0, end: 6, captures: { f: 'one', a: '(1)' } },
      { start: 8, end: 14, captures: { f: 'two', a: '(2)' } },
    ])
  })

  test('stands also in a part of a file; what is no such language cannot be told', async () => {
    const query = '((predefined_type) @t (#eq? @t "any"))'
    expect(await fitsOf('typescript', query, '  })\n  const x: any = {\n')).toEqual(['any'])
    expect(await fitsOf('typescript', query, '}{ %% )( <<< ~~~ ## 12 34 @@ %% ^^')).toBeNull()
    expect(await fitsOf('typescript', query, '')).toEqual([])
  })

  test.each([
    ['#not-match?', 'b', ['a']],
    ['#any-match?', 'b', ['b']],
    ['#any-not-match?', 'b', ['a']],
  ])('%s %s', async (predicate, pattern, expected) => {
    expect(await fitsOf('javascript', `((identifier) @x (${predicate} @x "${pattern}"))`, 'a; b')).toEqual(expected)
  })

  test('names in strings and comments of a query stay as they are', async () => {
    const query = '; a comment with #match?\n((string) @s (#eq? @s "\\"#match?\\""))'
    expect(await fitsOf('javascript', query, 'f("#match?", "x")')).toEqual(['"#match?"'])
  })
})

describe('nothing takes forever', () => {
  test('an expression that would in JavaScript', async () => {
    const text = `f("${'a'.repeat(50_000)}!")`
    expect(await fitsOf('javascript', '((string) @s (#match? @s "^\\"(a+)+$"))', text)).toEqual([])
  })

  test.each([
    ['too long', `"${'a'.repeat(1024 * 1024)}"`],
    ['too deep', '['.repeat(500_000)],
  ])('a text that is %s', async (_, text) => {
    expect(await fitsOf('typescript', '(string) @s', text)).toBeNull()
    expect(await fitsOf('typescript', '(string) @s', '"next"')).toEqual(['"next"'])
  })

  test('deep trees that are read in time', async () => {
    const text = `${'['.repeat(500)}"x"${']'.repeat(500)}`
    expect(await fitsOf('javascript', '(string) @s', text)).toEqual(['"x"'])
  })

  test('ten thousand texts leave no tree behind', async () => {
    const { find } = await compileTree('javascript', '(string) @s', '/')
    const text = 'f("x");\n'.repeat(8)
    const parse = (count: number): void => {
      for (let index = 0; index < count; index += 1) find(text)
    }
    parse(100)
    const before = process.memoryUsage().external
    parse(10_000)
    expect(process.memoryUsage().external - before).toBeLessThan(1024 * 1024)
  })
})

describe('what a person is told', () => {
  test.each([
    [
      'typescrpt',
      '(x) @x',
      /^There is no language `typescrpt`\. Did you mean `typescript`\? There are typescript, tsx/,
    ],
    ['constructor', '(x) @x', /^There is no language `constructor`\./],
    ['go', '(nonsense) @x', /^The query is wrong at line 1, column 2: Bad node name 'nonsense'/],
    ['go', '(identifier) @x\n  (wrong) @y', /at line 2, column 4: Bad node name 'wrong'/],
    ['go', '((identifier) @x', /^The query is wrong at line 1, column \d+: Bad syntax/],
    ['go', '(identifier nofield: (_)) @x', /at line 1, column 13: Bad field name 'nofield'/],
    ['go', '(identifier)', /^The query captures nothing/],
    ['go', '((identifier) @x (#match? @x "(?=a)"))', /^The query is wrong: in `#match\?` /],
    ['go', '((identifier) @x (#match? @x))', /`#match\?` takes a capture and an expression/],
    ['go', '((identifier) @x (#like? @x "a"))', /there is no predicate `#like\?`/],
  ])('%s %j', async (language, query, message) => {
    await expect(compileTree(language, query, '/')).rejects.toThrow(message)
  })
})

describe('a grammar beside the rules', () => {
  let box: string

  beforeAll(async () => {
    box = await mkdtemp(join(tmpdir(), 'rein-grammar-'))
    await mkdir(join(box, 'rules'))
    await copyFile(join(grammars, 'tree-sitter-css.wasm'), join(box, 'rules/own.wasm'))
    await copyFile(join(grammars, 'tree-sitter-css.wasm'), join(box, 'outside.wasm'))
    await symlink('../outside.wasm', join(box, 'rules/link.wasm'))
    await writeFile(join(box, 'rules/broken.wasm'), 'no program')
  })
  afterAll(() => rm(box, { recursive: true }))

  test('is loaded', async () => {
    const { find } = await compileTree('./own.wasm', '(important) @it', join(box, 'rules'))
    expect(find('a { b: c !important }')).toMatchObject([{ captures: { it: '!important' } }])
  })

  test.each([
    ['../outside.wasm', /^The grammar \.\.\/outside\.wasm is not in/],
    ['link.wasm', /^The grammar link\.wasm is not in/],
    ['missing.wasm', /^There is no grammar missing\.wasm in/],
    ['broken.wasm', /broken\.wasm is no grammar of tree-sitter/],
  ])('%s is not', async (path, message) => {
    await expect(compileTree(path, '(important) @it', join(box, 'rules'))).rejects.toThrow(message)
  })
})

test('one engine serves all rules', async () => {
  expect(await engine()).toBe(await engine())
})
