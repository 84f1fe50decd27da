import { ReinError } from '../../contract/errors.ts'
import type { RunDecision } from '../../contract/run.ts'
import { type Bounds, type Check, firstDecision, promptAgain, next, type Standing } from './decide.ts'
import { isGone, isOver, type Look } from './look.ts'

type End = Extract<RunDecision, { action: 'end' }>

/** What conducting an agent needs of it, and of the world. */
export interface Conducted {
  /** Resolves at the first look that satisfies `match`: the one there is, or one to come. */
  until(match: (look: Look) => boolean): Promise<Look>
  /** Forgets what the last turn said, because another begins. */
  begin(): void
  /** Written down and done; refused while the agent is busy with something else. */
  decide(decision: RunDecision): Promise<void>
  check(command: string): Promise<Check>
  wasInterrupted(): boolean
  nonce(): string
}

/** Turn after turn until there is a reason to end; that decision is the caller's to carry out. */
export const conduct = async (agent: Conducted, bounds: Bounds): Promise<End> => {
  let decision = firstDecision(bounds)
  let standing: Standing | null = null
  for (;;) {
    const isBegun = await prompt(agent, decision)
    standing = await afterTurn(agent, bounds, standing, isBegun)
    decision = next(bounds, standing, agent.nonce())
    if (decision.action === 'pause') {
      // The run waits until a person lets the agent go on.
      await agent.decide(decision)
      await agent.until((one) => one.state === 'paused' || isGone(one))
      const look = await agent.until(({ state }) => state !== 'paused')
      standing = { ...standing, askedAtUsd: look.costUsd ?? 0, look: isGone(look) ? look : standing.look }
      decision = isGone(standing.look) ? next(bounds, standing, '') : promptAgain(bounds, standing, agent.nonce())
    }
    if (decision.action === 'end') return decision
  }
}

/** False if the agent cannot go on. A turn that a directive began meanwhile goes first. */
const prompt = async (agent: Conducted, decision: RunDecision): Promise<boolean> => {
  for (;;) {
    const look = await agent.until((one) => one.state === 'idle' || isGone(one) || one.isHeldUp || one.isLoggedOut)
    if (look.state !== 'idle') return false
    agent.begin()
    try {
      await agent.decide(decision)
      return true
    } catch (cause) {
      if (!(cause instanceof ReinError && cause.code === 'refused')) throw cause
      await agent.until((one) => one.state !== 'idle')
    }
  }
}

/** A turn that was paused in the middle goes on later. */
const rest = async (agent: Conducted): Promise<Look> => {
  const look = await agent.until(isOver)
  const isCutOff = look.state === 'paused' && !look.isHeldUp && look.end?.wasInterrupted === true
  if (!isCutOff || agent.wasInterrupted()) return look
  agent.begin()
  return rest(agent)
}

const afterTurn = async (
  agent: Conducted,
  { until }: Bounds,
  before: Standing | null,
  isBegun: boolean,
): Promise<Standing> => {
  const look = await rest(agent)
  const wasInterrupted = agent.wasInterrupted() || look.end?.wasInterrupted === true
  const isWhole = !isGone(look) && !look.isHeldUp && !wasInterrupted
  const check = until === null || !isWhole ? null : await agent.check(until)
  const isAlike = before !== null && before.look.work === look.work && before.check?.output === check?.output
  return {
    turns: (before?.turns ?? 0) + (isGone(look) || !isBegun ? 0 : 1),
    look,
    check,
    wasInterrupted,
    alike: isAlike ? before.alike + 1 : 1,
    askedAtUsd: before?.askedAtUsd ?? 0,
  }
}
