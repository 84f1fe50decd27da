import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { rulePacks } from '../../../base/config/rule-packs.ts'
import { emptyReply, type HookCall } from '../../../contract/hooks.ts'
import { findDriver } from '../../../drivers/registry.ts'
import { RuleBook, type RulesOfPlace } from '../book.ts'
import { GitLook } from '../git.ts'
import { ownFiles } from './own-files.ts'
import { ownVariables } from './own-variables.ts'
import { inJson } from './prefilter.ts'
import { toldName } from './stand-in.ts'
import { strangerVerdict } from './stranger.ts'
import { stopsWithoutDaemon } from './without-daemon.ts'
import { plainWorld } from '../plain-world.ts'
import { rootsDownTo } from '../sources.ts'
import type { World } from '../types.ts'
import { lookedUpFrom } from '../world.ts'
import { readShell } from '../../../base/shell/read.ts'
import { escapeUnsafe } from '../../../base/util/visible.ts'
import { isWithin } from '../../../base/shell/places.ts'
import { denied, pass } from './answer.ts'

/**
 * Judges one call by the rules of its place, as the daemon does, while no daemon answers. `bin/rein-guard` runs it with what the
 * guard file says of where things are, never with what a project's environment says.
 */
const [
  driverName = '',
  native = '',
  project = '/',
  guards = '',
  config = '',
  state = '',
  runtime = '',
  socket = '',
  home = '',
] = process.argv.slice(2)

const book = new RuleBook({
  paths: { userRules: path.join(path.dirname(config), 'rules'), state },
  packs: (root) => rulePacks({ paths: { config }, projectDirs: rootsDownTo(root), env: {} }),
  builtIn: () => [ownFiles({ state, runtime, config, home, env: process.env })],
})

/** Guards that the daemon held here and that are not found now may say anything. */
const areAllKnown = ({ set }: RulesOfPlace, cwd: string): boolean => {
  const known = new Set(set.rules.filter(({ rule }) => rule.guard).map((guard) => inJson(toldName(guard))))
  return readFileSync(guards, 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([kind, root = '']) => kind === 'guard' && (isWithin(root, project) || isWithin(root, cwd)))
    .every(([, , name = '']) => known.has(name))
}

const worldAt = (cwd: string, root: string | null): World => {
  const git = new GitLook(Date.now)
  const variables = ownVariables({ guards, socket, spool: path.join(state, 'spool') })
  return plainWorld({
    root: root ?? cwd,
    now: Date.now,
    ...lookedUpFrom(cwd, home),
    branch: () => Promise.resolve(git.branch(root ?? cwd)),
    isDirty: () => git.isDirty(root ?? cwd),
    rootBeside: (top, file) => Promise.resolve(git.rootBeside(top, file)),
    readFile: (file) => readFile(file, 'utf8').catch(() => null),
    readShell: (command, directory) => readShell(command, { cwd: directory, home, variables }),
  })
}

const judge = async (): Promise<string> => {
  const driver = findDriver(driverName)
  const meta = { native, agent: null, pid: null, conversation: null }
  const call: HookCall = driver.hooks.decode(JSON.parse(await text(process.stdin)), meta)
  const cwd = call.cwd ?? project
  if (!areAllKnown(await book.rulesFor(project), cwd)) throw new Error('a guard is not known here')
  const world = (_: HookCall, root: string | null): World => worldAt(cwd, root)
  const reason = await strangerVerdict(
    { rulesFor: (place) => book.rulesFor(place), actions: driver.actions, world, stops: stopsWithoutDaemon },
    call,
    project,
  )
  if (reason === null) return pass
  return denied(
    driver.hooks.encode(
      call,
      { ...emptyReply, decision: { kind: 'deny', reason: escapeUnsafe(reason) } },
      driver.minVersion,
    ),
  )
}

process.stdout.write(`${await judge()}\nrein-end\n`)
