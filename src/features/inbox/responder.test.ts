import { describe, expect, test } from 'vitest'
import { aCall, agentRef, owner, person, lose } from '../../../test/support/builders.ts'
import { startInbox } from '../../../test/support/inbox-harness.ts'
import { type HookCall, type HookEvent } from '../../contract/hooks.ts'
import { inboxResponder } from './responder.ts'

const maxStopBlocks = 2

/** The responder with an inbox of its own, and an agent that remembers how often it was kept from stopping. */
const start = () => {
  const world = startInbox()
  const agent = { blocks: 0, caughtUp: 0, writesContext: true, deafAt: '' }
  const responder = inboxResponder(
    world.inbox,
    {
      stopBlocks: () => agent.blocks,
      noteStopBlock: () => {
        agent.blocks += 1
        return () => void (agent.blocks -= 1)
      },
      clearStopBlocks: () => void (agent.blocks = 0),
      takesAt: (_, point) => point !== agent.deafAt,
      writesContext: () => agent.writesContext,
      catchUp: async () => void (agent.caughtUp += 1),
    },
    maxStopBlocks,
  )
  const respond = async (given: Partial<HookCall>) => responder.respond(aCall(given), 9000)
  return { ...world, agent, responder, respond }
}

const texts = (parts: { text: string }[] | undefined): string => (parts ?? []).map(({ text }) => text).join()

test.each<[HookEvent]>([['prompt'], ['after_batch'], ['after_tool']])('%s gives it as context', async (event) => {
  const { tell, respond, responder } = start()
  await tell('Use the staging database.')
  expect(responder.events).toContain(event)
  const reply = await respond({ event })
  expect(texts(reply.context)).toContain('| Use the staging database.')
  expect(reply.decision).toBeUndefined()
})

test.each<[string, Partial<HookCall>]>([
  ['a sub-agent', { subagent: { id: 'a1', type: 'general-purpose' } }],
  ['a conversation that is no agent of ours', { agent: null }],
  ['another agent', { agent: 'agt_2' }],
  ['a moment before a tool', { event: 'before_tool' }],
  ['a permission prompt', { event: 'permission' }],
  ['an unknown event', { event: 'other' }],
])('%s gets nothing, and nothing is used up', async (_, given) => {
  const { tell, respond, item } = start()
  const { directive } = await tell('Use the staging database.')
  const reply = await respond(given)
  expect([...(reply.context ?? []), ...(reply.goOn ?? [])]).toEqual([])
  expect(item(directive.id).state).toBe('queued')
})

test.each<[HookEvent, string]>([
  ['prompt', 'prompt'],
  ['after_tool', 'batch'],
  ['stop', 'stop'],
])('a CLI that drops what is said at %s is told nothing there', async (event, deafAt) => {
  const { tell, respond, agent, item } = start()
  agent.deafAt = deafAt
  const { directive } = await tell('Use the staging database.')
  expect(await respond({ event })).toEqual({})
  expect(item(directive.id).state).toBe('queued')
})

test('no more than there is room for', async () => {
  const { tell, responder } = start()
  await tell('x'.repeat(1000))
  expect(await responder.respond(aCall(), 500)).toEqual({ context: [] })
})

test.each<[HookEvent, string]>([
  ['prompt', 'context'],
  ['after_batch', 'context'],
  ['stop', 'feedback'],
])('what was in a reply to %s that nobody got waits again, and comes with the next one', async (event, via) => {
  const { tell, respond, receipt } = start()
  const { directive } = await tell('Use the staging database.')
  lose(await respond({ event }))
  expect(receipt(directive.id).steps.slice(-2)).toMatchObject([
    { state: 'offered', via },
    { state: 'queued', reason: 'reply_lost' },
  ])
  expect(texts((await respond({ event: 'after_batch' })).context)).toContain('| Use the staging database.')
})

test('a reply that is found to be lost late takes nothing back that was offered again since', async () => {
  const { tell, respond, item } = start()
  const { directive } = await tell('Use the staging database.')
  const first = await respond({ event: 'prompt' })
  const second = await respond({ event: 'prompt' })
  lose(first)
  expect(item(directive.id)).toMatchObject({ state: 'offered', attempts: 2 })
  lose(second)
  expect(item(directive.id).state).toBe('queued')
})

test('what the agent has read by itself before its reply is found to be lost is not shown again', async () => {
  const { tell, respond, inbox, item } = start()
  const { directive } = await tell('Use the staging database.')
  const reply = await respond({ event: 'prompt' })
  inbox.read(item(directive.id), owner, null, 1)
  lose(reply)
  expect(item(directive.id).state).toBe('offered')
  expect(await respond({ event: 'after_batch' })).toEqual({ context: [] })
})

describe('at a stop', () => {
  test('a reply that was lost kept it from nothing: that does not count', async () => {
    const { tell, respond, item, agent } = start()
    const { directive } = await tell('One more thing.')
    for (let stops = 0; stops <= maxStopBlocks; stops += 1) {
      const reply = await respond({ event: 'stop', native: 'Stop' })
      expect(texts(reply.goOn)).toContain('| One more thing.')
      lose(reply)
    }
    expect([agent.blocks, item(directive.id).state]).toEqual([0, 'queued'])
  })

  test('the agent goes on with what waits, and that is counted', async () => {
    const { tell, respond, agent } = start()
    await tell('One more thing.')
    const reply = await respond({ event: 'stop', native: 'Stop' })
    expect(texts(reply.goOn)).toContain('| One more thing.')
    expect(reply.context).toBeUndefined()
    expect(agent.blocks).toBe(1)
  })

  test('with nothing waiting it may stop', async () => {
    const { respond, agent } = start()
    expect(await respond({ event: 'stop', native: 'Stop' })).toEqual({ goOn: [] })
    expect(agent.blocks).toBe(0)
  })

  test('kept from stopping often enough, it may stop; what waits is held and comes with its next turn', async () => {
    const { tell, respond, item, agent } = start()
    agent.blocks = maxStopBlocks
    const { directive } = await tell('One more thing.')
    expect(await respond({ event: 'stop', native: 'Stop' })).toEqual({})
    expect(item(directive.id)).toMatchObject({ state: 'held' })
    expect(item(directive.id).steps.at(-1)?.reason).toBe('stop_limit')
    expect(texts((await respond({ event: 'prompt' })).context)).toContain('| One more thing.')
  })
})

test('what an agent must not hear stays held for that, however often it was kept from stopping', async () => {
  const { tell, respond, inbox, item, agent } = start()
  const { directive } = await tell('From outside.')
  inbox.holdItem(item(directive.id), 'bypass_mode')
  agent.blocks = maxStopBlocks
  await respond({ event: 'stop', native: 'Stop' })
  expect(item(directive.id).steps.at(-1)?.reason).toBe('bypass_mode')
})

test('an agent that has stopped may be kept from it as often as before', async () => {
  const { tell, respond, agent, inbox } = start()
  await tell('One more thing.')
  await respond({ event: 'stop', native: 'Stop' })
  expect(agent.blocks).toBe(1)
  for (const item of inbox.openItems(agentRef.id)) await inbox.cancel(item, person)
  expect(await respond({ event: 'stop', native: 'Stop' })).toEqual({ goOn: [] })
  expect(agent.blocks).toBe(0)
})

describe('a CLI that does not write down what a hook gives it', () => {
  const startUnwritten = () => {
    const world = start()
    world.agent.writesContext = false
    return world
  }

  test('shows it early, once, and again at the stop, where it leaves a trace', async () => {
    const { tell, respond, receipt } = startUnwritten()
    const { directive } = await tell('Use the staging database.')
    expect(texts((await respond({ event: 'after_tool' })).context)).toContain('| Use the staging database.')
    expect((await respond({ event: 'after_tool' })).context).toEqual([])
    expect(texts((await respond({ event: 'stop', native: 'Stop' })).goOn)).toContain('| Use the staging database.')
    expect(receipt(directive.id).steps.map(({ via }) => via)).toEqual([undefined, 'unwritten', 'feedback'])
    expect(await respond({ event: 'stop', native: 'Stop' })).toEqual({ goOn: [] })
  })

  test('what could be proven no more comes with its next turn', async () => {
    const { tell, respond, agent, item } = startUnwritten()
    const { directive } = await tell('Use the staging database.')
    await respond({ event: 'after_tool' })
    agent.blocks = maxStopBlocks
    expect(await respond({ event: 'stop', native: 'Stop' })).toEqual({})
    expect(item(directive.id)).toMatchObject({ state: 'held' })
  })

  test('an urgent one still stops the next tool call: only that is proof', async () => {
    const { tell, respond, inbox, item } = startUnwritten()
    const { directive } = await tell('Stop.', { priority: 'urgent' })
    await respond({ event: 'after_tool' })
    expect(inbox.takeUrgent(item(directive.id))?.text).toContain('| Stop.')
    expect(inbox.takeUrgent(item(directive.id))).toBeNull()
  })
})

test('before a prompt repeats what is not confirmed, the conversation is read up to date; otherwise nobody waits', async () => {
  const { tell, respond, inbox, agent } = start()
  await tell('a')
  await respond({ event: 'prompt' })
  expect(agent.caughtUp).toBe(0)
  await respond({ event: 'after_batch' })
  expect(agent.caughtUp).toBe(0)
  const reply = await respond({ event: 'prompt' })
  expect(agent.caughtUp).toBe(1)
  expect(texts(reply.context)).toContain('| a')
  expect(inbox.openItems(agentRef.id)[0]?.attempts).toBe(2)
})
