import { onTestFinished, vi } from 'vitest'
import type { CadenceSettings } from '../../src/agents/wake/wake.ts'
import { Sightings } from '../../src/features/inbox/sightings.ts'
import type { Supervisor } from '../../src/agents/supervisor.ts'
import type { Agent } from '../../src/contract/agent.ts'
import { ReinError } from '../../src/contract/errors.ts'
import type { RecordBody } from '../../src/contract/record.ts'
import { Delivery } from '../../src/features/inbox/delivery.ts'
import { Healing } from '../../src/agents/healing/healing-watch.ts'
import type { Journal } from '../../src/contract/logs.ts'
import { claude } from '../../src/drivers/claude/driver.ts'
import type { InboxLimits } from '../../src/features/inbox/inbox.ts'
import { anAgent, aRecord, agentRef, now, tempDir } from './builders.ts'
import { startInbox } from './inbox-harness.ts'

export const cadence: CadenceSettings = {
  isEnabled: true,
  quietMs: 30_000,
  gatherMs: 3000,
  cooldownMs: 15_000,
  graceMs: 30_000,
  maxWaitMs: 120_000,
  pollMs: 0,
}

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

/** An agent that is idle for a while, and whose wakes are only written down. Needs fake timers that begin at `now`. */
export const startDelivery = (
  changed: Partial<CadenceSettings> = {},
  given: Partial<Agent> = {},
  limits: Partial<InboxLimits> = {},
) => {
  const box = startInbox(limits, ({ state }) => {
    if (state === 'queued') delivery.consider(agentRef.id)
  })
  Object.defineProperty(box.clock, 'now', { get: () => Date.now() })
  const wakes: { at: number; text: string | null }[] = []
  const refusal: { is: ReinError | null } = { is: null }
  const keyboard = { isBusy: false }
  const onWake: { run: () => void } = { run: () => undefined }
  let agent = anAgent({ since: now - 3_600_000, ...given })
  const change = (
    next: Partial<Agent>,
    why = aRecord('agent.paused', { isPaused: next.isPaused ?? false, isCutOff: false, reason: null }),
  ): void => {
    const before = agent
    agent = { ...agent, ...next }
    delivery.onChange(agent, before, why)
  }
  const supervisor = {
    get agents() {
      return [agent]
    },
    get: () => agent,
    find: () => null,
    agent: () => ({
      wayToWake: 'protocol',
      current: {
        note: (type: 'agent.health', body: RecordBody<'agent.health'>) =>
          change({ health: body.health }, aRecord(type, body)),
      },
      wake: async (text: string | null, canWait: boolean) => {
        if (refusal.is !== null) throw refusal.is
        if (keyboard.isBusy && canWait) throw new ReinError('refused', 'human_typing')
        wakes.push({ at: (Date.now() - now) / 1000, text })
        onWake.run()
      },
    }),
  } as unknown as Supervisor
  const journal = { write: () => undefined } as unknown as Journal
  const dir = tempDir()
  const healing = new Healing({
    supervisor,
    journal,
    now: () => Date.now(),
    driver: () => claude,
    agentDir: () => dir,
    rein: '/state/bin/rein',
    recoveryAfter: 5,
    firstRoom: () => null,
    refresh: async () => false,
  })
  const delivery = new Delivery({
    inbox: box.inbox,
    sightings: new Sightings(box.inbox),
    supervisor,
    journal,
    healing,
    contexts: { fullness: () => null },
    others: { team: { pollMs: () => null } },
    now: () => Date.now(),
    cadence: { ...cadence, ...changed },
  })
  onTestFinished(() => delivery.stop())
  delivery.start()
  const tell: typeof box.tell = async (text, more) => {
    const item = await box.tell(text, more)
    await vi.advanceTimersByTimeAsync(0)
    return item
  }
  const look = { agent: () => agent, health: () => agent.health }
  return { ...box, ...look, tell, wakes, refusal, keyboard, onWake, change, pass, delivery }
}
