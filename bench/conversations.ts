import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { v4 as uuid } from 'uuid'
import { deployAssets } from '../src/agents/launch/assets.ts'
import { streamHost } from '../src/agents/hosts/stream.ts'
import { agentEnv } from '../src/agents/launch/agent-env.ts'
import { claude } from '../src/drivers/claude/driver.ts'
import { detect } from '../src/drivers/detect.ts'
import type { Asset, Installed } from '../src/drivers/contract.ts'
import { type Sim, startSim } from '../src/sim/server.ts'
import { type Box, type Env, repository } from '../test/process/harness.ts'

/** Who answers the hooks of a conversation. */
export type Variant = 'none' | 'empty' | 'rein' | 'classic'

export interface Conversation {
  /** One Bash call, from the model's reply to its next request, in ms. */
  call(): Promise<number>
  stop(): Promise<void>
}

/** The real one, of the version that the tests are pinned to. */
const claudePath = join(repository, 'node_modules/@anthropic-ai/claude-code/bin/claude.exe')

/** A hook as many people have one: bash, and jq for each field. */
const classicHook = `#!/bin/bash
input=$(cat)
event=$(echo "$input" | jq -r '.hook_event_name')
session=$(echo "$input" | jq -r '.session_id')
inbox="$HOME/.inbox/$session"
if [ -s "$inbox" ]; then
  jq -n --arg event "$event" --arg text "$(cat "$inbox")" \\
    '{hookSpecificOutput: {hookEventName: $event, additionalContext: $text}}'
  rm -f "$inbox"
fi
exit 0
`

export const findClaude = async (): Promise<Installed> => {
  const installed = await detect(claude, process.env, claudePath)
  if (installed === null) throw new Error(`There is no Claude Code at ${claudePath}: run npm install.`)
  return installed
}

export class Conversations {
  constructor(
    readonly box: Box,
    readonly installed: Installed,
    readonly emptySocket: string,
  ) {}

  /** A new conversation of \`calls\` Bash calls; each waits until it is asked for. */
  async start(variant: Variant, calls: number): Promise<Conversation> {
    const sim = await startSim()
    const steps = Array.from({ length: calls }, (_, index) => `WAIT:${index} ;; RUN:true`)
    const script = [...steps, 'SAY:done'].join(' ;; ')
    const stop = variant === 'rein' ? await this.#up(script, sim) : await this.#launch(variant, script, sim)
    let index = 0
    return {
      call: () => timeCall(sim, index++),
      stop: async () => {
        await stop()
        await sim.close()
      },
    }
  }

  async #up(prompt: string, sim: Sim): Promise<() => Promise<unknown>> {
    const client = this.box.client({ env: { REIN_CLAUDE_PATH: claudePath } })
    const handle = `worker-${uuid().slice(0, 8)}`
    const request = { ...this.#request(prompt), env: {}, args: [] }
    await client.up({ handle, driver: 'claude', host: 'stream', request, env: this.#env(sim) })
    return () => client.down({ target: handle, cwd: this.box.cwd })
  }

  /** The same without Rein: the same command, the same environment, only other hooks or another server. */
  async #launch(variant: Exclude<Variant, 'rein'>, prompt: string, sim: Sim): Promise<() => Promise<unknown>> {
    const { installed, box } = this
    const paths = { ...box.paths, socket: this.emptySocket }
    const agent = `agt_${uuid()}`
    const env = agentEnv(this.#env(sim), {
      agent,
      handle: variant,
      token: agent,
      paths,
      deadlineMs: 200,
      waiters: box.root,
      cwd: box.cwd,
    })
    const assets = deployAssets(box.root, variant, this.#assets(variant))
    const own = { mcp: [process.execPath, '-e', ''], private: join(box.root, agent, 'home') }
    const context = { installed, host: 'stream' as const, assets, env, newConversation: uuid(), ...own }
    const plan = claude.launch({ ...this.#request(prompt), env: {}, args: [] }, context)
    const hosted = await streamHost(claude.stream).start(join(box.root, agent), plan, () => undefined)
    return () => hosted.stop(5000)
  }

  #request(prompt: string) {
    return { cwd: this.box.cwd, prompt, permissionMode: 'bypassPermissions' }
  }

  #assets(variant: Exclude<Variant, 'rein'>): Asset[] {
    const transport = { kind: 'socket' as const, url: '' }
    const programs = join(repository, 'bin')
    const skills = join(repository, 'skills')
    const own = claude.assets({ version: this.installed.version, host: 'stream', programs, skills, transport })
    if (variant === 'empty') return own
    const events = variant === 'none' ? [] : ['PreToolUse', 'PostToolBatch']
    const handler = { type: 'command', command: 'exec "${CLAUDE_PLUGIN_ROOT}/classic-hook"', timeout: 5 }
    const hooks = Object.fromEntries(events.map((event) => [event, [{ hooks: [handler] }]]))
    return [
      ...own.filter(({ path }) => path !== 'hooks/hooks.json'),
      { path: 'hooks/hooks.json', content: JSON.stringify({ hooks }), executable: false },
      { path: 'classic-hook', content: classicHook, executable: true },
    ]
  }

  /** A home of its own for each, no account, nothing but the scripted model to talk to. */
  #env(sim: Sim): Env {
    const HOME = join(this.box.root, `home-${uuid()}`)
    mkdirSync(HOME)
    return {
      PATH: process.env['PATH'] ?? '',
      HOME,
      REIN_HOME: this.box.env['REIN_HOME'] ?? '',
      ANTHROPIC_BASE_URL: sim.url,
      ANTHROPIC_API_KEY: 'sk-ant-dummy',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      IS_SANDBOX: '1',
    }
  }
}

const timeCall = async (sim: Sim, index: number): Promise<number> => {
  await sim.reached(String(index))
  const from = sim.requests.length
  const started = performance.now()
  sim.release(String(index))
  await sim.next((request) => request.isMain, from)
  return performance.now() - started
}
