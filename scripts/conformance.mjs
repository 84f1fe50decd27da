// `npm run conformance -- [--cli NAME[@VERSION]] [vitest arguments]`: the conformance suite with the pinned CLIs, one of them, or another version of it.
import path from 'node:path'
import { loadTs } from './load-ts.mjs'
import { CannotRun } from './prepare.mjs'
import { run } from './spawn.mjs'

const ROOT = path.join(import.meta.dirname, '..')

export async function conformance(args) {
  const { asked, rest } = readArguments(args)
  const { clis, driverOf, pinnedVersion } = await loadTs('test/support/clis.ts')
  const chosen = asked === undefined ? clis : [cliOf(asked.name, clis)]
  const program = asked?.version === undefined ? undefined : await install(chosen[0], asked.version)
  const env = {
    ...process.env,
    ...(asked === undefined ? {} : { REIN_CONFORMANCE_CLI: asked.name }),
    ...(program === undefined ? {} : { REIN_CONFORMANCE_PROGRAM: program }),
  }
  const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs')
  const code = await run(process.execPath, [vitest, 'run', '--root', ROOT, '--project', 'conformance', ...rest], {
    env,
  })
  const { matrix } = await loadTs('src/drivers/docs.ts')
  const columns = chosen.map((cli) => ({ driver: driverOf(cli), version: asked?.version ?? pinnedVersion(cli) }))
  console.log(`\n${matrix(columns)}`)
  return code
}

/** Everything but `--cli` is for vitest. */
function readArguments(args) {
  const at = args.findIndex((arg) => /^--cli(=|$)/.test(arg))
  if (at < 0) return { asked: undefined, rest: args }
  const [, inline] = args[at].split('=')
  const [name, version] = (inline ?? args[at + 1] ?? '').split('@')
  // A tag would name another version tomorrow.
  if (version !== undefined && !/^\d+\.\d+\.\d/.test(version))
    throw new CannotRun(`"${version}" is no whole version: say --cli ${name}@1.2.3.`)
  return { asked: { name, version }, rest: args.toSpliced(at, inline === undefined ? 2 : 1) }
}

function cliOf(name, clis) {
  const found = clis.find((cli) => cli.name === name)
  if (found === undefined)
    throw new CannotRun(`there is no CLI "${name}". Known: ${clis.map((cli) => cli.name).join(', ')}.`)
  return found
}

async function install(cli, version) {
  const { installVersion } = await loadTs('test/support/other-versions.ts')
  console.log(`· ${cli.package}@${version}`)
  try {
    return await installVersion(cli, version)
  } catch (error) {
    throw new CannotRun(error.message)
  }
}
