import path from 'node:path'
import type { RulesTested } from '../../contract/outputs/rule-tools.ts'
import type { RuleSource } from '../../features/rules/types.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { packNames, rulesHere, rulesNamed, wrongIn } from './rules-here.ts'
import { testedText } from './text.ts'

const exits = { failed: 1, invalid: 2 } as const

export const run = async (context: CliContext, { json }: JsonFlag, ...named: string[]): Promise<void> => {
  const { out, cwd } = context
  const { loadForTests, runTests } = await import('../../features/rules/testing/run-tests.ts')
  const here = await rulesHere(context, await packNames())
  // Rule files that are not in force can be tested, too: proposals, templates, what is meant for elsewhere.
  const { readFile } = await import('node:fs/promises')
  const files = named.filter((word) => /\.ya?ml$/.test(word)).map((word) => path.resolve(cwd(), word))
  const unknown = files.filter((file) => !here.sources.some((source) => source.file === file))
  const read = unknown.map(async (file): Promise<RuleSource[]> => {
    const text = await readFile(file, 'utf8').catch(() => null)
    return text === null ? [] : [{ origin: 'project', file, text, isTrusted: false }]
  })
  const others = (await Promise.all(read)).flat()
  const set = await loadForTests([...here.sources, ...others])
  const chosen =
    named.length === 0
      ? { rules: set.rules, files: null }
      : rulesNamed({ ...here, sources: [...here.sources, ...others], set }, cwd(), named)
  const tested: RulesTested = {
    ...(await runTests(chosen.rules, here.root)),
    problems: wrongIn(set).filter(({ file }) => chosen.files === null || chosen.files.has(file)),
  }
  if (json) out.document(tested)
  else out.line(testedText(tested, cwd(), out.style))
  if (tested.problems.length > 0) context.exitWith(exits.invalid)
  else if (tested.failures.length > 0) context.exitWith(exits.failed)
}
