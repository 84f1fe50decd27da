import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isObject, parseObject } from '../../../src/base/util/json.ts'

export interface HookAnswer {
  stdout: string
  context: string | null
  denial: string | null
}

interface Handler {
  command: string
  timeout: number
}

/** The hooks of a plugin directory, run as Claude Code runs them: each by `sh -c`, the payload on stdin. */
export class Hooks {
  readonly #root: string
  readonly #handlers: Record<string, { hooks: Handler[] }[]>

  constructor(root: string) {
    this.#root = root
    const { hooks } = JSON.parse(readFileSync(join(root, 'hooks/hooks.json'), 'utf8')) as {
      hooks: Record<string, { hooks: Handler[] }[]>
    }
    this.#handlers = hooks
  }

  async run(payload: Record<string, unknown> & { hook_event_name: string; session_id: string }): Promise<HookAnswer> {
    const handlers = (this.#handlers[payload.hook_event_name] ?? []).flatMap(({ hooks }) => hooks)
    const outputs = await Promise.all(handlers.map((handler) => this.#call(handler, payload)))
    return readAnswer(outputs.join(''))
  }

  /** A hook that was killed has said nothing. */
  async #call({ command, timeout }: Handler, payload: { session_id: string }): Promise<string> {
    const env = { ...process.env, CLAUDE_PLUGIN_ROOT: this.#root, CLAUDE_CODE_SESSION_ID: payload.session_id }
    const stdio = ['pipe', 'pipe', 'ignore'] as ['pipe', 'pipe', 'ignore']
    const child = spawn('/bin/sh', ['-c', command], { env, stdio, timeout: timeout * 1000, killSignal: 'SIGKILL' })
    child.stdin.on('error', () => undefined)
    child.stdin.end(`${JSON.stringify(payload)}\n`)
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
    return code === 0 ? output : ''
  }
}

const readAnswer = (stdout: string): HookAnswer => {
  const specific = parseObject(stdout)?.['hookSpecificOutput']
  const said = isObject(specific) ? specific : {}
  return {
    stdout,
    context: typeof said['additionalContext'] === 'string' ? said['additionalContext'] : null,
    denial: said['permissionDecision'] === 'deny' ? String(said['permissionDecisionReason']) : null,
  }
}
