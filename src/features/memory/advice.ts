import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { byRein } from '../../contract/identity.ts'
import type { Agents } from '../../agents/agents.ts'
import type { Base } from '../../base/base.ts'
import type { Agent } from '../../contract/agent.ts'
import type { Advice, Command } from '../../contract/command.ts'
import type { HookCall, Responder, ResponderReply } from '../../contract/hooks.ts'
import type { Opinion } from '../../contract/opinion.ts'
import { longestCommand } from '../../contract/outcome.ts'
import { newRecord } from '../../contract/record.ts'
import { findDriver } from '../../drivers/registry.ts'
import type { About } from './advise/about.ts'
import { Adviser } from './advise/adviser.ts'
import { ground } from './advise/ground.ts'
import { type Capture, sessionOf } from './capture/capture.ts'
import type { Remembered } from './capture/remembered.ts'
import type { Memory } from './memory.ts'
import { saidIn } from './store.ts'
import { redact } from '../../base/redact/redact.ts'

interface Parts {
  memory: Memory
  remembered: Remembered
  capture: Capture
  isEphemeral: (agent: string) => boolean
}

/** Longer than this no tool waits for a hint. */
const adviceMs = 60

/** Hears what agents run, and advises them at their hooks. */
export const createAdvice = (
  base: Base,
  { supervisor }: Agents,
  { memory, remembered, capture, isEphemeral }: Parts,
): { adviser: Adviser; responder: Responder } => {
  const { reader, settings, now, newId } = base
  /** Advice about a command that has just come goes on record with that command. */
  let justRan: string | null = null
  const adviser = new Adviser({
    next: (asked, limit) => memory.model.next(asked, limit),
    diagnose: (project, failure) => memory.model.diagnose(project, failure),
    book: (project) => memory.model.book(project),
    ...ground,
    settings: {
      isOn: settings['memory.advise'],
      suggest: settings['memory.suggest'],
      diagnose: settings['memory.diagnose'],
      rewrite: settings['memory.rewrite'],
      denyFailing: settings['memory.deny_failing'],
      wrongTool: settings['memory.wrong_tool'],
      confidence: settings['memory.confidence'],
      tokens: settings['memory.advice_tokens'],
      cooldownMs: settings['memory.cooldown_ms'],
    },
    // By its name, so that a conversation stays on its side for good; a sub-agent is where its leader is.
    isHeldOut: (session) => {
      const [conversation = ''] = session.split('/')
      const number = createHash('sha256').update(`hold-out ${conversation}`).digest().readUInt32BE()
      return number / 2 ** 32 < settings['memory.holdout']
    },
    saidBefore: (session) => saidIn(reader, session),
    now,
    newId,
    decided: (advice, about) => recordAdvice(base, advice, about, justRan),
  })
  const respond = (call: HookCall, room: number): ResponderReply => {
    const agent = call.agent === null ? null : supervisor.get(call.agent)
    if (agent === null) return {}
    const heard = capture.hear(call)
    const about = describeMoment(agent, call, capture, room)
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
    if (agent === null || call.event !== 'before_tool' || isEphemeral(agent.id)) return []
    const about = describeMoment(agent, call, capture, 0)
    const wanted = wantedCommand(call)
    if (wanted === null || !isSpokenAt(remembered, call, about.cwd)) return []
    const decision = adviser.wouldDo(about, wanted.command, wanted.input)
    return decision === null ? [] : [{ by: 'memory', ...decision }]
  }
  const responder: Responder = {
    name: 'memory',
    events: ['session_start', 'prompt', 'before_tool', 'after_tool', 'after_batch'],
    deadlineMs: adviceMs,
    isRewriter: true,
    respond,
    explain,
  }
  return { adviser, responder }
}

const describeMoment = (agent: Agent, call: HookCall, capture: Capture, room: number): About => ({
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

/** Whether this is remembered, wherever its commands go to; where it is not, no advice is given either. */
const isSpokenAt = (remembered: Remembered, { driver, tools }: HookCall, cwd: string): boolean =>
  remembered.is(cwd) &&
  tools.every(({ name, input }) => {
    const wanted = findDriver(driver).shell.call(name, input)
    return wanted === null || remembered.takes(wanted.command, resolve(cwd, wanted.cwd ?? ''))
  })

/** A conversation that begins so has lost what was said in it. */
const emptied = ['clear', 'compact']

const advise = (adviser: Adviser, call: HookCall, about: About, ran: readonly Command[]): ResponderReply => {
  if (call.event === 'session_start') return adviser.start(about, emptied.includes(call.source ?? ''))
  if (call.event === 'prompt') return adviser.prompt(about)
  if (call.event !== 'before_tool') return adviser.after(about, ran)
  const wanted = wantedCommand(call)
  return wanted === null ? {} : adviser.before(about, wanted.command, wanted.input)
}

/** The command that is about to run, with the whole input of its tool. */
const wantedCommand = ({ driver, tools: [tool] }: HookCall) => {
  const command = tool === undefined ? undefined : findDriver(driver).shell.call(tool.name, tool.input)?.command
  if (tool === undefined || command === undefined || command.length > longestCommand) return null
  return { command, input: tool.input }
}

const recordAdvice = (
  { append, troubleIn, newId, now, settings }: Base,
  advice: Advice,
  { agent, project }: Pick<About, 'agent' | 'project'>,
  next: string | null,
): void => {
  const body = {
    // What is about to run still has its secrets.
    advice: { ...advice, about: settings['memory.feed'] && advice.about !== null ? redact(advice.about).text : null },
    // What was said, or would have been, came at once: its next command is yet to come.
    next: advice.kind === 'none' ? next : null,
  }
  const context = { id: newId('rec'), at: now(), actor: byRein, agent, project }
  void append([newRecord('advice.decided', body, context)]).catch(troubleIn('memory'))
}
