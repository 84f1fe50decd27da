import path from 'node:path'
import { rulePacks } from '../../base/config/rule-packs.ts'
import { ReinError } from '../../contract/errors.ts'
import type { RulesList } from '../../contract/outputs/rule-tools.ts'
import { deniedBy } from '../../features/rules/guard/broken.ts'
import type { LoadedRule, RuleSet, RuleSource } from '../../features/rules/types.ts'
import { hintNearest } from '../../base/util/nearest.ts'
import type { CliContext } from '../context.ts'

export interface RulesHere {
  root: string
  userRules: string
  packs: readonly string[]
  sources: readonly RuleSource[]
  set: RuleSet
}

/** Read from the files, without a daemon. `packs` are loaded, too, whether or not they are on. */
export const rulesHere = async (context: CliContext, packs: readonly string[] = []): Promise<RulesHere> => {
  const { packProblems, projectRoot, rootProblems, rootsDownTo, ruleSources } = await import(
    '../../features/rules/sources.ts'
  )
  const { loadRules } = await import('../../features/rules/load.ts')
  const { config, state } = context.paths()
  const root = projectRoot(context.cwd()) ?? context.cwd()
  const on = await rulePacks({ paths: { config }, projectDirs: rootsDownTo(root), env: context.env })
  const userRules = path.join(path.dirname(config), 'rules')
  const sources = await ruleSources(root, { userRules, state }, [...new Set([...on, ...packs])])
  const set = await loadRules(sources)
  const problems = [...packProblems(on), ...rootProblems(root), ...set.problems]
  return { root, userRules, packs: on, sources, set: { ...set, problems } }
}

export const packNames = async (): Promise<readonly string[]> =>
  (await import('../../features/rules/sources.ts')).packNames

export const wrongIn = ({ problems }: Pick<RuleSet, 'problems'>): RuleMistake[] =>
  problems
    // A rule that waits for a person is nothing that is wrong in its file.
    .filter((problem) => !problem.hint.includes('rein rules trust'))
    .map((problem) => {
      const { file, line, column, message, hint, isGuard } = problem
      return { file, line, column, message, hint, isGuard, denies: [...deniedBy(problem)] }
    })

type RuleMistake = RulesList['problems'][number]

/** The consequences for agents, if any. */
export const deniedText = (mistakes: readonly RuleMistake[]): string[] => {
  const denied = [...new Set(mistakes.flatMap(({ denies }) => denies))]
  return denied.length === 0
    ? []
    : [
        `Until that is right, guards in there hold as they were when they were last right; where the daemon knows of no such time, agents are denied ${denied.join(', ')}.`,
      ]
}

/** Says on the side which rules do not hold for an agent in `dir` because of mistakes in their files. */
export const noteBrokenRules = async (context: CliContext, dir: string): Promise<void> => {
  const { set } = await rulesHere({ ...context, cwd: () => dir })
  const wrong = wrongIn(set)
  for (const { file, line, column, message } of wrong)
    context.out.note(`rein: ${shownFrom(context.cwd(), file)}:${line}:${column}: ${message}`)
  const [denied = 'What is wrong there does not hold for this agent.'] = deniedText(wrong)
  if (wrong.length > 0) context.out.note(`rein: ${denied} See: rein rules list`)
}

/** From where the user stands, if that is shorter. */
export const shownFrom = (cwd: string, file: string): string => {
  const relative = path.relative(cwd, file)
  return relative.length < file.length ? relative : file
}

/** The rules of these names, or of these files; a word that is neither is an error. */
export const rulesNamed = (
  { set, sources }: RulesHere,
  cwd: string,
  named: readonly string[],
): { rules: readonly LoadedRule[]; files: ReadonlySet<string> } => {
  const files = new Set<string>()
  const names = new Set<string>()
  for (const word of named) {
    const file = sources.find((source) => source.file === path.resolve(cwd, word))?.file
    if (file !== undefined) files.add(file)
    else if (set.rules.some(({ rule }) => rule.name === word)) names.add(word)
    else throw unknownRule(word, set)
  }
  return { rules: set.rules.filter(({ rule, file }) => files.has(file) || names.has(rule.name)), files }
}

export const unknownRule = (word: string, { rules }: RuleSet): ReinError => {
  const names = rules.map(({ rule }) => rule.name)
  const hint = hintNearest(word, names, 'List them: rein rules list')
  return new ReinError('not_found', `There is no rule and no rule file "${word}" here.`, hint)
}
