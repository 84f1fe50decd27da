import type { HookCall } from '../../contract/hooks.ts'
import { takesDirectories } from '../rules/match/shell.ts'
import { type ReadActions, subjectsOf } from '../rules/subjects.ts'
import type { Awaitable } from '../rules/types.ts'
import type { RunProgram, ShellReading } from '../../base/shell/reading.ts'

export interface Change {
  file: string
  /** Only it; with all that is in it, if it is a directory; or all of the work tree that it is in. */
  reach: 'file' | 'tree' | 'work tree'
}

interface Changes {
  files: readonly Change[]
  /** Why a patch cannot be read: it may change any file. */
  unreadable: string | null
  /** Commands that may change unknown files. */
  untold: readonly string[]
}

/** The files that a tool call changes, as far as that is known without running it. */
export const changesOf = async (
  call: HookCall,
  actions: ReadActions,
  readShell: (command: string, cwd: string | null) => Awaitable<ShellReading>,
): Promise<Changes> => {
  const files: Change[] = []
  const untold: string[] = []
  let unreadable: string | null = null
  for (const { action } of subjectsOf(asTool(call), actions)) {
    if (action?.kind === 'unreadable') unreadable = action.why
    else if (action?.kind === 'write' || action?.kind === 'edit') files.push({ file: action.path, reach: 'file' })
    else if (action?.kind === 'delete') files.push({ file: action.path, reach: 'tree' })
    else if (action?.kind === 'shell') {
      const reading = await readShell(action.command, action.cwd)
      files.push(...reading.runs.flatMap(listChanges))
      for (const { program, writes, deletes, trees } of reading.runs)
        if ([...writes, ...deletes, ...trees].includes(null)) untold.push(program)
      untold.push(...reading.opaque.map(({ text }) => text))
    }
  }
  return { files, unreadable, untold }
}

/** Whether it may change files, as far as that is known at once. */
export const mayChange = (call: HookCall, actions: ReadActions): boolean =>
  subjectsOf(asTool(call), actions).some(({ action }) => action !== null && changing.has(action.kind))

const changing: ReadonlySet<string> = new Set(['unreadable', 'write', 'edit', 'delete', 'shell'])

/** A permission is about the same call. */
const asTool = (call: HookCall): HookCall => (call.tools.length > 0 ? { ...call, event: 'before_tool' } : call)

const formatters = new Set(['prettier', 'eslint', 'black', 'isort', 'gofmt', 'goimports', 'biome', 'ruff'])

const listChanges = (run: RunProgram): Change[] => {
  const { program, subcommand, via, writes, deletes, trees, resets } = run
  // These programs change files in a directory they are given: rules may allow that, leases do not.
  const goesDown =
    formatters.has(program) ||
    via.includes('find') ||
    (program === 'git' && /^(checkout|restore|stash)/.test(subcommand))
  const reaching = (files: readonly (string | null)[], reach: Change['reach']): Change[] =>
    files.flatMap((file) => (file === null ? [] : [{ file, reach }]))
  return [
    ...reaching(writes, goesDown ? 'tree' : 'file'),
    ...reaching(trees, 'tree'),
    ...reaching(deletes, takesDirectories(run) ? 'tree' : 'file'),
    ...reaching(resets, 'work tree'),
  ]
}
