import { fstatSync } from 'node:fs'
import path from 'node:path'
import { type Adapter, PermanentError } from './sdk/adapter.ts'
import { connectDaemon, pathsOf } from './sdk/connect.ts'
import { messageOf, wait } from './sdk/retry.ts'
import { command } from './command.ts'
import { readConfig } from './config.ts'
import { type AdapterKind, ConfigError } from './kind.ts'
import { notify } from './notify.ts'
import { telegram } from './telegram.ts'
import { timer } from './timer.ts'
import { watch } from './watch.ts'
import { webhook } from './webhook.ts'

const kinds: Record<string, AdapterKind> = { command, notify, telegram, timer, watch, webhook }

const run = async ([name = '', file = '']: string[], env: NodeJS.ProcessEnv): Promise<void> => {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
  if (kind === undefined) throw new ConfigError(`${JSON.stringify(name)} is none of: ${Object.keys(kinds).join(', ')}.`)
  const config = await readConfig(file, kind.config)
  // The supervisor holds the other end of our standard input: we end with it.
  const stats = fstatSync(0)
  const supervised = stats.isFIFO() || stats.isSocket()
  let adapter: Adapter | undefined
  if (supervised) process.stdin.resume().on('close', () => (adapter ? void adapter.shutdown() : process.exit(0)))
  adapter = await kind.start(config, {
    // A supervised one ends with its daemon, and must not bring it back.
    daemon: connectDaemon(env, { start: !supervised }),
    env,
    dir: path.dirname(path.resolve(file)),
    state: pathsOf(env).state,
    now: Date.now,
    wait,
    log: (line) => void process.stderr.write(`${line}\n`),
  })
  process.stdout.write('ready\n')
  await adapter.closed
}

run(process.argv.slice(2), process.env).then(
  () => process.exit(0),
  (cause: unknown) => {
    process.stderr.write(`${messageOf(cause).replaceAll(/\s*\n\s*/g, ' ')}\n`)
    // 2: starting it again would not help.
    process.exit(cause instanceof ConfigError || cause instanceof PermanentError ? 2 : 1)
  },
)
