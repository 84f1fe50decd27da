import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Box, createBox } from './harness.ts'

const rules = `version: 1
rules:
  - name: no-force-push
    on: shell
    guard: true
    when: { shell: { program: git, subcommand: push, flags: [-f, --force] } }
    message: Not this one.
  - name: no-deletes
    on: shell
    guard: true
    when: { shell: { deletes: [.git/**, '~/**'] } }
`

/** A daemon whose user has guards on lines of shell. */
export const boxWithRules = async (config: Record<string, string> = {}): Promise<Box> => {
  const box = createBox(config)
  mkdirSync(join(box.paths.state, 'rules'), { recursive: true, mode: 0o700 })
  writeFileSync(join(box.paths.state, 'rules/mine.yaml'), rules)
  await box.client().status()
  return box
}

/** What the daemon answers to the guard of a call; where it says that it needs longer, what it says then. */
export const guarded = async (box: Box, command: string): Promise<string> => {
  const { paths, cwd } = box
  const ask = async (query: string, body: object): Promise<string> => {
    const asking = request({ socketPath: paths.socket, method: 'POST', path: `/v1/guard/claude/PreToolUse?${query}` })
    asking.setHeader('x-rein-project', cwd)
    asking.setHeader('x-rein-wait', '60000')
    asking.end(JSON.stringify(body))
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    return text(response)
  }
  const said = await ask('', { session_id: 's', cwd, tool_name: 'Bash', tool_input: { command } })
  const ticket = /^later (\w+)/.exec(said)?.[1]
  return ticket === undefined ? said : ask(`ticket=${ticket}`, {})
}
