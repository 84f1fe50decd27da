import type { RulesList } from '../../contract/outputs/rule-tools.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { rulesHere, wrongIn } from './rules-here.ts'
import { listText } from './text.ts'
import { loadSettings } from '../settings.ts'

const invalid = 2

export const run = async (context: CliContext, { json }: JsonFlag): Promise<void> => {
  const { out, cwd } = context
  const here = await rulesHere(context)
  const { packSummaries } = await import('../../features/rules/packs.ts')
  const list: RulesList = {
    root: here.root,
    rules: here.set.rules.map(({ rule, surfaces, isHeld, origin, file, line }) => ({
      name: rule.name,
      description: rule.description ?? null,
      on: [...surfaces],
      action: rule.action,
      isGuard: rule.guard,
      isOn: rule.enabled,
      isWaiting: isHeld,
      tests: rule.tests?.length ?? 0,
      origin,
      file,
      line,
    })),
    packs: (await packSummaries(context.paths().state)).map((summary) => ({
      ...summary,
      isOn: here.packs.includes(summary.name),
    })),
    untrusted: [...new Set(here.set.rules.filter(({ isHeld }) => isHeld).map(({ file }) => file))],
    problems: wrongIn(here.set),
  }
  if (json) out.document(list)
  else out.line(listText(list, cwd(), out.style, out.columns))
  const { 'rules.enabled': enabled } = await loadSettings(context, here.root)
  if (!enabled.value) out.note('None of them holds: the setting rules.enabled is off.')
  if (list.problems.length > 0) context.exitWith(invalid)
}
