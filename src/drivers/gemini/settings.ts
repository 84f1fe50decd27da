import { join } from 'node:path'
import { textOf } from '../../base/util/json.ts'
import { quoted } from '../../base/util/shell.ts'
import type { LaunchContext } from '../contract.ts'
import { bridgeEnv } from '../bridge.ts'
import { marker } from '../deployed.ts'
import { guardCommand, guardProgram, guardTimeoutSeconds } from '../guard.ts'
import { asObject, type Json } from '../json.ts'
import { hookEvents } from './capabilities.ts'

/** Read like the GEMINI.md beside it, which stays the user's. */
export const instructionsFile = 'rein-agent.md'

/** The client has its own, much shorter deadlines; this one only ends a client that hangs. */
const hookTimeoutMs = 5000

/** The user's settings with Rein's own among them. Tidying up at its start, the CLI deletes conversations that were resumed. */
export const agentSettings = (user: Json, context: LaunchContext): Json => {
  const auth = asObject(asObject(user.security).auth)
  // With a login in the environment, nothing is asked.
  const {
    GOOGLE_GENAI_USE_GCA: gca,
    GOOGLE_GENAI_USE_VERTEXAI: vertex,
    GEMINI_API_KEY: key,
  }: NodeJS.ProcessEnv = context.env
  const byEnv = gca === 'true' ? 'oauth-personal' : vertex === 'true' ? 'vertex-ai' : key ? 'gemini-api-key' : null
  const selectedType = textOf(auth.selectedType) ?? byEnv
  const [command = '', ...args] = context.mcp
  const mcp = asObject(user.mcp)
  const { fileName } = asObject(user.context)
  return {
    ...user,
    security: { ...asObject(user.security), auth: selectedType === null ? auth : { ...auth, selectedType } },
    general: { ...asObject(user.general), sessionRetention: { enabled: false } },
    hooksConfig: { ...asObject(user.hooksConfig), enabled: true },
    hooks: hooksOf(user, context),
    mcpServers: { ...asObject(user.mcpServers), rein: { command, args, env: bridgeEnv((name) => `$${name}`) } },
    // A user's list of allowed servers gets Rein's too.
    ...(Array.isArray(mcp.allowed) ? { mcp: { ...mcp, allowed: [...mcp.allowed, 'rein'] } } : {}),
    context: {
      ...asObject(user.context),
      fileName: [...(fileName === undefined ? ['GEMINI.md'] : list(fileName)), instructionsFile],
    },
    policyPaths: [...policyPaths(user, context), join(context.assets, 'policies')],
    ide: { ...asObject(user.ide), hasSeenNudge: true },
  }
}

/** Hooks that the user turned off as a whole stay off; those of `rein setup` are for agents that Rein did not launch. */
const hooksOf = (user: Json, context: LaunchContext): Json => {
  const theirs = asObject(user.hooksConfig).enabled === false ? {} : asObject(user.hooks)
  const ours = hookEvents(context.host).map((event) => [
    event,
    [...list(theirs[event]).filter((item) => !JSON.stringify(item).includes(marker)), hook(event, context)],
  ])
  return { ...theirs, ...Object.fromEntries(ours) }
}

/** `exec` makes the CLI itself the client's parent: that pid is how Rein knows whose call it is. */
const hook = (event: string, { assets, env }: LaunchContext): Json => {
  const client = `exec ${quoted(join(assets, 'rein-hook'))} gemini ${event}`
  const guard = guardCommand(quoted(join(assets, guardProgram)), 'gemini', event)
  return hooksAt(event, client, guard, ` ${env['REIN_AGENT']}`)
}

/** The guard runs before each tool. `mark` ends the names: a project can switch off hooks whose names it knows. */
export const hooksAt = (event: string, client: string, guard: string, mark = ''): Json => {
  const hooks = [{ type: 'command', name: `rein${mark}`, command: client, timeout: hookTimeoutMs }]
  const guards = [
    { type: 'command', name: `${guardProgram}${mark}`, command: guard, timeout: guardTimeoutSeconds * 1000 },
  ]
  return { hooks: event === 'BeforeTool' ? [...hooks, ...guards] : hooks }
}

/** Named paths take the place of the usual one, which therefore has to be named too. */
const policyPaths = (user: Json, context: LaunchContext): unknown[] => {
  const theirs = list(user.policyPaths)
  return theirs.length > 0 ? theirs : [join(context.private, '.gemini', 'policies')]
}

const list = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value
  return value === undefined ? [] : [value]
}
