// `npm run conformance -- [--cli NAME[@VERSION]] [vitest arguments]`: the conformance suite with the pinned CLIs, one of them, or another version of it.
import { existsSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { loadTs } from './load-ts.mjs'
import { CannotRun } from './prepare.mjs'
import { capture, run } from './spawn.mjs'

const ROOT = path.join(import.meta.dirname, '..')
const INSTALLED = path.join(ROOT, 'node_modules/.cache/rein/clis')

export async function conformance(args) {
  const { asked, rest } = readArguments(args)
  const { clis, driverOf, pinnedVersion, programOf } = await loadTs('test/clis.ts')
  const chosen = asked === undefined ? clis : [cliOf(asked.name, clis)]
  const packages = asked?.version === undefined ? undefined : await installed(chosen[0], asked.version)
  const env = {
    ...process.env,
    ...(asked === undefined ? {} : { REIN_CONFORMANCE_CLI: asked.name }),
    ...(packages === undefined ? {} : { REIN_CONFORMANCE_PROGRAM: programOf(chosen[0], packages) }),
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

/** Installs a published version unless it is there; returns the directory that holds its package. */
async function installed(cli, version) {
  const directory = path.join(INSTALLED, `${cli.name}-${version}`)
  if (!existsSync(directory)) await install(`${cli.package}@${version}`, directory)
  return path.join(directory, 'node_modules')
}

/** Made aside and renamed: what is there is whole. */
async function install(spec, directory) {
  console.log(`· installing ${spec}`)
  const making = `${directory}.partial`
  rmSync(making, { recursive: true, force: true })
  const args = ['install', '--prefix', making, '--no-save', '--no-audit', '--no-fund', '--no-progress', spec]
  const { code, output } = await capture('npm', args)
  if (code === 0) return renameSync(making, directory)
  rmSync(making, { recursive: true, force: true })
  if (/\b(ETARGET|E404)\b/.test(output)) throw new CannotRun(`${spec} was never published.`)
  throw new CannotRun(`npm could not install ${spec}:\n${output.trim()}`)
}
