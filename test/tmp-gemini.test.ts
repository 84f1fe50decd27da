import { vi } from 'vitest'
vi.mock('../src/drivers/registry.ts', async () => {
  const { gemini } = await import('../src/drivers/gemini/driver.ts')
  return { findDriver: () => gemini, drivers: [gemini] }
})
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { HookCall, HookReply } from '../src/contract/hooks.ts'
import type { Capability } from '../src/drivers/contract.ts'
import { driverOf } from './clis.ts'
import { chosen, installedOf } from './conformance/chosen.ts'
import { startProbe } from './conformance/probe.ts'

const hosts = ['stream', 'tmux'] as const
const script = ['RUN:echo first', 'RUN:touch denied.txt', 'RUN:touch plain.txt', 'SAY:done', 'SAY:went on'].join(' ;; ')

const commandIn = ({ tools }: HookCall): string => JSON.stringify(tools.map(({ input }) => input))

/** Says something at every hook: what of it arrives is what the CLI can do. */
const sayEverything = () => {
  let stops = 0
  return (call: HookCall): Partial<HookReply> => {
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

const probed: readonly Capability[] = [
  'beforeTool',
  'afterTool',
  'afterBatch',
  'onPrompt',
  'onStart',
  'onStop',
  'deny',
  'rewrite',
]

describe.each(chosen.filter(({ name }) => name === 'gemini'))('$name', (cli) => {
  describe.each(hosts)('%s', (host) => {
    test('what its hooks say arrives exactly where the driver claims it does', async () => {
      const installed = await installedOf(cli)
      const claimed = driverOf(cli).capabilities(installed.version, host)
      const probe = await startProbe(cli, installed, host, script, sayEverything())
      onTestFinished(probe.close)
      await probe.sim.next((request) => request.reply.includes(claimed.onStop ? 'went on' : 'done'))
      const everything = probe.requests.map(({ text, systemText }) => `${systemText}\n${text}`).join('\n')
      const has = (text: string): boolean => everything.includes(text)
      const measured = {
        beforeTool: probe.calls.some(({ event }) => event === 'before_tool'),
        afterTool: has('CONTEXT-after_tool') || has('CONTEXT-after_batch'),
        afterBatch: has('CONTEXT-after_batch'),
        onPrompt: has('CONTEXT-prompt'),
        onStart: has('CONTEXT-session_start'),
        onStop: has('GO-ON'),
        deny: has('DENIED-BY-PROBE') && !existsSync(join(probe.cwd, 'denied.txt')),
        rewrite: existsSync(join(probe.cwd, 'rewritten.txt')) && !existsSync(join(probe.cwd, 'plain.txt')),
      }
      console.log(
        host,
        JSON.stringify(probe.calls.map(({ event, native }) => [native, event])),
        JSON.stringify(measured),
      )
      expect(measured).toEqual(Object.fromEntries(probed.map((name) => [name, claimed[name]])))
    }, 60_000)
  })
})
