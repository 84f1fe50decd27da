import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Advice, Command } from '../../contract/command.ts'
import { longestCommand } from '../../contract/outcome.ts'
import type { Agent } from '../../contract/agent.ts'
import { saysEphemeral } from '../../contract/ephemeral.ts'
import type { HookCall, Responder, ResponderReply } from '../../contract/hooks.ts'
import type { Opinion } from '../../contract/opinion.ts'
import { type AnyNewRecord, newRecord } from '../../contract/record.ts'
import { findDriver } from '../../drivers/registry.ts'
import type { About } from './advise/about.ts'
import { Adviser } from './advise/adviser.ts'
import { ground } from './advise/ground.ts'
import { Capture, sessionOf } from './capture/capture.ts'
import { GitStates } from './capture/git-state.ts'
import { Remembered } from './capture/remembered.ts'
import { Memory } from './memory.ts'
import { saidIn } from './store.ts'
import { redact } from '../../base/redact/redact.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'
import { variableOf } from '../../base/util/process.ts'
import { shellTaker } from './shells.ts'
import type { Agents } from '../../agents/agents.ts'
import type { Base } from '../../base/base.ts'
import type { MemoryParts } from './parts.ts'

const believedMs = 5_000
const mostKnown = 1_000
/** Longer than this no tool waits for a hint. */
const adviceMs = 60

/** Puts together what hears of commands, what learns from them, and what says something. */
export const compose = (parts: Base & Agents): { parts: MemoryParts; adviser: Responder } => {
  const { paths, reader, append, now, newId, settings, supervisor } = parts
  const onTrouble = parts.troubleIn('memory')
  const memory = new Memory({
    reader,
    append,
    redact,
    file: join(paths.state, 'memory.bin'),
    keep: settings['memory.keep'],
    now,
    newId,
    checkpoint: () => parts.log.checkpoint(),
    onTrouble,
  })
  const remembered = new Remembered({ isEphemeral: settings['memory.ephemeral'], home: homedir(), now })
  const isEphemeral = ephemeralAgents(parts)
  const capture = captureOf(parts, memory, { remembered, isEphemeral, onTrouble })
  /** What the adviser says of a command that has just come goes on record with it. */
  let justRan: string | null = null
  const adviser = new Adviser({
    next: (asked, limit) => memory.model.next(asked, limit),
    diagnose: (project, failure) => memory.model.diagnose(project, failure),
    book: (project) => memory.model.book(project),
    ...ground,
    settings: adviceSettings(parts),
    isHeldOut: (session) => isHeldOut(session, settings['memory.holdout']),
    saidBefore: (session) => saidIn(reader, session),
    now,
    newId,
    decided: (advice, about) => void append([decisionRecord(parts, advice, about, justRan)]).catch(onTrouble),
  })
  const respond = (call: HookCall, room: number): ResponderReply => {
    const agent = call.agent === null ? null : supervisor.get(call.agent)
    if (agent === null) return {}
    const heard = capture.hear(call)
    const about = aboutOf(agent, call, capture, room)
    if (!isSpokenAt(remembered, call, about.cwd) || isEphemeral(agent.id)) return {}
    justRan = heard.find(({ isRecorded }) => isRecorded)?.command.id ?? null
    const ran = heard.map(({ command }) => memory.withoutSecrets(command))
    try {
      return advise(adviser, call, about, ran)
    } finally {
      justRan = null
    }
  }
  const explain = (call: HookCall): Opinion[] => {
    const agent = call.agent === null ? null : supervisor.get(call.agent)
    const [tool] = call.tools
    if (agent === null || tool === undefined || call.event !== 'before_tool' || isEphemeral(agent.id)) return []
    const about = aboutOf(agent, call, capture, 0)
    const command = findDriver(call.driver).shell.call(tool.name, tool.input)?.command ?? null
    if (command === null || command.length > longestCommand || !isSpokenAt(remembered, call, about.cwd)) return []
    const decision = adviser.wouldDo(about, command, tool.input)
    return decision === null ? [] : [{ by: 'memory', ...decision }]
  }
  return {
    parts: {
      ...parts,
      memory,
      remembered,
      commands: capture,
      primer: (project) => adviser.primer(project),
      dropPending: () => adviser.dropPending(),
      takeShells: shellTaker({ dir: paths.shells, memory, remembered, projects: parts.projects, onTrouble }),
    },
    adviser: {
      name: 'memory',
      events: ['session_start', 'prompt', 'before_tool', 'after_tool', 'after_batch'],
      order: 30,
      deadlineMs: adviceMs,
      isRewriter: true,
      respond,
      explain,
    },
  }
}

const aboutOf = (agent: Agent, call: HookCall, capture: Capture, room: number): About => ({
  project: agent.project,
  session: sessionOf(call),
  author: agent.driver,
  agent: agent.id,
  cwd: call.cwd ?? agent.cwd,
  fileTools: findDriver(agent.driver).fileTools(agent.version),
  tellsRewrite: findDriver(agent.driver).hooks.tellsRewrite,
  ...capture.since(call),
  room,
})

/** Whether this is remembered, wherever its commands go to: else nobody is advised, either. */
const isSpokenAt = (remembered: Remembered, { driver, tools }: HookCall, cwd: string): boolean =>
  remembered.is(cwd) &&
  tools.every(({ name, input }) => {
    const wanted = findDriver(driver).shell.call(name, input)
    return wanted === null || remembered.takes(wanted.command, resolve(cwd, wanted.cwd ?? ''))
  })

interface CaptureParts {
  remembered: Remembered
  isEphemeral: (agent: string) => boolean
  onTrouble: (cause: unknown) => void
}

const captureOf = (
  { now, settings, supervisor }: Base & Agents,
  memory: Memory,
  { remembered, isEphemeral, onTrouble }: CaptureParts,
): Capture => {
  const git = new GitStates({ now })
  return new Capture({
    driver: findDriver,
    agent: (id) => supervisor.get(id),
    isKnown: (id) => memory.isKnown(id),
    isRemembered: (command, cwd, agent) =>
      settings['memory.feed'] && remembered.takes(command, cwd) && !isEphemeral(agent),
    git: (cwd) => git.of(cwd),
    record: (heard) => void memory.takeNow(heard).catch(onTrouble),
    takeBack: (id) => void memory.takeBack(id).catch(onTrouble),
    now,
  })
}

/** Looked up every few seconds at most: it is a file, and asked for at every entry of a transcript. */
const ephemeralAgents = ({ environment, supervisor, now }: Base & Agents): ((agent: string) => boolean) => {
  const known = new BoundedMap<string, { isEphemeral: boolean; at: number }>(mostKnown)
  return (agent) => {
    const { host, process, request } = supervisor.get(agent) ?? { host: null, process: null, request: null }
    if (request?.isEphemeral !== undefined) return request.isEphemeral
    const last = known.get(agent)
    if (last !== undefined && now() - last.at < believedMs) return last.isEphemeral
    const isEphemeral = saysEphemeral(
      host === 'outside' && process !== null ? ephemeralVariables(process.pid) : environment.of(agent),
    )
    known.set(agent, { isEphemeral, at: now() })
    return isEphemeral
  }
}

const ephemeralVariables = (pid: number) => ({
  REIN_EPHEMERAL: variableOf(pid, 'REIN_EPHEMERAL'),
  CLAI_EPHEMERAL: variableOf(pid, 'CLAI_EPHEMERAL'),
})

/** How a conversation begins that has lost what was said in it. */
const emptied = ['clear', 'compact']

const advise = (adviser: Adviser, call: HookCall, about: About, ran: readonly Command[]): ResponderReply => {
  if (call.event === 'session_start') return adviser.start(about, emptied.includes(call.source ?? ''))
  if (call.event === 'prompt') return adviser.prompt(about)
  if (call.event !== 'before_tool') return adviser.after(about, ran)
  const [tool] = call.tools
  const wanted = tool === undefined ? null : findDriver(call.driver).shell.call(tool.name, tool.input)
  if (wanted === null || tool === undefined || wanted.command.length > longestCommand) return {}
  return adviser.before(about, wanted.command, tool.input)
}

const adviceSettings = ({ settings }: Base) => ({
  isOn: settings['memory.advise'],
  suggest: settings['memory.suggest'],
  diagnose: settings['memory.diagnose'],
  rewrite: settings['memory.rewrite'],
  denyFailing: settings['memory.deny_failing'],
  wrongTool: settings['memory.wrong_tool'],
  confidence: settings['memory.confidence'],
  tokens: settings['memory.advice_tokens'],
  cooldownMs: settings['memory.cooldown_ms'],
})

/** By its name, so that a conversation stays on its side for good; a sub-agent is where its leader is. */
const isHeldOut = (session: string, part: number): boolean => {
  const [conversation = ''] = session.split('/')
  const number = createHash('sha256').update(`hold-out ${conversation}`).digest().readUInt32BE()
  return number / 2 ** 32 < part
}

const decisionRecord = (
  { newId, now, settings }: Base,
  advice: Advice,
  { agent, project }: Pick<About, 'agent' | 'project'>,
  next: string | null,
): AnyNewRecord =>
  newRecord(
    'advice.decided',
    // What is about to be run is not yet without its secrets.
    {
      advice: { ...advice, about: settings['memory.feed'] && advice.about !== null ? redact(advice.about).text : null },
      // What was said, or would have been, came at once: its next command is yet to come.
      next: advice.kind === 'none' ? next : null,
    },
    { id: newId('rec'), at: now(), actor: { kind: 'daemon' }, agent, project },
  )
