import type { Projects } from '../../agents/projects/projects.ts'
import { ReinError } from '../../contract/errors.ts'
import { person } from '../../contract/outcome.ts'
import type { DiagnosisView, memoryRoutes, ProjectView, SuggestionView } from '../../contract/routes/memory.ts'
import type { InputOf } from '../../contract/routes/route.ts'
import type { Settings } from '../../base/config/settings.ts'
import type { Adviser } from './advise/adviser.ts'
import { fixesToTell } from './advise/fix-choice.ts'
import { ground } from './advise/ground.ts'
import type { Capture } from './capture/capture.ts'
import { isDestructive } from './diagnose/destructive.ts'
import type { Fix } from './diagnose/fix.ts'
import type { Memory } from './memory.ts'
import { hasMessage } from './message.ts'
import { type CommandRow, countsOf, lastFailed, lastOf, lastSession, runByPeople } from './store.ts'
import { toldSession } from './told.ts'
import { nameWithoutSecrets } from '../../base/redact/name.ts'
import { redact } from '../../base/redact/redact.ts'
import { readLine } from '../../base/shell/line.ts'
import type { Database } from '../../base/store/sqlite.ts'
import type { Shells } from './shells.ts'

interface Parts {
  memory: Memory
  adviser: Adviser
  capture: Capture
  shells: Shells
  projects: Projects
  reader: Database
  settings: Settings
  now: () => number
}

type Placed<Name extends keyof typeof memoryRoutes> = Omit<InputOf<(typeof memoryRoutes)[Name]>, 'cwd' | 'project'> & {
  cwd: string
}

/** A model is not told what was run elsewhere, or would destroy something. */
type Asker = 'person' | 'model'

/** So many are looked at to find some that a person has run. */
const mostLookedAt = 100
/** So many are looked at to find some that a model may be told. */
const mostSuggested = 20

/** Answers from memory. */
export class Recall {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async suggest(input: Placed<'suggest'>, asker: Asker): Promise<SuggestionView[]> {
    const { shells, projects, memory } = this.#parts
    await shells.upToDate()
    const project = await projects.of(input.cwd)
    if (asker === 'person') return this.#findLikely(project, input, asker)
    const here = new Map<string, SuggestionView>()
    for (const one of this.#findLikely(project, { ...input, limit: mostSuggested }, asker)) {
      const text = memory.model.knownHere(project, one.text, input.cwd, ground)
      if (text !== null && !here.has(text)) here.set(text, { ...one, text })
    }
    return [...here.values()].slice(0, input.limit)
  }

  async diagnose({ cwd, command, exit, output }: Placed<'diagnose'>, asker: Asker): Promise<DiagnosisView> {
    const { shells, projects, memory, reader } = this.#parts
    await shells.upToDate()
    const project = await projects.of(cwd)
    const failure = command === undefined ? failureIn(lastFailed(reader, project)) : { command, exit, output }
    const clean = { ...failure, command: redact(failure.command).text, output: redact(failure.output).text }
    const { signature, explanation, fixes } = memory.model.diagnose(project, clean)
    return {
      command: clean.command,
      exit: clean.exit,
      error: signature.line,
      means: explanation?.means ?? null,
      run: [...(explanation?.run ?? [])],
      fixes: chooseFixes(asker, fixes, clean.command, cwd).map(({ command: text, kind, score, why }) => ({
        command: text,
        kind,
        score,
        why,
      })),
    }
  }

  async describeProject({ cwd, limit }: Placed<'projectCommands'>): Promise<ProjectView> {
    const { shells, projects, memory, adviser, reader } = this.#parts
    await shells.upToDate()
    const project = await projects.of(cwd)
    const known = memory.model.book(project).known(limit)
    return { project, ...countsOf(reader, project), primer: adviser.primer(project), known }
  }

  #findLikely(
    project: string,
    { cwd, prefix, limit, session, author, mine }: Placed<'suggest'>,
    asker: Asker,
  ): SuggestionView[] {
    const { memory, capture, reader, settings, now } = this.#parts
    const of = nameWithoutSecrets(session ?? lastSession(reader, project, author) ?? toldSession(author, cwd))
    const asked = { project, session: of, author, cwd, time: now(), ...capture.sinceLast(of) }
    const isPerson = author === person
    const isMine = mine || (isPerson && !settings['memory.suggest_agents'])
    const most = isMine || isPerson ? mostLookedAt : limit
    const found =
      prefix === '' ? memory.model.next(asked, most) : memory.model.complete(asked, redact(prefix).text, most)
    const fixes = prefix === '' ? this.#findFixes(asked, asker) : []
    const others = found
      .filter(({ text }) => !isDestructive(text) && fixes.every((fix) => fix.text !== text))
      .map(({ text, source, score, reasons }) => ({ text, source, score, reasons: [...reasons] }))
    const all = [...fixes, ...others]
    const inDoubt = all.map(({ text }) => text).filter((text) => isMine || (isPerson && hasMessage(text)))
    const own = runByPeople(reader, inDoubt)
    return all.filter(({ text }) => !inDoubt.includes(text) || own.has(text)).slice(0, limit)
  }

  /** What is likely to help here after the failure that a session has just seen. */
  #findFixes({ project, session, cwd }: Record<'project' | 'session' | 'cwd', string>, asker: Asker): SuggestionView[] {
    const { memory, reader, settings } = this.#parts
    const last = lastOf(reader, session)
    if (last?.outcome !== 'failed') return []
    const { fixes } = memory.model.diagnose(project, failureIn(last))
    return chooseFixes(asker, fixes, last.command, cwd)
      .filter(
        ({ kind, command, score }) =>
          kind !== 'edit' && score >= settings['memory.confidence'] && !isDestructive(command),
      )
      .map(({ command, score, why }) => ({ text: command, source: 'fix' as const, score, reasons: [why] }))
  }
}

const chooseFixes = (asker: Asker, fixes: readonly Fix[], failed: string, cwd: string): readonly Fix[] =>
  asker === 'person' ? fixes : fixesToTell(fixes, readLine(failed), cwd, ground)

const failureIn = (row: CommandRow | null) => {
  if (row === null) throw new ReinError('not_found', 'No command has failed here, as far as Rein knows.')
  return { command: row.command, exit: row.exit, output: row.output ?? '' }
}
