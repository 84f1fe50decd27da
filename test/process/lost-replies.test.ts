import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { killProcess } from '../support/kill.ts'
import { createBox } from './harness.ts'
import { hookCaller } from './hook-caller.ts'

/** A daemon that does not get to run, and an agent whose hook calls while it does not, and gives up. */
const start = async () => {
  const box = createBox()
  const daemon = await box.daemon()
  const call = await hookCaller(box, { atTheEnd: onTestFinished })
  const client = box.client()
  const agent = async () => {
    const [view] = await client.ps({})
    if (view === undefined) throw new Error('There is no agent.')
    return view
  }
  const { handle, pid } = await agent()
  const tell = (text: string, priority: 'normal' | 'urgent' = 'normal') =>
    client.tell({ target: handle, cwd: box.cwd, text, from: 'test', priority })
  /** A client that leaves like `rein-hook` after its deadline; that one would also leave a note of some events. */
  const callInVain = async (event: string, payload: object): Promise<void> => {
    const about = { session_id: 'c1', cwd: box.cwd, hook_event_name: event }
    const body = JSON.stringify({ ...about, ...payload })
    const path = `/v1/hooks/claude/${event}?agent=&pid=${pid}&conversation=c1&handle=`
    const head = ['Host: rein', 'x-rein-hook: 1', 'x-rein-wait: 4000', `Content-Length: ${Buffer.byteLength(body)}`]
    killProcess(daemon.pid, 'SIGSTOP')
    const socket = connect(box.paths.socket)
    await once(socket, 'connect')
    socket.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`)
    socket.destroy()
    await once(socket, 'close')
    killProcess(daemon.pid, 'SIGCONT')
  }
  return { box, daemon, client, call, callInVain, tell, agent }
}

test('what was in a reply that no hook waited for comes with the next hook', async () => {
  const { call, callInVain, tell } = await start()
  const { id } = await tell('Keep the file in order.')
  await callInVain('PostToolBatch', { tool_calls: [] })
  expect((await call('PostToolBatch', { tool_calls: [] })).stdout).toContain(id)
})

test('a call that was denied in vain has run, and the next one is denied', async () => {
  const { call, callInVain, tell } = await start()
  const { id } = await tell('Do not delete anything.', 'urgent')
  const tool = { tool_name: 'Bash', tool_input: { command: 'ls' } }
  await callInVain('PreToolUse', { ...tool, tool_use_id: 'toolu_1' })
  const { stdout } = await call('PreToolUse', { ...tool, tool_use_id: 'toolu_2' })
  expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
  expect(stdout).toContain(`id=\\"${id}\\"`)
})

test('an agent that was kept from stopping in vain has stopped, and is known to be idle', async () => {
  const { client, call, callInVain, tell, agent } = await start()
  await call('UserPromptSubmit', { prompt: 'Begin.' })
  const { id } = await tell('One more thing.')
  expect((await agent()).state).toBe('working')
  await callInVain('Stop', { stop_hook_active: false })
  // No waiter wakes this one: that is known as soon as it is woken for what it has not got.
  let reason: string | undefined
  for await (const { steps } of client.follow({ id, until: 'closed' }, AbortSignal.timeout(60_000))) {
    reason = steps.at(-1)?.reason
    if (reason === 'no_waiter') break
  }
  expect([reason, (await agent()).state]).toEqual(['no_waiter', 'idle'])
})

test('an agent that went on after a stop whose hook gave up is at work, also when the note of that stop is read', async () => {
  const { box, daemon, client, call, agent } = await start()
  await call('UserPromptSubmit', { prompt: 'Begin.' })
  killProcess(daemon.pid, 'SIGSTOP')
  const { stdout } = await call('Stop', { stop_hook_active: false }, 300)
  const notes = () => readdirSync(box.paths.spool)
  expect([stdout, notes().length]).toEqual(['', 1])
  killProcess(daemon.pid, 'SIGCONT')
  // What its client gave up is heard all the same.
  for await (const { agents } of client.watch({})) if (agents.some(({ state }) => state === 'idle')) break
  await call('UserPromptSubmit', { prompt: 'Go on.' })
  expect((await agent()).state).toBe('working')
  await expect.poll(notes, { timeout: 120_000 }).toEqual([])
  expect((await agent()).state).toBe('working')
})
