import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Box } from '../test/process/harness.ts'
import { withBox } from './box.ts'
import { type Findings, ms, type Topic } from './measure.ts'

const files = 10_000
const folders = 100
/** One in so many has something in it that a rule forbids. */
const plantedEvery = 100

const expressions = `version: 1
rules:
${Array.from(
  { length: 20 },
  (_, index) => `  - name: word-${index}
    on: [write, edit]
    when: { regex: { pattern: '\\bforbidden_${index}\\b', on: content } }
    message: no
`,
).join('')}`

const trees = `version: 1
rules:
  - name: no-any
    on: [write, edit]
    files: '**/*.ts'
    when: { tree: { language: typescript, query: '((predefined_type) @type (#eq? @type "any"))', on: result } }
    message: no
`

const source = (number: number): string =>
  [
    `import { thing${number} } from './other.ts'`,
    ...Array.from(
      { length: 40 },
      (_, line) => `export const value${line} = (given: string): string => thing${number}(given, ${line})`,
    ),
    number % plantedEvery === 0 ? 'let planted: any = forbidden_7\n' : '',
  ].join('\n')

const run = (): Promise<Findings> =>
  withBox(async (box) => {
    execFileSync('git', ['init', '-q'], { cwd: box.cwd })
    for (let number = 0; number < files; number += 1) {
      const folder = join(box.cwd, 'src', String(number % folders))
      if (number < folders) mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, `file${number}.ts`), source(number))
    }
    return toFindings([
      await measured(box, '20 regular expressions', expressions, files / plantedEvery),
      await measured(box, 'one syntax tree', trees, files / plantedEvery),
    ])
  })

interface Measured {
  what: string
  tookMs: number
}

const measured = async (box: Box, what: string, rules: string, planted: number): Promise<Measured> => {
  mkdirSync(join(box.cwd, '.rein/rules'), { recursive: true })
  writeFileSync(join(box.cwd, '.rein/rules/bench.yaml'), rules)
  const started = performance.now()
  const { stdout } = await box.rein(['rules', 'check', '--json'])
  const tookMs = performance.now() - started
  const { findings, files: looked } = JSON.parse(stdout) as { findings: unknown[]; files: number }
  if (findings.length !== planted || looked !== files)
    throw new Error(`${what}: ${findings.length} of ${planted} found in ${looked} of ${files} files.`)
  return { what, tookMs }
}

const toFindings = (all: readonly Measured[]): Findings => ({
  head: [`\`rein rules check\` over ${files} files of 2.7 KB`, 'in all', 'files a second'],
  rows: all.map(({ what, tookMs }) => [what, ms(tookMs), Math.round(files / (tookMs / 1000)).toLocaleString('en')]),
  notes: [
    `Starting the command and listing the files by git are in it. One file in ${plantedEvery} has something that is forbidden, and all of these were found.`,
  ],
  goals: [],
})

export const rulesCheck: Topic = { title: 'Checking files by rules', run }
