import { describe, expect, test } from 'vitest'
import { anAgent } from '../../../test/support/builders.ts'
import type { Cadence } from '../../agents/wake/wake.ts'
import type { WakeWay } from '../../contract/wake.ts'
import { type Agent, agentStates, type HostKind } from '../../contract/agent.ts'
import { priorities } from '../../contract/directive.ts'
import { drivers } from '../../drivers/registry.ts'
import { describeDelivery, type Prospect } from './delivery-text.ts'

const hosts: HostKind[] = ['stream', 'tmux', 'pty', 'outside']
const versions: Record<string, string[]> = { claude: ['2.1.9', '2.1.197', '2.1.325'] }
const awake: Cadence = { kind: 'wake', why: 'notices' }
const plain: Prospect = {
  priority: 'normal',
  can: null,
  decision: awake,
  way: 'protocol',
  isBeingWoken: false,
  ahead: 0,
}

const decisions: Cadence[] = [
  awake,
  { kind: 'wake', why: 'poll' },
  { kind: 'wait', ms: 400, reason: 'settling' },
  ...(['interrupted', 'fruitless', 'refused', 'gathering', 'cooldown', 'starting', 'poll'] as const).map(
    (reason): Cadence => ({ kind: 'wait', ms: 20_000, reason }),
  ),
  { kind: 'none', reason: 'off' },
  { kind: 'none', reason: 'no_evidence' },
]

interface Case extends Prospect {
  agent: Agent
}

const waysOf = (wake: 'waiter' | 'command' | 'paste', host: HostKind): WakeWay[] => {
  if (host === 'stream') return ['protocol']
  if (wake === 'waiter') return ['waiter', host === 'outside' ? 'none' : 'keys_instead']
  if (wake === 'command') return ['command', 'keys']
  return host === 'outside' ? ['none'] : ['keys']
}

/** Each state of each CLI in each host, with whatever may be decided there. */
const cases: Case[] = drivers.flatMap((driver) =>
  (versions[driver.name] ?? ['1.0.0']).flatMap((version) =>
    hosts.flatMap((host) =>
      waysOf(driver.wake(version).kind, host).flatMap((way) =>
        agentStates.flatMap((state) =>
          priorities.flatMap((priority) =>
            [false, true].flatMap((isFlagged) =>
              (state === 'idle' ? decisions : [{ kind: 'none', reason: 'not_idle' } as Cadence]).map((decision) => ({
                agent: anAgent({
                  driver: driver.name,
                  version,
                  host,
                  state,
                  isPaused: state === 'paused' || (state === 'working' && isFlagged),
                  until: isFlagged ? 1 : null,
                  health: { hooks: state === 'idle' && isFlagged ? 'silent' : 'heard', failures: 0, healed: 0 },
                }),
                priority,
                can: driver.capabilities(version, host),
                decision,
                way,
                isBeingWoken: isFlagged,
                ahead: 0,
              })),
            ),
          ),
        ),
      ),
    ),
  ),
)

const isWoken = ({ agent, decision, way }: Case): boolean =>
  agent.state === 'idle' &&
  way !== 'none' &&
  (decision.kind === 'wake' ? decision.why === 'notices' : decision.kind === 'wait' && decision.reason !== 'poll')
const isSoon = ({ decision }: Case): boolean => decision.kind === 'wake' || ('ms' in decision && decision.ms <= 2000)
const isTyped = ({ way }: Case): boolean => way === 'keys' || way === 'keys_instead'
const isAt = ({ agent }: Case, state: Agent['state']): boolean => agent.state === state

/** What each phrase of a sentence claims, and when that is true. */
const claims: [RegExp, (one: Case) => boolean][] = [
  [/woken now/, (one) => isWoken(one) && isSoon(one) && !isTyped(one)],
  [/at once/, ({ way }) => way === 'protocol' || way === 'waiter'],
  [/in a few seconds/, ({ way }) => way === 'command'],
  [/woken for this within 20 s/, (one) => isWoken(one) && !isSoon(one) && !isTyped(one)],
  [/types to it in 20 s/, (one) => isWoken(one) && !isSoon(one) && isTyped(one)],
  [/can only type to it/, (one) => isWoken(one) && isSoon(one) && one.way === 'keys'],
  [/Rein wakes it by typing, as soon as/, (one) => isWoken(one) && isSoon(one) && one.way === 'keys_instead'],
  [/cannot be woken/, ({ way }) => way === 'none'],
  [/with its next prompt or tool call/, ({ way, decision }) => way === 'none' || 'off' === reasonOf(decision)],
  [/notify\.enabled is off/, ({ decision }) => reasonOf(decision) === 'off'],
  [/what it was woken for did not reach it/, (one) => isAt(one, 'idle') && !isWoken({ ...one, way: 'protocol' })],
  [/is idle/, (one) => isAt(one, 'idle')],
  [/was interrupted/, ({ decision }) => reasonOf(decision) === 'interrupted'],
  [/its last wake had no effect/, (one) => reasonOf(one.decision) === 'fruitless' && !one.isBeingWoken],
  [/was woken a moment ago/, (one) => one.isBeingWoken && isAt(one, 'idle')],
  [/after another wake within 20 s/, (one) => isWoken(one) && !isSoon(one)],
  [/could not be woken just now/, ({ decision }) => reasonOf(decision) === 'refused'],
  [/is working/, (one) => isAt(one, 'working')],
  [/after its current tool calls/, (one) => isAt(one, 'working') && one.can?.afterTool === true],
  [/about to stop/, (one) => isAt(one, 'working') && one.can?.onStop === true && !one.agent.isPaused],
  [/when it is done/, (one) => isAt(one, 'working') && one.can?.onStop === false && !one.agent.isPaused],
  [/carry nothing in between/, ({ can }) => can?.afterTool === false],
  [/tool calls are stopped/, (one) => isAt(one, 'working') && one.priority === 'urgent' && one.can?.deny === true],
  [/is starting/, (one) => isAt(one, 'starting')],
  [/with its first prompt/, ({ can }) => can?.onPrompt === true],
  [/rein resume worker/, ({ agent }) => agent.isPaused],
  [/is paused/, ({ agent }) => agent.isPaused],
  [/is to pause/, (one) => isAt(one, 'working') && one.agent.isPaused],
  [/rein answer worker allow/, (one) => isAt(one, 'awaiting_permission') && one.agent.host !== 'outside'],
  [/rein answer worker TEXT/, (one) => isAt(one, 'awaiting_answer') && one.agent.host !== 'outside'],
  [/in its own terminal/, ({ agent }) => agent.host === 'outside' && agent.state.startsWith('awaiting')],
  [/usage limit/, (one) => isAt(one, 'limited')],
  [/when Rein has started it again/, (one) => isAt(one, 'crashed') && one.agent.until !== null],
  [/rein up shop-1a2b3c\/worker --continue/, ({ agent }) => ['stopped', 'crashed'].includes(agent.state)],
  [/has given it up/, (one) => isAt(one, 'looping')],
]

const reasonOf = (decision: Cadence): string => ('reason' in decision ? decision.reason : decision.why)

test('in every state of every CLI in every host: each sentence says something, and nothing that is false', () => {
  const wrong = cases.flatMap((one) => {
    const said = describeDelivery(one.agent, one)
    const made = claims.filter(([phrase]) => phrase.test(said))
    const isTrue = made.length > 0 && made.every(([, holds]) => holds(one))
    const { driver, version, host, state } = one.agent
    return isTrue ? [] : [`${driver} ${version} ${host} ${state} ${one.way} ${reasonOf(one.decision)}: ${said}`]
  })
  expect([cases.length > 1000, [...new Set(wrong)]]).toEqual([true, []])
})

test('each claim is made somewhere', () => {
  const said = new Set(cases.map((one) => describeDelivery(one.agent, one)))
  expect(claims.filter(([phrase]) => ![...said].some((one) => phrase.test(one))).map(String)).toEqual([])
})

describe('certain cases', () => {
  test('one whose hooks are silent gets it when they are heard', () => {
    const agent = anAgent({ state: 'working', health: { hooks: 'silent', failures: 0, healed: 0 } })
    expect(describeDelivery(agent, plain)).toContain('its hooks are silent')
  })

  test('one that Rein starts again by itself is not one that waits for a person', () => {
    const describeIn = (state: Agent['state'], until: number | null = null): string =>
      describeDelivery(anAgent({ state, until }), plain)
    expect(describeIn('crashed', 1)).toContain('when Rein has started it again')
    expect(describeIn('crashed')).toContain('rein up shop-1a2b3c/worker --continue')
    expect(describeIn('looping')).toContain('rein restart worker')
  })

  test('what waits before it is counted', () => {
    expect(describeDelivery(anAgent(), { ...plain, ahead: 2 })).toContain('2 others wait before it.')
  })
})
