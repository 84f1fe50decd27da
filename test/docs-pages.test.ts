/** The documentation as a whole: the index lists every page, links lead somewhere, commands exist, and pages stay short. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { app } from '../src/cli/commands.ts'
import { helpPage, listCommands } from '../src/cli/help.ts'
import { parseIndex } from '../src/cli/system/docs-pages.ts'
import { aliases } from '../src/cli/words.ts'

const root = join(import.meta.dirname, '..')
const docs = join(root, 'docs')
const longestReadme = 650
const longestPage = 1_500

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const countWords = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length
const index = parseIndex(read('docs/README.md'), docs)
const files = readdirSync(docs).filter((name) => /\.(md|json)$/.test(name) && name !== 'README.md')
const markdown = ['README.md', 'CONTRIBUTING.md', 'docs/README.md', ...files.map((name) => `docs/${name}`)].filter(
  (page) => page.endsWith('.md'),
)

test('the index lists every page once', () => {
  expect(index.map(({ path }) => relative(docs, path)).toSorted()).toEqual(files.toSorted())
  expect(new Set(index.map(({ section }) => section))).toEqual(new Set(['Start', 'Guides', 'Reference', 'Internals']))
  expect(index.filter(({ about }) => about === '')).toEqual([])
})

test('README is short', () => {
  expect(countWords(read('README.md'))).toBeLessThanOrEqual(longestReadme)
})

test('so is every page outside of the reference', () => {
  const pages = index.filter(({ section }) => section !== 'Reference')
  const lengths = pages.map(({ topic, path }) => ({ topic, words: countWords(readFileSync(path, 'utf8')) }))
  expect(lengths.filter(({ words }) => words > longestPage)).toEqual([])
})

/** Blocks of code have no links; a heading inside one is none. */
const withoutCode = (text: string): string => text.replaceAll(/^( *)(```|~~~).*?^\1\2/gms, '')

/** As GitHub makes them. */
const anchorsOf = (page: string): string[] =>
  [...withoutCode(read(page)).matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

describe.each(markdown)('%s', (page) => {
  test('links only to what exists', () => {
    const links = [...withoutCode(read(page)).matchAll(/\]\(([^()\s]+)(?: "[^"]*")?\)/g)].map(([, link = '']) => link)
    const broken = links
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [file = '', anchor] = link.split('#')
        const target = file === '' ? page : relative(root, join(root, dirname(page), file))
        if (!existsSync(join(root, target))) return true
        return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor)
      })
    expect(broken).toEqual([])
  })
})

const help = new Map(listCommands(app.root).map(([route, command]) => [route, helpPage(route.split(' '), command)]))
const routes = [...help.keys()]

/** Lines of shell examples that run Rein, and what stands between backticks; comments and pipes end a command. */
const commandsIn = (text: string): string[] => {
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) => block.split('\n'))
  const inline = [...withoutCode(text).matchAll(/`(rein [^`]+)`/g)].map(([, command = '']) => command)
  return [...blocks.filter((line) => line.startsWith('rein ')), ...inline].map((line) =>
    (line.split(/ +#| \|[ |]| && |;|>|<\(/)[0] ?? '').trim(),
  )
}

/** What runs when a command of several words is given only the first. */
const defaults = ['rein inbox list', 'rein chat open', 'rein demo tell', 'rein web open']

/** People may type another word for a command: `rein status` is `rein ps`. */
const typedWords = (command: string): string[] => {
  const [rein = '', first = '', ...rest] = command.split(' ')
  return [rein, Object.entries(aliases).find(([word]) => word === first)?.[1] ?? first, ...rest]
}

/** The commands that the words begin with: `rein chat` is also the group of `rein chat send`. */
const routesOf = (command: string): string[] => {
  const words = typedWords(command).filter((word) => !word.startsWith('-'))
  for (let count = words.length; count > 1; count -= 1) {
    const name = words.slice(0, count).join(' ')
    const group = routes.filter((route) => route.startsWith(`${name} `))
    const meant = group.filter((route) => count === words.length || defaults.includes(route))
    const found = [...routes.filter((route) => route === name), ...meant]
    if (found.length > 0) return found
  }
  return []
}

const hasFlags = (text: string, command: string): boolean =>
  [...(command.split(' -- ')[0] ?? '').replaceAll(/'[^']*'|"[^"]*"/g, '').matchAll(/ (--?[a-z][a-z-]*)/g)].every(
    ([, flag = '']) => new RegExp(`(^|[\\s[(])${flag}\\b`, 'm').test(text),
  )

test.each(markdown.filter((page) => !/migrating|cli\.md/.test(page)))(
  '%s names only commands and flags that exist',
  (page) => {
    const unknown = commandsIn(read(page)).filter(
      (command) =>
        !/^rein (--version|--help)$/.test(command) &&
        !routesOf(command).some((route) => hasFlags(help.get(route) ?? '', command)),
    )
    expect(unknown).toEqual([])
  },
)
