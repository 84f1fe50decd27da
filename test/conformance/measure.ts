/** Which of its hooks' words a CLI really heeds. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { HookCall, ResponderReply } from '../../src/contract/hooks.ts'
import type { Capabilities, Capability } from '../../src/drivers/contract.ts'
import { type Probe, startProbe, type Subject } from './probe.ts'
import { yes } from './yes.ts'

const script = ['RUN:echo first', 'RUN:touch denied.txt', 'RUN:touch plain.txt', 'SAY:done', 'SAY:went on'].join(' ;; ')

const commandIn = ({ tools }: HookCall): string => JSON.stringify(tools.map(({ input }) => input))

/** Says something at every hook: what of it arrives is what the CLI can do. */
const sayEverything = () => {
  let stops = 0
  return (call: HookCall): ResponderReply => {
    const context = [{ from: 'probe', text: `CONTEXT-${call.event}` }]
    if (call.subagent !== null) return {}
    if (call.event === 'stop') return stops++ === 0 ? { goOn: [{ from: 'probe', text: 'GO-ON' }] } : {}
    if (call.event !== 'before_tool') return { context }
    if (commandIn(call).includes('denied.txt')) return { decision: { kind: 'deny', reason: 'DENIED-BY-PROBE' } }
    if (!commandIn(call).includes('plain.txt')) return { context }
    const [tool] = call.tools
    const input = JSON.parse(JSON.stringify(tool?.input ?? {}).replace('plain.txt', 'rewritten.txt')) as object
    return { decision: { kind: 'rewrite', input: input as Record<string, unknown>, reason: 'probe' } }
  }
}

const probed = ['beforeTool', 'afterTool', 'afterBatch', 'onPrompt', 'onStart', 'onStop', 'deny', 'rewrite'] as const

type Measured = Record<(typeof probed)[number], boolean>

/** What the driver claims about hooks, and what was seen of it. */
export const measureHooks = async (
  subject: Subject,
  host: 'stream' | 'tmux',
): Promise<{ claimed: Measured; measured: Measured }> => {
  const claims = subject.driver.capabilities(subject.installed.version, host)
  const rein = yes()
  const probe = await startProbe(subject, host, script, sayEverything(), { heard: rein.heard })
  onTestFinished(probe.close)
  // As Rein does: a CLI without a hook before its tools asks about each, and none of them is to wait for a person.
  if (!claims.beforeTool) rein.meet(probe)
  await probe.sim.next((request) => request.reply.includes(claims.onStop ? 'went on' : 'done'))
  return { claimed: picked(claims), measured: seenIn(probe) }
}

const picked = (claims: Capabilities): Measured =>
  Object.fromEntries(probed.map((name: Capability) => [name, claims[name]])) as Measured

const seenIn = ({ calls, requests, cwd }: Probe): Measured => {
  const everything = requests.map(({ text, systemText }) => `${systemText}\n${text}`).join('\n')
  const has = (text: string): boolean => everything.includes(text)
  return {
    beforeTool: calls.some(({ event }) => event === 'before_tool'),
    afterTool: has('CONTEXT-after_tool') || has('CONTEXT-after_batch'),
    afterBatch: has('CONTEXT-after_batch'),
    onPrompt: has('CONTEXT-prompt'),
    onStart: has('CONTEXT-session_start'),
    onStop: has('GO-ON'),
    deny: has('DENIED-BY-PROBE') && !existsSync(join(cwd, 'denied.txt')),
    rewrite: existsSync(join(cwd, 'rewritten.txt')) && !existsSync(join(cwd, 'plain.txt')),
  }
}
