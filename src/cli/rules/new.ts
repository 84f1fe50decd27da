import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ReinError } from '../../contract/errors.ts'
import type { RulesNew } from '../../contract/outputs/rule-tools.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { refuseAgents } from '../person-only.ts'
import { rulesHere, shownFrom } from './rules-here.ts'
import { templatesText, testedText } from './text.ts'
import { shownPath } from '../safe-text.ts'

export interface NewFlags {
  template?: string
  guard?: boolean
  global?: boolean
  list?: boolean
}

const failed = 1

export const run = async (context: CliContext, flags: NewFlags & JsonFlag, name?: string): Promise<void> => {
  if (flags.list) {
    const { describedTemplates } = await import('../../features/rules/templates.ts')
    const templates = await describedTemplates()
    const nothing = { file: null, rules: [], passed: 0, failures: [], isTrusted: false }
    if (flags.json === true) context.out.document({ ...nothing, templates } satisfies RulesNew)
    else context.out.line(templatesText(templates, context.out.columns))
    return
  }
  if (name === undefined)
    throw new ReinError('usage', 'How is the rule to be called?', '`rein rules new --list` shows templates.')
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(name))
    throw new ReinError(
      'usage',
      `"${name}" is no name for a rule.`,
      'A name has lower case letters, digits and dashes.',
    )
  await refuseAgents(context, 'make rules')
  const { root, userRules } = await rulesHere(context)
  const directory = flags.global ? userRules : path.join(root, '.rein/rules')
  const { template, guard = false } = flags
  const { blankTemplate, newRuleText, templateNames, templateText } = await import('../../features/rules/templates.ts')
  const known = await templateNames()
  const chosen = template ?? (known.includes(name) ? name : blankTemplate)
  const text = newRuleText(await templateText(chosen), {
    name,
    template: chosen,
    isGuard: guard,
    schema: '../rules.schema.json',
  })
  // Nothing is written that would not hold.
  const { loadRules } = await import('../../features/rules/load.ts')
  const { rules, problems } = await loadRules([{ origin: 'user', file: `${name}.yaml`, text, isTrusted: true }])
  const [problem] = problems
  if (problem !== undefined)
    throw new ReinError('usage', problem.message, problem.hint === '' ? undefined : problem.hint)
  const file = path.join(directory, `${name}.yaml`)
  const { trust } = await import('../../agents/trust/trusted.ts')
  await trust(context.paths().state, [{ text }])
  await mkdir(directory, { recursive: true })
  await writeFile(file, text, { flag: 'wx' }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EEXIST') throw cause
    throw new ReinError('refused', `${file} is there already.`, 'Choose another name, or edit that file.')
  })
  // Everybody's editor finds the schema there.
  const { ruleSchemaText } = await import('../../contract/rule-docs.ts')
  await writeFile(path.join(directory, '../rules.schema.json'), ruleSchemaText())
  const { runTests } = await import('../../features/rules/testing/run-tests.ts')
  const { passed, failures } = await runTests(
    rules.map((rule) => ({ ...rule, file })),
    root,
  )
  const made = { file, rules: rules.map(({ rule }) => rule.name), passed, failures, isTrusted: true, templates: [] }
  if (made.failures.length > 0) context.exitWith(failed)
  const { out, cwd } = context
  if (flags.json) return out.document(made)
  out.line(`Written: ${shownPath(shownFrom(cwd(), made.file ?? ''))}. It holds from now on, also for agents that run.`)
  out.line(testedText({ ...made, untested: [], problems: [] }, cwd(), out.style))
  out.hint(`Edit it, then: rein rules test ${made.rules[0]}; rein rules backtest --rule ${made.rules[0]}`)
}
