import { setImmediate as breath } from 'node:timers/promises'
import type { z } from 'zod'
import { projectOf } from '../../agents/project.ts'
import { type Command } from '../../contract/command.ts'
import { outcomeOf } from '../../contract/outcome.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import type * as api from '../../contract/memory-api.ts'
import type {
  AdviceView,
  DiagnosisView,
  Forgotten,
  HistoryView,
  Ingested,
  ProjectView,
  ShellSessionView,
  StatsView,
  SuggestionView,
} from '../../contract/memory-api-types.ts'
import { drivers } from '../../drivers/registry.ts'
import { fixesToTell } from '../../memory/advise/fix-choice.ts'
import { ground } from '../../memory/advise/ground.ts'
import { isDestructive } from '../../memory/diagnose/destructive.ts'
import type { Fix } from '../../memory/diagnose/fix.ts'
import { firstOf } from '../../memory/figures/days.ts'
import { statsOf } from '../../memory/figures/stats.ts'
import type { Told } from '../../memory/memory.ts'
import { keptOutput } from '../../memory/recorded.ts'
import {
  adviceRows,
  type CommandRow,
  countsOf,
  lastFailed,
  lastOf,
  lastSession,
  searchCommands,
  searchTexts,
  type WantedHistory,
} from '../../memory/store.ts'
import { toldId, toldSession } from '../../memory/told.ts'
import { redact } from '../../redact/redact.ts'
import { readLine } from '../../shell/line.ts'
import { projectAt } from '../memory-shells.ts'
import type { Services } from '../services.ts'

type Given<T extends z.ZodType> = z.infer<T>

/** An agent asks about the project that it works in, and about no other. */
export const asAgent = <T extends { cwd: string; all?: boolean }>(services: Services, actor: Actor, input: T): T => {
  const agent = actor.kind === 'agent' ? services.supervisor.get(actor.id) : null
  if (agent === null) return input
  if (input.all === true) throw new ReinError('forbidden', 'An agent is told of its own project only.')
  return { ...input, cwd: agent.cwd }
}

/** What was just typed in a shell is known, too: it is moved away at the first look, and read at the second. */
const upToDate = async ({ takeShells }: Services): Promise<void> => {
  await takeShells()
  await takeShells()
}

const anything = { text: '', exit: null, author: null, agents: [], since: null, until: null }

/** What any program tells. An agent tells of its own commands only. */
export const ingest = async (
  services: Services,
  actor: Actor,
  { cwd, commands }: Given<typeof api.IngestInput>,
): Promise<Ingested> => {
  const { memory, remembered, supervisor, now } = services
  const agent = actor.kind === 'agent' ? supervisor.get(actor.id) : null
  const isFed = agent === null || services.settings['memory.feed']
  const wanted = isFed ? commands.filter((one) => remembered.takes(one.command, one.cwd ?? cwd)) : []
  const told = await Promise.all(
    wanted.map(async (one): Promise<Told> => {
      const directory = one.cwd ?? (one.source === 'import' ? null : cwd)
      const project = await projectAt(directory, now())
      return { command: ingested(one, directory, agent?.driver ?? one.author), project, agent: agent?.id ?? null }
    }),
  )
  return { ...(await memory.take(told)), refused: commands.length - wanted.length, kept: 0 }
}

type Ingestible = Given<typeof api.IngestedCommand>

const ingested = (one: Ingestible, cwd: string | null, author: string): Command => {
  const outcome = one.outcome ?? outcomeOf(one.exit)
  const id = one.id ?? toldId(one)
  return {
    id,
    command: one.command,
    at: one.at,
    cwd,
    exit: one.exit,
    durationMs: one.durationMs,
    outcome,
    session: one.session ?? toldSession(author, cwd),
    author,
    output: keptOutput(outcome, one.output),
    branch: one.branch,
    isDirty: null,
    tools: [],
    edited: [],
    source: one.source,
    secrets: 0,
  }
}

export const shellSession = async (
  services: Services,
  { cwd, session, author, event }: Given<typeof api.ShellSessionInput>,
): Promise<ShellSessionView> => {
  const project = await projectAt(cwd, services.now())
  if (services.remembered.is(cwd)) await services.memory.noteSession({ id: session, author, cwd, event }, project)
  return { session, project, primer: services.primer(project) }
}

/** Which of what helped is named to whoever asks. */
type FixChoice = (fixes: readonly Fix[], failed: string, cwd: string) => readonly Fix[]
const everyFix: FixChoice = (fixes) => fixes
const agentFixes: FixChoice = (fixes, failed, cwd) => fixesToTell(fixes, readLine(failed), cwd, ground)

export const suggest = async (
  services: Services,
  { cwd, prefix, limit, session, author }: Given<typeof api.SuggestInput>,
  choose: FixChoice = everyFix,
): Promise<SuggestionView[]> => {
  await upToDate(services)
  const { memory, commands, reader, now } = services
  const project = await projectOf(cwd, now())
  const of = session ?? lastSession(reader, project, author) ?? `${author}-${cwd}`
  const asked = { project, session: of, author, cwd, time: now(), ...commands.sinceLast(of) }
  const found =
    prefix === '' ? memory.model.next(asked, limit) : memory.model.complete(asked, redact(prefix).text, limit)
  const fixes = prefix === '' ? fixesAfter(services, asked, choose) : []
  const others = found
    .filter(({ text }) => fixes.every((fix) => fix.text !== text))
    .map(({ text, source, score, reasons }) => ({ text, source, score, reasons: [...reasons] }))
  return [...fixes, ...others].slice(0, limit)
}

const mostSuggested = 20

/** What was run elsewhere, or would destroy something, is nothing to tell a model. */
export const suggestToAgent = async (
  services: Services,
  input: Given<typeof api.SuggestInput>,
): Promise<SuggestionView[]> => {
  const found = await suggest(services, { ...input, limit: mostSuggested }, agentFixes)
  const project = await projectOf(input.cwd, services.now())
  const here = new Map<string, SuggestionView>()
  for (const one of found) {
    const text = services.memory.model.knownHere(project, one.text, input.cwd, ground)
    if (text !== null && !here.has(text) && !isDestructive(text)) here.set(text, { ...one, text })
  }
  return [...here.values()].slice(0, input.limit)
}

/** What is likely to help here after the failure that a session has just seen. */
const fixesAfter = (
  { memory, reader, settings }: Services,
  { project, session, cwd }: Record<'project' | 'session' | 'cwd', string>,
  choose: FixChoice,
): SuggestionView[] => {
  const last = lastOf(reader, session)
  if (last?.outcome !== 'failed') return []
  const { fixes } = memory.model.diagnose(project, failedHere(last))
  return choose(fixes, last.command, cwd)
    .filter(
      ({ kind, command, score }) =>
        kind !== 'edit' && score >= settings['memory.confidence'] && !isDestructive(command),
    )
    .map(({ command, score, why }) => ({ text: command, source: 'fix' as const, score, reasons: [why] }))
}

export const history = async (
  services: Services,
  { cwd, text, all, exit, author, since, until, limit }: Given<typeof api.HistoryInput>,
): Promise<HistoryView[]> => {
  await upToDate(services)
  const wanted: WantedHistory = {
    project: all ? null : await projectOf(cwd, services.now()),
    text,
    exit: exit ?? null,
    author: author ?? null,
    agents: services.supervisor.agents.filter(({ handle }) => handle === author).map(({ id }) => id),
    since: since ?? null,
    until: until ?? null,
    limit,
  }
  return searchCommands(services.reader, wanted).map((row) => historyView(services, row))
}

const historyView = ({ supervisor }: Services, { position: _position, agent, ...row }: CommandRow): HistoryView => ({
  ...row,
  agent: agent === null ? null : (supervisor.get(agent)?.handle ?? agent),
})

export const diagnose = async (
  services: Services,
  { cwd, command, exit, output }: Given<typeof api.DiagnoseInput>,
  choose: FixChoice = everyFix,
): Promise<DiagnosisView> => {
  await upToDate(services)
  const { memory, reader, now } = services
  const project = await projectOf(cwd, now())
  const failure = command === undefined ? failedHere(lastFailed(reader, project)) : { command, exit, output }
  const clean = { ...failure, command: redact(failure.command).text, output: redact(failure.output).text }
  const { signature, explanation, fixes } = memory.model.diagnose(project, clean)
  return {
    command: clean.command,
    exit: clean.exit,
    error: signature.line,
    means: explanation?.means ?? null,
    run: [...(explanation?.run ?? [])],
    fixes: choose(fixes, clean.command, cwd).map(({ command: text, kind, score, why }) => ({
      command: text,
      kind,
      score,
      why,
    })),
  }
}

export const diagnoseToAgent = (services: Services, input: Given<typeof api.DiagnoseInput>): Promise<DiagnosisView> =>
  diagnose(services, input, agentFixes)

const failedHere = (row: CommandRow | null) => {
  if (row === null) throw new ReinError('not_found', 'No command has failed here, as far as Rein knows.')
  return { command: row.command, exit: row.exit, output: row.output ?? '' }
}

export const projectCommands = async (
  services: Services,
  { cwd, limit }: Given<typeof api.ProjectInput>,
): Promise<ProjectView> => {
  await upToDate(services)
  const { memory, primer, reader, now } = services
  const project = await projectOf(cwd, now())
  const known = memory.model.book(project).known(limit)
  return { project, ...countsOf(reader, project), primer: primer(project), known }
}

const examples = 10
const page = 1_000

/** A pattern with `*` is for the whole line, any other text for a part of it. */
export const forget = async (
  services: Services,
  { cwd, pattern, since, all, preview }: Given<typeof api.ForgetInput>,
): Promise<Forgotten> => {
  if (pattern === undefined && since === undefined)
    throw new ReinError('usage', 'Say what is to be forgotten: a pattern, a time, or both.')
  await upToDate(services)
  const project = all ? null : await projectOf(cwd, services.now())
  const found = await matching(services, project, pattern ?? '', since ?? null)
  if (!preview && found.length > 0) {
    services.dropPending()
    await services.memory.forget(found.map(({ id }) => id))
  }
  return { forgotten: found.length, examples: found.slice(0, examples).map(({ command }) => command) }
}

/** Page by page: others get their turn in between. */
const matching = async ({ reader }: Services, project: string | null, pattern: string, since: number | null) => {
  const isGlob = pattern.includes('*')
  const glob = globOf(pattern)
  const wanted = { ...anything, project, text: isGlob ? '' : pattern, since, limit: page }
  const found: { id: string; command: string }[] = []
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = searchTexts(reader, wanted, before)
    found.push(...rows.filter(({ command }) => !isGlob || glob.test(command)))
    if (rows.length < page) return found
    before = rows.at(-1)?.position ?? 0
    await breath()
  }
}

const globOf = (pattern: string): RegExp => {
  const source = pattern.replaceAll(/[\\^$.|+()[\]{}?]/g, String.raw`\$&`).replaceAll(/\*+/g, '.*')
  return new RegExp(`^${source}$`, 'is')
}

export const stats = async (
  { reader, now, supervisor }: Services,
  { cwd, all, days }: Given<typeof api.StatsInput>,
): Promise<StatsView> => {
  const project = all ? null : await projectOf(cwd, now())
  const tools = (author: string, agent: string | null) => {
    const driver = drivers.find(({ name }) => name === author)
    return driver?.fileTools(supervisor.get(agent ?? '')?.version ?? driver.minVersion) ?? null
  }
  return statsOf(reader, { project, since: firstOf(days, now()), now: now(), tools })
}

export const adviceLog = async (
  { reader, now, supervisor }: Services,
  { cwd, all, shown, session, limit, after }: Given<typeof api.AdviceLogInput>,
): Promise<AdviceView[]> => {
  const project = all ? null : await projectOf(cwd, now())
  const wanted = { project, session: session ?? null, isShown: shown, after: after ?? null, limit }
  return adviceRows(reader, wanted).map(({ id: _id, author: _author, agent, ...row }) => ({
    ...row,
    agent: agent === null ? null : (supervisor.get(agent)?.handle ?? agent),
  }))
}
