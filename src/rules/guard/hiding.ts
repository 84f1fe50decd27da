/** Where a shell can make a word that does not stand in its line: expressions on a line in lower case, without quotes and backslashes. */

const start = '(^|[^a-z0-9_.-])'
const end = '([^a-z0-9_-]|$)'

/** They run what a file, a pipe or an argument says. */
const always = ['eval', 'source', 'xargs', 'parallel', '[gmn]?awk', 'base64', 'base32', 'uudecode', 'xxd'].join('|')

/** Programs that run code which is given to them as an argument or on their standard input. */
const interpreters = [
  '(ba|z|da|k|mk|a|fi|c|tc|tcl)?sh',
  'busybox',
  '(python|pypy|perl|ruby|php|lua)[0-9.]*',
  'luajit',
  'node(js)?',
  'deno',
  'bun',
  'pwsh',
  'osascript',
  'expect',
].join('|')

export const hidesWords: readonly string[] = [
  // Expansions, globs, and letters that only look like others.
  '[$`*?]',
  '[^ ;&|("[][[]',
  '[[][^" []',
  '[{][^"]*(,|[.][.])',
  '[^ -~]',
  `${start}(${always})${end}`,
  '(^|[;&|("{]) *[.] ',
  `${start}(${interpreters})([^a-z0-9_;&|-][^;&|]*)?( -|<)`,
  `[|][^|;&]*(${interpreters})${end}`,
]
