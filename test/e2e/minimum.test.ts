import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { wakeSentence } from '../../src/contract/wake.ts'
import type { DoctorView } from '../../src/contract/routes/daemon.ts'
import type { Receipt } from '../../src/contract/directive.ts'
import {
  minimumClaude,
  newestClaude,
  shownIn,
  startRein,
  statesOf,
  type TestOptions,
  type TestRein,
} from './harness.ts'
import { idle, inState, shows, terminalOf } from './terminal.ts'

// This version needs seconds to start, and each test waits for it: two or three of them run at once.
const hosts = ['stream', 'tmux'] as const
type HostKind = (typeof hosts)[number]

const startMinimum = (options: TestOptions = {}) => startRein({ program: minimumClaude, ...options })

const start = async (host: HostKind, prompt: string | null, options: TestOptions = {}) => {
  const rein = await startMinimum(options)
  expect(await rein.up(prompt, {}, { host })).toMatchObject({ version: '2.1.9', host })
  return rein
}

const waysOf = ({ steps }: Receipt) => steps.filter(({ state }) => state === 'offered').map(({ via }) => via)
const main = ({ sim }: TestRein) => sim.requests.filter((request) => request.isMain)

describe('busy: it comes with the tools, and what was not acknowledged again at the stop', () => {
  test.concurrent.for(hosts)('%s', async (host, { onTestFinished }) => {
    const rein = await start(host, 'WAIT:told ;; RUN:echo work ;; SAY:done ;; SAY:more', {
      scenario: '',
      onTestFinished,
    })
    await rein.sim.reached('told')
    const { id } = await rein.tell('While busy.')
    rein.sim.release('told')
    const receipt = await rein.reached(id, 'seen')
    expect(statesOf(receipt)).toEqual(['queued', 'offered', 'offered', 'placed', 'seen'])
    expect(waysOf(receipt)).toEqual(['unwritten', 'feedback'])
    expect(receipt.steps.at(-1)?.evidence).toMatchObject({ source: 'transcript', descendant: expect.any(String) })
    const [first, withTools, atStop] = main(rein)
    expect([first, withTools, atStop].map((request) => shownIn(request, id))).toEqual([0, 1, 2])
    expect(withTools?.newText).toContain('| While busy.')
    expect(atStop?.newText).toContain('Stop hook feedback:')
  })
})

describe('what it acknowledges is not shown again; at the stop it is proven at once', () => {
  test.concurrent.for(hosts)('%s', async (host, { onTestFinished }) => {
    const rein = await start(host, 'WAIT:busy ;; PAR:RUN:echo one && RUN:echo two ;; WAIT:stop ;; SAY:done', {
      onTestFinished,
    })
    await rein.sim.reached('busy')
    const busy = await rein.tell('While busy.')
    rein.sim.release('busy')
    expect(statesOf(await rein.reached(busy.id, 'acked'))).toEqual(['queued', 'offered', 'acked'])
    await rein.sim.reached('stop')
    const stop = await rein.tell('At the stop.')
    rein.sim.release('stop')
    expect(statesOf(await rein.reached(stop.id, 'acked'))).toEqual(['queued', 'offered', 'placed', 'seen', 'acked'])
    await idle(rein)
    for (const { id } of [busy, stop]) expect(Math.max(...main(rein).map((request) => shownIn(request, id)))).toBe(1)
  })
})

describe('what was told before the start comes with the first prompt, also of a resumed one', () => {
  test.concurrent.for(hosts)('%s', async (host, { onTestFinished }) => {
    const rein = await start(host, 'SAY:hello', { onTestFinished })
    await idle(rein)
    await rein.client.down({ target: 'worker', cwd: rein.cwd })
    const { id } = await rein.tell('Good morning.')
    await rein.up('SAY:back', { continue: true }, { host })
    await rein.reached(id, 'acked')
    const resumed = await rein.sim.next((request) => request.isMain && request.text.includes('SAY:back'))
    expect(resumed.text).toContain('SAY:hello')
    expect(shownIn(resumed, id)).toBe(1)
  })
})

describe('idle: it is woken, five times in a row', () => {
  test.concurrent.for(hosts)('%s', async (host, { onTestFinished }) => {
    const rein = await start(host, null, { onTestFinished })
    for (let time = 1; time <= 5; time += 1) {
      await idle(rein)
      const { id } = await rein.tell(`Wake up, time ${time}.`)
      expect(statesOf(await rein.reached(id, 'acked'))).toEqual(['queued', 'offered', 'acked'])
      const woken = await rein.sim.next((request) => request.text.includes(id))
      expect(shownIn(woken, id)).toBe(1)
      expect(woken.newText).toContain(wakeSentence)
    }
  })
})

describe('idle and never acknowledging: each is proven at its stop', () => {
  test.concurrent.for(hosts)('%s', async (host, { onTestFinished }) => {
    const rein = await start(host, null, { scenario: '', onTestFinished })
    for (let time = 1; time <= 5; time += 1) {
      await idle(rein)
      const { id } = await rein.tell(`Wake up, time ${time}.`)
      const receipt = await rein.reached(id, 'seen')
      expect(statesOf(receipt)).toEqual(['queued', 'offered', 'offered', 'placed', 'seen'])
      expect(waysOf(receipt)).toEqual(['unwritten', 'feedback'])
    }
  })
})

describe('urgent: no tool runs before it is read', () => {
  test.concurrent.for(hosts)('%s', async (host, { onTestFinished }) => {
    const rein = await start(host, 'WAIT:told ;; PAR:RUN:touch one.txt && RUN:touch two.txt ;; SAY:done', {
      onTestFinished,
    })
    await rein.sim.reached('told')
    const { id } = await rein.tell('Stop: wrong directory.', { priority: 'urgent' })
    rein.sim.release('told')
    const receipt = await rein.reached(id, 'acked')
    expect(statesOf(receipt)).toEqual(['queued', 'offered', 'placed', 'seen', 'acked'])
    expect(waysOf(receipt)).toEqual(['denial'])
    expect(['one.txt', 'two.txt'].filter((name) => existsSync(join(rein.cwd, name)))).toEqual([])
    const shown = main(rein)[1]
    expect(shown?.newText).toContain('| Stop: wrong directory.')
    // This version says the reason of a denial twice: as the result, and as a reminder.
    expect(shownIn(shown, id)).toBe(2)
  })
})

describe('headless', () => {
  test.concurrent('an API error is no reply: not "seen"', async ({ onTestFinished }) => {
    const rein = await start('stream', 'WAIT:told ;; SAY:done ;; ERROR:400:refused', { scenario: '', onTestFinished })
    await rein.sim.reached('told')
    const { id } = await rein.tell('Mind the error.')
    rein.sim.release('told')
    const failed = await rein.sim.next((request) => request.reply === 'ERROR:400:refused')
    expect(shownIn(failed, id)).toBe(1)
    const again = await rein.until(id, (receipt) => waysOf(receipt).length === 2)
    expect(statesOf(again)).toEqual(['queued', 'offered', 'placed', 'offered'])
    const seen = await rein.reached(id, 'seen')
    expect(seen.steps.at(-1)?.at).toBeGreaterThan(again.steps.at(-1)?.at ?? 0)
  })

  test.concurrent('a sub-agent does not eat it, though its calls look like those of the agent', async ({
    onTestFinished,
  }) => {
    const call = {
      description: 'help',
      prompt: 'WAIT:sub ;; RUN:echo sub ;; SAY:back',
      subagent_type: 'general-purpose',
    }
    const rein = await start('stream', `CALL:Task${JSON.stringify(call)} ;; RUN:echo main ;; SAY:done`, {
      onTestFinished,
    })
    await rein.sim.reached('sub')
    const { id } = await rein.tell('For the leader.')
    rein.sim.release('sub')
    await rein.reached(id, 'acked')
    const isLeaders = (text: string): boolean => text.includes('CALL:Task')
    const sub = main(rein).filter(({ text }) => !isLeaders(text))
    expect(sub.length).toBeGreaterThan(1)
    expect(sub.map((request) => shownIn(request, id))).toEqual(sub.map(() => 0))
    expect(shownIn(main(rein).filter(({ text }) => isLeaders(text))[1], id)).toBe(1)
  })

  test.concurrent('urgent: a sub-agent is sent back to its caller, which is told', async ({ onTestFinished }) => {
    const call = {
      description: 'help',
      prompt: 'WAIT:sub ;; RUN:touch sub.txt ;; SAY:back',
      subagent_type: 'general-purpose',
    }
    const rein = await start('stream', `CALL:Task${JSON.stringify(call)} ;; RUN:touch main.txt ;; SAY:done`, {
      onTestFinished,
    })
    await rein.sim.reached('sub')
    const { id } = await rein.tell('Everybody stop.', { priority: 'urgent' })
    rein.sim.release('sub')
    await rein.reached(id, 'acked')
    const sub = main(rein).filter(({ text }) => !text.includes('CALL:Task'))
    expect(sub.at(-1)?.newText).toContain('return to your caller')
    expect(sub.map((request) => shownIn(request, id))).toEqual(sub.map(() => 0))
    expect(existsSync(join(rein.cwd, 'sub.txt'))).toBe(false)
  })
})

describe('a person at its terminal', () => {
  test.concurrent('somebody’s draft is left alone, and the receipt says why it waits', async ({ onTestFinished }) => {
    const rein = await start('tmux', null, { onTestFinished })
    const terminal = await terminalOf(rein)
    const drafted = /^❯\sSAY:my own words$/m
    await shows(terminal, '❯')
    await terminal.draft('SAY:my own words')
    await shows(terminal, drafted)
    const { id } = await rein.tell('Patience.')
    const held = await rein.until(id, ({ state }) => state === 'held')
    expect(held.steps.at(-1)).toMatchObject({ state: 'held', reason: 'draft' })
    expect(await terminal.screen()).toMatch(drafted)
    expect(main(rein)).toEqual([])
    await terminal.press('Enter')
    await rein.reached(id, 'acked')
    expect(main(rein)[0]?.newText).toContain('SAY:my own words')
    expect(shownIn(main(rein)[0], id)).toBe(1)
  })

  test.concurrent('a permission dialog is left alone, and what was told comes after it', async ({ onTestFinished }) => {
    const rein = await startMinimum({ onTestFinished })
    await rein.up('RUN:touch a.txt ;; SAY:done', { autoApprove: false }, { host: 'tmux' })
    await inState(rein, 'awaiting_permission')
    const { id } = await rein.tell('Patience.')
    const terminal = await terminalOf(rein)
    const before = await shows(terminal, 'Do you want to proceed?')
    await expect(rein.client.interrupt({ target: 'worker', cwd: rein.cwd })).rejects.toMatchObject({ code: 'refused' })
    expect(await terminal.screen()).toBe(before)
    await rein.client.answer({ target: 'worker', cwd: rein.cwd, answer: 'allow' })
    await rein.reached(id, 'acked')
    expect(existsSync(join(rein.cwd, 'a.txt'))).toBe(true)
    expect(shownIn(main(rein)[1], id)).toBe(1)
  })
})

describe('a terminal that changes under it', () => {
  test.concurrent('after Esc nothing wakes it for a while, then it is told', async ({ onTestFinished }) => {
    const rein = await start('tmux', 'WAIT:never ;; SAY:unsaid', {
      config: { REIN_INBOX_INTERRUPT_QUIET_S: '2' },
      onTestFinished,
    })
    await rein.sim.reached('never')
    await (await terminalOf(rein)).press('Escape')
    const interrupted = await rein.record('agents', (one) => one.type === 'agent.interrupted')
    const { id } = await rein.tell('After the interrupt.')
    const receipt = await rein.reached(id, 'acked')
    expect((receipt.steps[1]?.at ?? 0) - interrupted.at).toBeGreaterThanOrEqual(2000)
  })

  test.concurrent('what left the context with /compact or /clear comes again, and a killed daemon changes nothing', async ({
    onTestFinished,
  }) => {
    const rein = await start('tmux', 'WAIT:told ;; SAY:done', { scenario: '', onTestFinished })
    const seenTimes = (times: number) => (receipt: Receipt) =>
      receipt.state === 'seen' && statesOf(receipt).filter((state) => state === 'seen').length === times
    await rein.sim.reached('told')
    const { id } = await rein.tell('Remember this.')
    rein.sim.release('told')
    await rein.until(id, seenTimes(1))
    for (const [index, command] of ['/compact', '/clear'].entries()) {
      await idle(rein)
      await (await terminalOf(rein)).write(command)
      await rein.until(id, seenTimes(index + 2))
    }
    await idle(rein)
    await rein.killDaemon()
    const second = await rein.tell('After the daemon died.')
    expect(waysOf(await rein.reached(second.id, 'seen'))).toEqual(['unwritten', 'feedback'])
  })
})

test('a dialog at the start is shown as a question, and answered only when somebody does', async () => {
  const rein = await startMinimum()
  const settings = join(rein.home, '.claude.json')
  const settled = JSON.parse(await readFile(settings, 'utf8')) as object
  await writeFile(settings, JSON.stringify({ ...settled, bypassPermissionsModeAccepted: undefined }))
  const agent = await rein.up(null, {}, { host: 'tmux' })
  expect(agent).toMatchObject({ state: 'awaiting_answer', question: { tool: 'bypass permissions' } })
  await rein.client.answer({ target: 'worker', cwd: rein.cwd, answer: 'allow' })
  const { id } = await rein.tell('Now you may.')
  await rein.reached(id, 'acked')
})

test('doctor shows what this version cannot do', async () => {
  const lacking = async (claude: string): Promise<string[]> => {
    const { rein } = await startRein({ program: claude })
    const { drivers } = JSON.parse((await rein('doctor', '--quick', '--json')).stdout) as DoctorView
    return Object.entries(drivers[0]?.capabilities ?? {}).flatMap(([what, can]) => (can.tmux ? [] : [what]))
  }
  const inBoth = await lacking(newestClaude)
  const onlyHere = (await lacking(minimumClaude)).filter((what) => !inBoth.includes(what))
  expect(onlyHere).toEqual(['afterBatch', 'ask', 'wakeIdle', 'writesContext', 'tellsSubagents'])
})
