import { setImmediate as breath, setTimeout as delay } from 'node:timers/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { blankLines } from '../../agents/hosts/stream-files.ts'
import type { Agent } from '../../contract/agent.ts'
import type { Command } from '../../contract/command.ts'
import { outcomeOf, person } from '../../contract/outcome.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import type {
  AdviceLogInput,
  AdviceView,
  DiagnoseInput,
  DiagnosisView,
  ForgetInput,
  Forgotten,
  HistoryInput,
  HistoryView,
  Ingested,
  IngestedCommand,
  IngestInput,
  ProjectInput,
  ProjectView,
  ShellSessionInput,
  ShellSessionView,
  StatsInput,
  StatsView,
  SuggestInput,
  SuggestionView,
} from '../../contract/routes/memory.ts'
import { drivers } from '../../drivers/registry.ts'
import { fixesToTell } from './advise/fix-choice.ts'
import { ground } from './advise/ground.ts'
import { isDestructive } from './diagnose/destructive.ts'
import type { Fix } from './diagnose/fix.ts'
import { firstOf } from './figures/days.ts'
import { Scrubber } from './forget/scrub.ts'
import { finderOf, type KeptPart } from './forgettable.ts'
import { statsOf } from './figures/stats.ts'
import type { Told } from './memory.ts'
import { hasMessage } from './message.ts'
import { keptOutput } from './recorded.ts'
import {
  adviceRows,
  type CommandRow,
  countsOf,
  keptTexts,
  lastFailed,
  lastOf,
  lastSession,
  runByPeople,
  searchCommands,
  type WantedHistory,
} from './store.ts'
import { toldId, toldSession } from './told.ts'
import { nameWithoutSecrets } from '../../base/redact/name.ts'
import { redact } from '../../base/redact/redact.ts'
import { readLine } from '../../base/shell/line.ts'
import { projectAt } from './shells.ts'
import type { MemoryParts } from './parts.ts'

type Given<T extends z.ZodType> = z.infer<T>

const ownOnly = (): ReinError => new ReinError('forbidden', 'An agent is told of its own project only.')

/** An agent tells of its own project only, and in its own conversation. */
const isOwn = async ({ projects }: MemoryParts, agent: Agent | null, project: string): Promise<boolean> =>
  agent === null || project === (await projectAt(projects, agent.cwd))

const conversationOf = ({ conversation, id }: Agent): string => conversation ?? id

/** What was just typed in a shell is known, too: it is moved away at the first look, and read at the second. */
const takeAllShells = async ({ takeShells, troubleIn }: MemoryParts): Promise<void> => {
  await takeShells().then(takeShells).catch(troubleIn('memory'))
}

/** Nobody waits longer for what shells have written, or for what is told to be learnt: then it is answered without. */
const [shellsMs, learnMs] = [5_000, 250]
const within = (ms: number, work: Promise<void>): Promise<void> =>
  Promise.race([work.catch(() => undefined), delay(ms, undefined, { ref: false })])

const upToDate = async (parts: MemoryParts): Promise<void> => {
  await within(shellsMs, takeAllShells(parts))
  await within(learnMs, parts.memory.learnt())
}

/** What any program tells. */
export const ingest = async (
  parts: MemoryParts,
  actor: Actor,
  { cwd, commands }: Given<typeof IngestInput>,
): Promise<Ingested> => {
  const agent = parts.finder.caller(actor)
  const whole = commands.filter((one) => one !== null)
  const wanted = whole.filter((one) => isFed(parts, agent) && parts.remembered.takes(one.command, one.cwd ?? cwd))
  // What a shell has told of itself is not to come twice by its history.
  if (wanted.some(({ source }) => source === 'import')) await takeAllShells(parts)
  const found = await Promise.all(wanted.map((one) => toldOf(parts, agent, one, cwd)))
  const told = found.filter((one) => one !== null)
  const taken = await parts.memory.take(told)
  await within(learnMs, parts.memory.learnt())
  return { ...taken, refused: commands.length - told.length, kept: 0 }
}

const isFed = ({ settings }: MemoryParts, agent: Agent | null): boolean => agent === null || settings['memory.feed']

/** Null if it is not this agent's to tell. */
const toldOf = async (parts: MemoryParts, agent: Agent | null, one: Ingestible, cwd: string): Promise<Told | null> => {
  const directory = one.cwd ?? (one.source === 'import' ? null : cwd)
  const project = await projectAt(parts.projects, directory)
  if (agent === null) return { command: ingested(one, directory, one.author), project, agent: null }
  if (!(await isOwn(parts, agent, project))) return null
  const own = { ...one, session: conversationOf(agent) }
  return { command: ingested(own, directory, agent.driver), project, agent: agent.id }
}

type Ingestible = Given<typeof IngestedCommand>

const ingested = (one: Ingestible, cwd: string | null, author: string): Command => {
  const outcome = one.outcome ?? outcomeOf(one.exit)
  return {
    id: nameWithoutSecrets(one.id ?? toldId(one)),
    command: one.command,
    at: one.at,
    cwd,
    exit: one.exit,
    durationMs: one.durationMs,
    outcome,
    session: nameWithoutSecrets(one.session ?? toldSession(author, cwd)),
    author: nameWithoutSecrets(author),
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
  parts: MemoryParts,
  actor: Actor,
  { cwd, event, ...given }: Given<typeof ShellSessionInput>,
): Promise<ShellSessionView> => {
  const agent = parts.finder.caller(actor)
  const project = await projectAt(parts.projects, cwd)
  if (!(await isOwn(parts, agent, project))) throw ownOnly()
  const told = agent === null ? given : { session: conversationOf(agent), author: agent.driver }
  const [session, author] = [told.session, told.author].map(nameWithoutSecrets) as [string, string]
  const about = { id: session, author, cwd: redact(cwd).text, event }
  if (isFed(parts, agent) && parts.remembered.is(cwd)) await parts.memory.noteSession(about, project)
  return { session, project, primer: isAdvised(parts, cwd) ? parts.primer(project) : null }
}

const isAdvised = ({ remembered, settings }: MemoryParts, cwd: string): boolean =>
  remembered.is(cwd) && settings['memory.advise'] && settings['memory.suggest']

/** Which of what helped is named to whoever asks. */
type FixChoice = (fixes: readonly Fix[], failed: string, cwd: string) => readonly Fix[]
const everyFix: FixChoice = (fixes) => fixes
const agentFixes: FixChoice = (fixes, failed, cwd) => fixesToTell(fixes, readLine(failed), cwd, ground)

/** So many are looked at to find some that a person has run. */
const mostLookedAt = 100

export const suggest = async (
  parts: MemoryParts,
  { cwd, prefix, limit, session, author, mine }: Given<typeof SuggestInput>,
  choose: FixChoice = everyFix,
): Promise<SuggestionView[]> => {
  await upToDate(parts)
  const { memory, commands, reader, now, projects } = parts
  const project = await projects.of(cwd)
  const of = nameWithoutSecrets(session ?? lastSession(reader, project, author) ?? toldSession(author, cwd))
  const asked = { project, session: of, author, cwd, time: now(), ...commands.sinceLast(of) }
  const isPerson = author === person
  const isMine = mine || (isPerson && !parts.settings['memory.suggest_agents'])
  const most = isMine || isPerson ? mostLookedAt : limit
  const found = prefix === '' ? memory.model.next(asked, most) : memory.model.complete(asked, redact(prefix).text, most)
  const fixes = prefix === '' ? fixesAfter(parts, asked, choose) : []
  const others = found
    .filter(({ text }) => fixes.every((fix) => fix.text !== text))
    .map(({ text, source, score, reasons }) => ({ text, source, score, reasons: [...reasons] }))
  const all = [...fixes, ...others]
  const inDoubt = all.map(({ text }) => text).filter((text) => isMine || (isPerson && hasMessage(text)))
  const own = runByPeople(reader, inDoubt)
  return all.filter(({ text }) => !inDoubt.includes(text) || own.has(text)).slice(0, limit)
}

const mostSuggested = 20

/** What was run elsewhere, or would destroy something, is nothing to tell a model. */
export const suggestToAgent = async (
  parts: MemoryParts,
  input: Given<typeof SuggestInput>,
): Promise<SuggestionView[]> => {
  const found = await suggest(parts, { ...input, limit: mostSuggested }, agentFixes)
  const project = await parts.projects.of(input.cwd)
  const here = new Map<string, SuggestionView>()
  for (const one of found) {
    const text = parts.memory.model.knownHere(project, one.text, input.cwd, ground)
    if (text !== null && !here.has(text) && !isDestructive(text)) here.set(text, { ...one, text })
  }
  return [...here.values()].slice(0, input.limit)
}

/** What is likely to help here after the failure that a session has just seen. */
const fixesAfter = (
  { memory, reader, settings }: MemoryParts,
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
  parts: MemoryParts,
  { cwd, text, all, exit, author, since, until, limit }: Given<typeof HistoryInput>,
): Promise<HistoryView[]> => {
  await upToDate(parts)
  const wanted: WantedHistory = {
    project: all ? null : await parts.projects.of(cwd),
    text,
    exit: exit ?? null,
    author: author ?? null,
    agents: parts.supervisor.agents.filter(({ handle }) => handle === author).map(({ id }) => id),
    since: since ?? null,
    until: until ?? null,
    limit,
  }
  return searchCommands(parts.reader, wanted).map((row) => historyView(parts, row))
}

const historyView = ({ supervisor }: MemoryParts, { position: _position, agent, ...row }: CommandRow): HistoryView => ({
  ...row,
  agent: agent === null ? null : (supervisor.get(agent)?.handle ?? agent),
})

export const diagnose = async (
  parts: MemoryParts,
  { cwd, command, exit, output }: Given<typeof DiagnoseInput>,
  choose: FixChoice = everyFix,
): Promise<DiagnosisView> => {
  await upToDate(parts)
  const { memory, reader, projects } = parts
  const project = await projects.of(cwd)
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

export const diagnoseToAgent = (parts: MemoryParts, input: Given<typeof DiagnoseInput>): Promise<DiagnosisView> =>
  diagnose(parts, input, agentFixes)

const failedHere = (row: CommandRow | null) => {
  if (row === null) throw new ReinError('not_found', 'No command has failed here, as far as Rein knows.')
  return { command: row.command, exit: row.exit, output: row.output ?? '' }
}

export const projectCommands = async (
  parts: MemoryParts,
  { cwd, limit }: Given<typeof ProjectInput>,
): Promise<ProjectView> => {
  await upToDate(parts)
  const { memory, primer, reader, projects } = parts
  const project = await projects.of(cwd)
  const known = memory.model.book(project).known(limit)
  return { project, ...countsOf(reader, project), primer: primer(project), known }
}

const examples = 10
const page = 1_000

export const forget = async (
  parts: MemoryParts,
  { cwd, pattern, since, all, preview }: Given<typeof ForgetInput>,
): Promise<Forgotten> => {
  if (pattern === undefined && since === undefined)
    throw new ReinError('usage', 'Say what is to be forgotten: a pattern, a time, or both.')
  await takeAllShells(parts)
  const project = all ? null : await parts.projects.of(cwd)
  const found = await matching(parts, { project, since: since ?? null }, pattern ?? '')
  if (!preview && found.length > 0) {
    parts.dropPending()
    // Before it, so that nothing is left if this is cut off; and after it, for a copy that was being made meanwhile.
    parts.forgetCopies()
    await parts.memory.forget(found.map(({ id }) => id))
    parts.forgetCopies()
    for (const [agent, commands] of byAgent(found)) scrubStream(parts, agent, commands)
  }
  const matched = { command: 0, output: 0, cwd: 0, branch: 0, edited: 0 }
  for (const { part } of found) matched[part] += 1
  const transcripts = [...byAgent(found).keys()].map((agent) => parts.supervisor.get(agent)?.transcript ?? null)
  return {
    forgotten: found.length,
    matched,
    examples: found.slice(0, examples).map(({ command }) => command),
    beyond: [...new Set(transcripts.filter((path) => path !== null))],
  }
}

interface Forgettable {
  id: string
  agent: string | null
  command: string
  part: KeptPart
}

const byAgent = (found: readonly Forgettable[]): Map<string, string[]> => {
  const commands = new Map<string, string[]>()
  for (const { agent, command } of found)
    if (agent !== null) commands.set(agent, [...(commands.get(agent) ?? []), command])
  return commands
}

/** What an agent without a terminal has printed is in a file of Rein's, as it was printed. */
const scrubStream = ({ paths }: MemoryParts, agent: string, commands: readonly string[]): void => {
  const scrubber = new Scrubber(commands, (text) => redact(text).text)
  blankLines(join(paths.state, 'agents', agent), (line) => scrubber.isInLine(line))
}

/** Page by page: others get their turn in between. */
const matching = async (
  { reader }: MemoryParts,
  wanted: { project: string | null; since: number | null },
  pattern: string,
) => {
  const find = finderOf(pattern)
  const found: Forgettable[] = []
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = keptTexts(reader, { ...wanted, limit: page }, before)
    for (const row of rows) {
      const part = find(row)
      if (part !== null) found.push({ id: row.id, agent: row.agent, command: row.command, part })
    }
    if (rows.length < page) return found
    before = rows.at(-1)?.position ?? 0
    await breath()
  }
}

export const stats = async (
  { reader, now, supervisor, projects }: MemoryParts,
  { cwd, all, days }: Given<typeof StatsInput>,
): Promise<StatsView> => {
  const project = all ? null : await projects.of(cwd)
  const tools = (author: string, agent: string | null) => {
    const driver = drivers.find(({ name }) => name === author)
    return driver?.fileTools(supervisor.get(agent ?? '')?.version ?? driver.minVersion) ?? null
  }
  return statsOf(reader, { project, since: firstOf(days, now()), now: now(), tools })
}

export const adviceLog = async (
  { reader, supervisor, projects }: MemoryParts,
  { cwd, all, shown, session, limit, after }: Given<typeof AdviceLogInput>,
): Promise<AdviceView[]> => {
  const project = all ? null : await projects.of(cwd)
  const wanted = { project, session: session ?? null, isShown: shown, after: after ?? null, limit }
  return adviceRows(reader, wanted).map(({ id: _id, author: _author, agent, ...row }) => ({
    ...row,
    agent: agent === null ? null : (supervisor.get(agent)?.handle ?? agent),
  }))
}
