import { realpath } from 'node:fs/promises'
import path from 'node:path'
import type { RulesCheck } from '../../contract/outputs/rule-tools.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import type { Output } from '../output.ts'
import { type RulesHere, rulesHere, wrongIn } from './rules-here.ts'
import { checkText, waitingText } from './text.ts'

interface CheckFlags {
  format?: 'text' | 'json' | 'sarif' | 'github'
  rulesOnly?: boolean
}

const exits = { forbidden: 1, invalid: 2 } as const

export const run = async (
  context: CliContext,
  { format, rulesOnly = false, json }: CheckFlags & JsonFlag,
  ...named: string[]
): Promise<void> => {
  const { out, cwd } = context
  const here = await rulesHere(context)
  const found = await checked(context, here, named, rulesOnly).finally(() => out.status(''))
  const check = {
    ...found,
    root: here.root,
    problems: wrongIn(here.set).map((problem) => {
      const relative = path.relative(here.root, problem.file)
      return relative.startsWith('..') ? problem : { ...problem, file: relative }
    }),
  }
  await print(out, check, json ? 'json' : (format ?? 'text'), cwd())
  const held = here.set.rules.filter(({ isHeld }) => isHeld).map(({ file }) => file)
  if (held.length > 0) out.note(waitingText([...new Set(held)], cwd(), out.style))
  if (check.problems.length > 0) context.exitWith(exits.invalid)
  else if (check.findings.some(({ action }) => action === 'block')) context.exitWith(exits.forbidden)
}

const noneSkipped = { binary: 0, large: 0, unreadable: 0 }

type Found = Omit<RulesCheck, 'root' | 'problems'>

const checked = async (
  context: CliContext,
  { root, set, sources }: RulesHere,
  named: readonly string[],
  isRulesOnly: boolean,
): Promise<Found> => {
  if (isRulesOnly) return { rules: set.rules.length, files: sources.length, skipped: noneSkipped, findings: [] }
  const { filesToCheck } = await import('../../features/rules/check/files.ts')
  const { fileRules } = await import('../../features/rules/check/check-file.ts')
  const { checkFiles } = await import('../../features/rules/check/check.ts')
  const real = await realpath(root)
  const files = await filesToCheck(real, context.cwd(), named)
  // What waits for a person would be found in every file.
  const rules = fileRules(set.rules.filter(({ isHeld }) => !isHeld))
  const { now, env } = context
  const { plainWorld } = await import('../../features/rules/plain-world.ts')
  const { GitLook } = await import('../../features/rules/git.ts')
  const git = new GitLook(now)
  const world = plainWorld({
    root: real,
    home: env['HOME'] ?? null,
    now,
    branch: () => Promise.resolve(git.branch(real)),
    isDirty: () => git.isDirty(real),
  })
  const every = Math.max(1, Math.floor(files.length / 100))
  const onProgress = (done: number): void => {
    if (done % every === 0) context.out.status(`Checking: ${done} of ${files.length} files`)
  }
  return { ...(await checkFiles(rules, files, world, onProgress)), rules: rules.count }
}

const print = async (
  out: Output,
  check: RulesCheck,
  format: NonNullable<CheckFlags['format']>,
  cwd: string,
): Promise<void> => {
  if (format === 'json') return out.document(check)
  if (format === 'sarif') return out.document((await import('../../features/rules/check/sarif.ts')).toSarif(check))
  if (format === 'text') return out.line(checkText(check, cwd, out.style))
  const { toAnnotations } = await import('../../features/rules/check/annotations.ts')
  for (const line of toAnnotations(check)) out.line(line)
}
