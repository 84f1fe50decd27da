import { ReinError } from '../../contract/errors.ts'
import type { RunDecision } from '../../contract/run.ts'
import { type Bounds, type Check, firstDecision, goOn, next, type Standing } from './decide.ts'
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
    if (decision.action === 'prompt') await prompt(agent, decision)
    standing = await afterTurn(agent, bounds, standing)
    decision = next(bounds, standing, agent.nonce())
    if (decision.action === 'pause') {
      standing = await asked(agent, decision, standing)
      decision = isGone(standing.look) ? next(bounds, standing, '') : goOn(bounds, standing, agent.nonce())
    }
    if (decision.action === 'end') return decision
  }
}

/** Nothing goes on until somebody lets the agent go on. */
const asked = async (agent: Conducted, decision: RunDecision, standing: Standing): Promise<Standing> => {
  await agent.decide(decision)
  await agent.until((one) => one.state === 'paused' || isGone(one))
  const look = await agent.until(({ state }) => state !== 'paused')
  return { ...standing, askedAtUsd: look.costUsd ?? 0, look: isGone(look) ? look : standing.look }
}

/** Somebody may have told the agent something meanwhile: then that turn goes first. */
const prompt = async (agent: Conducted, decision: RunDecision): Promise<void> => {
  for (;;) {
    const look = await agent.until((one) => one.state === 'idle' || isGone(one))
    if (isGone(look)) return
    agent.begin()
    try {
      return await agent.decide(decision)
    } catch (cause) {
      if (!(cause instanceof ReinError && cause.code === 'refused')) throw cause
      await agent.until((one) => one.state !== 'idle')
    }
  }
}

const afterTurn = async (agent: Conducted, { until }: Bounds, before: Standing | null): Promise<Standing> => {
  const look = await agent.until(isOver)
  const isWhole = !isGone(look) && !agent.wasInterrupted()
  const check = until === null || !isWhole ? null : await agent.check(until)
  const isAlike = before !== null && before.look.work === look.work && before.check?.output === check?.output
  return {
    turns: (before?.turns ?? 0) + (isGone(look) ? 0 : 1),
    look,
    check,
    wasInterrupted: agent.wasInterrupted(),
    alike: isAlike ? before.alike + 1 : 1,
    askedAtUsd: before?.askedAtUsd ?? 0,
  }
}
